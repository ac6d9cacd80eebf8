//! A place in the prefix of a line, in bytes and in columns.

use memchr::memchr;

use super::Fence;
use crate::span::Span;

/// Columns from one tab stop to the next.
pub(super) const TAB: usize = 4;

/// A place in a line, and the first byte at or behind it that is neither space nor tab.
#[derive(Clone, Debug)]
pub(super) struct Cursor<'t> {
    bytes: &'t [u8],
    /// Offset of the next byte. Of a tab that is taken in part, its own.
    pub(super) at: usize,
    /// The column; inside of a tab that is taken in part.
    column: usize,
    in_tab: bool,
    /// Offset of the next byte that is not blank, or the line's end.
    pub(super) next: usize,
    next_column: usize,
    end: usize,
}

impl<'t> Cursor<'t> {
    pub(super) fn new(bytes: &'t [u8], line: Span) -> Self {
        let mut cursor = Self {
            bytes,
            at: line.start,
            column: 0,
            in_tab: false,
            next: line.start,
            next_column: 0,
            end: line.end,
        };
        cursor.look();
        cursor
    }

    /// Goes on at `at` in the same column, on a line that ends at `end`.
    pub(super) fn jump(&mut self, at: usize, end: usize) {
        (self.at, self.next, self.end) = (at, at, end);
        self.column = self.next_column;
        self.in_tab = false;
        self.look();
    }

    /// Columns up to the next byte that is not blank.
    pub(super) fn indent(&self) -> usize {
        self.next_column - self.column
    }

    /// The next byte that is not blank.
    pub(super) fn byte(&self) -> Option<u8> {
        self.rest_bytes().first().copied()
    }

    pub(super) fn is_blank(&self) -> bool {
        self.next == self.end
    }

    /// Takes the blanks up to the next byte that is none, and `count` bytes of one column each.
    pub(super) fn take(&mut self, count: usize) {
        self.skip_blank();
        self.at += count;
        self.column += count;
        (self.next, self.next_column) = (self.at, self.column);
        self.look();
    }

    /// Takes the blanks up to the next byte that is none.
    pub(super) fn skip_blank(&mut self) {
        (self.at, self.column) = (self.next, self.next_column);
        self.in_tab = false;
    }

    /// Takes `count` columns of blanks; there are as many.
    pub(super) fn skip_columns(&mut self, count: usize) {
        let target = self.column + count;
        while self.column < target {
            let stop = self.stop();
            self.in_tab = stop > target;
            self.column = stop.min(target);
            self.at += usize::from(!self.in_tab);
        }
    }

    /// Columns left of a tab that is taken in part, and the offset behind it.
    pub(super) fn rest(&self) -> (usize, usize) {
        if self.in_tab {
            (self.stop() - self.column, self.at + 1)
        } else {
            (0, self.at)
        }
    }

    /// Offset behind the last byte of the line that is not blank.
    pub(super) fn text_end(&self) -> usize {
        let blanks = self.rest_bytes().iter().rev().take_while(|&&byte| is_blank(byte));
        self.end - blanks.count()
    }

    /// Whether the line is at least `length` of `byte` and blanks behind them.
    pub(super) fn is_run(&self, byte: u8, length: usize) -> bool {
        let run = self.run(byte);
        run >= length && self.is_blank_from(self.next + run)
    }

    /// The fence that opens here, if one does.
    pub(super) fn fence(&self) -> Option<Fence> {
        let character = self.byte().filter(|byte| matches!(byte, b'`' | b'~'))?;
        let length = self.run(character);
        let info = &self.bytes[self.next + length..self.end];
        if length < 3 || character == b'`' && memchr(b'`', info).is_some() {
            return None;
        }
        Some(Fence {
            start: self.next,
            character,
            length,
            indent: self.indent(),
        })
    }

    /// Whether an ATX heading stands here.
    pub(super) fn is_heading(&self) -> bool {
        let rest = self.rest_bytes();
        let level = rest.iter().take(7).take_while(|&&byte| byte == b'#').count();
        (1..=6).contains(&level) && rest.get(level).is_none_or(|&byte| is_blank(byte))
    }

    /// Whether the line makes a heading of the paragraph above it.
    pub(super) fn is_underline(&self) -> bool {
        self.is_run(b'=', 1) || self.is_run(b'-', 1)
    }

    /// The length of the list marker that stands here. In a paragraph only those that may interrupt it count.
    pub(super) fn item_marker(&self, in_paragraph: bool) -> Option<usize> {
        let rest = self.rest_bytes();
        let digits = rest
            .iter()
            .take(10)
            .take_while(|byte| byte.is_ascii_digit())
            .count();
        let (length, interrupts) = match rest.get(digits)? {
            b'-' | b'+' | b'*' if digits == 0 => (1, true),
            b'.' | b')' if (1..=9).contains(&digits) => (digits + 1, is_one(&rest[..digits])),
            _ => return None,
        };
        let is_marker = rest.get(length).is_none_or(|&byte| is_blank(byte));
        let may_stand = !in_paragraph || interrupts && !self.is_blank_from(self.next + length);
        (is_marker && may_stand).then_some(length)
    }

    /// Whether the byte at `at` is neither blank nor `byte`.
    pub(super) fn differs(&self, at: usize, byte: u8) -> bool {
        self.bytes[at] != byte && !is_blank(self.bytes[at])
    }

    /// Offset of the first byte that is neither blank nor `byte`.
    pub(super) fn first_other_than(&self, byte: u8) -> Option<usize> {
        (self.next..self.end).find(|&at| self.differs(at, byte))
    }

    /// How often `byte` stands on the rest of the line, up to three.
    pub(super) fn count(&self, byte: u8) -> usize {
        self.rest_bytes()
            .iter()
            .filter(|&&other| other == byte)
            .take(3)
            .count()
    }

    fn rest_bytes(&self) -> &'t [u8] {
        &self.bytes[self.next..self.end]
    }

    fn run(&self, byte: u8) -> usize {
        self.rest_bytes()
            .iter()
            .take_while(|&&other| other == byte)
            .count()
    }

    fn is_blank_from(&self, at: usize) -> bool {
        self.bytes[at..self.end].iter().all(|&byte| is_blank(byte))
    }

    /// The column behind the blank at the cursor.
    fn stop(&self) -> usize {
        if self.bytes[self.at] == b'\t' {
            (self.column / TAB + 1) * TAB
        } else {
            self.column + 1
        }
    }

    fn look(&mut self) {
        while self.next < self.end && is_blank(self.bytes[self.next]) {
            self.next_column = match self.bytes[self.next] {
                b'\t' => (self.next_column / TAB + 1) * TAB,
                _ => self.next_column + 1,
            };
            self.next += 1;
        }
    }
}

fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t')
}

fn is_one(digits: &[u8]) -> bool {
    digits
        .iter()
        .rev()
        .enumerate()
        .all(|(place, &digit)| digit == if place == 0 { b'1' } else { b'0' })
}
