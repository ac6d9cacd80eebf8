//! A source → its bytes. What is compressed is unpacked here, so that nobody above needs to know.

use std::fs::File;
use std::io::{self, Cursor, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use super::{Source, encoding, unpack::unpack};

/// Bytes from somewhere, one after the other.
pub(super) type Bytes = Box<dyn Read + Send>;

/// A source that was opened.
pub(super) struct Opened {
    /// Its bytes, unpacked.
    pub(super) bytes: Bytes,
    /// How much of it was taken, packed as it lies there.
    pub(super) taken: Taken,
}

impl Opened {
    /// What comes from a reader.
    pub(super) fn of(reader: impl Read + Send + 'static) -> Self {
        let taken = Taken::default();
        let packed = Counted {
            reader,
            taken: taken.clone(),
        };
        let (head, bytes) = peek(unpack(packed), encoding::SEEN_BYTES);
        let bytes = match encoding::check(&head) {
            Ok(()) => bytes,
            Err(error) => Box::new(Broken::new(error)),
        };
        Self { bytes, taken }
    }
}

/// The bytes of a source, from its beginning.
pub(super) fn open(source: &Source) -> io::Result<Opened> {
    Ok(match &source.path {
        Some(path) => Opened::of(File::open(path)?),
        None => Opened::of(io::stdin()),
    })
}

/// Counts the bytes that were taken of a source.
#[derive(Clone, Debug, Default)]
pub(super) struct Taken(Arc<AtomicU64>);

impl Taken {
    /// The bytes taken since this was asked last.
    pub(super) fn take(&self) -> u64 {
        self.0.swap(0, Ordering::Relaxed)
    }
}

struct Counted<R> {
    reader: R,
    taken: Taken,
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.reader.read(buffer)?;
        self.taken.0.fetch_add(read as u64, Ordering::Relaxed);
        Ok(read)
    }
}

/// Looks at the first bytes of a reader, at most `most`, and gives a reader that has them still. One that fails fails
/// again where it did.
pub(super) fn peek(mut reader: impl Read + Send + 'static, most: usize) -> (Vec<u8>, Bytes) {
    let mut head = Vec::new();
    match reader.by_ref().take(most as u64).read_to_end(&mut head) {
        Ok(_) => (head.clone(), Box::new(Cursor::new(head).chain(reader))),
        Err(error) => (
            head.clone(),
            Box::new(Cursor::new(head).chain(Broken::new(error))),
        ),
    }
}

/// What is left of a reader that failed.
pub(super) struct Broken(Option<io::Error>);

impl Broken {
    pub(super) fn new(error: io::Error) -> Self {
        Self(Some(error))
    }
}

impl Read for Broken {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        self.0.take().map_or(Ok(0), Err)
    }
}
