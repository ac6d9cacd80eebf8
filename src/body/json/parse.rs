//! The strict reader, and its judgement on what is not JSON.

use std::collections::HashMap;

use super::{Kind, MAX_DEPTH, Member, Node, decode};
use crate::span::Span;
use crate::text::{first_special, is_space};

/// The first fault of a text that is not JSON.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Why it is none: `truncated`, `trailing_comma`, `missing_comma`, `single_quotes`, `unquoted_key`,
    /// `python_literal`, `unescaped_control`, `unescaped_quote`, `bad_escape`, `nonfinite_number`, `doubled_braces`,
    /// `comment`, `unbalanced`, `trailing_text`, `empty` or `not_json`.
    pub detail: &'static str,
    /// Offset of the fault in the text.
    pub at: usize,
    /// What was expected, what was found, how to mend it.
    pub message: String,
    /// Whether the region ended inside a value that was sound so far.
    pub at_end: bool,
}

/// Reads a region that is one value, with white space around it: a batch of calls or a single one, whose arguments may
/// nest [`MAX_DEPTH`] levels deep.
///
/// # Errors
///
/// The first fault.
pub fn parse(text: &str, region: Span) -> Result<Node, Fault> {
    let above = levels_above_arguments(text, region);
    Parser::new(text, region, MAX_DEPTH + above).whole()
}

/// As [`parse`], for arguments themselves.
///
/// # Errors
///
/// The first fault.
pub fn parse_value(text: &str, region: Span) -> Result<Node, Fault> {
    Parser::new(text, region, MAX_DEPTH).whole()
}

/// As [`parse`], for a value at the region's start (behind white space); anything may follow it.
///
/// # Errors
///
/// The first fault.
pub fn parse_prefix(text: &str, region: Span) -> Result<Node, Fault> {
    let above = levels_above_arguments(text, region);
    Parser::new(text, region, MAX_DEPTH + above).prefix()
}

/// A batch has two levels around each call's arguments, a single call one.
fn levels_above_arguments(text: &str, region: Span) -> usize {
    if region.of(text).trim_start_matches(is_space).starts_with('[') {
        2
    } else {
        1
    }
}

/// A reader of one region.
pub(super) struct Parser<'t> {
    text: &'t str,
    bytes: &'t [u8],
    at: usize,
    end: usize,
    depth: usize,
    max_depth: usize,
    /// How often white space was skipped.
    gaps: usize,
    /// Values that were read whole inside of one that was not.
    pub(super) orphans: Vec<Node>,
}

/// What stands before the place where a comma or a bracket is expected.
#[derive(Clone, Copy)]
struct Behind {
    string: bool,
    end: usize,
}

impl<'t> Parser<'t> {
    pub(super) fn new(text: &'t str, region: Span, max_depth: usize) -> Self {
        Self {
            text,
            bytes: &text.as_bytes()[..region.end],
            at: region.start,
            end: region.end,
            depth: 0,
            max_depth,
            gaps: 0,
            orphans: Vec::new(),
        }
    }

    fn whole(mut self) -> Result<Node, Fault> {
        let node = self.prefix()?;
        let rest = &self.text[self.at..self.end];
        let behind = rest.trim_start_matches(is_space);
        if behind.is_empty() {
            return Ok(node);
        }
        self.at = self.end - behind.len();
        Err(match behind.as_bytes()[0] {
            b']' | b'}' => self.fault("unbalanced", "a bracket closes what was never opened; remove it"),
            b'/' if behind.starts_with("//") || behind.starts_with("/*") => self.comment(),
            _ if node.items().is_none() && node.members().is_none() => {
                self.fault_at(node.span.start, "not_json", "expected JSON, found text")
            }
            _ => self.fault("trailing_text", "text stands behind the JSON; remove it"),
        })
    }

    pub(super) fn prefix(&mut self) -> Result<Node, Fault> {
        let rest = &self.text[self.at..self.end];
        let behind = rest.trim_start_matches(is_space);
        self.at = self.end - behind.len();
        if behind.is_empty() {
            let mut fault = self.fault("empty", "expected JSON, found nothing");
            fault.at_end = true;
            return Err(fault);
        }
        self.value()
    }

    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn skip_space(&mut self) {
        let start = self.at;
        while matches!(self.peek(), Some(b' ' | b'\n' | b'\t' | b'\r')) {
            self.at += 1;
        }
        self.gaps += usize::from(self.at > start);
    }

    fn fault(&self, detail: &'static str, message: impl Into<String>) -> Fault {
        self.fault_at(self.at, detail, message)
    }

    fn fault_at(&self, at: usize, detail: &'static str, message: impl Into<String>) -> Fault {
        Fault {
            detail,
            at,
            message: message.into(),
            at_end: false,
        }
    }

    fn comment(&self) -> Fault {
        self.fault("comment", "JSON has no comments; remove it")
    }

    /// The region ends where more is expected, between two tokens.
    fn ended(&self) -> Fault {
        Fault {
            at_end: true,
            ..self.fault(
                "unbalanced",
                "the JSON ends before all its brackets are closed; close them",
            )
        }
    }

    /// The region ends inside a string, a number or a literal.
    fn broke_off(&self, inside: &str) -> Fault {
        let message = format!("the JSON stops inside {inside}; it was cut, or a closing quote is missing");
        Fault {
            at_end: true,
            ..self.fault_at(self.end, "truncated", message)
        }
    }

    fn node(&self, start: usize, gaps: usize, kind: Kind) -> Node {
        Node {
            span: Span::new(start, self.at),
            kind,
            compact: self.gaps == gaps,
        }
    }

    fn value(&mut self) -> Result<Node, Fault> {
        let start = self.at;
        let Some(byte) = self.peek() else {
            return Err(self.ended());
        };
        match byte {
            b'{' => self.deeper(Self::object),
            b'[' => self.deeper(Self::array),
            b'"' => {
                self.string()?;
                Ok(self.node(start, self.gaps, Kind::String))
            }
            b'-' | b'0'..=b'9' => {
                self.number()?;
                Ok(self.node(start, self.gaps, Kind::Number))
            }
            b'a'..=b'z' | b'A'..=b'Z' => self.word(),
            _ => Err(self.no_value(byte)),
        }
    }

    fn deeper(&mut self, read: fn(&mut Self) -> Result<Node, Fault>) -> Result<Node, Fault> {
        if self.depth == self.max_depth {
            let message = format!("nested too deep: at most {MAX_DEPTH} levels of arguments are read");
            return Err(self.fault("not_json", message));
        }
        self.depth += 1;
        let node = read(self);
        self.depth -= 1;
        node
    }

    /// What is wrong with a byte that begins no value.
    fn no_value(&self, byte: u8) -> Fault {
        match byte {
            b'\'' => self.fault("single_quotes", "a string in single quotes; write double quotes"),
            b'/' if matches!(self.bytes.get(self.at + 1), Some(b'/' | b'*')) => self.comment(),
            b'#' if self.depth > 0 || self.stands_before_json() => self.comment(),
            b']' | b'}' if self.depth == 0 => {
                self.fault("unbalanced", "a bracket closes what was never opened; remove it")
            }
            _ => self.fault(
                "not_json",
                format!("expected a JSON value, found `{}`", self.character()),
            ),
        }
    }

    /// Whether lines that begin with `#` lead to JSON, and not to the code of some script.
    fn stands_before_json(&self) -> bool {
        let lines = self.text[self.at..self.end].lines().map(str::trim_start);
        let mut behind = lines
            .filter(|line| !line.is_empty())
            .skip_while(|line| line.starts_with('#'));
        behind.next().is_some_and(|line| line.starts_with(['[', '{']))
    }

    fn character(&self) -> char {
        self.text[self.at..].chars().next().unwrap_or(' ')
    }

    fn array(&mut self) -> Result<Node, Fault> {
        let (start, gaps) = (self.at, self.gaps);
        self.at += 1;
        let mut items = Vec::new();
        let read = self.items(&mut items);
        if let Err(fault) = read {
            self.orphans.append(&mut items);
            return Err(fault);
        }
        let mut node = self.node(start, gaps, Kind::Null);
        node.compact &= items.iter().all(|item| item.compact);
        node.kind = Kind::Array(items);
        Ok(node)
    }

    fn items(&mut self, items: &mut Vec<Node>) -> Result<(), Fault> {
        self.skip_space();
        match self.peek() {
            Some(b']') => {
                self.at += 1;
                return Ok(());
            }
            Some(b'}') => return Err(self.mismatch()),
            _ => {}
        }
        loop {
            let item = self.value()?;
            let behind = Behind {
                string: matches!(item.kind, Kind::String),
                end: self.at,
            };
            items.push(item);
            if self.separator(b']', behind)? {
                return Ok(());
            }
        }
    }

    fn object(&mut self) -> Result<Node, Fault> {
        let (start, gaps) = (self.at, self.gaps);
        self.at += 1;
        let mut members = Vec::new();
        let read = self.members(&mut members);
        if let Err(fault) = read {
            self.orphans
                .extend(members.into_iter().map(|member| member.value));
            return Err(fault);
        }
        let repeats = mark_repeats(self.text, &mut members);
        let mut node = self.node(start, gaps, Kind::Null);
        node.compact &= !repeats && members.iter().all(|member| member.value.compact);
        node.kind = Kind::Object(members);
        Ok(node)
    }

    fn members(&mut self, members: &mut Vec<Member>) -> Result<(), Fault> {
        self.skip_space();
        match self.peek() {
            Some(b'}') => {
                self.at += 1;
                return Ok(());
            }
            Some(b']') => return Err(self.mismatch()),
            Some(b'{') => return Err(self.fault("doubled_braces", "braces are doubled; write each once")),
            _ => {}
        }
        loop {
            let key = self.key()?;
            self.skip_space();
            let value = self.value()?;
            let behind = Behind {
                string: matches!(value.kind, Kind::String),
                end: self.at,
            };
            members.push(Member {
                key,
                value,
                repeats: None,
            });
            if self.separator(b'}', behind)? {
                return Ok(());
            }
        }
    }

    /// A key and its colon.
    fn key(&mut self) -> Result<Span, Fault> {
        let start = self.at;
        match self.peek() {
            None => return Err(self.ended()),
            Some(b'"') => self.string()?,
            Some(b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'_' | b'$') => {
                return Err(self.fault("unquoted_key", "a key without quotes; write it in double quotes"));
            }
            Some(byte) => {
                let fault = self.no_value(byte);
                let message = format!("expected a key in double quotes, found `{}`", self.character());
                return Err(if fault.detail == "not_json" {
                    self.fault("not_json", message)
                } else {
                    fault
                });
            }
        }
        let key = Span::new(start, self.at);
        self.skip_space();
        match self.peek() {
            Some(b':') => self.at += 1,
            None => return Err(self.ended()),
            Some(byte) if self.at == key.end && (byte.is_ascii_alphanumeric() || byte >= 0x80) => {
                return Err(self.unescaped_quote(key.end - 1));
            }
            Some(_) => return Err(self.fault("not_json", "expected `:` behind the key")),
        }
        Ok(key)
    }

    fn mismatch(&self) -> Fault {
        self.fault(
            "unbalanced",
            "a bracket closes another kind than was opened; pair them",
        )
    }

    fn unescaped_quote(&self, at: usize) -> Fault {
        self.fault_at(
            at,
            "unescaped_quote",
            "a quote inside a string ends it; write `\\\"`",
        )
    }

    /// Reads what follows an item: a comma and what it promises, or the bracket that closes. Returns whether it closed.
    fn separator(&mut self, closer: u8, behind: Behind) -> Result<bool, Fault> {
        self.skip_space();
        match self.peek() {
            None => Err(self.ended()),
            Some(byte) if byte == closer => {
                self.at += 1;
                Ok(true)
            }
            Some(b',') => {
                let comma = self.at;
                self.at += 1;
                self.skip_space();
                match self.peek() {
                    Some(b']' | b'}') => Err(self.fault_at(
                        comma,
                        "trailing_comma",
                        "a comma stands before the closing bracket; remove it",
                    )),
                    _ => Ok(false),
                }
            }
            Some(b']' | b'}') => Err(self.mismatch()),
            Some(byte) => Err(self.no_separator(byte, behind)),
        }
    }

    /// What is wrong with a byte that stands where a comma should.
    fn no_separator(&self, byte: u8, behind: Behind) -> Fault {
        let adjacent = self.at == behind.end;
        match byte {
            b'"' if behind.string && adjacent => self.unescaped_quote(behind.end - 1),
            b'"' | b'{' | b'[' => self.missing_comma(),
            b'/' if matches!(self.bytes.get(self.at + 1), Some(b'/' | b'*')) => self.comment(),
            b'#' => self.comment(),
            b':' => self.fault("not_json", "expected `,` or a closing bracket, found `:`"),
            _ if behind.string => self.unescaped_quote(behind.end - 1),
            b'-' | b'0'..=b'9' if !adjacent => self.missing_comma(),
            b't' | b'f' | b'n' if !adjacent => self.missing_comma(),
            b'\'' => self.no_value(byte),
            _ => self.fault(
                "not_json",
                format!("expected `,` or a closing bracket, found `{}`", self.character()),
            ),
        }
    }

    fn missing_comma(&self) -> Fault {
        self.fault(
            "missing_comma",
            "two values stand side by side; write a comma between them",
        )
    }

    fn string(&mut self) -> Result<(), Fault> {
        self.at += 1;
        loop {
            self.at += first_special(&self.bytes[self.at..]);
            match self.bytes.get(self.at).copied() {
                None => return Err(self.broke_off("a string")),
                Some(b'"') => {
                    self.at += 1;
                    return Ok(());
                }
                Some(b'\\') => self.escape()?,
                Some(control) => {
                    let message =
                        format!("a raw control character (0x{control:02x}) in a string; write its escape");
                    return Err(self.fault("unescaped_control", message));
                }
            }
        }
    }

    fn escape(&mut self) -> Result<(), Fault> {
        let length = match self.bytes.get(self.at + 1) {
            None => return Err(self.broke_off("a string")),
            Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => 2,
            Some(b'u') => {
                let digits = &self.bytes[self.at + 2..self.end.min(self.at + 6)];
                if !digits.iter().all(u8::is_ascii_hexdigit) {
                    return Err(self.fault("bad_escape", "`\\u` wants four hexadecimal digits"));
                }
                if digits.len() < 4 {
                    return Err(self.broke_off("a string"));
                }
                6
            }
            Some(_) => {
                let escaped = self.text[self.at + 1..].chars().next().unwrap_or(' ');
                let message = format!("`\\{escaped}` is no escape of JSON; write `\\\\{escaped}`");
                return Err(self.fault("bad_escape", message));
            }
        };
        self.at += length;
        Ok(())
    }

    fn number(&mut self) -> Result<(), Fault> {
        let start = self.at;
        if self.peek() == Some(b'-') {
            self.at += 1;
            if self.bytes[self.at..].starts_with(b"Infinity") {
                return Err(self.fault_at(
                    start,
                    "nonfinite_number",
                    "`-Infinity` is no JSON; write null or a string",
                ));
            }
        }
        if self.peek() == Some(b'0') {
            self.at += 1;
            if matches!(self.peek(), Some(b'0'..=b'9')) {
                return Err(self.fault_at(
                    start,
                    "not_json",
                    "a number with leading zeros; write it without them",
                ));
            }
        } else {
            self.digits(start)?;
        }
        if self.peek() == Some(b'.') {
            self.at += 1;
            self.digits(start)?;
        }
        if matches!(self.peek(), Some(b'e' | b'E')) {
            self.at += 1;
            if matches!(self.peek(), Some(b'+' | b'-')) {
                self.at += 1;
            }
            self.digits(start)?;
        }
        Ok(())
    }

    /// One digit or more.
    fn digits(&mut self, start: usize) -> Result<(), Fault> {
        let from = self.at;
        while matches!(self.peek(), Some(b'0'..=b'9')) {
            self.at += 1;
        }
        match self.peek() {
            _ if self.at > from => Ok(()),
            None => Err(self.broke_off("a number")),
            Some(_) => Err(self.fault_at(start, "not_json", "a number that JSON does not know")),
        }
    }

    /// A literal, or what is wrong with a word.
    fn word(&mut self) -> Result<Node, Fault> {
        let start = self.at;
        let length = self.bytes[start..]
            .iter()
            .take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_')
            .count();
        let word = &self.text[start..start + length];
        // At the top a word is a literal only if it is all there is: prose may begin with "None of these".
        let behind = &self.text[start + length..self.end];
        if self.depth == 0 && !behind.trim_start_matches(is_space).is_empty() {
            return Err(self.fault("not_json", format!("expected JSON, found `{word}`")));
        }
        let kind = match word {
            "null" => Kind::Null,
            "true" => Kind::Boolean(true),
            "false" => Kind::Boolean(false),
            "True" | "False" | "None" => {
                let message = format!("`{word}` is Python; write `{}`", in_json(word));
                return Err(self.fault("python_literal", message));
            }
            "NaN" | "Infinity" => {
                return Err(self.fault(
                    "nonfinite_number",
                    format!("`{word}` is no JSON; write null or a string"),
                ));
            }
            _ if start + length == self.end
                && ["null", "true", "false"]
                    .iter()
                    .any(|whole| whole.starts_with(word)) =>
            {
                return Err(self.broke_off("a literal"));
            }
            _ => return Err(self.fault("not_json", format!("expected a JSON value, found `{word}`"))),
        };
        self.at += length;
        Ok(self.node(start, self.gaps, kind))
    }
}

fn in_json(python: &str) -> &'static str {
    match python {
        "True" => "true",
        "False" => "false",
        _ => "null",
    }
}

/// Notes which members repeat an earlier one's key, and whether any does.
fn mark_repeats(text: &str, members: &mut [Member]) -> bool {
    let mut first = HashMap::new();
    let mut repeats = false;
    if members.len() <= 8 {
        for index in 1..members.len() {
            let name = decode(members[index].key.of(text));
            members[index].repeats =
                (0..index).find(|&earlier| decode(members[earlier].key.of(text)) == name);
            repeats |= members[index].repeats.is_some();
        }
        return repeats;
    }
    for (index, member) in members.iter_mut().enumerate() {
        let place = *first.entry(decode(member.key.of(text))).or_insert(index);
        member.repeats = (place < index).then_some(place);
        repeats |= place < index;
    }
    repeats
}

#[cfg(test)]
mod tests {
    use super::*;

    fn detail(text: &str) -> (&'static str, bool) {
        let fault = parse(text, Span::new(0, text.len())).expect_err(text);
        assert!(fault.at <= text.len());
        (fault.detail, fault.at_end)
    }

    #[test]
    fn every_detail_has_its_habit() {
        for (text, expected) in [
            ("", "empty"),
            (" \u{a0}\n", "empty"),
            ("[1, 2,]", "trailing_comma"),
            ("{\"a\": 1,}", "trailing_comma"),
            ("[1 2]", "missing_comma"),
            ("[{} {}]", "missing_comma"),
            ("{\"a\": 1 \"b\": 2}", "missing_comma"),
            ("{\"a\": \"x\" \"b\": 2}", "missing_comma"),
            ("{'a': 1}", "single_quotes"),
            ("['a']", "single_quotes"),
            ("{a: 1}", "unquoted_key"),
            ("[True]", "python_literal"),
            ("[None]", "python_literal"),
            ("[\"a\nb\"]", "unescaped_control"),
            ("[\"say \"hi\" now\"]", "unescaped_quote"),
            ("{\"a\": \"\"b\"\"}", "unescaped_quote"),
            ("[\"C:\\path\"]", "bad_escape"),
            ("[\"\\u12g4\"]", "bad_escape"),
            ("[NaN]", "nonfinite_number"),
            ("[-Infinity]", "nonfinite_number"),
            ("[{{\"a\": 1}}]", "doubled_braces"),
            ("[1, // one\n2]", "comment"),
            ("[1 # one\n]", "comment"),
            ("[1, 2", "unbalanced"),
            ("[1, 2]]", "unbalanced"),
            ("[{\"a\": 1]", "unbalanced"),
            ("[1, 2] done", "trailing_text"),
            ("[1][2]", "trailing_text"),
            ("[\"abc", "truncated"),
            ("[1.", "truncated"),
            ("[tru", "truncated"),
            ("print(1)", "not_json"),
            ("None of these", "not_json"),
            ("3 apples", "not_json"),
            ("[01]", "not_json"),
            ("[1,,2]", "not_json"),
            ("{\"a\" 1}", "not_json"),
            ("{\"a\":}", "not_json"),
        ] {
            assert_eq!(detail(text).0, expected, "{text}");
        }
    }

    #[test]
    fn a_cut_is_told_from_a_fault() {
        let whole = "[{\"name\": \"a\\n\\u00e9\", \"args\": {\"x\": [1.5e3, true, null, \"é\"]}}]";
        assert!(parse(whole, Span::new(0, whole.len())).is_ok());
        for end in (1..whole.len()).filter(|&end| whole.is_char_boundary(end)) {
            let (detail, at_end) = detail(&whole[..end]);
            assert!(
                at_end && matches!(detail, "unbalanced" | "truncated"),
                "{end} {detail}"
            );
        }
        assert!(!detail("[1, 2]]").1);
    }

    #[test]
    fn depth_is_counted_from_the_arguments() {
        for (levels, sound) in [(MAX_DEPTH, true), (MAX_DEPTH + 1, false)] {
            let arguments = "[".repeat(levels) + &"]".repeat(levels);
            let in_batch = format!("[{{\"args\":{arguments}}}]");
            let alone = format!("{{\"args\":{arguments}}}");
            assert_eq!(parse(&in_batch, Span::new(0, in_batch.len())).is_ok(), sound);
            assert_eq!(parse(&alone, Span::new(0, alone.len())).is_ok(), sound);
            assert_eq!(
                parse_value(&arguments, Span::new(0, arguments.len())).is_ok(),
                sound
            );
        }
        assert_eq!(detail(&"[".repeat(1_000_000)).0, "not_json");
    }

    #[test]
    fn agrees_with_a_reference_on_what_is_json() {
        for text in [
            "[]",
            "{}",
            "[0]",
            "[-0]",
            "[00]",
            "[1e5]",
            "[1E-2]",
            "[.5]",
            "[5.]",
            "[+1]",
            "[1e]",
            "[\"\\u0000\"]",
            "[\"\t\"]",
            "[\"\\x\"]",
            "[tRue]",
            "[nulll]",
            "[\"\u{7f}\"]",
            "[1]\u{0}",
            "[[],{}]",
            "[{}{}]",
            "{\"a\":1,\"a\":2}",
            "[\u{a0}1]",
        ] {
            let ours = parse(text, Span::new(0, text.len())).is_ok();
            assert_eq!(
                ours,
                serde_json::from_str::<serde_json::Value>(text).is_ok(),
                "{text:?}"
            );
        }
    }
}
