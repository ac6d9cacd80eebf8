//! The body of a fence: its lines as one text, and where each place of that text stands in the completion.

use std::borrow::Cow;

use crate::body::yaml;
use crate::scan::markdown::FenceLine;
use crate::span::Span;

/// The text between the fences, without the prefixes of the containers and the opener's indent.
#[derive(Debug)]
pub(super) struct Body<'t> {
    pub(super) text: Cow<'t, str>,
    /// For each line: where it starts in the body's text, and where in the completion.
    starts: Vec<(usize, usize)>,
}

impl<'t> Body<'t> {
    pub(super) fn new(text: &'t str, lines: &[FenceLine]) -> Self {
        let body = whole(text, lines).unwrap_or_else(|| joined(text, lines));
        Self {
            text: yaml::without_tabs_behind_colons(body.text),
            ..body
        }
    }

    /// Where `span` of the body's text stands in the completion.
    pub(super) fn place(&self, span: Span) -> Span {
        let start = self.offset(span.start);
        Span::new(start, self.offset(span.end).max(start))
    }

    fn offset(&self, at: usize) -> usize {
        let behind = self.starts.partition_point(|&(start, _)| start <= at);
        let (start, offset) = behind.checked_sub(1).map_or((0, 0), |line| self.starts[line]);
        offset + (at - start)
    }
}

/// The lines as they stand in the text, where nothing but a line break stands between them.
fn whole<'t>(text: &'t str, lines: &[FenceLine]) -> Option<Body<'t>> {
    let (first, last) = (lines.first()?, lines.last()?);
    let is_break = |between: &str| matches!(between, "\n" | "\r\n" | "\r");
    let follows = |pair: &[FenceLine]| is_break(&text[pair[0].span.end..pair[1].span.start]);
    if lines.iter().any(|line| line.columns > 0) || !lines.windows(2).all(follows) {
        return None;
    }
    Some(Body {
        text: Cow::Borrowed(&text[first.span.start..last.span.end]),
        starts: vec![(0, first.span.start)],
    })
}

fn joined<'t>(text: &'t str, lines: &[FenceLine]) -> Body<'t> {
    let mut body = String::new();
    let mut starts = Vec::with_capacity(lines.len());
    for line in lines {
        body.extend(std::iter::repeat_n(' ', line.columns));
        starts.push((body.len(), line.span.start));
        body.push_str(line.span.of(text));
        body.push('\n');
    }
    Body {
        text: Cow::Owned(body),
        starts,
    }
}
