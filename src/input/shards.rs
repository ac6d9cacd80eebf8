//! Sources → shards: owned buffers of about one size, cut at record ends.

use std::io::{self, Read};
use std::mem;
use std::ops::Range;
use std::slice;
use std::sync::{Arc, Mutex, PoisonError};

use memchr::{memchr, memchr_iter, memrchr};

use super::Source;
use super::apart::{Apart, HEAD_BYTES};
use super::open::{Bytes, Content, Replay, Taken, broken, open};
use crate::record::Fields;

/// How much to hold at once.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// A shard's size in bytes, more or less; by default 2 MiB, which processors' caches hold.
    pub shard_bytes: usize,
    /// A longer record is not read (`record_too_large`); by default 64 MiB.
    pub record_bytes: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            shard_bytes: 2 << 20,
            record_bytes: 64 << 20,
        }
    }
}

/// Bytes that are read at once at least, however small the shards.
const READ_BYTES: usize = 64 << 10;

/// The shards of some sources, in order: an iterator that reads one whenever it is asked. Workers may process
/// shards in any order; what is dropped gives its buffer back.
///
/// One source is open at a time. Small sources share a shard.
pub struct Shards<'w> {
    sources: Vec<Source>,
    limits: Limits,
    fields: Arc<Fields>,
    /// The source being read, or else the next one.
    source: usize,
    current: Option<Box<dyn Fill>>,
    pool: Pool,
    watcher: Option<Box<Watcher<'w>>>,
}

/// Is told of a source and its beginning, before the first shard of it is made.
type Watcher<'w> = dyn FnMut(usize, &Head<'_>) + Send + 'w;

/// The beginning of a source.
pub struct Head<'h> {
    /// Its first records, whole.
    pub records: Vec<&'h [u8]>,
    /// The model that it names for all its records.
    pub model: Option<&'h str>,
    /// Why there is no record in it, where that has a bad reason.
    broken: Option<io::Error>,
}

impl<'h> Head<'h> {
    pub(super) fn new(records: Vec<&'h [u8]>, model: Option<&'h str>, broken: Option<&io::Error>) -> Self {
        let broken = broken.filter(|_| records.is_empty());
        Self {
            records,
            model,
            broken: broken.map(|error| io::Error::new(error.kind(), error.to_string())),
        }
    }
}

/// Bytes of a source's beginning that are shown to a watcher, unless its first records are fewer.
pub(super) const SHOWN_BYTES: usize = 4 << 20;

/// Records of a source's beginning that are shown to a watcher.
pub(super) const SHOWN_RECORDS: usize = 64;

/// Buffers that wait to be used again.
type Pool = Arc<Mutex<Vec<Buffers>>>;

/// The bytes of a shard, and where its lines end.
type Buffers = (Vec<u8>, Vec<usize>);

impl<'w> Shards<'w> {
    /// The shards of these sources. Where `fields` has the text decides what is a record in a JSON document.
    pub fn new(sources: Vec<Source>, limits: Limits, fields: Arc<Fields>) -> Self {
        Self {
            sources,
            limits,
            fields,
            source: 0,
            current: None,
            pool: Pool::default(),
            watcher: None,
        }
    }

    /// Shows the beginning of each source to `watcher` before the first shard of it is made.
    #[must_use]
    pub fn watch(mut self, watcher: impl FnMut(usize, &Head<'_>) + Send + 'w) -> Self {
        self.watcher = Some(Box::new(watcher));
        self
    }

    fn buffers(&self) -> Buffers {
        let mut pool = self.pool.lock().unwrap_or_else(PoisonError::into_inner);
        pool.pop().unwrap_or_default()
    }

    /// Reads on in the current source, or the next. False if there is none.
    fn read_on(&mut self, shard: &mut Shard) -> bool {
        let Some(source) = self.sources.get(self.source) else {
            return false;
        };
        let mut reading = match self.current.take() {
            Some(reading) => reading,
            None => {
                let mut reading = begin(source, self.limits, &self.fields)
                    .unwrap_or_else(|error| Box::new(Reading::new(broken(error), Taken::default())));
                if let Some(watcher) = &mut self.watcher {
                    reading.show(self.limits, &mut |head| watcher(self.source, head));
                }
                reading
            }
        };
        let goes_on = reading.fill(self.source, shard);
        shard.taken += reading.taken();
        if goes_on {
            self.current = Some(reading);
        } else {
            self.source += 1;
        }
        true
    }
}

impl Iterator for Shards<'_> {
    type Item = Shard;

    fn next(&mut self) -> Option<Shard> {
        let (bytes, line_ends) = self.buffers();
        let mut shard = Shard {
            bytes,
            line_ends,
            pieces: Vec::new(),
            taken: 0,
            limits: self.limits,
            pool: Arc::clone(&self.pool),
        };
        let mut read = false;
        while shard.bytes.len() < self.limits.shard_bytes && self.read_on(&mut shard) {
            read = true;
            if self.current.is_some() {
                break;
            }
        }
        read.then_some(shard)
    }
}

/// A source on its way.
pub(super) trait Fill: Send {
    /// Shows the first records, and leaves them to be read.
    fn show(&mut self, limits: Limits, watcher: &mut dyn FnMut(&Head<'_>));

    /// Adds whole records to the shard. False if the source has no more.
    fn fill(&mut self, source: usize, shard: &mut Shard) -> bool;

    /// Bytes of the source, packed as it lies there, that were taken since this was asked last.
    fn taken(&self) -> u64;
}

/// Opens a source.
fn begin(source: &Source, limits: Limits, fields: &Arc<Fields>) -> io::Result<Box<dyn Fill>> {
    let opened = open(source, limits.record_bytes, fields)?;
    Ok(match opened.content {
        Content::Lines(bytes) => Box::new(Reading::new(bytes, opened.taken)),
        Content::Apart(records, model) => Box::new(Apart::new(records, opened.taken, model)),
    })
}

/// A source of lines on its way.
struct Reading {
    reader: Bytes,
    taken: Taken,
    /// Why there is no more.
    broken: Option<io::Error>,
    /// The beginning of a record whose end has not been read.
    begun: Vec<u8>,
    /// Where the next record begins.
    line: u64,
    offset: u64,
}

/// Shows the beginning of a source to `look`.
///
/// # Errors
///
/// When the source cannot be opened, or fails before its first record ends.
pub fn head<T>(
    source: &Source,
    limits: Limits,
    fields: &Arc<Fields>,
    look: impl Fn(&Head<'_>) -> T,
) -> io::Result<T> {
    let mut seen = Ok(None);
    begin(source, limits, fields)?.show(limits, &mut |head| {
        seen = match &head.broken {
            Some(error) => Err(io::Error::new(error.kind(), error.to_string())),
            None => Ok(Some(look(head))),
        };
    });
    seen.map(|seen| seen.expect("what begins shows its beginning"))
}

/// How gathering whole records ended.
enum Gathered {
    /// There are whole records and the source goes on.
    Records,
    /// The source has ended.
    End,
    /// The one record that was begun is beyond the limit.
    Beyond,
}

impl Fill for Reading {
    fn show(&mut self, limits: Limits, watcher: &mut dyn FnMut(&Head<'_>)) {
        let (head, shown) = self.head(limits);
        let lines = head[shown].split(|&byte| byte == b'\n');
        let records = lines.filter(|line| !line.trim_ascii().is_empty());
        let records = records.take(SHOWN_RECORDS).collect();
        watcher(&Head::new(records, None, self.broken.as_ref()));
        let rest = mem::replace(&mut self.reader, Box::new(io::empty()));
        self.reader = Box::new(Replay {
            head,
            at: 0,
            rest,
            error: self.broken.take(),
        });
    }

    fn fill(&mut self, source: usize, shard: &mut Shard) -> bool {
        let start = shard.bytes.len();
        let goes_on = match self.gather(start, shard) {
            Gathered::Records => {
                self.add_records(source, start, shard);
                true
            }
            Gathered::End => {
                self.add_records(source, start, shard);
                false
            }
            Gathered::Beyond => self.pass_over(source, start, shard),
        };
        if !goes_on && let Some(error) = self.broken.take() {
            self.add(source, 0, Stands::End(error), shard);
        }
        goes_on
    }

    fn taken(&self) -> u64 {
        self.taken.take()
    }
}

impl Reading {
    fn new(reader: Bytes, taken: Taken) -> Self {
        Self {
            reader,
            taken,
            broken: None,
            begun: Vec::new(),
            line: 1,
            offset: 0,
        }
    }

    /// Reads the first records, and says where in what was read they are: whole ones, without a byte order mark.
    fn head(&mut self, limits: Limits) -> (Vec<u8>, Range<usize>) {
        let mut head = Vec::new();
        let mut records = 0;
        let mut goes_on = true;
        while goes_on && records < SHOWN_RECORDS && head.len() <= limits.record_bytes {
            if head.len() >= SHOWN_BYTES && records > 0 {
                break;
            }
            let before = head.len();
            goes_on = self.read(&mut head, READ_BYTES);
            records += memchr_iter(b'\n', &head[before..]).count();
        }
        let end = match memrchr(b'\n', &head) {
            _ if !goes_on && self.broken.is_none() => head.len(),
            newline => newline.map_or(0, |newline| newline + 1),
        };
        let start = match head.starts_with(BYTE_ORDER_MARK) {
            true => BYTE_ORDER_MARK.len().min(end),
            false => 0,
        };
        (head, start..end)
    }

    /// Reads behind `start` until there is at least one whole record.
    fn gather(&mut self, start: usize, shard: &mut Shard) -> Gathered {
        let Shard { bytes, limits, .. } = shard;
        bytes.append(&mut self.begun);
        let mut searched = bytes.len();
        loop {
            let room = limits.shard_bytes.saturating_sub(bytes.len());
            if !self.read(bytes, room.max(READ_BYTES)) {
                return Gathered::End;
            }
            if let Some(newline) = memrchr(b'\n', &bytes[searched..]) {
                let end = searched + newline + 1;
                self.begun.extend_from_slice(&bytes[end..]);
                bytes.truncate(end);
                return Gathered::Records;
            }
            searched = bytes.len();
            // One more, for a carriage return at the line's end.
            if searched - start > limits.record_bytes.saturating_add(1) {
                return Gathered::Beyond;
            }
        }
    }

    /// Reads `wanted` bytes more. False if there were fewer.
    fn read(&mut self, bytes: &mut Vec<u8>, wanted: usize) -> bool {
        if self.broken.is_some() {
            return false;
        }
        bytes.reserve(wanted);
        match self.reader.by_ref().take(wanted as u64).read_to_end(bytes) {
            Ok(read) => read == wanted,
            Err(error) => {
                self.broken = Some(error);
                false
            }
        }
    }

    /// What stands behind `start` becomes records; behind the last line break of a broken source, a fragment.
    fn add_records(&mut self, source: usize, start: usize, shard: &mut Shard) {
        self.skip_mark(start, shard);
        let end = shard.bytes.len();
        let whole = match self.broken {
            Some(_) => memrchr(b'\n', &shard.bytes[start..]).map_or(start, |newline| start + newline + 1),
            None => end,
        };
        if whole > start {
            let first = shard.line_ends.len();
            let ends = memchr_iter(b'\n', &shard.bytes[start..whole]).map(|newline| start + newline);
            shard.line_ends.extend(ends);
            let lines = first..shard.line_ends.len();
            let records = Stands::Records(start..whole, lines.clone());
            self.add(source, (whole - start) as u64, records, shard);
            self.line += lines.len() as u64;
        }
        if end > whole {
            self.add(source, (end - whole) as u64, Stands::Fragment(whole..end), shard);
        }
    }

    /// Reads to the end of the record that begins at `start` and keeps nothing of it but its head. False if the
    /// source ends before the record does.
    fn pass_over(&mut self, source: usize, start: usize, shard: &mut Shard) -> bool {
        self.skip_mark(start, shard);
        let head = start..start + floor(&shard.bytes[start..], HEAD_BYTES);
        let mut length = (shard.bytes.len() - start) as u64;
        let mut last = shard.bytes.last().copied();
        let goes_on = loop {
            shard.bytes.truncate(head.end);
            let more = self.read(&mut shard.bytes, READ_BYTES);
            let read = &shard.bytes[head.end..];
            let newline = memchr(b'\n', read);
            let rest = &read[..newline.unwrap_or(read.len())];
            length += rest.len() as u64;
            last = rest.last().copied().or(last);
            if let Some(newline) = newline {
                self.begun.extend_from_slice(&read[newline + 1..]);
                break true;
            }
            if !more {
                break false;
            }
        };
        shard.bytes.truncate(head.end);
        let bytes = length - u64::from(goes_on && last == Some(b'\r'));
        self.add(
            source,
            length + u64::from(goes_on),
            Stands::TooLarge { head, bytes },
            shard,
        );
        self.line += 1;
        goes_on
    }

    /// Passes over a byte order mark at the source's start.
    fn skip_mark(&mut self, start: usize, shard: &mut Shard) {
        if self.offset == 0 && shard.bytes[start..].starts_with(BYTE_ORDER_MARK) {
            shard.bytes.drain(start..start + BYTE_ORDER_MARK.len());
            self.offset = BYTE_ORDER_MARK.len() as u64;
        }
    }

    /// Adds what stands in the next `length` bytes of the source.
    fn add(&mut self, source: usize, length: u64, stands: Stands, shard: &mut Shard) {
        shard.add(source, self.line, self.offset, stands);
        self.offset += length;
    }
}

const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// Some whole records of one source, or of several small ones.
pub struct Shard {
    pub(super) bytes: Vec<u8>,
    /// Where line breaks stand in its lines.
    line_ends: Vec<usize>,
    pieces: Vec<Piece>,
    taken: u64,
    pub(super) limits: Limits,
    pool: Pool,
}

/// A part of one source.
struct Piece {
    source: usize,
    /// Where it begins in the source.
    line: u64,
    offset: u64,
    stands: Stands,
}

/// What stands in a piece; the ranges are of the shard's bytes.
pub(super) enum Stands {
    /// Lines, and which of the shard's line ends are theirs.
    Records(Range<usize>, Range<usize>),
    /// One record, on however many lines.
    Record(Range<usize>),
    Fragment(Range<usize>),
    TooLarge {
        head: Range<usize>,
        bytes: u64,
    },
    End(io::Error),
}

impl Shard {
    /// Adds what stands in it of a source.
    pub(super) fn add(&mut self, source: usize, line: u64, offset: u64, stands: Stands) {
        self.pieces.push(Piece {
            source,
            line,
            offset,
            stands,
        });
    }

    /// What stands in it, in order. Blank lines are no entries.
    pub fn entries(&self) -> impl Iterator<Item = Entry<'_>> {
        self.pieces.iter().flat_map(|piece| {
            let (lines, ends, alone) = match &piece.stands {
                Stands::Records(lines, ends) => (lines.clone(), ends.clone(), None),
                Stands::Record(range) => (0..0, 0..0, Some(self.record(&self.bytes[range.clone()]))),
                Stands::Fragment(range) => (0..0, 0..0, Some(What::Fragment(&self.bytes[range.clone()]))),
                Stands::TooLarge { head, bytes } => {
                    let head = &self.bytes[head.clone()];
                    (0..0, 0..0, Some(What::TooLarge { head, bytes: *bytes }))
                }
                Stands::End(error) => (0..0, 0..0, Some(What::Truncated(error))),
            };
            let lines = Lines {
                bytes: &self.bytes[..lines.end],
                ends: self.line_ends[ends].iter(),
                at: lines.start,
                line: piece.line,
                offset: piece.offset,
            };
            let entry = move |(line, offset, what)| Entry {
                source: piece.source,
                line,
                offset,
                what,
            };
            let records = lines.map(|(line, offset, bytes)| (line, offset, self.record(bytes)));
            let alone = alone.map(|what| (piece.line, piece.offset, what));
            records.chain(alone).map(entry)
        })
    }

    fn record<'a>(&self, bytes: &'a [u8]) -> What<'a> {
        if bytes.len() <= self.limits.record_bytes {
            return What::Record(bytes);
        }
        What::TooLarge {
            head: &bytes[..floor(bytes, HEAD_BYTES)],
            bytes: bytes.len() as u64,
        }
    }

    /// Bytes of the sources that were taken to fill it, packed as they lie there. Those of all shards are all
    /// bytes of all sources.
    pub fn bytes_read(&self) -> u64 {
        self.taken
    }
}

impl Drop for Shard {
    fn drop(&mut self) {
        let (mut bytes, mut line_ends) = (mem::take(&mut self.bytes), mem::take(&mut self.line_ends));
        // What a rare shard needed is given back to the system.
        if bytes.capacity() > self.limits.shard_bytes.saturating_mul(2) {
            return;
        }
        bytes.clear();
        line_ends.clear();
        line_ends.shrink_to(self.limits.shard_bytes / 64);
        self.pool
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .push((bytes, line_ends));
    }
}

/// The lines that are not blank, each with its number, its offset and its bytes.
struct Lines<'a> {
    bytes: &'a [u8],
    /// Where the line breaks stand.
    ends: slice::Iter<'a, usize>,
    /// Where the next line begins.
    at: usize,
    line: u64,
    offset: u64,
}

impl<'a> Iterator for Lines<'a> {
    type Item = (u64, u64, &'a [u8]);

    fn next(&mut self) -> Option<Self::Item> {
        while self.at < self.bytes.len() {
            let end = self.ends.next().copied().unwrap_or(self.bytes.len());
            let (line, offset, bytes) = (self.line, self.offset, &self.bytes[self.at..end]);
            let next = self.bytes.len().min(end + 1);
            self.line += 1;
            self.offset += (next - self.at) as u64;
            self.at = next;
            if !bytes.trim_ascii().is_empty() {
                return Some((line, offset, bytes.strip_suffix(b"\r").unwrap_or(bytes)));
            }
        }
        None
    }
}

/// The largest length up to `most` at which no character of UTF-8 text is cut.
fn floor(bytes: &[u8], most: usize) -> usize {
    let mut length = bytes.len().min(most);
    while length > 0 && bytes.get(length).is_some_and(|byte| byte & 0xc0 == 0x80) {
        length -= 1;
    }
    length
}

/// One record, or what stands in for one.
#[derive(Clone, Copy, Debug)]
pub struct Entry<'a> {
    /// Index of the source among those given to [`Shards::new`].
    pub source: usize,
    /// Number of the line, from 1; of a record that is no line, its own number.
    pub line: u64,
    /// Byte offset of the record in the decompressed source.
    pub offset: u64,
    /// What stands there.
    pub what: What<'a>,
}

/// What an [`Entry`] is.
#[derive(Clone, Copy, Debug)]
pub enum What<'a> {
    /// A record: a line without its line break, or a JSON value.
    Record(&'a [u8]),
    /// A record beyond the limit, passed over (`record_too_large`).
    TooLarge {
        /// Its first bytes, for a snippet: at most 160.
        head: &'a [u8],
        /// Its length in bytes.
        bytes: u64,
    },
    /// The last bytes of a source that broke off: a record if it can be read as one, else a part of what
    /// `Truncated`, which follows, tells.
    Fragment(&'a [u8]),
    /// The source broke off here (`source_truncated`); what stood before was read.
    Truncated(&'a io::Error),
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::open::unpacked;
    use std::collections::VecDeque;

    /// What a source does when it is read.
    struct Script(VecDeque<io::Result<Vec<u8>>>);

    impl Read for Script {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            match self.0.pop_front() {
                None => Ok(0),
                Some(Err(error)) => Err(error),
                Some(Ok(mut bytes)) => {
                    let length = bytes.len().min(buffer.len());
                    buffer[..length].copy_from_slice(&bytes[..length]);
                    if length < bytes.len() {
                        self.0.push_front(Ok(bytes.split_off(length)));
                    }
                    Ok(length)
                }
            }
        }
    }

    fn limits(shard_bytes: usize, record_bytes: usize) -> Limits {
        Limits {
            shard_bytes,
            record_bytes,
        }
    }

    /// The shards of a source that reads as scripted.
    fn scripted(script: Vec<io::Result<Vec<u8>>>, limits: Limits) -> Shards<'static> {
        let source = Source {
            name: "-".to_owned(),
            path: None,
            size: None,
            member: None,
            is_parquet: false,
        };
        let mut shards = Shards::new(vec![source], limits, Arc::default());
        let (bytes, taken) = unpacked(Script(script.into()));
        shards.current = Some(Box::new(Reading::new(bytes, taken)));
        shards
    }

    /// What the shards hold: line, offset, and the record or a word for what stands in for it.
    fn told(shards: Shards) -> Vec<(u64, u64, String)> {
        let mut told = Vec::new();
        for shard in shards {
            told.extend(shard.entries().map(|entry| {
                let what = match entry.what {
                    What::Record(bytes) => String::from_utf8_lossy(bytes).into_owned(),
                    What::Fragment(bytes) => format!("fragment {}", String::from_utf8_lossy(bytes)),
                    What::TooLarge { head, bytes } => {
                        format!("{bytes} bytes, {} of them kept", head.len())
                    }
                    What::Truncated(error) => format!("broken: {error}"),
                };
                (entry.line, entry.offset, what)
            }));
        }
        told
    }

    fn expected(entries: &[(u64, u64, &str)]) -> Vec<(u64, u64, String)> {
        entries
            .iter()
            .map(|&(line, offset, what)| (line, offset, what.to_owned()))
            .collect()
    }

    #[test]
    fn lines_are_records_wherever_the_shards_end() {
        let text = "\u{feff}{1}\n\n  \t\r\n{two}\r\nthree\r\r\n\n{4}";
        let entries = expected(&[
            (1, 3, "{1}"),
            (4, 13, "{two}"),
            (5, 20, "three\r"),
            (7, 29, "{4}"),
        ]);
        for shard_bytes in [1, 5, READ_BYTES, 1 << 20] {
            for step in 1..=text.len() {
                let script = text
                    .as_bytes()
                    .chunks(step)
                    .map(|chunk| Ok(chunk.to_vec()))
                    .collect();
                let shards = scripted(script, limits(shard_bytes, 1000));
                assert_eq!(told(shards), entries, "shards of {shard_bytes}, read by {step}");
            }
        }
    }

    #[test]
    fn a_byte_order_mark_belongs_to_the_start_alone() {
        let text = "{1}\n\u{feff}{2}\n";
        let shards = scripted(vec![Ok(text.into())], Limits::default());
        assert_eq!(told(shards), expected(&[(1, 0, "{1}"), (2, 4, "\u{feff}{2}")]));
        assert_eq!(
            told(scripted(vec![Ok(BYTE_ORDER_MARK.to_vec())], Limits::default())),
            []
        );
        assert_eq!(told(scripted(vec![], Limits::default())), []);
    }

    #[test]
    fn shards_and_lines_go_on_over_many_buffers() {
        let lines: Vec<String> = (0..20_000)
            .map(|n| format!("{{{n}:{}}}", "x".repeat(n % 97)))
            .collect();
        let text = lines.join("\n");
        let (mut offset, mut entries) = (0, Vec::new());
        for (index, line) in lines.iter().enumerate() {
            entries.push((index as u64 + 1, offset, line.clone()));
            offset += line.len() as u64 + 1;
        }
        for shard_bytes in [1, 100_000, 1 << 30] {
            let shards = scripted(vec![Ok(text.clone().into())], limits(shard_bytes, 1000));
            let covered: u64 = scripted(vec![Ok(text.clone().into())], limits(shard_bytes, 1000))
                .map(|shard| shard.bytes_read())
                .sum();
            assert_eq!(covered, text.len() as u64);
            assert_eq!(told(shards), entries);
        }
    }

    #[test]
    fn a_record_beyond_the_limit_is_passed_over() {
        let long = "é".repeat(3 * READ_BYTES);
        for (ending, lines) in [("\n", 3), ("\r\n", 3), ("", 2)] {
            for shard_bytes in [1, READ_BYTES, 1 << 30] {
                let last = if lines == 3 { "{3}" } else { "" };
                let text = format!("{{1}}\n{long}{ending}{last}");
                let shards = scripted(vec![Ok(text.clone().into())], limits(shard_bytes, 10));
                let passed = format!("{} bytes, 160 of them kept", long.len());
                let mut entries = expected(&[(1, 0, "{1}"), (2, 4, &passed)]);
                if lines == 3 {
                    entries.push((3, 4 + (long.len() + ending.len()) as u64, "{3}".to_owned()));
                }
                assert_eq!(told(shards), entries, "{ending:?}, shards of {shard_bytes}");
                let covered = scripted(vec![Ok(text.clone().into())], limits(shard_bytes, 10));
                assert_eq!(
                    covered.map(|shard| shard.bytes_read()).sum::<u64>(),
                    text.len() as u64
                );
            }
        }
    }

    #[test]
    fn the_limit_is_the_record_without_its_line_break() {
        for ending in ["", "\n", "\r\n"] {
            for (length, fits) in [(99, true), (100, true), (101, false)] {
                let line = "x".repeat(length);
                for shard_bytes in [1, 1 << 20] {
                    let script = vec![Ok(format!("{line}{ending}").into())];
                    let told = told(scripted(script, limits(shard_bytes, 100)));
                    assert_eq!(
                        told[0].2 == line,
                        fits,
                        "{length} {ending:?} {shard_bytes}: {told:?}"
                    );
                    assert_eq!(told.len(), 1);
                }
            }
        }
        let line = "x".repeat(READ_BYTES + 1000);
        let script = vec![Ok(format!("{line}\r\n{line}\r\n").into())];
        let told = told(scripted(script, limits(1, line.len())));
        assert_eq!(
            told,
            expected(&[(1, 0, &line), (2, line.len() as u64 + 2, &line)])
        );
    }

    #[test]
    fn what_was_read_before_a_source_broke_stays() {
        let broken = || Err(io::Error::other("the disk is gone"));
        let script = vec![Ok(b"{1}\n{2}\n{\"3".to_vec()), broken(), Ok(b"never".to_vec())];
        assert_eq!(
            told(scripted(script, Limits::default())),
            expected(&[
                (1, 0, "{1}"),
                (2, 4, "{2}"),
                (3, 8, "fragment {\"3"),
                (3, 11, "broken: the disk is gone")
            ])
        );
        assert_eq!(
            told(scripted(vec![Ok(b"{1}\n".to_vec()), broken()], Limits::default())),
            expected(&[(1, 0, "{1}"), (2, 4, "broken: the disk is gone")])
        );
        assert_eq!(
            told(scripted(vec![broken()], Limits::default())),
            expected(&[(1, 0, "broken: the disk is gone")])
        );
        let long = "x".repeat(2 * READ_BYTES);
        let script = vec![Ok(long.clone().into()), broken()];
        assert_eq!(
            told(scripted(script, limits(1, 10)))[0].2,
            format!("{} bytes, 160 of them kept", long.len())
        );
    }

    #[test]
    fn small_sources_share_a_shard_and_buffers_come_back() {
        let directory = tempfile::tempdir().expect("a directory for the test");
        let mut sources = Vec::new();
        for number in 0..50 {
            let path = directory.path().join(format!("{number:02}.jsonl"));
            std::fs::write(&path, format!("{{{number}}}\n\n{{b}}")).expect("a file can be written");
            sources.push(Source {
                name: path.display().to_string(),
                path: Some(path),
                size: None,
                member: None,
                is_parquet: false,
            });
        }
        std::fs::remove_file(sources[20].path.as_ref().expect("it is a file")).expect("it is there");
        let mut shards = Shards::new(sources, Limits::default(), Arc::default());
        let shard = shards.next().expect("there are records");
        let found: Vec<_> = shard
            .entries()
            .map(|entry| (entry.source, entry.line, entry.offset))
            .collect();
        let mut wanted = Vec::new();
        for source in 0..50 {
            let second = if source < 10 { 5 } else { 6 };
            wanted.push((source, 1, 0));
            if source != 20 {
                wanted.push((source, 3, second));
            }
        }
        assert_eq!(found, wanted);
        drop(shard);
        assert!(shards.next().is_none());
        assert_eq!(shards.pool.lock().expect("not poisoned").len(), 1);
    }
}
