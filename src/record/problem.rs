//! How what is wrong with a record is told.

use super::Problem;
use super::skim::Fault;
use crate::diagnostic::Code;
use crate::span::Span;

/// Bytes that a snippet has at most.
const SNIPPET_BYTES: usize = 160;

impl Problem {
    /// A problem with the record `line`, at `span` of its bytes.
    pub fn of_record(code: Code, message: impl Into<String>, span: Span, line: &[u8]) -> Self {
        Self {
            code,
            detail: None,
            message: message.into(),
            span,
            snippet: snippet(line, span),
        }
    }

    /// The same, with the kind within the kind.
    #[must_use]
    pub(super) fn detail(mut self, detail: &str) -> Self {
        self.detail = Some(detail.to_owned());
        self
    }

    /// A problem with a completion, at `span` of its text.
    pub fn of_completion(code: Code, message: String, span: Span) -> Self {
        Self {
            code,
            detail: None,
            message,
            span,
            snippet: String::new(),
        }
    }
}

impl Fault {
    /// The fault as a problem of the record `line`.
    pub(super) fn problem(self, line: &[u8]) -> Problem {
        let message = format!(
            "the record cannot be read: at byte {}, {}; write one JSON object a line",
            self.span.start, self.what
        );
        Problem::of_record(Code::InvalidRecord, message, self.span, line)
    }
}

/// The bytes around a span, cut at character boundaries; what is no UTF-8 becomes U+FFFD.
fn snippet(line: &[u8], span: Span) -> String {
    let margin = SNIPPET_BYTES.saturating_sub(span.len()) / 2;
    let latest = line.len().saturating_sub(SNIPPET_BYTES);
    let mut start = span.start.saturating_sub(margin).min(latest);
    while start < span.start && is_continuation(line[start]) {
        start += 1;
    }
    let mut end = line.len().min(start + SNIPPET_BYTES);
    while end > start && line.get(end).is_some_and(|&byte| is_continuation(byte)) {
        end -= 1;
    }
    let mut text = String::from_utf8_lossy(&line[start..end]).into_owned();
    let ends = text
        .char_indices()
        .map(|(at, character)| at + character.len_utf8());
    let length = ends.take_while(|&end| end <= SNIPPET_BYTES).last().unwrap_or(0);
    text.truncate(length);
    text
}

fn is_continuation(byte: u8) -> bool {
    byte & 0xc0 == 0x80
}
