//! The Markdown around the calls: containers, fences, indented code and inline code.
//!
//! Reads the text line by line as the scan moves on, so that spans which the scan has claimed or hidden are
//! opaque to it. Linear in the text, whatever stands in it.
//!
//! Of CommonMark only block quotes, list items, fences and indented code count, and what ends a paragraph
//! (headings, thematic breaks). HTML blocks and link definitions are text.

use memchr::{memchr, memchr2};

use crate::span::Span;
use crate::text::is_space;
use backticks::Backticks;
use cursor::{Cursor, TAB};

mod backticks;
mod cursor;

/// Block quotes and list items that may be open at once; the prefixes of deeper ones are text.
const DEPTH: usize = 128;

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

/// One line of a fenced code block: what is left of it when the containers' prefix and the opener's indent
/// are taken off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FenceLine {
    /// Columns that are left of a tab of which the prefix took a part; they stand for spaces.
    pub columns: usize,
    /// The rest of the line, line break not included.
    pub span: Span,
}

/// A fenced code block, read to its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FenceBlock {
    /// From the first fence character to behind the last character of the closing fence (no line break); to the
    /// end of the last line that is not blank, where the container ends it; else to the text's end.
    pub span: Span,
    /// The content, line by line.
    pub lines: Vec<FenceLine>,
    /// How it ends.
    pub end: FenceEnd,
}

/// The Markdown structure of one region of a text, known up to where the scan stands.
#[derive(Debug)]
pub struct Markdown<'t> {
    text: &'t str,
    region: Span,
    /// The containers open before the current line, less those that a container of this line has closed, and
    /// those of this line.
    containers: Vec<Container>,
    /// Which of them are block quotes.
    quotes: Vec<usize>,
    /// What the line before left open.
    leaf: Leaf,
    line: Line<'t>,
    backticks: Backticks,
}

#[derive(Clone, Copy, Debug)]
enum Container {
    Quote,
    /// A list item whose content stands `indent` columns further right than that of its parent; `empty` as long
    /// as it holds nothing.
    Item {
        indent: usize,
        empty: bool,
    },
}

/// The block without children that a line leaves open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Leaf {
    Nothing,
    Paragraph,
    Fence(Fence),
}

/// An open fence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Fence {
    /// Offset of the first fence character.
    start: usize,
    character: u8,
    length: usize,
    /// Columns before the first fence character, of which the content's lines lose as many.
    indent: usize,
}

/// What a line is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// Blank, a heading or a thematic break.
    Other,
    Paragraph,
    Indented,
    Opening(Fence),
    Content(Fence),
    Closing,
}

/// The line that the scan has reached. A line goes on behind the claims in it, also over line breaks.
#[derive(Debug)]
struct Line<'t> {
    /// Stands behind the containers' prefixes.
    cursor: Cursor<'t>,
    /// Containers that the line continues or opens.
    matched: usize,
    kind: Kind,
    /// Offset behind the last byte, line break not included.
    end: usize,
    /// Where the next line starts, if there is one.
    next: Option<usize>,
    /// The first byte behind the prefixes that is not white space, once somebody asked.
    visible: Option<usize>,
    /// A byte of the line that has kept it from being a thematic break.
    not_a_break: usize,
}

impl<'t> Markdown<'t> {
    /// Starts at the beginning of `region`, which counts as a line's start.
    pub fn new(text: &'t str, region: Span) -> Self {
        let mut markdown = Self {
            text,
            region,
            containers: Vec::new(),
            quotes: Vec::new(),
            leaf: Leaf::Nothing,
            line: Line::new(text, region, region.start),
            backticks: Backticks::default(),
        };
        markdown.read_line();
        markdown
    }

    /// Takes note that `span` is claimed: nothing in it is Markdown, and the line on which it begins goes on
    /// behind it. Spans come in order and behind every earlier question.
    pub fn claim(&mut self, span: Span) {
        self.inline_code(span.start);
        self.pass(span.end);
    }

    /// Takes note that `span` is hidden. As [`Markdown::claim`], but as if it were not there at all: where it
    /// begins a line, what follows it does.
    pub fn hide(&mut self, span: Span) {
        let starts_line = self.at_line_start(span.start);
        self.claim(span);
        if starts_line && span.end > self.line.cursor.at && !matches!(self.line.kind, Kind::Content(_)) {
            self.line.cursor.jump(span.end, self.line.end);
            self.line.visible = None;
            self.line.not_a_break = 0;
            self.read_line();
        }
    }

    /// Whether `at` stands in the content of a fenced code block. Questions come in ascending order.
    pub fn in_fence(&mut self, at: usize) -> bool {
        self.reach(at);
        matches!(self.line.kind, Kind::Content(_))
    }

    /// The inline code span (backticks on one line) around `at`: from the first opening backtick to behind the
    /// last closing one. `None` inside of fenced and indented code.
    pub fn inline_code(&mut self, at: usize) -> Option<Span> {
        self.reach(at);
        match self.line.kind {
            Kind::Other | Kind::Paragraph => self.backticks.around(self.text, at),
            _ => None,
        }
    }

    /// Whether only white space and container prefixes (`>`, `-`, `1.`) stand before `at` on its line.
    pub fn at_line_start(&mut self, at: usize) -> bool {
        self.reach(at);
        let from = self.line.cursor.at;
        let visible = *self.line.visible.get_or_insert_with(|| {
            let rest = &self.text[from..self.line.end.max(from)];
            from + rest.find(|character| !is_space(character)).unwrap_or(rest.len())
        });
        at <= visible
    }

    /// The fence opening on whose line `at` stands, if that line opens one, in no other fence.
    pub fn opening(&mut self, at: usize) -> Option<FenceOpening> {
        self.reach(at);
        let Kind::Opening(fence) = self.line.kind else {
            return None;
        };
        let line = Span::new(fence.start, self.line.end);
        let behind = Span::new(fence.start + fence.length, line.end).of(self.text);
        let info = behind.trim_start_matches(is_space);
        let start = line.end - info.len();
        Some(FenceOpening {
            line,
            character: fence.character,
            length: fence.length,
            info: Span::new(start, start + info.trim_end_matches(is_space).len()),
        })
    }

    /// Reads the block of `opening`, as returned last, to its end. The scan then claims its span.
    pub fn read_fence(&mut self, opening: &FenceOpening) -> FenceBlock {
        let start = opening.line.start;
        let mut lines = Vec::new();
        while self.advance() {
            let end = match self.line.kind {
                Kind::Content(fence) => {
                    lines.push(self.line.content(fence.indent));
                    continue;
                }
                Kind::Closing => FenceEnd::Closed,
                _ => FenceEnd::Container,
            };
            let last = match end {
                FenceEnd::Closed => self.line.cursor.text_end(),
                _ => self.drop_blank(&mut lines).unwrap_or(opening.line.end),
            };
            return FenceBlock {
                span: Span::new(start, last),
                lines,
                end,
            };
        }
        FenceBlock {
            span: Span::new(start, self.region.end),
            lines,
            end: FenceEnd::Unclosed,
        }
    }

    /// Drops the blank lines at the end, and returns where the last line ends then.
    fn drop_blank(&self, lines: &mut Vec<FenceLine>) -> Option<usize> {
        let is_blank = |line: &FenceLine| line.span.of(self.text).trim_matches([' ', '\t']).is_empty();
        while lines.last().is_some_and(is_blank) {
            lines.pop();
        }
        lines.last().map(|line| line.span.end)
    }

    /// Goes on to the line of `at`, if that is not yet reached.
    fn reach(&mut self, at: usize) {
        while self.line.next.is_some_and(|next| next <= at) {
            self.skip_ordinary(at);
            self.advance();
        }
    }

    /// Passes the lines before the one of `at` that open, continue and end nothing but a paragraph or indented code,
    /// by their first byte, outside of all containers and fences. Most lines are such ones.
    fn skip_ordinary(&mut self, at: usize) {
        let is_open = !self.containers.is_empty() || matches!(self.leaf_behind_line(), Leaf::Fence(_));
        let Some(mut start) = self.line.next.filter(|_| !is_open) else {
            return;
        };
        let mut skipped = None;
        while let (end, Some(next)) = line_end(self.text, self.region, start)
            && next <= at
        {
            let in_paragraph = match skipped {
                Some(kind) => kind == Kind::Paragraph,
                None => self.line.kind == Kind::Paragraph,
            };
            let Some(kind) = ordinary_kind(&self.text.as_bytes()[start..end], in_paragraph) else {
                break;
            };
            skipped = Some(kind);
            start = next;
        }
        if let Some(kind) = skipped {
            // As if the last of them were the current one.
            (self.line.kind, self.line.matched, self.line.next) = (kind, 0, Some(start));
        }
    }

    /// Goes on to the next line, if there is one.
    fn advance(&mut self) -> bool {
        let Some(next) = self.line.next else {
            return false;
        };
        self.leave_line();
        self.line = Line::new(self.text, self.region, next);
        self.read_line();
        true
    }

    /// The current line goes on behind `end`.
    fn pass(&mut self, end: usize) {
        self.backticks.pass(end);
        if end <= self.line.end {
            return;
        }
        (self.line.end, self.line.next) = line_end(self.text, self.region, end);
        let rest = Span::new(end, self.line.end);
        self.backticks.go_on(self.text, rest);
        // An info string of backtick fences holds no backtick.
        if matches!(self.line.kind, Kind::Opening(fence) if fence.character == b'`')
            && memchr(b'`', rest.of(self.text).as_bytes()).is_some()
        {
            self.line.kind = Kind::Paragraph;
        }
    }

    /// What the current line changes for those behind it.
    fn leave_line(&mut self) {
        let lazy = self.line.kind == Kind::Paragraph && self.leaf == Leaf::Paragraph;
        if !lazy {
            self.close_to(self.line.matched);
        }
        self.leaf = self.leaf_behind_line();
    }

    /// What the current line leaves open.
    fn leaf_behind_line(&self) -> Leaf {
        match self.line.kind {
            Kind::Other | Kind::Indented | Kind::Closing => Leaf::Nothing,
            Kind::Paragraph => Leaf::Paragraph,
            Kind::Opening(fence) | Kind::Content(fence) => Leaf::Fence(fence),
        }
    }

    /// Reads the line from its cursor on: the containers that it continues, those that it opens, and its kind.
    fn read_line(&mut self) {
        self.continue_containers();
        self.line.kind = self.read_kind();
        self.backticks
            .start(Span::new(self.line.cursor.at, self.line.end));
    }

    fn continue_containers(&mut self) {
        let cursor = &mut self.line.cursor;
        while let Some(container) = self.containers.get_mut(self.line.matched) {
            match container {
                Container::Item { empty: true, .. } if cursor.is_blank() => return,
                Container::Item { indent, empty } if cursor.indent() >= *indent => {
                    cursor.skip_columns(*indent);
                    *empty = false;
                }
                Container::Quote if cursor.indent() < 4 && cursor.byte() == Some(b'>') => open_quote(cursor),
                Container::Item { .. } if cursor.is_blank() => {
                    cursor.skip_blank();
                    self.line.matched = self.items_to(self.line.matched);
                    return;
                }
                _ => return,
            }
            self.line.matched += 1;
        }
    }

    /// The first container from `from` on that a blank line does not continue.
    fn items_to(&self, from: usize) -> usize {
        let behind = self.quotes.partition_point(|&quote| quote < from);
        if let Some(&quote) = self.quotes.get(behind) {
            return quote;
        }
        let last_is_empty = matches!(self.containers.last(), Some(Container::Item { empty: true, .. }));
        self.containers.len() - usize::from(last_is_empty)
    }

    /// What the line is behind the containers that it continues. Opens the containers that it opens.
    fn read_kind(&mut self) -> Kind {
        let continues_all = self.line.matched == self.containers.len();
        if let Leaf::Fence(fence) = self.leaf {
            if continues_all {
                return self.in_fence_kind(fence);
            }
            self.leaf = Leaf::Nothing;
        }
        // A paragraph goes on by lazy continuation too, but only where its containers go on it restrains what
        // may interrupt it.
        let mut in_paragraph = continues_all && self.leaf == Leaf::Paragraph;
        loop {
            let cursor = &mut self.line.cursor;
            let Some(byte) = cursor.byte() else {
                return Kind::Other;
            };
            if cursor.indent() >= 4 {
                return match self.leaf {
                    Leaf::Paragraph => Kind::Paragraph,
                    _ => Kind::Indented,
                };
            }
            if let Some(fence) = cursor.fence() {
                return Kind::Opening(fence);
            }
            if cursor.is_heading() || in_paragraph && cursor.is_underline() || self.line.is_break() {
                return Kind::Other;
            }
            if self.line.matched >= DEPTH {
                return Kind::Paragraph;
            }
            let cursor = &mut self.line.cursor;
            let container = if byte == b'>' {
                open_quote(cursor);
                Container::Quote
            } else if let Some(length) = cursor.item_marker(in_paragraph) {
                open_item(cursor, length)
            } else {
                return Kind::Paragraph;
            };
            self.open(container);
            in_paragraph = false;
        }
    }

    fn in_fence_kind(&self, fence: Fence) -> Kind {
        let cursor = &self.line.cursor;
        if cursor.indent() < 4 && cursor.is_run(fence.character, fence.length) {
            Kind::Closing
        } else {
            Kind::Content(fence)
        }
    }

    /// Opens a container inside those that the line continues; the others end.
    fn open(&mut self, container: Container) {
        self.close_to(self.line.matched);
        if matches!(container, Container::Quote) {
            self.quotes.push(self.containers.len());
        }
        self.containers.push(container);
        self.line.matched += 1;
        self.leaf = Leaf::Nothing;
    }

    fn close_to(&mut self, depth: usize) {
        self.containers.truncate(depth);
        while self.quotes.last().is_some_and(|&quote| quote >= depth) {
            self.quotes.pop();
        }
    }
}

impl<'t> Line<'t> {
    fn new(text: &'t str, region: Span, start: usize) -> Self {
        let (end, next) = line_end(text, region, start);
        let has_mark = start == region.start && text[start..end].starts_with('\u{feff}');
        let from = if has_mark {
            start + '\u{feff}'.len_utf8()
        } else {
            start
        };
        Self {
            cursor: Cursor::new(text.as_bytes(), Span::new(from, end)),
            matched: 0,
            kind: Kind::Other,
            end,
            next,
            visible: None,
            not_a_break: 0,
        }
    }

    /// What the line adds to a fence whose opener is indented by `indent` columns.
    fn content(&self, indent: usize) -> FenceLine {
        let mut cursor = self.cursor.clone();
        cursor.skip_columns(indent.min(cursor.indent()));
        let (columns, start) = cursor.rest();
        FenceLine {
            columns,
            span: Span::new(start, self.end),
        }
    }

    /// Whether a thematic break stands at the cursor. Remembers why not: of nested list markers each could
    /// begin one, and looking to the line's end for each would not be linear.
    fn is_break(&mut self) -> bool {
        let Some(byte @ (b'-' | b'*' | b'_')) = self.cursor.byte() else {
            return false;
        };
        if self.not_a_break >= self.cursor.next && self.cursor.differs(self.not_a_break, byte) {
            return false;
        }
        let other = self.cursor.first_other_than(byte);
        self.not_a_break = other.unwrap_or(0);
        other.is_none() && self.cursor.count(byte) >= 3
    }
}

/// What a line outside of containers and fences is, if its first bytes alone tell.
fn ordinary_kind(line: &[u8], in_paragraph: bool) -> Option<Kind> {
    let blanks = line.iter().take_while(|&&byte| byte == b' ').count();
    match line.get(blanks) {
        None => Some(Kind::Other),
        Some(b'\t') => None,
        Some(_) if blanks >= TAB && in_paragraph => Some(Kind::Paragraph),
        Some(_) if blanks >= TAB => Some(Kind::Indented),
        // Fences, headings, underlines, breaks, quotes, list markers.
        Some(b'`' | b'~' | b'#' | b'=' | b'-' | b'*' | b'_' | b'>' | b'+' | b'0'..=b'9') => None,
        Some(_) => Some(Kind::Paragraph),
    }
}

fn open_quote(cursor: &mut Cursor<'_>) {
    cursor.take(1);
    cursor.skip_columns(cursor.indent().min(1));
}

fn open_item(cursor: &mut Cursor<'_>, marker: usize) -> Container {
    let offset = cursor.indent();
    cursor.take(marker);
    let empty = cursor.is_blank();
    let columns = cursor.indent();
    // Five columns and more are one column and indented code.
    let padding = if empty || columns > 4 { 1 } else { columns };
    cursor.skip_columns(padding.min(columns));
    Container::Item {
        indent: offset + marker + padding,
        empty,
    }
}

/// Where the line ends on which `from` stands, and where the next one starts.
fn line_end(text: &str, region: Span, from: usize) -> (usize, Option<usize>) {
    let bytes = &text.as_bytes()[..region.end];
    let Some(offset) = memchr2(b'\n', b'\r', &bytes[from..]) else {
        return (region.end, None);
    };
    let end = from + offset;
    let next = if bytes[end..].starts_with(b"\r\n") {
        end + 2
    } else {
        end + 1
    };
    (end, (next < region.end).then_some(next))
}

#[cfg(test)]
mod referee;
#[cfg(test)]
mod tests;
