//! Compressed streams → what was compressed. They are known by their first bytes; names do not matter.

use std::io::{self, BufReader, Read};

use liblzma::stream::{CONCATENATED, Stream};

use super::open::{Bytes, Peeked, broken};

mod gzip;
mod lz4;
mod members;

/// Streams within streams are unpacked this deep.
const MOST_NESTED: usize = 4;

/// Bytes of a packed stream that are read at once.
pub(super) const READ_BYTES: usize = 64 << 10;

/// Bytes by which a stream can be known.
const MAGIC_BYTES: usize = 8;

/// Memory that one xz stream may ask for: twice what `xz -9` needs, as much as zstd allows by itself.
const XZ_MEMORY: u64 = 128 << 20;

/// A way to compress.
struct Codec {
    name: &'static str,
    /// By what its streams are known.
    is: fn(&[u8]) -> bool,
    /// What stands in one. The reader begins before the magic bytes.
    open: fn(Packed) -> io::Result<Bytes>,
}

/// A packed stream.
type Packed = BufReader<Bytes>;

const CODECS: [Codec; 5] = [
    Codec {
        name: "gzip",
        is: |head| head.starts_with(b"\x1f\x8b"),
        open: |packed| Ok(Box::new(gzip::decoder(packed))),
    },
    Codec {
        name: "zstd",
        is: |head| head.starts_with(b"\x28\xb5\x2f\xfd") || is_skippable(head),
        open: |packed| Ok(Box::new(zstd::stream::read::Decoder::with_buffer(packed)?)),
    },
    Codec {
        name: "bzip2",
        is: |head| matches!(head, [b'B', b'Z', b'h', b'1'..=b'9', 0x31 | 0x17, ..]),
        open: |packed| Ok(Box::new(bzip2::bufread::MultiBzDecoder::new(packed))),
    },
    Codec {
        name: "xz",
        is: |head| head.starts_with(b"\xfd7zXZ\0"),
        open: |packed| {
            let stream = Stream::new_stream_decoder(XZ_MEMORY, CONCATENATED)?;
            Ok(Box::new(liblzma::bufread::XzDecoder::new_stream(packed, stream)))
        },
    },
    Codec {
        name: "lz4",
        is: |head| head.starts_with(&lz4::MAGIC),
        open: |packed| Ok(Box::new(lz4::decoder(packed))),
    },
];

/// Whether a frame begins that holds nothing of the content; zstd and lz4 have the same ones.
fn is_skippable(head: &[u8]) -> bool {
    matches!(head, [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..])
}

/// The bytes behind all compression. What cannot be unpacked fails when it is read.
pub(super) fn unpack(bytes: Bytes) -> Bytes {
    let mut peeked = Peeked::new(bytes, MAGIC_BYTES);
    for _ in 0..MOST_NESTED {
        let Some(codec) = codec_of(&peeked.head) else {
            return peeked.into_bytes();
        };
        peeked = Peeked::new(codec.decoder(peeked.into_bytes()), MAGIC_BYTES);
    }
    match codec_of(&peeked.head) {
        Some(_) => broken(io::Error::other(format!(
            "it is compressed more than {MOST_NESTED} times over; unpack it first"
        ))),
        None => peeked.into_bytes(),
    }
}

/// What a stream of this codec holds.
pub(super) fn decoder(codec: &str, bytes: Bytes) -> Bytes {
    let codec = CODECS.iter().find(|known| known.name == codec);
    codec.expect("only codecs are asked for").decoder(bytes)
}

impl Codec {
    fn decoder(&self, bytes: Bytes) -> Bytes {
        let packed = BufReader::with_capacity(READ_BYTES, bytes);
        Box::new(Named {
            codec: self.name,
            decoder: (self.open)(packed).unwrap_or_else(broken),
        })
    }
}

fn codec_of(head: &[u8]) -> Option<&'static Codec> {
    CODECS.iter().find(|codec| (codec.is)(head))
}

/// A decoder whose errors say what it decodes.
struct Named {
    codec: &'static str,
    decoder: Bytes,
}

impl Read for Named {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.decoder
            .read(buffer)
            .map_err(|error| explain(self.codec, error))
    }
}

/// What is wrong with a stream. What the system says is passed on.
fn explain(codec: &str, error: io::Error) -> io::Error {
    if error.raw_os_error().is_some() || error.kind() == io::ErrorKind::Interrupted {
        return error;
    }
    let reason = match error.kind() {
        io::ErrorKind::UnexpectedEof => format!("the {codec} stream stops before its end"),
        _ => format!("the {codec} stream cannot be unpacked: {error}"),
    };
    io::Error::new(error.kind(), reason)
}

#[cfg(test)]
mod tests;
