//! ZIP archives: each member is a source of its own. Nothing of them is ever written anywhere, so their names are harmless.

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::Path;

use rawzip::{
    CompressionMethod, Crc32, FileReader, RECOMMENDED_BUFFER_SIZE, RangeReader, ZipArchive,
    ZipArchiveEntryWayfinder,
};

use super::open::Bytes;
use super::unpack::{READ_BYTES, decoder};

/// A member of an archive, and all that it takes to read it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Member {
    way: ZipArchiveEntryWayfinder,
    /// Where its header begins.
    start: u64,
    method: CompressionMethod,
    crc: u32,
    is_encrypted: bool,
}

/// Whether a file that begins so is an archive, perhaps an empty one.
pub(super) fn is_zip(head: &[u8]) -> bool {
    head.starts_with(b"PK\x03\x04") || head.starts_with(b"PK\x05\x06")
}

/// The members of an archive by name, in the order of the names; of two with one name the later one, which replaced the
/// other.
///
/// # Errors
///
/// When the list of members cannot be read, or when members overlap, as they do in archives that are made to burst.
pub(super) fn members(path: &Path) -> io::Result<Vec<(String, Member)>> {
    let mut buffer = vec![0; RECOMMENDED_BUFFER_SIZE];
    let archive = ZipArchive::from_file(File::open(path)?, &mut buffer).map_err(damaged)?;
    let mut members = HashMap::new();
    let mut spans = Vec::new();
    let mut entries = archive.entries(&mut buffer);
    while let Some(entry) = entries.next_entry().map_err(damaged)? {
        let member = Member {
            way: entry.wayfinder(),
            start: entry.local_header_offset(),
            method: entry.compression_method(),
            crc: entry.crc32(),
            is_encrypted: entry.flags().is_encrypted(),
        };
        spans.push((member.start, member.way.compressed_size_hint()));
        if !entry.is_dir() {
            let name = String::from_utf8_lossy(entry.file_path().as_bytes());
            members.insert(name.into_owned(), member);
        }
    }
    refuse_overlaps(spans)?;
    let mut members: Vec<_> = members.into_iter().collect();
    members.sort_by(|(a, _), (b, _)| a.cmp(b));
    Ok(members)
}

/// Bytes of a member's header, its name aside.
const HEADER_BYTES: u64 = 30;

fn refuse_overlaps(mut spans: Vec<(u64, u64)>) -> io::Result<()> {
    spans.sort_unstable();
    let overlap = spans.windows(2).any(|pair| {
        let [(start, length), (next, _)] = pair else {
            return false;
        };
        start.saturating_add(HEADER_BYTES).saturating_add(*length) > *next
    });
    match overlap {
        true => Err(io::Error::new(
            io::ErrorKind::InvalidData,
            "members of the ZIP archive overlap, as in a ZIP bomb; it is not read",
        )),
        false => Ok(()),
    }
}

impl Member {
    /// Its length in the archive.
    pub(super) fn packed_bytes(&self) -> u64 {
        self.way.compressed_size_hint()
    }

    /// Its bytes as they lie in the archive.
    pub(super) fn packed(&self, path: &Path) -> io::Result<RangeReader<FileReader>> {
        let mut buffer = vec![0; RECOMMENDED_BUFFER_SIZE];
        let archive = ZipArchive::from_file(File::open(path)?, &mut buffer).map_err(damaged)?;
        let (start, end) = archive
            .get_entry(self.way)
            .map_err(damaged)?
            .compressed_data_range();
        Ok(RangeReader::new(archive.into_inner(), start..end))
    }

    /// What was packed, from the bytes as they lie in the archive. It is held against the size and the checksum that the
    /// archive says it has.
    pub(super) fn unpacked(&self, packed: Bytes) -> io::Result<Bytes> {
        if self.is_encrypted {
            return Err(io::Error::other("it is encrypted; unpack the archive first"));
        }
        let reader: Bytes = match self.method {
            CompressionMethod::STORE => packed,
            CompressionMethod::DEFLATE => {
                let packed = BufReader::with_capacity(READ_BYTES, packed);
                Box::new(flate2::bufread::DeflateDecoder::new(packed))
            }
            CompressionMethod::ZSTD => decoder("zstd", packed),
            CompressionMethod::BZIP2 => decoder("bzip2", packed),
            CompressionMethod::XZ => decoder("xz", packed),
            other => {
                let reason =
                    format!("it is compressed in a way that is not read, {other}; unpack the archive first");
                return Err(io::Error::other(reason));
            }
        };
        Ok(Box::new(Checked {
            reader,
            left: self.way.uncompressed_size_hint(),
            checksum: Crc32::new(),
            expected: self.crc,
        }))
    }
}

/// What a member holds, as long as it is what the archive says.
struct Checked {
    reader: Bytes,
    left: u64,
    checksum: Crc32,
    expected: u32,
}

impl Read for Checked {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.reader.read(buffer).map_err(|error| match error.kind() {
            io::ErrorKind::UnexpectedEof => io::Error::new(error.kind(), "the member stops before its end"),
            _ => error,
        })?;
        self.checksum.update(&buffer[..read]);
        let wrong = match self.left.checked_sub(read as u64) {
            None => Some("the member is larger than the ZIP archive says"),
            Some(left) if read == 0 && !buffer.is_empty() && left > 0 => {
                Some("the member is smaller than the ZIP archive says")
            }
            Some(0) if read == 0 && !buffer.is_empty() && self.checksum.checksum() != self.expected => {
                Some("the member has another checksum than the ZIP archive says")
            }
            Some(left) => {
                self.left = left;
                None
            }
        };
        match wrong {
            Some(reason) => Err(io::Error::new(io::ErrorKind::InvalidData, reason)),
            None => Ok(read),
        }
    }
}

fn damaged(error: rawzip::Error) -> io::Error {
    io::Error::new(
        io::ErrorKind::InvalidData,
        format!("the ZIP archive cannot be read: {error}"),
    )
}
