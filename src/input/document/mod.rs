//! JSON that is no lines: values over many lines, and the elements of an array in a document. It is walked, and nothing
//! but the record at hand is held.

use std::io;

use super::apart::{Found, Records};
use super::open::Bytes;
use window::Window;

mod grammar;
mod layout;
mod pass;
mod window;

pub(super) use layout::{Layout, layout};

/// Bytes that the key of a member may have that leads to the records.
const KEY_BYTES: usize = 1 << 10;

/// The records of such a source.
pub(super) struct Document {
    window: Window,
    at: At,
    /// Bytes of a record that are kept.
    record_bytes: usize,
}

/// Where the walk is: each time between two values.
enum At {
    /// Among values that are records.
    Values,
    /// Before the array at this path is reached.
    Before(Vec<String>),
    /// In the array, with this many brackets open around it.
    Elements(usize),
    End,
}

impl Document {
    /// The values of `bytes`, or the elements at a path in the first of them and the values that follow.
    pub(super) fn new(bytes: Bytes, path: Option<Vec<String>>, record_bytes: usize) -> Self {
        Self {
            window: Window::new(bytes),
            at: path.map_or(At::Values, At::Before),
            record_bytes,
        }
    }

    /// Goes to the array at the path, past everything before it.
    fn enter(&mut self, path: &[String]) -> io::Result<()> {
        for wanted in path {
            self.window.bracket(b'{')?;
            loop {
                let mut key = Vec::new();
                self.window.some_token()?;
                self.window.value(&mut key, KEY_BYTES);
                self.window.some_token()?;
                if key.strip_prefix(b"\"").and_then(|key| key.strip_suffix(b"\"")) == Some(wanted.as_bytes())
                {
                    break;
                }
                self.window.whole_value()?;
            }
        }
        self.window.bracket(b'[')
    }

    /// Passes over what stands behind the array, up to the document's end.
    fn leave(&mut self, open: usize) -> io::Result<()> {
        let mut open = open;
        while open > 0 {
            let token = self.window.some_token()?;
            self.window.whole_value()?;
            open -= usize::from(matches!(token, b'}' | b']'));
        }
        Ok(())
    }

    /// The value at this place as a record.
    fn record(&mut self, bytes: &mut Vec<u8>) -> Found {
        let (offset, start) = (self.window.offset(), bytes.len());
        let passed = self.window.value(bytes, self.record_bytes);
        if !passed.is_whole {
            self.at = At::End;
            self.window.broken.get_or_insert_with(window::cut);
        }
        Found {
            line: None,
            offset,
            bytes: start..bytes.len(),
            length: passed.length,
            is_whole: passed.is_whole,
        }
    }
}

impl Records for Document {
    fn next(&mut self, bytes: &mut Vec<u8>) -> io::Result<Option<Found>> {
        loop {
            match &self.at {
                At::End => return self.window.broken.take().map_or(Ok(None), Err),
                At::Before(path) => {
                    let path = path.clone();
                    self.at = At::End;
                    self.enter(&path)?;
                    self.at = At::Elements(path.len());
                }
                At::Values => {
                    let token = self.window.next_token()?;
                    return Ok(token.map(|_| self.record(bytes)));
                }
                &At::Elements(open) => {
                    if !matches!(self.window.some_token()?, b']' | b'}') {
                        return Ok(Some(self.record(bytes)));
                    }
                    self.window.whole_value()?;
                    self.leave(open)?;
                    self.at = At::Values;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests;
