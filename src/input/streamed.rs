//! Lines that are chunks of streamed answers: each answer is a record, put together where it is read.

use std::io::{self, BufRead, BufReader, Read};

use super::apart::{Found, HEAD_BYTES, Records};
use super::open::Bytes;
use crate::record::{Fields, Joiner};

/// The answers of such a source, and its other lines.
pub(super) struct Streamed {
    lines: BufReader<Bytes>,
    joiner: Joiner,
    /// A longer line is not read.
    record_bytes: usize,
    /// The next line, and where it begins.
    line: u64,
    offset: u64,
    text: Vec<u8>,
    has_ended: bool,
    broken: Option<io::Error>,
}

const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// Whether a source of lines that begins so is one of streamed answers. `is_all` says that there is no more of it.
pub(super) fn suits(head: &[u8], is_all: bool, fields: &Fields) -> bool {
    let head = head
        .strip_prefix(BYTE_ORDER_MARK)
        .unwrap_or(head)
        .trim_ascii_start();
    if [&b"data:"[..], b"event:", b": "]
        .iter()
        .any(|prefix| head.starts_with(prefix))
    {
        return true;
    }
    let is_named = !fields.text.is_empty() || fields.format.is_some_and(|format| !format.streams());
    let end = head
        .iter()
        .rposition(|&byte| byte == b'\n')
        .map_or(0, |newline| newline + 1);
    let whole = if is_all { head } else { &head[..end] };
    !is_named && Joiner::suits(whole.split(|&byte| byte == b'\n'))
}

impl Streamed {
    pub(super) fn new(bytes: Bytes, record_bytes: usize) -> Self {
        Self {
            lines: BufReader::with_capacity(64 << 10, bytes),
            joiner: Joiner::new(record_bytes),
            record_bytes,
            line: 1,
            offset: 0,
            text: Vec::new(),
            has_ended: false,
            broken: None,
        }
    }

    /// Reads the next line. Of one beyond the limit only its head is put into `bytes`.
    fn read_line(&mut self, bytes: &mut Vec<u8>) -> io::Result<Option<Found>> {
        self.text.clear();
        let most = self.record_bytes.saturating_add(2);
        let mut read = self
            .lines
            .by_ref()
            .take(most as u64)
            .read_until(b'\n', &mut self.text)? as u64;
        let (line, offset) = (self.line, self.offset);
        let mut beyond = None;
        if self.text.last() != Some(&b'\n') && self.text.len() == most {
            let start = bytes.len();
            bytes.extend_from_slice(&self.text[..HEAD_BYTES.min(most)]);
            read += pass_line(&mut self.lines)?;
            beyond = Some(Found {
                line: Some(line),
                offset,
                bytes: start..bytes.len(),
                length: read,
                is_whole: true,
            });
        } else {
            let text = match self.offset {
                0 => self.text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(&self.text),
                _ => &self.text,
            };
            self.joiner.push(text, line, offset);
        }
        self.has_ended = read == 0;
        self.line += 1;
        self.offset += read;
        Ok(beyond)
    }
}

/// Goes behind the line's end and says how far that was.
fn pass_line(lines: &mut impl BufRead) -> io::Result<u64> {
    let mut passed = 0;
    loop {
        let buffer = lines.fill_buf()?;
        let newline = memchr::memchr(b'\n', buffer);
        let length = newline.map_or(buffer.len(), |newline| newline + 1);
        lines.consume(length);
        passed += length as u64;
        if newline.is_some() || length == 0 {
            return Ok(passed);
        }
    }
}

impl Records for Streamed {
    fn next(&mut self, bytes: &mut Vec<u8>) -> io::Result<Option<Found>> {
        loop {
            if let Some(joined) = self.joiner.pop() {
                let start = bytes.len();
                bytes.extend_from_slice(&joined.bytes);
                return Ok(Some(Found {
                    line: Some(joined.line),
                    offset: joined.offset,
                    bytes: start..bytes.len(),
                    length: joined.bytes.len() as u64,
                    is_whole: true,
                }));
            }
            if self.has_ended {
                return self.broken.take().map_or(Ok(None), Err);
            }
            match self.read_line(bytes) {
                Ok(Some(beyond)) => return Ok(Some(beyond)),
                Ok(None) => {}
                Err(error) => {
                    // The line that was cut may be no chunk, but nothing is behind it.
                    self.has_ended = true;
                    self.broken = Some(error);
                }
            }
            if self.has_ended {
                self.joiner.close_all();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINES: &str = "\u{feff}data: {\"id\":\"a\",\"choices\":[{\"delta\":{\"content\":\"o\"}}]}\r\n\r\n\
        data: {\"id\":\"a\",\"choices\":[{\"delta\":{\"content\":\"ne\"}}]}\r\n\r\ndata: [DONE]\r\n\
        data: {\"error\":{\"message\":\"gone\"}}\r\n";

    /// Line, offset and length of every record, and the reason why there are no more.
    fn records(text: &str, record_bytes: usize) -> (Vec<(u64, u64, u64)>, Option<String>) {
        let broken = super::super::open::broken(io::Error::other("cut"));
        let whole: Bytes = Box::new(io::Cursor::new(text.as_bytes().to_vec()).chain(broken));
        let mut streamed = Streamed::new(whole, record_bytes);
        let mut bytes = Vec::new();
        let mut found = Vec::new();
        loop {
            match streamed.next(&mut bytes) {
                Ok(Some(record)) => {
                    let line = record.line.expect("it is said");
                    found.push((line, record.offset, record.length));
                }
                Ok(None) => return (found, None),
                Err(error) => return (found, Some(error.to_string())),
            }
        }
    }

    #[test]
    fn records_are_told_by_their_first_lines() {
        let (found, error) = records(LINES, 1000);
        let answer = r#"{"id":"a","object":"chat.completion.chunk","choices":[{"index":0,"message":{"role":"assistant","content":"one"}}]}"#;
        let last = LINES.rfind("data: ").expect("it is there") as u64;
        let error_bytes = r#"{"error":{"message":"gone"}}"#.len() as u64;
        assert_eq!(found, [(1, 0, answer.len() as u64), (6, last, error_bytes)]);
        assert_eq!(error.as_deref(), Some("cut"));
    }

    #[test]
    fn lines_beyond_the_limit_are_passed_over() {
        let text = format!(
            "data: {{\"text\":\"{}\"}}\ndata: {{\"text\":\"b\"}}\n",
            "a".repeat(500)
        );
        let (found, _) = records(&text, 100);
        assert_eq!(found, [(1, 0, 518), (2, 518, 12)]);
    }

    #[test]
    fn streams_are_told_from_other_lines() {
        let text = |path: &str| Fields {
            text: vec![path.parse().expect("a path")],
            ..Fields::default()
        };
        let named = |name: &str| Fields {
            format: Some(name.parse().expect("a format")),
            ..Fields::default()
        };
        let chunks = "{\"id\":\"a\",\"choices\":[{\"delta\":{\"content\":\"o\"}}]}\n";
        let cases = [
            (LINES, Fields::default(), true),
            (LINES, text("a"), true),
            (": keep-alive\n", Fields::default(), true),
            (chunks, Fields::default(), true),
            (chunks, named("openai_stream"), true),
            (chunks, named("flat"), false),
            (chunks, text("a"), false),
            ("{\"completion\":\"one\"}\n", Fields::default(), false),
        ];
        for (text, fields, expected) in cases {
            assert_eq!(suits(text.as_bytes(), true, &fields), expected, "{text}");
        }
        assert!(!suits(chunks.trim_end().as_bytes(), false, &Fields::default()));
    }
}
