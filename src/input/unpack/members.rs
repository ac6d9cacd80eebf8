//! Streams one behind the other, as they come about where logs are appended to.

use std::io::{self, Read};

/// A stream among others.
pub(super) trait Member<R>: Read + Sized {
    /// Goes to the next stream, past whatever may stand before it; `None` at the end.
    fn open(reader: R) -> io::Result<Option<Self>>;

    /// The reader behind the stream, which was read to its end.
    fn close(self) -> io::Result<R>;
}

/// The contents of all streams of a reader.
pub(super) struct Members<R, M>(At<R, M>);

enum At<R, M> {
    Between(R),
    Within(M),
    End,
}

impl<R, M> Members<R, M> {
    pub(super) fn new(reader: R) -> Self {
        Self(At::Between(reader))
    }
}

impl<R, M: Member<R>> Read for Members<R, M> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            match std::mem::replace(&mut self.0, At::End) {
                At::End => return Ok(0),
                At::Between(reader) => match M::open(reader)? {
                    Some(member) => self.0 = At::Within(member),
                    None => return Ok(0),
                },
                At::Within(mut member) => {
                    let read = member.read(buffer)?;
                    if read > 0 || buffer.is_empty() {
                        self.0 = At::Within(member);
                        return Ok(read);
                    }
                    self.0 = At::Between(member.close()?);
                }
            }
        }
    }
}
