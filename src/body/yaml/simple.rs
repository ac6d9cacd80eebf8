//! The YAML that models mostly write, read line by line, without a scanner of tokens.
//!
//! Mappings and sequences by indent, keys and scalars on one line, JSON-like collections on one line, literal blocks.
//! Whatever else a text holds, or could be read in another way, is left to the whole parser: [`read`] then gives
//! nothing. What it gives is what the whole parser gives; a test holds the two against each other.

use std::borrow::Cow;
use std::rc::Rc;

use memchr::{memchr, memchr2};

use super::scalar::{Kind, plain};
use super::{Document, Field, Key, Node};
use crate::span::Span;

/// Sequences and mappings in each other that are read here.
const DEPTH: usize = 24;

/// Bytes of a key that are read here. YAML allows 1024 characters.
const KEY: usize = 500;

/// Fields of a mapping up to which each key is compared with all others.
const FEW: usize = 16;

/// Reads `text` if it is a mapping in the simple form, in which no key stands twice.
pub(super) fn read(text: &str) -> Option<Document<'_>> {
    let mut lines = Lines {
        text,
        bytes: text.as_bytes(),
        at: 0,
        column: 0,
    };
    lines.go_to_text(0)?;
    let root = lines.mapping(DEPTH)?;
    lines.has_ended().then(|| Document {
        root: Some(Rc::new(root)),
        duplicates: Vec::new(),
    })
}

/// A place in the text.
struct Lines<'y> {
    text: &'y str,
    bytes: &'y [u8],
    at: usize,
    /// The column of the first byte of the line that is no blank.
    column: usize,
}

/// The text of a scalar.
type Text<'y> = Cow<'y, str>;

impl<'y> Lines<'y> {
    fn has_ended(&self) -> bool {
        self.at == self.bytes.len()
    }

    fn byte(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    /// Goes to the first byte that is no blank, at or behind the line start at `from`.
    fn go_to_text(&mut self, from: usize) -> Option<()> {
        let mut start = from;
        loop {
            let blanks = self.bytes[start..]
                .iter()
                .take_while(|&&byte| byte == b' ')
                .count();
            (self.at, self.column) = (start + blanks, blanks);
            match self.byte() {
                Some(b'\n') => start = self.at + 1,
                Some(b'\t' | b'\r') => return None,
                _ => return Some(()),
            }
        }
    }

    /// Goes to the next line of text, if nothing but blanks is left of this one.
    fn finish_line(&mut self) -> Option<()> {
        self.skip_blanks();
        match self.byte() {
            None => Some(()),
            Some(b'\n') => self.go_to_text(self.at + 1),
            Some(_) => None,
        }
    }

    fn skip_blanks(&mut self) {
        while self.byte() == Some(b' ') {
            self.at += 1;
        }
    }

    fn take(&mut self, byte: u8) -> Option<()> {
        (self.byte()? == byte).then(|| self.at += 1)
    }

    fn line_end(&self) -> usize {
        memchr(b'\n', &self.bytes[self.at..]).map_or(self.bytes.len(), |length| self.at + length)
    }

    /// The mapping whose first key stands here.
    fn mapping(&mut self, depth: usize) -> Option<Node<'y>> {
        let (start, column) = (self.at, self.column);
        let mut fields = Vec::new();
        loop {
            let key = self.block_key()?;
            let value = self.value(column, true, depth)?;
            fields.push((key, Rc::new(value)));
            if self.has_ended() || self.column < column {
                break;
            }
            if self.column > column {
                return None;
            }
        }
        let span = self.until_here(start);
        are_different(&fields).then(|| Node::mapping(fields, span))
    }

    /// The sequence whose first dash stands here, below a key at `parent`.
    fn sequence(&mut self, parent: usize, depth: usize) -> Option<Node<'y>> {
        let (dash, column) = (self.at, self.column);
        let mut items = Vec::new();
        while self.is_item() && self.column == column {
            self.at += 1;
            items.push(Rc::new(self.item(column, depth)?));
        }
        if !self.has_ended() && self.column > column {
            return None;
        }
        // The parser sees a sequence that is not indented behind its first dash.
        let blanks = || {
            self.bytes[dash + 1..]
                .iter()
                .take_while(|&&byte| byte == b' ')
                .count()
        };
        let start = if column > parent {
            dash
        } else {
            dash + 1 + blanks()
        };
        let span = self.until_here(start);
        Some(Node::sequence(items, span))
    }

    fn is_item(&self) -> bool {
        self.bytes[self.at..].starts_with(b"- ")
    }

    /// From `start` up to the last text before this place.
    fn until_here(&self, start: usize) -> Span {
        Span::new(start, start + self.text[start..self.at].trim_end().len())
    }

    /// What stands behind the dash of an item in a sequence at `column`.
    fn item(&mut self, column: usize, depth: usize) -> Option<Node<'y>> {
        let (dash, depth) = (self.at, depth.checked_sub(1)?);
        self.skip_blanks();
        let start = self.at;
        let is_mapping =
            matches!(self.byte()?, b'"' | b'a'..=b'z' | b'A'..=b'Z' | b'_') && self.block_key().is_some();
        if is_mapping {
            self.at = start;
            self.column = column + 1 + (start - dash);
            return self.mapping(depth);
        }
        self.at = dash;
        self.value(column, false, depth)
    }

    /// A key of a block mapping, and its colon.
    fn block_key(&mut self) -> Option<Key<'y>> {
        let key = match self.byte()? {
            b'"' => self.quoted_key()?,
            b'a'..=b'z' | b'A'..=b'Z' | b'_' => self.word(|byte| matches!(byte, b'_' | b'-'))?,
            _ => return None,
        };
        self.take(b':')?;
        matches!(self.byte(), None | Some(b' ' | b'\n')).then_some(key)
    }

    fn quoted_key(&mut self) -> Option<Key<'y>> {
        let start = self.at;
        let text = self.double_quoted()?;
        self.key_of(start, text)
    }

    /// Letters, digits and what else `may_stand`.
    fn word(&mut self, may_stand: impl Fn(u8) -> bool) -> Option<Key<'y>> {
        let start = self.at;
        let rest = self.bytes[start..].iter();
        self.at += rest
            .take_while(|&&byte| byte.is_ascii_alphanumeric() || may_stand(byte))
            .count();
        self.key_of(start, self.text[start..self.at].into())
    }

    fn key_of(&self, start: usize, text: Text<'y>) -> Option<Key<'y>> {
        let span = Span::new(start, self.at);
        (span.len() <= KEY).then_some(Key { text, span })
    }

    /// What stands behind a key's colon or an item's dash, in a collection at `column`.
    fn value(&mut self, column: usize, has_key: bool, depth: usize) -> Option<Node<'y>> {
        let depth = depth.checked_sub(1)?;
        self.skip_blanks();
        let node = match self.byte()? {
            b'\n' if has_key => return self.value_below(column, depth),
            b'|' => return self.literal(column),
            b'"' => self.scalar(Self::double_quoted)?,
            b'\'' => self.scalar(Self::single_quoted)?,
            b'[' | b'{' => self.flow(depth)?,
            _ => self.plain()?,
        };
        self.finish_line()?;
        // The scalar would go on, or the parser would complain.
        (self.has_ended() || self.column <= column).then_some(node)
    }

    /// The collection that begins on the line below its key.
    fn value_below(&mut self, column: usize, depth: usize) -> Option<Node<'y>> {
        self.finish_line()?;
        if self.has_ended() {
            return None;
        }
        match self.is_item() {
            true if self.column >= column => self.sequence(column, depth),
            false if self.column > column => self.mapping(depth),
            _ => None,
        }
    }

    fn scalar(&mut self, read: impl Fn(&mut Self) -> Option<Text<'y>>) -> Option<Node<'y>> {
        let start = self.at;
        let text = read(self)?;
        Some(Node::scalar(Kind::String, text, Span::new(start, self.at)))
    }

    fn plain(&mut self) -> Option<Node<'y>> {
        let (start, end) = (self.at, self.line_end());
        let line = &self.bytes[start..end];
        let begins = match *line.first()? {
            b'-' => line.get(1).is_some_and(u8::is_ascii_alphanumeric),
            b'_' | b'/' | b'.' | b'(' | b'$' | b'<' | b'+' => true,
            first => first.is_ascii_alphanumeric() || !first.is_ascii(),
        };
        let breaks = |pair: &[u8]| matches!(pair, b": " | b" #");
        if !begins || line.windows(2).any(breaks) || !line.iter().all(|&byte| is_printable(byte)) {
            return None;
        }
        let text = self.text[start..end].trim_end_matches(' ');
        if text.ends_with(':') || !text.chars().all(is_ordinary) {
            return None;
        }
        self.at = end;
        self.plain_node(start, text)
    }

    fn plain_node(&self, start: usize, text: &'y str) -> Option<Node<'y>> {
        let span = Span::new(start, start + text.trim_end().len());
        Some(Node::scalar(plain(text).ok()?, text.into(), span))
    }

    fn double_quoted(&mut self) -> Option<Text<'y>> {
        self.take(b'"')?;
        let start = self.at;
        let mut from = start;
        let mut text = String::new();
        loop {
            self.at += memchr2(b'"', b'\\', &self.bytes[self.at..])?;
            let piece = self.piece(from)?;
            let is_end = self.bytes[self.at] == b'"';
            self.at += 1;
            if is_end && from == start {
                return Some(piece.into());
            }
            text.push_str(piece);
            if is_end {
                return Some(text.into());
            }
            text.push(self.escape()?);
            from = self.at;
        }
    }

    /// The text of a quoted scalar from `from` to here, if it is printable and stands on one line.
    fn piece(&self, from: usize) -> Option<&'y str> {
        let piece = &self.text[from..self.at];
        (piece.bytes().all(is_printable) && (piece.is_ascii() || piece.chars().all(is_ordinary)))
            .then_some(piece)
    }

    /// What stands behind a backslash.
    fn escape(&mut self) -> Option<char> {
        let byte = self.byte()?;
        self.at += 1;
        match byte {
            b'"' | b'\\' | b'/' => Some(byte as char),
            b'n' => Some('\n'),
            b'r' => Some('\r'),
            b't' => Some('\t'),
            b'u' => {
                let digits = self.text.get(self.at..self.at + 4)?;
                self.at += 4;
                let is_number = digits.bytes().all(|digit| digit.is_ascii_hexdigit());
                let character = char::from_u32(u32::from_str_radix(digits, 16).ok()?)?;
                (is_number && character >= ' ').then_some(character)
            }
            _ => None,
        }
    }

    fn single_quoted(&mut self) -> Option<Text<'y>> {
        self.take(b'\'')?;
        let start = self.at;
        self.at += memchr(b'\'', &self.bytes[start..])?;
        let text = self.piece(start)?;
        self.at += 1;
        (self.byte() != Some(b'\'')).then(|| text.into())
    }

    /// A collection in brackets, on one line.
    fn flow(&mut self, depth: usize) -> Option<Node<'y>> {
        let depth = depth.checked_sub(1)?;
        let start = self.at;
        let is_mapping = self.byte()? == b'{';
        let closer = if is_mapping { b'}' } else { b']' };
        self.at += 1;
        self.skip_blanks();
        let (mut items, mut fields) = (Vec::new(), Vec::new());
        if self.take(closer).is_none() {
            loop {
                if is_mapping {
                    let key = self.flow_key()?;
                    fields.push((key, Rc::new(self.flow_value(depth)?)));
                } else {
                    items.push(Rc::new(self.flow_value(depth)?));
                }
                self.skip_blanks();
                if self.take(closer).is_some() {
                    break;
                }
                self.take(b',')?;
                self.skip_blanks();
            }
        }
        let span = Span::new(start, self.at);
        if !is_mapping {
            return Some(Node::sequence(items, span));
        }
        are_different(&fields).then(|| Node::mapping(fields, span))
    }

    /// A key and its colon, and the blanks behind.
    fn flow_key(&mut self) -> Option<Key<'y>> {
        let is_quoted = self.byte()? == b'"';
        let key = if is_quoted {
            self.quoted_key()?
        } else {
            self.flow_word()?
        };
        self.take(b':')?;
        let colon = self.at;
        self.skip_blanks();
        // Without a blank the colon would be part of the word.
        (is_quoted || self.at > colon).then_some(key)
    }

    fn flow_word(&mut self) -> Option<Key<'y>> {
        let begins = match self.byte()? {
            b'-' => self.bytes.get(self.at + 1)?.is_ascii_digit(),
            first => first.is_ascii_alphanumeric(),
        };
        if !begins {
            return None;
        }
        self.word(|byte| matches!(byte, b'_' | b'-' | b'+' | b'.'))
    }

    fn flow_value(&mut self, depth: usize) -> Option<Node<'y>> {
        match self.byte()? {
            b'"' => self.scalar(Self::double_quoted),
            b'[' | b'{' => self.flow(depth),
            _ => {
                let start = self.flow_word()?.span.start;
                self.plain_node(start, &self.text[start..self.at])
            }
        }
    }

    /// A literal block, in a collection at `column`.
    fn literal(&mut self, column: usize) -> Option<Node<'y>> {
        self.at += 1;
        let strips = self.take(b'-').is_some();
        self.skip_blanks();
        self.take(b'\n')?;
        let indent = self.bytes[self.at..]
            .iter()
            .take_while(|&&byte| byte == b' ')
            .count();
        if indent <= column || matches!(self.bytes.get(self.at + indent), None | Some(b'\n')) {
            return None;
        }
        let start = self.at + indent;
        let mut text = String::new();
        // Line breaks that are part of the text if text follows.
        let mut breaks = 0;
        loop {
            let end = self.line_end();
            let line = &self.text[self.at..end];
            let blanks = line.len() - line.trim_start_matches(' ').len();
            if blanks == line.len() && blanks <= indent {
                breaks += 1;
            } else if blanks < indent {
                break;
            } else {
                let line = &line[indent..];
                if line.trim().is_empty()
                    || !line.bytes().all(|byte| is_printable(byte) || byte == b'\t')
                    || !line.chars().all(is_ordinary)
                {
                    return None;
                }
                text.extend(std::iter::repeat_n('\n', breaks));
                text.push_str(line);
                breaks = 1;
            }
            if end == self.bytes.len() {
                // Whether a last line without a break has one is left to the parser.
                if !strips {
                    return None;
                }
                self.at = end;
                break;
            }
            self.at = end + 1;
        }
        let span = self.until_here(start);
        self.go_to_text(self.at)?;
        if !self.has_ended() && self.column > column {
            return None;
        }
        if !strips {
            text.push('\n');
        }
        Some(Node::scalar(Kind::String, text.into(), span))
    }
}

/// Whether no key stands twice.
fn are_different(fields: &[Field<'_>]) -> bool {
    if fields.len() <= FEW {
        return fields
            .iter()
            .enumerate()
            .all(|(place, (key, _))| fields[..place].iter().all(|(other, _)| other.text != key.text));
    }
    let mut keys: Vec<&str> = fields.iter().map(|(key, _)| key.text.as_ref()).collect();
    keys.sort_unstable();
    keys.windows(2).all(|pair| pair[0] != pair[1])
}

fn is_printable(byte: u8) -> bool {
    byte >= b' ' && byte != 0x7f
}

/// Whether a character is no control character, line break or byte order mark, as some readers of YAML see them.
fn is_ordinary(character: char) -> bool {
    !matches!(
        character,
        '\u{80}'..='\u{9f}' | '\u{2028}' | '\u{2029}' | '\u{feff}'
    )
}

#[cfg(test)]
mod tests;
