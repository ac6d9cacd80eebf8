//! Finds the parts of a JSON value without interpreting them: strings are passed from quote to quote, numbers and
//! literals are not looked at, and what is nested in a value that nobody wants is only counted.
//!
//! It is lenient where leniency costs nothing: surplus and missing commas, keys without quotes and scalars of any
//! kind are passed over. What it insists on is that quotes, braces and brackets close, and that a key has a colon.

use std::borrow::Cow;

use memchr::memchr;

use super::escapes::raw_length;
use crate::span::Span;

/// Why the structure of a record cannot be followed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Fault {
    /// The offending bytes of the record.
    pub(super) span: Span,
    /// What was found, and what was expected.
    pub(super) what: Cow<'static, str>,
}

/// What a value is, told by its first byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    String,
    Object,
    Array,
    Number,
    /// `true`, `false`, `null`, and whatever is no JSON.
    Word,
}

/// One value of a record, from its first byte to its last.
#[derive(Clone, Copy, Debug)]
pub(super) struct Value<'a> {
    record: &'a [u8],
    span: Span,
}

impl<'a> Value<'a> {
    /// The value that stands at `span` of the record.
    pub(super) fn new(record: &'a [u8], span: Span) -> Self {
        Self { record, span }
    }

    /// Where it stands in the record.
    pub(super) fn span(self) -> Span {
        self.span
    }

    /// Its bytes, quotes and brackets included.
    pub(super) fn source(self) -> &'a [u8] {
        &self.record[self.span.start..self.span.end]
    }

    /// The bytes of the record that it stands in.
    pub(super) fn all(self) -> &'a [u8] {
        self.record
    }

    pub(super) fn kind(self) -> Kind {
        match self.source().first() {
            Some(b'"') => Kind::String,
            Some(b'{') => Kind::Object,
            Some(b'[') => Kind::Array,
            Some(b'-' | b'0'..=b'9') => Kind::Number,
            _ => Kind::Word,
        }
    }

    /// What stands between the quotes, if it is a string; escapes as they are.
    pub(super) fn string(self) -> Option<RawString<'a>> {
        (self.kind() == Kind::String).then(|| RawString {
            bytes: &self.record[self.span.start + 1..self.span.end - 1],
            start: self.span.start + 1,
        })
    }

    /// A cursor before it.
    pub(super) fn cursor(self) -> Cursor<'a> {
        Cursor {
            record: self.record,
            at: self.span.start,
        }
    }
}

/// The inside of a string as it stands in the record, escapes and all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct RawString<'a> {
    /// The bytes between the quotes.
    pub(super) bytes: &'a [u8],
    /// Where they begin in the record.
    pub(super) start: usize,
}

/// A place in a record. Every method moves it forward.
#[derive(Clone, Debug)]
pub(super) struct Cursor<'a> {
    record: &'a [u8],
    at: usize,
}

impl<'a> Cursor<'a> {
    /// A cursor at the first byte behind leading white space.
    pub(super) fn new(record: &'a [u8]) -> Self {
        let mut cursor = Self { record, at: 0 };
        cursor.skip(is_json_space);
        cursor
    }

    /// Goes into the object at this place, if there is one.
    pub(super) fn enter_object(&mut self) -> bool {
        self.enter(b'{')
    }

    /// Goes into the array at this place, if there is one.
    pub(super) fn enter_array(&mut self) -> bool {
        self.enter(b'[')
    }

    fn enter(&mut self, bracket: u8) -> bool {
        let there = self.peek() == Some(bracket);
        self.at += usize::from(there);
        there
    }

    /// The next key of the object that was entered, with the cursor before its value; `None` behind the object's
    /// end.
    pub(super) fn next_key(&mut self) -> Result<Option<&'a [u8]>, Fault> {
        self.skip(|byte| is_json_space(byte) || byte == b',');
        let start = self.at;
        let key = match self.peek() {
            Some(b'}') => {
                self.at += 1;
                return Ok(None);
            }
            Some(b'"') => {
                self.pass_string()?;
                &self.record[start + 1..self.at - 1]
            }
            Some(_) => {
                self.skip(|byte| !is_structure(byte) && byte != b':');
                &self.record[start..self.at]
            }
            None => return Err(self.cut_short()),
        };
        self.skip(is_json_space);
        if self.peek() != Some(b':') {
            return Err(self.fault(start, "a key with a colon behind it was expected here"));
        }
        self.at += 1;
        self.skip(is_json_space);
        Ok(Some(key))
    }

    /// Whether the array that was entered has another element, with the cursor before it; else the cursor is
    /// behind the array.
    pub(super) fn next_element(&mut self) -> Result<bool, Fault> {
        self.skip(|byte| is_json_space(byte) || byte == b',');
        match self.peek() {
            Some(b']') => {
                self.at += 1;
                Ok(false)
            }
            Some(b'}') => Err(self.fault(self.at, MISMATCH)),
            Some(_) => Ok(true),
            None => Err(self.cut_short()),
        }
    }

    /// The value at this place, which may be an empty one where the record has none.
    pub(super) fn value(&mut self) -> Result<Value<'a>, Fault> {
        let start = self.at;
        match self.peek() {
            Some(b'"') => self.pass_string()?,
            Some(b'{' | b'[') => self.pass_container()?,
            _ => self.skip(|byte| !is_structure(byte)),
        }
        let length = self.record[start..self.at].trim_ascii_end().len();
        Ok(Value::new(self.record, Span::new(start, start + length)))
    }

    /// The values that these keys have in the object at this place, the last one of each; none if it is no
    /// object. The cursor goes behind the value.
    pub(super) fn members<const N: usize>(
        &mut self,
        keys: [&str; N],
    ) -> Result<[Option<Value<'a>>; N], Fault> {
        let mut values = [None; N];
        if !self.enter_object() {
            self.value()?;
            return Ok(values);
        }
        while let Some(key) = self.next_key()? {
            let value = self.value()?;
            let key = key_text(key);
            if let Some(place) = keys.iter().position(|wanted| wanted.as_bytes() == &*key) {
                values[place] = Some(value);
            }
        }
        Ok(values)
    }

    /// The next string, bracket, brace or comma that begins before `end`: the tokens of a value, however deep, one by
    /// one.
    pub(super) fn next_token(&mut self, end: usize) -> Result<Option<Value<'a>>, Fault> {
        self.skip(|byte| !is_structure(byte));
        let start = self.at;
        match self.peek() {
            Some(_) if start >= end => return Ok(None),
            Some(b'"') => self.pass_string()?,
            Some(_) => self.at += 1,
            None => return Ok(None),
        }
        Ok(Some(Value::new(self.record, Span::new(start, self.at))))
    }

    /// Holds that nothing follows which opens or closes something.
    pub(super) fn end(mut self) -> Result<(), Fault> {
        self.skip(|byte| !is_structure(byte) || byte == b',');
        match self.peek() {
            Some(_) => Err(self.fault(
                self.at,
                "the record goes on behind its end; one line is one record",
            )),
            None => Ok(()),
        }
    }

    fn peek(&self) -> Option<u8> {
        self.record.get(self.at).copied()
    }

    fn skip(&mut self, wanted: impl Fn(u8) -> bool) {
        let rest = &self.record[self.at..];
        self.at += rest.iter().position(|&byte| !wanted(byte)).unwrap_or(rest.len());
    }

    /// Goes behind the string that opens here.
    fn pass_string(&mut self) -> Result<(), Fault> {
        let inside = self.at + 1;
        match raw_length(&self.record[inside..]) {
            Some(length) => self.at = inside + length + 1,
            None => {
                let span = Span::new(self.at, self.record.len());
                let what = "a string opens that never closes".into();
                return Err(Fault { span, what });
            }
        }
        Ok(())
    }

    /// Goes behind the object or array that opens here.
    fn pass_container(&mut self) -> Result<(), Fault> {
        let mut nesting = Nesting::default();
        loop {
            self.skip(|byte| !is_structure(byte) || byte == b',');
            match self.peek() {
                Some(b'"') => {
                    self.pass_string()?;
                    continue;
                }
                Some(b'{') => nesting.push(false),
                Some(b'[') => nesting.push(true),
                Some(byte) if nesting.pop() != Some(byte == b']') => {
                    return Err(self.fault(self.at, MISMATCH));
                }
                Some(_) => {}
                None => return Err(self.cut_short()),
            }
            self.at += 1;
            if nesting.is_empty() {
                return Ok(());
            }
        }
    }

    fn fault(&self, start: usize, what: &'static str) -> Fault {
        let end = self.at.max(start + 1).min(self.record.len());
        Fault {
            span: Span::new(start.min(end), end),
            what: what.into(),
        }
    }

    fn cut_short(&self) -> Fault {
        self.fault(
            self.record.len().saturating_sub(1),
            "the record ends before its braces and brackets close",
        )
    }
}

const MISMATCH: &str = "this bracket closes another kind than was opened";

/// The text of a key, escapes read.
pub(super) fn key_text(raw: &[u8]) -> Cow<'_, [u8]> {
    if memchr(b'\\', raw).is_none() {
        return raw.into();
    }
    let mut text = String::new();
    match super::string::decode(raw, &mut text, &mut super::string::Losses::default()) {
        Ok(()) => text.into_bytes().into(),
        Err(_) => raw.into(),
    }
}

/// Whether JSON allows the byte between its tokens.
pub(super) fn is_json_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r')
}

/// Whether a scalar ends before the byte.
fn is_structure(byte: u8) -> bool {
    matches!(byte, b'"' | b',' | b'{' | b'}' | b'[' | b']')
}

/// The brackets that are open, one bit each; however many there are, none of them costs a stack frame.
#[derive(Default)]
struct Nesting {
    bits: u64,
    depth: usize,
    full: Vec<u64>,
}

impl Nesting {
    fn push(&mut self, array: bool) {
        if self.depth.is_multiple_of(64) && self.depth > 0 {
            self.full.push(self.bits);
        }
        self.bits = self.bits << 1 | u64::from(array);
        self.depth += 1;
    }

    fn pop(&mut self) -> Option<bool> {
        self.depth = self.depth.checked_sub(1)?;
        let array = self.bits & 1 == 1;
        self.bits >>= 1;
        if self.depth.is_multiple_of(64) {
            self.bits = self.full.pop().unwrap_or(0);
        }
        Some(array)
    }

    fn is_empty(&self) -> bool {
        self.depth == 0
    }
}
