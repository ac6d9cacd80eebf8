//! A completion that arrives in chunks.

use super::{Scan, Scanner};

/// Takes a completion's bytes as they come and scans them when they are all there.
///
/// The chunks may be cut anywhere, inside of a marker or of a character; the result is that of the whole text.
/// Nothing is told before the end, because nothing is certain before: a last `</think>` that the text never opened
/// hides every call before it, and a delimiter makes calls of the JSON that stands in front of it.
///
/// ```
/// use toolscan::{ScanOptions, Scanner, syntax};
///
/// let scanner = Scanner::new(syntax::all(), ScanOptions::default());
/// let mut stream = scanner.stream();
/// for chunk in ["<exec", "ute>[{\"name\": \"ls\", ", "\"args\": {}}]</execute", ">"] {
///     stream.push(chunk.as_bytes());
/// }
/// assert_eq!(stream.finish().calls.len(), 1);
/// ```
pub struct Stream<'s> {
    scanner: &'s Scanner,
    text: String,
    /// The bytes of a character whose rest has not come yet.
    pending: Vec<u8>,
}

impl<'s> Stream<'s> {
    pub(super) fn new(scanner: &'s Scanner) -> Self {
        Self {
            scanner,
            text: String::new(),
            pending: Vec::new(),
        }
    }

    /// Takes the next bytes. What is not UTF-8 becomes U+FFFD, as in [`String::from_utf8_lossy`].
    pub fn push(&mut self, chunk: &[u8]) {
        let mut bytes = std::mem::take(&mut self.pending);
        bytes.extend_from_slice(chunk);
        let mut rest = bytes.as_slice();
        loop {
            match std::str::from_utf8(rest) {
                Ok(text) => return self.text.push_str(text),
                Err(error) => {
                    let (text, behind) = rest.split_at(error.valid_up_to());
                    self.text
                        .push_str(std::str::from_utf8(text).expect("checked up to here"));
                    let Some(length) = error.error_len() else {
                        self.pending = behind.to_vec();
                        return;
                    };
                    self.text.push(char::REPLACEMENT_CHARACTER);
                    rest = &behind[length..];
                }
            }
        }
    }

    /// Scans what has come. Bytes of an unfinished character become U+FFFD. More may be pushed afterwards.
    pub fn finish(&mut self) -> Scan<'_> {
        if !self.pending.is_empty() {
            self.pending.clear();
            self.text.push(char::REPLACEMENT_CHARACTER);
        }
        self.scanner.scan(&self.text)
    }

    /// The text that has come.
    pub fn text(&self) -> &str {
        &self.text
    }
}
