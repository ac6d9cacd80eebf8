//! The Markdown around the calls: containers, fences, indented code and inline code.
//!
//! Reads the text line by line as the scan moves on, so that spans which the scan has claimed or hidden are
//! opaque to it. Linear in the text, whatever stands in it.

use crate::span::Span;

/// The opening line of a fenced code block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FenceOpening {
    /// From the first fence character to the end of the line, line break not included.
    pub line: Span,
    /// The fence character: a backtick or a tilde.
    pub character: u8,
    /// Number of fence characters.
    pub length: usize,
    /// The info string, trimmed.
    pub info: Span,
}

/// How a fenced code block ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FenceEnd {
    /// By a closing fence.
    Closed,
    /// By the end of the list item or block quote around it.
    Container,
    /// Not at all: the text ends first.
    Unclosed,
}

/// A fenced code block, read to its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FenceBlock {
    /// From the first fence character to behind the last character of the closing fence (no line break), or to
    /// the end of the last line.
    pub span: Span,
    /// The content, line by line without line breaks: what is left of each line when the containers' prefix
    /// and the opener's indent are taken off.
    pub lines: Vec<Span>,
    /// How it ends.
    pub end: FenceEnd,
}

/// The Markdown structure of one region of a text, known up to where the scan stands.
#[derive(Debug)]
pub struct Markdown<'t> {
    text: &'t str,
    region: Span,
}

impl<'t> Markdown<'t> {
    /// Starts at the beginning of `region`, which counts as a line's start.
    pub fn new(text: &'t str, region: Span) -> Self {
        Self { text, region }
    }

    /// Takes note that `span` is opaque: the scan has claimed or hidden it. Nothing in it is Markdown, and the
    /// line on which it begins goes on behind it. Spans come in order and behind every earlier question.
    pub fn claim(&mut self, span: Span) {
        let _ = (span, self.text, self.region);
    }

    /// Whether `at` stands in the content of a fenced code block. Questions come in ascending order.
    pub fn in_fence(&mut self, at: usize) -> bool {
        let _ = at;
        false
    }

    /// The inline code span (backticks on one line) around `at`: from the first opening backtick to behind the
    /// last closing one. `None` inside of fenced and indented code.
    pub fn inline_code(&mut self, at: usize) -> Option<Span> {
        let _ = at;
        None
    }

    /// Whether only white space and container prefixes (`>`, `-`, `1.`) stand before `at` on its line.
    pub fn at_line_start(&mut self, at: usize) -> bool {
        let _ = at;
        true
    }

    /// The fence opening on whose line `at` stands, if that line opens one, in no other fence.
    pub fn opening(&mut self, at: usize) -> Option<FenceOpening> {
        let _ = at;
        None
    }

    /// Reads the block of `opening`, as returned last, to its end. The scan then claims its span.
    pub fn read_fence(&mut self, opening: &FenceOpening) -> FenceBlock {
        FenceBlock {
            span: opening.line,
            lines: Vec::new(),
            end: FenceEnd::Unclosed,
        }
    }
}
