//! What can still be read of JSON that is broken, or that stands in prose.

use super::parse::Parser;
use super::{Kind, MAX_DEPTH, Node};
use crate::span::Span;

/// Of broken JSON, the objects that can be read whole where calls stand: in the array, or beside it. Objects inside of a
/// broken object are not among them.
pub fn salvage(text: &str, region: Span) -> Vec<Node> {
    let bytes = &text.as_bytes()[..region.end];
    let mut found = Vec::new();
    let mut at = region.start;
    let mut in_array = false;
    // What was once looked for to the end in vain is not looked for again: that would be quadratic.
    let (mut strings_close, mut objects_close) = (true, true);
    while at < region.end {
        match bytes[at] {
            b'{' => match read(text, Span::new(at, region.end)) {
                Ok(node) => {
                    at = node.span.end;
                    found.push(node);
                }
                Err(fault) => {
                    let behind = if objects_close {
                        behind_broken_object(bytes, at)
                    } else {
                        None
                    };
                    objects_close = behind.is_some();
                    at = behind.unwrap_or_else(|| next_object_of_list(bytes, fault.max(at + 1)));
                }
            },
            b'[' => {
                in_array = true;
                at += 1;
            }
            b'"' if in_array && strings_close => match behind_string(bytes, at) {
                Some(behind) => at = behind,
                None => {
                    strings_close = false;
                    at += 1;
                }
            },
            _ => at += 1,
        }
    }
    found
}

/// The value at the region's start, or the place of its fault.
fn read(text: &str, region: Span) -> Result<Node, usize> {
    // One level of the call itself.
    Parser::new(text, region, MAX_DEPTH + 1)
        .prefix()
        .map_err(|fault| fault.at)
}

/// The place behind the closing brace of a broken object that begins at `start`, if its strings allow to find it.
fn behind_broken_object(bytes: &[u8], start: usize) -> Option<usize> {
    let mut depth = 0_usize;
    let mut at = start;
    loop {
        match bytes.get(at)? {
            b'"' => {
                at = behind_string(bytes, at)?;
                continue;
            }
            b'{' | b'[' => depth += 1,
            b'}' | b']' => depth -= 1,
            _ => {}
        }
        at += 1;
        if depth == 0 {
            return Some(at);
        }
    }
}

/// The next `{` behind `},`.
fn next_object_of_list(bytes: &[u8], from: usize) -> usize {
    let mut brace_then_comma = 0;
    for (at, byte) in bytes.iter().enumerate().skip(from) {
        match byte {
            b'}' => brace_then_comma = 1,
            b',' if brace_then_comma == 1 => brace_then_comma = 2,
            b'{' if brace_then_comma == 2 => return at,
            b' ' | b'\n' | b'\r' | b'\t' => {}
            _ => brace_then_comma = 0,
        }
    }
    bytes.len()
}

/// The place behind the string that opens at `at`, if it is closed.
fn behind_string(bytes: &[u8], at: usize) -> Option<usize> {
    let mut at = at + 1;
    loop {
        at += memchr::memchr2(b'"', b'\\', bytes.get(at..)?)?;
        if bytes[at] == b'"' {
            return Some(at + 1);
        }
        at += 2;
    }
}

/// The first JSON array or object in a text, outermost first, that `wanted` wants. Linear in the region.
pub fn find_first(text: &str, region: Span, wanted: impl Fn(&Node) -> bool) -> Option<Node> {
    let mut at = region.start;
    loop {
        at += memchr::memchr2(b'[', b'{', &text.as_bytes()[at..region.end])?;
        let mut parser = Parser::new(text, Span::new(at, region.end), MAX_DEPTH + 2);
        let (candidates, behind) = match parser.prefix() {
            Ok(node) => {
                let behind = node.span.end;
                (vec![node], behind)
            }
            // What was open at the fault is broken; what was closed before it is not.
            Err(fault) => {
                let mut orphans = std::mem::take(&mut parser.orphans);
                orphans.sort_by_key(|node| node.span.start);
                (orphans, fault.at.max(at + 1))
            }
        };
        if let Some(node) = candidates
            .into_iter()
            .find_map(|node| first_within(node, &wanted))
        {
            return Some(node);
        }
        at = behind.min(region.end);
        // A fault can lie inside of a character.
        while !text.is_char_boundary(at) {
            at += 1;
        }
    }
}

fn first_within(node: Node, wanted: &impl Fn(&Node) -> bool) -> Option<Node> {
    if wanted(&node) {
        return Some(node);
    }
    match node.kind {
        Kind::Array(items) => items.into_iter().find_map(|item| first_within(item, wanted)),
        Kind::Object(members) => members
            .into_iter()
            .find_map(|member| first_within(member.value, wanted)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn salvaged(text: &str) -> Vec<&str> {
        salvage(text, Span::new(0, text.len()))
            .iter()
            .map(|node| node.span.of(text))
            .collect()
    }

    #[test]
    fn whole_objects_at_the_level_of_calls() {
        for (text, expected) in [
            ("[{\"a\":1},{\"b\":2},]", vec!["{\"a\":1}", "{\"b\":2}"]),
            ("[{\"a\":1},{\"b\":", vec!["{\"a\":1}"]),
            ("[{\"a\":{\"name\":1},}, {\"b\":2}]", vec!["{\"b\":2}"]),
            ("[{'a': {\"name\":1}}, {\"b\":2}]", vec!["{\"b\":2}"]),
            ("[{\"a\": \"say \"hi\" now\"}, {\"b\":2}]", vec!["{\"b\":2}"]),
            ("[{\"a\": \"say \"hi now\"}, {\"b\":2}]", vec!["{\"b\":2}"]),
            ("Here: [{\"a\":1}] and {\"b\":2}", vec!["{\"a\":1}", "{\"b\":2}"]),
            ("[\"{\\\"a\\\":1}\", {\"b\":2}", vec!["{\"b\":2}"]),
            ("[{{\"a\":{}}}]", vec![]),
            ("[]]", vec![]),
        ] {
            assert_eq!(salvaged(text), expected, "{text}");
        }
    }

    #[test]
    fn hostile_texts_are_read_once() {
        for text in ["[", "{", "[{", "{\"a\":", "[{\"a\"", "\"", "{\"", "}{", "[\"{"] {
            let text = text.repeat(100_000);
            let region = Span::new(0, text.len());
            salvage(&text, region);
            assert!(find_first(&text, region, |_| false).is_none());
        }
    }

    #[test]
    fn the_first_wanted_value_of_a_text() {
        let object_with_a = |node: &Node| node.members().is_some_and(|members| members.len() == 1);
        for (text, expected) in [
            ("see [1] then {\"a\":1} and {\"b\":1}", Some("{\"a\":1}")),
            ("[[{\"a\":1}]]", Some("{\"a\":1}")),
            ("[{\"a\":1}, oops", Some("{\"a\":1}")),
            ("[[[ {\"a\":{\"b\":2}, x", Some("{\"b\":2}")),
            ("nothing { here", None),
        ] {
            let found = find_first(text, Span::new(0, text.len()), object_with_a);
            assert_eq!(found.map(|node| node.span.of(text)), expected, "{text}");
        }
    }
}
