//! lz4: frames one behind the other, skippable ones among them.

use std::io::{self, Chain, Cursor, Read};

use lz4_flex::frame::FrameDecoder;

use super::is_skippable;
use super::members::{Member, Members};

/// How a frame begins.
pub(super) const MAGIC: [u8; 4] = [0x04, 0x22, 0x4d, 0x18];

pub(super) fn decoder<R: Read>(packed: R) -> Members<R, Frame<R>> {
    Members::new(packed)
}

/// A frame whose magic bytes were read already.
pub(super) struct Frame<R: Read>(FrameDecoder<Chain<Cursor<[u8; 4]>, Watched<R>>>);

impl<R: Read> Read for Frame<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.0.read(buffer)
    }
}

impl<R: Read> Member<R> for Frame<R> {
    fn open(mut packed: R) -> io::Result<Option<Self>> {
        while let Some(magic) = word(&mut packed)? {
            if magic == MAGIC {
                let packed = Watched {
                    reader: packed,
                    ended: false,
                };
                return Ok(Some(Self(FrameDecoder::new(Cursor::new(magic).chain(packed)))));
            }
            if !is_skippable(&magic) {
                let reason = "something else than a frame stands behind a frame";
                return Err(io::Error::new(io::ErrorKind::InvalidData, reason));
            }
            let length = word(&mut packed)?.ok_or(io::ErrorKind::UnexpectedEof)?;
            let length = u64::from(u32::from_le_bytes(length));
            if io::copy(&mut packed.by_ref().take(length), &mut io::sink())? < length {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
        }
        Ok(None)
    }

    /// The decoder takes the packed stream's end for the frame's end.
    fn close(self) -> io::Result<R> {
        let (_, watched) = self.0.into_inner().into_inner();
        match watched.ended {
            true => Err(io::ErrorKind::UnexpectedEof.into()),
            false => Ok(watched.reader),
        }
    }
}

/// The next four bytes, or none at the end.
fn word(packed: &mut impl Read) -> io::Result<Option<[u8; 4]>> {
    let mut word = Vec::with_capacity(4);
    packed.take(4).read_to_end(&mut word)?;
    match word.try_into() {
        Ok(word) => Ok(Some(word)),
        Err(word) if word.is_empty() => Ok(None),
        Err(_) => Err(io::ErrorKind::UnexpectedEof.into()),
    }
}

/// A reader that remembers whether somebody wanted more than there was.
struct Watched<R> {
    reader: R,
    ended: bool,
}

impl<R: Read> Read for Watched<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.reader.read(buffer)?;
        self.ended |= read == 0 && !buffer.is_empty();
        Ok(read)
    }
}
