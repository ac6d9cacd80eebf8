//! Records that are no lines: elements of a document, rows. Each is found by itself.

use std::collections::VecDeque;
use std::io;
use std::ops::Range;

use super::open::Taken;
use super::shards::{Fill, Head, Limits, SHOWN_BYTES, SHOWN_RECORDS, Shard, Stands};

/// Bytes of a record beyond the limit that are kept for its snippet.
pub(super) const HEAD_BYTES: usize = 160;

/// Where records come from that are no lines.
pub(super) trait Records: Send {
    /// Adds the next record to `bytes`; `None` behind the last.
    ///
    /// # Errors
    ///
    /// Why there is no more, where there should be.
    fn next(&mut self, bytes: &mut Vec<u8>) -> io::Result<Option<Found>>;
}

/// A record that was found.
pub(super) struct Found {
    /// The line that it begins on, where that is its place; else records are numbered.
    pub(super) line: Option<u64>,
    /// Where it begins in the source, unpacked.
    pub(super) offset: u64,
    /// Where it was put.
    pub(super) bytes: Range<usize>,
    /// Its length; only its head was put there if that is beyond the limit.
    pub(super) length: u64,
    /// Whether it ends before the source does.
    pub(super) is_whole: bool,
}

/// A source with such records on its way.
pub(super) struct Apart {
    records: Box<dyn Records>,
    taken: Taken,
    /// The model that the source names for all its records.
    model: Option<String>,
    /// Records that were shown and are still to be read, and why there are no more behind them.
    shown: VecDeque<Found>,
    shown_bytes: Vec<u8>,
    broken: Option<io::Error>,
    /// The next record's number and the least offset that it can have.
    number: u64,
    offset: u64,
}

impl Apart {
    pub(super) fn new(records: Box<dyn Records>, taken: Taken, model: Option<String>) -> Self {
        Self {
            records,
            taken,
            model,
            shown: VecDeque::new(),
            shown_bytes: Vec::new(),
            broken: None,
            number: 1,
            offset: 0,
        }
    }

    fn next(&mut self, bytes: &mut Vec<u8>) -> io::Result<Option<Found>> {
        let Some(shown) = self.shown.pop_front() else {
            self.shown_bytes = Vec::new();
            return self.broken.take().map_or_else(|| self.records.next(bytes), Err);
        };
        let start = bytes.len();
        bytes.extend_from_slice(&self.shown_bytes[shown.bytes]);
        Ok(Some(Found {
            bytes: start..bytes.len(),
            ..shown
        }))
    }

    fn add(&mut self, source: usize, found: Found, shard: &mut Shard) {
        let stands = match found.length {
            bytes if bytes > shard.limits.record_bytes as u64 => Stands::TooLarge {
                head: found.bytes,
                bytes,
            },
            _ if found.is_whole => Stands::Record(found.bytes),
            _ => Stands::Fragment(found.bytes),
        };
        self.number = found.line.unwrap_or(self.number);
        shard.add(source, self.number, found.offset, stands);
        self.number += u64::from(found.is_whole);
        self.offset = found.offset + found.length;
    }
}

impl Fill for Apart {
    fn fill(&mut self, source: usize, shard: &mut Shard) -> bool {
        while shard.bytes.len() < shard.limits.shard_bytes {
            match self.next(&mut shard.bytes) {
                Ok(Some(found)) => self.add(source, found, shard),
                Ok(None) => return false,
                Err(error) => {
                    shard.add(source, self.number, self.offset, Stands::End(error));
                    return false;
                }
            }
        }
        true
    }

    fn show(&mut self, _: Limits, watcher: &mut dyn FnMut(&Head<'_>)) {
        let mut bytes = Vec::new();
        while self.shown.len() < SHOWN_RECORDS && bytes.len() < SHOWN_BYTES {
            match self.records.next(&mut bytes) {
                Ok(Some(found)) => self.shown.push_back(found),
                Ok(None) => break,
                Err(error) => {
                    self.broken = Some(error);
                    break;
                }
            }
        }
        let is_whole = |found: &&Found| found.is_whole && found.bytes.len() as u64 == found.length;
        let whole = self.shown.iter().filter(is_whole);
        let records = whole.map(|found| &bytes[found.bytes.clone()]).collect();
        watcher(&Head::new(records, self.model.as_deref(), self.broken.as_ref()));
        self.shown_bytes = bytes;
    }

    fn taken(&self) -> u64 {
        self.taken.take()
    }
}
