//! JSON as models write it: a strict reader that keeps places, order and digits, and says why broken JSON is broken.
//!
//! Strict means RFC 8259. All offsets are bytes of the completion's text, whatever region of it is read.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use crate::span::Span;
use crate::text::first_special;

mod parse;
mod salvage;
mod validate;

pub use parse::{Fault, parse, parse_prefix, parse_value};
pub use salvage::{find_first, salvage};
pub use validate::validate;

/// How deep the arguments of a call may nest; the arguments themselves are the first level.
pub const MAX_DEPTH: usize = 128;

/// A value and its place.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// The value's bytes.
    pub span: Span,
    /// What it is.
    pub kind: Kind,
    /// Whether its text holds no white space outside of strings and no key twice.
    compact: bool,
}

/// What a value is.
#[derive(Clone, Debug, PartialEq)]
pub enum Kind {
    /// `null`.
    Null,
    /// `true` or `false`.
    Boolean(bool),
    /// A number; its digits are the text of its span.
    Number,
    /// A string; its span includes the quotes.
    String,
    /// An array.
    Array(Vec<Node>),
    /// An object; equal keys are all there.
    Object(Vec<Member>),
}

/// A member of an object.
#[derive(Clone, Debug, PartialEq)]
pub struct Member {
    /// The key, quotes included.
    pub key: Span,
    /// The value.
    pub value: Node,
    /// Which earlier member of the object has the same key, if one has.
    repeats: Option<usize>,
}

impl Node {
    /// The decoded text, if it is a string. A lone surrogate becomes U+FFFD.
    pub fn string<'t>(&self, text: &'t str) -> Option<Cow<'t, str>> {
        matches!(self.kind, Kind::String).then(|| decode(self.span.of(text)))
    }

    /// The value as compact JSON: source key order, digits and escapes kept; of equal keys the last value wins, in the
    /// first one's place.
    pub fn compact<'t>(&self, text: &'t str) -> Cow<'t, str> {
        if self.compact {
            return Cow::Borrowed(self.span.of(text));
        }
        let mut out = String::with_capacity(self.span.len());
        self.write(text, &mut out);
        Cow::Owned(out)
    }

    /// Appends the value as compact JSON.
    pub fn write(&self, text: &str, out: &mut String) {
        match &self.kind {
            _ if self.compact => out.push_str(self.span.of(text)),
            Kind::Array(items) => {
                out.push('[');
                for (index, item) in items.iter().enumerate() {
                    if index > 0 {
                        out.push(',');
                    }
                    item.write(text, out);
                }
                out.push(']');
            }
            Kind::Object(members) => write_object(text, &members.iter().collect::<Vec<_>>(), out),
            _ => out.push_str(self.span.of(text)),
        }
    }

    /// The members, if it is an object.
    pub fn members(&self) -> Option<&[Member]> {
        match &self.kind {
            Kind::Object(members) => Some(members),
            _ => None,
        }
    }

    /// The items, if it is an array.
    pub fn items(&self) -> Option<&[Node]> {
        match &self.kind {
            Kind::Array(items) => Some(items),
            _ => None,
        }
    }

    /// The last member with this key, if it is an object that has one.
    pub fn get<'n>(&'n self, text: &str, name: &str) -> Option<&'n Member> {
        self.members()?
            .iter()
            .rev()
            .find(|member| member.name(text) == name)
    }

    /// The value at the end of a path of keys and indices.
    pub fn at<'n>(&'n self, text: &str, path: &[&str]) -> Option<&'n Node> {
        path.iter().try_fold(self, |node, step| match &node.kind {
            Kind::Array(items) => items.get(step.parse::<usize>().ok()?),
            _ => node.get(text, step).map(|member| &member.value),
        })
    }

    /// What it is, with its article, for messages.
    pub fn kind_name(&self) -> &'static str {
        match self.kind {
            Kind::Null => "null",
            Kind::Boolean(_) => "a boolean",
            Kind::Number => "a number",
            Kind::String => "a string",
            Kind::Array(_) => "an array",
            Kind::Object(_) => "an object",
        }
    }
}

impl Member {
    /// The decoded key.
    pub fn name<'t>(&self, text: &'t str) -> Cow<'t, str> {
        decode(self.key.of(text))
    }
}

/// Appends an object of these members of one object as compact JSON; of equal keys the last value wins, in the first
/// one's place.
pub fn write_object(text: &str, members: &[&Member], out: &mut String) {
    let mut order: Vec<&Member> = Vec::with_capacity(members.len());
    let mut places = HashMap::new();
    let repeats = members.iter().any(|member| member.repeats.is_some());
    for &member in members {
        if !repeats {
            order.push(member);
            continue;
        }
        let place = *places.entry(member.name(text)).or_insert(order.len());
        if place == order.len() {
            order.push(member);
        } else {
            order[place] = member;
        }
    }
    out.push('{');
    for (index, member) in order.iter().enumerate() {
        if index > 0 {
            out.push(',');
        }
        out.push_str(member.key.of(text));
        out.push(':');
        member.value.write(text, out);
    }
    out.push('}');
}

/// The keys, quotes included, that stand a second time in their object, at any depth, in order. A key that stands three
/// times is told once.
pub fn duplicate_keys(node: &Node) -> Vec<Span> {
    let mut found = Vec::new();
    collect_duplicates(node, &mut found);
    found.sort_unstable();
    found
}

fn collect_duplicates(node: &Node, found: &mut Vec<Span>) {
    match &node.kind {
        Kind::Array(items) => items.iter().for_each(|item| collect_duplicates(item, found)),
        Kind::Object(members) => {
            let mut told = HashSet::new();
            for member in members {
                if member.repeats.is_some_and(|first| told.insert(first)) {
                    found.push(member.key);
                }
                collect_duplicates(&member.value, found);
            }
        }
        _ => {}
    }
}

/// The text of a sound string literal, quotes included.
fn decode(literal: &str) -> Cow<'_, str> {
    let inner = &literal[1..literal.len() - 1];
    if !inner.contains('\\') {
        return Cow::Borrowed(inner);
    }
    let mut out = String::with_capacity(inner.len());
    let mut rest = inner;
    while let Some(at) = rest.find('\\') {
        out.push_str(&rest[..at]);
        let escape = rest.as_bytes()[at + 1];
        rest = &rest[at + 2..];
        match escape {
            b'b' => out.push('\u{8}'),
            b'f' => out.push('\u{c}'),
            b'n' => out.push('\n'),
            b'r' => out.push('\r'),
            b't' => out.push('\t'),
            b'u' => {
                let (character, length) = decode_unicode(rest);
                out.push(character);
                rest = &rest[length..];
            }
            other => out.push(char::from(other)),
        }
    }
    out.push_str(rest);
    Cow::Owned(out)
}

/// The character of the escape whose hex digits begin `rest`, and the number of bytes that it takes.
fn decode_unicode(rest: &str) -> (char, usize) {
    let unit = |at: usize| {
        rest.get(at..at + 4)
            .and_then(|digits| u32::from_str_radix(digits, 16).ok())
    };
    let first = unit(0).unwrap_or(0xfffd);
    if let Some(character) = char::from_u32(first) {
        return (character, 4);
    }
    if first < 0xdc00
        && rest[4..].starts_with("\\u")
        && let Some(second @ 0xdc00..=0xdfff) = unit(6)
        && let Some(character) = char::from_u32(0x10000 + ((first - 0xd800) << 10) + (second - 0xdc00))
    {
        return (character, 10);
    }
    (char::REPLACEMENT_CHARACTER, 4)
}

/// Appends `text` as a JSON string literal.
pub fn write_string(text: &str, out: &mut String) {
    out.push('"');
    let mut rest = text;
    loop {
        let at = first_special(rest.as_bytes());
        out.push_str(&rest[..at]);
        let Some(&byte) = rest.as_bytes().get(at) else {
            break;
        };
        rest = &rest[at + 1..];
        match byte {
            b'"' => out.push_str("\\\""),
            b'\\' => out.push_str("\\\\"),
            b'\n' => out.push_str("\\n"),
            b'\r' => out.push_str("\\r"),
            b'\t' => out.push_str("\\t"),
            0x8 => out.push_str("\\b"),
            0xc => out.push_str("\\f"),
            _ => out.push_str(&format!("\\u{byte:04x}")),
        }
    }
    out.push('"');
}

#[cfg(test)]
mod tests {
    use super::*;

    fn whole(text: &str) -> Node {
        parse_value(text, Span::new(0, text.len())).expect("sound JSON")
    }

    #[test]
    fn compact_keeps_order_digits_and_escapes() {
        for (text, compact) in [
            (
                "{\"b\" : 1.50, \"a\":[ 1E+2 , \"x y\" ]}",
                "{\"b\":1.50,\"a\":[1E+2,\"x y\"]}",
            ),
            ("{\"a\":1,\"b\":2,\"a\":3}", "{\"a\":3,\"b\":2}"),
            ("{\"a\":{\"x\":1,\"\\u0078\":2}}", "{\"a\":{\"x\":2}}"),
            (" [ ] ", "[]"),
            ("\"\\ud83d \\/\"", "\"\\ud83d \\/\""),
        ] {
            let compacted = whole(text).compact(text).into_owned();
            // The key of the value that won is written as that member has it.
            assert_eq!(compacted.replace("\\u0078", "x"), compact);
        }
        let text = "{\"a\":[1,\"b c\"]}";
        assert!(matches!(whole(text).compact(text), Cow::Borrowed(_)));
    }

    #[test]
    fn strings_decode() {
        for (text, decoded) in [
            (r#""a\"b\\c\/d\n\t\b\f\r""#, "a\"b\\c/d\n\t\u{8}\u{c}\r"),
            (r#""\u00e9\ud83d\udee0x""#, "é🛠x"),
            (r#""\ud83dx""#, "\u{fffd}x"),
            (r#""\udee0\ud83d""#, "\u{fffd}\u{fffd}"),
            (r#""\ud83d\ud83d\udee0""#, "\u{fffd}🛠"),
        ] {
            assert_eq!(whole(text).string(text).as_deref(), Some(decoded), "{text}");
        }
    }

    #[test]
    fn what_is_written_is_read_back() {
        let text: String = (0..0x300)
            .filter_map(char::from_u32)
            .chain("🛠️\u{2028}".chars())
            .collect();
        let mut literal = String::new();
        write_string(&text, &mut literal);
        assert_eq!(whole(&literal).string(&literal).as_deref(), Some(text.as_str()));
    }

    #[test]
    fn duplicates_are_told_once() {
        let text = r#"{"a":1,"b":{"c":1,"c":2},"a":2,"a":3,"\u0061":4}"#;
        let keys: Vec<_> = duplicate_keys(&whole(text)).iter().map(|key| key.start).collect();
        assert_eq!(keys, [18, 25]);
    }
}
