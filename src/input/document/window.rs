//! The part of a document that is looked at.

use std::io::{self, Read};

use super::pass::{Passing, is_space};
use crate::input::apart::HEAD_BYTES;
use crate::input::open::Bytes;

/// Bytes that are read at once.
const READ_BYTES: usize = 256 << 10;

const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// A part of a document, with a place in it.
pub(super) struct Window {
    reader: Bytes,
    held: Vec<u8>,
    at: usize,
    /// Where the part begins in the document.
    start: u64,
    /// Why there is no more, where that is no good reason.
    pub(super) broken: Option<io::Error>,
}

/// A value that was passed over.
pub(super) struct Passed {
    pub(super) length: u64,
    /// Whether it ends before the document does.
    pub(super) is_whole: bool,
}

impl Window {
    pub(super) fn new(reader: Bytes) -> Self {
        let mut window = Self {
            reader,
            held: Vec::new(),
            at: 0,
            start: 0,
            broken: None,
        };
        window.fill();
        if window.held.starts_with(BYTE_ORDER_MARK) {
            window.at = BYTE_ORDER_MARK.len();
        }
        window
    }

    /// The place in the document.
    pub(super) fn offset(&self) -> u64 {
        self.start + self.at as u64
    }

    /// Goes to the next token behind white space, commas and colons, and says how it begins; `None` at the end.
    pub(super) fn next_token(&mut self) -> io::Result<Option<u8>> {
        loop {
            let mut rest = self.held[self.at..].iter();
            let between = rest.position(|&byte| !is_space(byte) && !matches!(byte, b',' | b':'));
            if let Some(between) = between {
                self.at += between;
                return Ok(Some(self.held[self.at]));
            }
            self.at = self.held.len();
            if !self.fill() {
                return self.broken.take().map_or(Ok(None), Err);
            }
        }
    }

    /// The same where the document must not end.
    pub(super) fn some_token(&mut self) -> io::Result<u8> {
        self.next_token()?.ok_or_else(cut)
    }

    /// Passes over the value that begins here and adds it to `out`; of one with more than `most` bytes only the head.
    pub(super) fn value(&mut self, out: &mut Vec<u8>, most: usize) -> Passed {
        let (start, mut length) = (out.len(), 0);
        let mut passing = Passing::default();
        loop {
            let rest = &self.held[self.at..];
            let end = passing.pass(rest);
            let part = &rest[..end.unwrap_or(rest.len())];
            if length <= most {
                out.extend_from_slice(part);
            }
            length += part.len();
            self.at += part.len();
            if length > most {
                out.truncate(start + HEAD_BYTES.min(length));
            }
            let is_whole = end.is_some();
            if is_whole || !self.fill() {
                return Passed {
                    length: length as u64,
                    is_whole: is_whole || passing.may_end() && self.broken.is_none(),
                };
            }
        }
    }

    /// Passes over the value that begins here.
    pub(super) fn whole_value(&mut self) -> io::Result<()> {
        match self.value(&mut Vec::new(), 0) {
            passed if passed.is_whole => Ok(()),
            _ => Err(self.broken.take().unwrap_or_else(cut)),
        }
    }

    /// Goes behind the bracket that has to stand here.
    pub(super) fn bracket(&mut self, bracket: u8) -> io::Result<()> {
        if self.some_token()? != bracket {
            let reason = "the JSON document has two members of one name, of two kinds";
            return Err(io::Error::new(io::ErrorKind::InvalidData, reason));
        }
        self.at += 1;
        Ok(())
    }

    /// Reads on, behind what was passed. False if there is no more.
    fn fill(&mut self) -> bool {
        self.held.drain(..self.at);
        self.start += self.at as u64;
        self.at = 0;
        if self.broken.is_some() {
            return false;
        }
        let before = self.held.len();
        let read = self
            .reader
            .by_ref()
            .take(READ_BYTES as u64)
            .read_to_end(&mut self.held);
        self.broken = read.err();
        self.held.len() > before
    }
}

pub(super) fn cut() -> io::Error {
    let reason = "the JSON document ends before its braces and brackets close";
    io::Error::new(io::ErrorKind::UnexpectedEof, reason)
}
