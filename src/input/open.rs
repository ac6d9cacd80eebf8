//! A source → its bytes. What is compressed is unpacked here, so that nobody above needs to know.

use std::fs::File;
use std::io::{self, Read};
use std::mem;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use super::apart::Records;
use super::document::{Document, Layout, layout};
use super::rows::{RowGroups, Rows, Stream, is_arrow, is_parquet};
use super::streamed::{self, Streamed};
use super::unpack::unpack;
use super::{Source, encoding, zip};
use crate::record::Fields;

/// Bytes from somewhere, one after the other.
pub(super) type Bytes = Box<dyn Read + Send>;

/// A source that was opened.
pub(super) struct Opened {
    /// What stands in it, unpacked.
    pub(super) content: Content,
    /// How much of it was taken, packed as it lies there.
    pub(super) taken: Taken,
}

/// What stands in a source.
pub(super) enum Content {
    /// Records, one a line.
    Lines(Bytes),
    /// Records that are no lines, and the model that the source names for all of them.
    Apart(Box<dyn Records>, Option<String>),
}

/// Opens a source. What goes wrong later goes wrong where it is read.
pub(super) fn open(source: &Source, record_bytes: usize, fields: &Arc<Fields>) -> io::Result<Opened> {
    let (bytes, taken) = match (&source.path, &source.member) {
        (Some(path), Some(member)) => {
            let (packed, taken) = counted(member.packed(path)?);
            (unpack(member.unpacked(packed)?), taken)
        }
        (Some(path), None) => unpacked(File::open(path)?),
        (None, _) => unpacked(io::stdin()),
    };
    let content = match &source.path {
        Some(path) if source.is_parquet => {
            let rows = RowGroups::open(path, taken.clone())?;
            Content::Apart(Box::new(Rows::new(rows, record_bytes)), None)
        }
        _ => content(bytes, record_bytes, fields),
    };
    Ok(Opened { content, taken })
}

/// What comes from a reader behind all compression, and a count of what is taken of it.
pub(super) fn unpacked(reader: impl Read + Send + 'static) -> (Bytes, Taken) {
    let (bytes, taken) = counted(reader);
    (unpack(bytes), taken)
}

fn counted(reader: impl Read + Send + 'static) -> (Bytes, Taken) {
    let taken = Taken::default();
    let counted = Counted {
        reader,
        taken: taken.clone(),
    };
    (Box::new(counted), taken)
}

/// Finds out what stands in some text: the beginning tells, and as much of it is looked at as that takes.
fn content(bytes: Bytes, record_bytes: usize, fields: &Arc<Fields>) -> Content {
    let mut peeked = Peeked::new(bytes, encoding::SEEN_BYTES);
    if let Err(error) = encoding::check(&peeked.head) {
        return Content::Lines(broken(error));
    }
    if zip::is_zip(&peeked.head) || is_parquet(&peeked.head) {
        let what = if is_parquet(&peeked.head) {
            "Parquet"
        } else {
            "a ZIP archive"
        };
        let reason = format!(
            "{what} is read from a file of its own, not from a pipe or within something; save it first"
        );
        return Content::Lines(broken(io::Error::other(reason)));
    }
    if is_arrow(&peeked.head) {
        return match Stream::new(peeked.into_bytes()) {
            Ok(stream) => Content::Apart(Box::new(Rows::new(stream, record_bytes)), None),
            Err(error) => Content::Lines(broken(error)),
        };
    }
    let layout = loop {
        let length = peeked.head.len();
        let is_all = peeked.is_all || length > record_bytes;
        if let Some(layout) = layout(&peeked.head, is_all, fields) {
            break layout;
        }
        peeked.grow((4 * length).min(record_bytes.saturating_add(1)));
    };
    let streams = layout == Layout::Lines && streamed::suits(&peeked.head, peeked.is_all, fields);
    let bytes = peeked.into_bytes();
    match layout {
        Layout::Lines if streams => Content::Apart(Box::new(Streamed::new(bytes, record_bytes)), None),
        Layout::Lines => Content::Lines(bytes),
        Layout::Values => Content::Apart(Box::new(Document::new(bytes, None, record_bytes)), None),
        Layout::Elements { path, model } => {
            Content::Apart(Box::new(Document::new(bytes, Some(path), record_bytes)), model)
        }
    }
}

/// Counts the bytes that were taken of a source.
#[derive(Clone, Debug, Default)]
pub(super) struct Taken(Arc<AtomicU64>);

impl Taken {
    /// Counts bytes that were taken past the reader.
    pub(super) fn add(&self, bytes: u64) {
        self.0.fetch_add(bytes, Ordering::Relaxed);
    }

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

/// A reader whose first bytes were looked at.
pub(super) struct Peeked {
    /// The first bytes.
    pub(super) head: Vec<u8>,
    /// Whether there are no more.
    pub(super) is_all: bool,
    rest: Bytes,
    error: Option<io::Error>,
}

impl Peeked {
    /// Looks at this many bytes, if there are as many.
    pub(super) fn new(rest: Bytes, length: usize) -> Self {
        let mut peeked = Self {
            head: Vec::new(),
            is_all: false,
            rest,
            error: None,
        };
        peeked.grow(length);
        peeked
    }

    /// Looks at more bytes: this many from the start.
    fn grow(&mut self, length: usize) {
        let wanted = length.saturating_sub(self.head.len());
        if !self.is_all {
            let read = self.rest.by_ref().take(wanted as u64).read_to_end(&mut self.head);
            self.is_all = !matches!(read, Ok(read) if read == wanted);
            self.error = read.err();
        }
    }

    /// The reader, as if nobody had looked.
    pub(super) fn into_bytes(self) -> Bytes {
        Box::new(Replay {
            head: self.head,
            at: 0,
            rest: self.rest,
            error: self.error,
        })
    }
}

/// Bytes that were read already, then those of a reader; one that failed fails again where it did.
pub(super) struct Replay {
    pub(super) head: Vec<u8>,
    pub(super) at: usize,
    pub(super) rest: Bytes,
    pub(super) error: Option<io::Error>,
}

impl Read for Replay {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let left = &self.head[self.at..];
        if left.is_empty() {
            self.at = 0;
            drop(mem::take(&mut self.head));
            return self.error.take().map_or_else(|| self.rest.read(buffer), Err);
        }
        let length = left.len().min(buffer.len());
        buffer[..length].copy_from_slice(&left[..length]);
        self.at += length;
        Ok(length)
    }
}

/// A reader that fails.
pub(super) fn broken(error: io::Error) -> Bytes {
    Box::new(Replay {
        head: Vec::new(),
        at: 0,
        rest: Box::new(io::empty()),
        error: Some(error),
    })
}
