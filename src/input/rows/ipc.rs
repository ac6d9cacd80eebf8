//! Arrow's own formats: the stream, and the file, which is a stream with a table of contents behind it.

use std::io::{self, Read};

use arrow_array::RecordBatch;
use arrow_buffer::Buffer;
use arrow_ipc::reader::StreamDecoder;

use super::{Batches, damaged};
use crate::input::open::Bytes;

/// How a file begins; the stream in it follows.
const FILE_MAGIC: &[u8] = b"ARROW1\0\0";

/// Bytes that are read at once.
const READ_BYTES: usize = 256 << 10;

/// The most bytes that a schema may have.
const SCHEMA_BYTES: u32 = 16 << 20;

/// Whether a file or a stream of Arrow begins so.
pub(in crate::input) fn is_arrow(head: &[u8]) -> bool {
    let length = |bytes: &[u8; 4]| u32::from_le_bytes(*bytes);
    head.starts_with(FILE_MAGIC)
        || head
            .strip_prefix(&[0xff; 4])
            .and_then(<[u8]>::first_chunk)
            .is_some_and(|bytes| (1..SCHEMA_BYTES).contains(&length(bytes)))
}

/// The batches of a stream.
pub(in crate::input) struct Stream {
    bytes: Bytes,
    decoder: StreamDecoder,
    read: Buffer,
}

impl Stream {
    /// A stream, or a file.
    pub(in crate::input) fn new(mut bytes: Bytes) -> io::Result<Self> {
        let mut magic = Vec::new();
        bytes
            .by_ref()
            .take(FILE_MAGIC.len() as u64)
            .read_to_end(&mut magic)?;
        let is_file = magic == FILE_MAGIC;
        Ok(Self {
            bytes,
            decoder: StreamDecoder::new(),
            read: Buffer::from(if is_file { Vec::new() } else { magic }),
        })
    }
}

impl Batches for Stream {
    fn next(&mut self) -> io::Result<Option<RecordBatch>> {
        loop {
            match self.decoder.decode(&mut self.read) {
                Ok(Some(batch)) => return Ok(Some(batch)),
                Ok(None) => {}
                // The stream has ended, and what stands behind it is the table of contents.
                Err(_) if self.decoder.finish().is_ok() => {
                    io::copy(&mut self.bytes, &mut io::sink())?;
                    return Ok(None);
                }
                Err(error) => return Err(damaged("Arrow data", error)),
            }
            let mut read = Vec::new();
            self.bytes
                .by_ref()
                .take(READ_BYTES as u64)
                .read_to_end(&mut read)?;
            if read.is_empty() {
                let end = self.decoder.finish().map(|()| None);
                return end.map_err(|error| damaged("Arrow data", error));
            }
            self.read = Buffer::from(read);
        }
    }
}
