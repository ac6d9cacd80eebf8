//! Sources → shards: owned buffers of about one size, cut at record ends.

use std::io;

use super::Source;

/// How much to hold at once.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// A shard's size in bytes, more or less; by default 16 MiB.
    pub shard_bytes: usize,
    /// A longer record is not read (`record_too_large`); by default 64 MiB.
    pub record_bytes: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            shard_bytes: 16 << 20,
            record_bytes: 64 << 20,
        }
    }
}

/// The shards of some sources, in order: an iterator that reads one whenever it is asked. Workers may process
/// shards in any order; what is dropped gives its buffer back.
#[derive(Debug)]
pub struct Shards {}

impl Shards {
    /// The shards of these sources.
    pub fn new(sources: Vec<Source>, limits: Limits) -> Self {
        let _ = (sources, limits);
        Self {}
    }
}

impl Iterator for Shards {
    type Item = Shard;

    fn next(&mut self) -> Option<Shard> {
        None
    }
}

/// Some whole records of one source, or of several small ones.
#[derive(Debug)]
pub struct Shard {}

impl Shard {
    /// What stands in it, in order. Blank lines are no entries.
    pub fn entries(&self) -> impl Iterator<Item = Entry<'_>> {
        std::iter::empty()
    }

    /// Bytes of the sources that it covers, for progress.
    pub fn bytes_read(&self) -> u64 {
        0
    }
}

/// One record, or what stands in for one.
#[derive(Clone, Copy, Debug)]
pub struct Entry<'a> {
    /// Index of the source among those given to [`Shards::new`].
    pub source: usize,
    /// Number of the line, from 1.
    pub line: u64,
    /// Byte offset of the line in the decompressed source.
    pub offset: u64,
    /// What stands there.
    pub what: What<'a>,
}

/// What an [`Entry`] is.
#[derive(Clone, Copy, Debug)]
pub enum What<'a> {
    /// A record: a line without its line break.
    Record(&'a [u8]),
    /// A record beyond the limit, passed over (`record_too_large`).
    TooLarge {
        /// Its first bytes, for a snippet.
        head: &'a [u8],
        /// Its length in bytes.
        bytes: u64,
    },
    /// The source broke off here (`source_truncated`); what stood before was read.
    Truncated(&'a io::Error),
}
