//! The `errors` table: one row a finding, warnings included.

use std::ops::Range;

use arrow_array::RecordBatch;
use arrow_array::builder::{Int32Builder, Int64Builder, StringBuilder};

use super::{Column, Keys, KeysBuilder, Kind, Table, column, finish, index, int};
use crate::diagnostic::{Diagnostic, Severity};
use crate::record::Problem;
use crate::span::Span;

pub(super) const TABLE: Table = Table {
    name: "errors",
    about: "One row for every finding about a call, a block, a completion or a record, warnings included.",
    keyed: true,
    own: COLUMNS,
};

const COLUMNS: &[Column] = &[
    column(
        "syntax",
        Kind::Word,
        "The syntax it belongs to; null for findings that belong to none.",
    ),
    column(
        "call_index",
        Kind::Index,
        "Which call of the completion it is about; null when it is about none.",
    ),
    column("code", Kind::Word, "What kind of finding it is."),
    column("severity", Kind::Word, "`error` or `warning`."),
    column(
        "detail",
        Kind::Word,
        "The kind within the kind, `trailing_comma` for example; null where there is none.",
    ),
    column(
        "message",
        Kind::LongText,
        "What was expected, what was found, and how to mend it.",
    ),
    column(
        "span_start",
        Kind::Offset,
        "Offset of its first byte in the completion (in the record, for findings about a record); null for `native`.",
    ),
    column(
        "span_end",
        Kind::Offset,
        "Offset behind its last byte; null for `native`.",
    ),
    column(
        "snippet",
        Kind::LongText,
        "The text around it, at most 160 bytes.",
    ),
    column(
        "snippet_start",
        Kind::Offset,
        "Offset of the snippet's first byte in the completion; null for `native` and for findings about a record.",
    ),
];

/// Builds the rows of `errors`.
#[derive(Debug, Default)]
pub struct ErrorsBuilder {
    keys: KeysBuilder,
    syntax: StringBuilder,
    call_index: Int32Builder,
    code: StringBuilder,
    severity: StringBuilder,
    detail: StringBuilder,
    message: StringBuilder,
    span_start: Int64Builder,
    span_end: Int64Builder,
    snippet: StringBuilder,
    snippet_start: Int64Builder,
}

impl ErrorsBuilder {
    /// Appends a finding about the completion `text`.
    pub fn append(&mut self, keys: &Keys<'_>, finding: &Diagnostic, text: &str) {
        let shown = snippet(text, finding.span);
        self.append_finding(keys, finding, Some(finding.span), &text[shown.clone()]);
        self.snippet_start.append_value(int(shown.start));
    }

    /// Appends a finding about a native call. It has no place in the text; its span lies in the call's
    /// `arguments`, as logged.
    pub fn append_native(&mut self, keys: &Keys<'_>, finding: &Diagnostic, arguments: &str) {
        self.append_finding(keys, finding, None, &arguments[snippet(arguments, finding.span)]);
        self.snippet_start.append_null();
    }

    /// Appends what is wrong with a record as a whole.
    pub fn append_problem(&mut self, keys: &Keys<'_>, problem: &Problem, severity: Severity) {
        self.keys.append(keys);
        self.syntax.append_null();
        self.call_index.append_null();
        self.code.append_value(problem.code.name());
        self.severity.append_value(severity.name());
        self.detail.append_option(problem.detail.as_deref());
        self.message.append_value(&problem.message);
        let shown = snippet(&problem.snippet, Span::new(0, 0));
        self.append_place(Some(problem.span), &problem.snippet[shown]);
        self.snippet_start.append_null();
    }

    fn append_finding(&mut self, keys: &Keys<'_>, finding: &Diagnostic, span: Option<Span>, snippet: &str) {
        self.keys.append(keys);
        self.syntax.append_option(finding.syntax);
        self.call_index.append_option(finding.call_index.map(index));
        self.code.append_value(finding.code.name());
        self.severity.append_value(finding.severity.name());
        self.detail.append_option(finding.detail.as_deref());
        self.message.append_value(&finding.message);
        self.append_place(span, snippet);
    }

    fn append_place(&mut self, span: Option<Span>, snippet: &str) {
        self.span_start.append_option(span.map(|span| int(span.start)));
        self.span_end.append_option(span.map(|span| int(span.end)));
        self.snippet.append_value(snippet);
    }

    /// The rows appended since the last time.
    pub fn finish(&mut self) -> RecordBatch {
        let mut columns = self.keys.finish();
        columns.extend(finish([
            &mut self.syntax,
            &mut self.call_index,
            &mut self.code,
            &mut self.severity,
            &mut self.detail,
            &mut self.message,
            &mut self.span_start,
            &mut self.span_end,
            &mut self.snippet,
            &mut self.snippet_start,
        ]));
        TABLE.batch(columns)
    }
}

const SNIPPET_BYTES: usize = 160;
/// What a long span leaves for the text before it.
const LEAST_BEFORE: usize = 40;

/// The place of the text around `span`: at most 160 bytes, cut at character boundaries, with the span in the middle.
/// Of a span that does not fit, the beginning is shown, with a little of what stands before it.
fn snippet(text: &str, span: Span) -> Range<usize> {
    let at = span.start.min(text.len());
    let before = (SNIPPET_BYTES.saturating_sub(span.len()) / 2).max(LEAST_BEFORE);
    // Near the text's end there is more room before the span.
    let start = at
        .saturating_sub(before)
        .min(text.len().saturating_sub(SNIPPET_BYTES));
    let start = (start..=at)
        .find(|&start| text.is_char_boundary(start))
        .unwrap_or(0);
    let last = (start + SNIPPET_BYTES).min(text.len());
    let end = (start..=last)
        .rfind(|&end| text.is_char_boundary(end))
        .unwrap_or(start);
    start..end
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn shown(text: &str, span: Span) -> &str {
        &text[snippet(text, span)]
    }

    #[test]
    fn snippets() {
        assert_eq!(shown("", Span::new(0, 0)), "");
        assert_eq!(shown("short", Span::new(2, 3)), "short");
        let text = format!("{}X{}", "a".repeat(500), "b".repeat(500));
        let middle = shown(&text, Span::new(500, 501));
        assert_eq!(middle, format!("{}X{}", "a".repeat(79), "b".repeat(80)));
        let long = shown(&text, Span::new(500, 1000));
        assert_eq!(long, format!("{}X{}", "a".repeat(40), "b".repeat(119)));
        assert_eq!(shown(&text, Span::new(1001, 1001)), "b".repeat(160));
        assert_eq!(shown(&text, Span::new(0, 3)), "a".repeat(160));
        // Four bytes a character: both cuts fall between two.
        assert_eq!(shown(&"🐱".repeat(100), Span::new(202, 204)), "🐱".repeat(40));
        let text = format!("a{}", "🐱".repeat(100));
        assert_eq!(shown(&text, Span::new(1, 5)), format!("a{}", "🐱".repeat(39)));
    }

    proptest! {
        #[test]
        fn a_snippet_shows_where_the_span_starts(text in "(?s).{0,200}", from: prop::sample::Index, to: prop::sample::Index) {
            let bounds: Vec<usize> = (0..=text.len()).filter(|&at| text.is_char_boundary(at)).collect();
            let (from, to) = (bounds[from.index(bounds.len())], bounds[to.index(bounds.len())]);
            let span = Span::new(from.min(to), from.max(to));
            let Range { start, end } = snippet(&text, span);
            prop_assert!(end - start <= 160);
            prop_assert!(start <= span.start);
            let next = text[span.start..].chars().next().map_or(0, char::len_utf8);
            prop_assert!(span.start + next <= end);
        }
    }
}
