//! Whether text is JSON over many lines, or lines of which some are broken.

use super::pass::is_space;

/// What the beginning of a text is.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Beginning {
    /// A whole value.
    Value {
        /// Where it ends.
        end: usize,
        /// Whether it stands on more than one line.
        spans_lines: bool,
    },
    /// The beginning of a value.
    Cut {
        /// Whether it stands on more than one line.
        spans_lines: bool,
        /// Where what stands before is whole but for these closing brackets.
        closed: usize,
        brackets: Vec<u8>,
    },
    /// No JSON.
    Fault,
}

/// What may come next.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Next {
    Value,
    /// A value, or the end of the array that was just opened.
    Element,
    Key,
    /// A key, or the end of the object that was just opened.
    Member,
    Colon,
    CommaOrEnd,
}

/// Reads the value that begins at the text's start, up to its end or the text's. `NaN` and its like are numbers.
pub(super) fn beginning(text: &[u8]) -> Beginning {
    let mut open: Vec<u8> = Vec::new();
    let mut next = Next::Value;
    let mut at = 0;
    let mut spans_lines = false;
    // Where the last value ended, and how many brackets were open there: they still are.
    let (mut closed, mut depth) = (0, 0);
    while let Some(&byte) = text.get(at) {
        if is_space(byte) {
            spans_lines |= byte == b'\n' && !open.is_empty();
            at += 1;
            continue;
        }
        let start = at;
        at += 1;
        let is_value_next = matches!(next, Next::Value | Next::Element);
        next = match byte {
            b'{' if is_value_next => {
                open.push(b'}');
                Next::Member
            }
            b'[' if is_value_next => {
                open.push(b']');
                Next::Element
            }
            b'}' | b']' if is_end(next, byte) && open.last() == Some(&byte) => {
                open.pop();
                Next::CommaOrEnd
            }
            b',' if next == Next::CommaOrEnd => match open.last() {
                Some(b'}') => Next::Key,
                _ => Next::Value,
            },
            b':' if next == Next::Colon => Next::Value,
            b'"' if is_value_next || matches!(next, Next::Key | Next::Member) => {
                match string_end(text, at) {
                    StringEnd::At(end) => at = end,
                    StringEnd::Beyond => break,
                    StringEnd::Never => return Beginning::Fault,
                }
                if is_value_next {
                    Next::CommaOrEnd
                } else {
                    Next::Colon
                }
            }
            b'-' | b'0'..=b'9' | b't' | b'f' | b'n' | b'N' | b'I' if is_value_next => {
                let rest = &text[start..];
                let length = rest.iter().position(|&byte| !is_word(byte));
                let Some(length) = length else { break };
                if !is_scalar(&rest[..length]) {
                    return Beginning::Fault;
                }
                at = start + length;
                Next::CommaOrEnd
            }
            _ => return Beginning::Fault,
        };
        if next == Next::CommaOrEnd {
            if open.is_empty() {
                return Beginning::Value { end: at, spans_lines };
            }
            (closed, depth) = (at, open.len());
        }
    }
    open.truncate(depth);
    open.reverse();
    Beginning::Cut {
        spans_lines,
        closed,
        brackets: open,
    }
}

fn is_end(next: Next, bracket: u8) -> bool {
    match next {
        Next::CommaOrEnd => true,
        Next::Element => bracket == b']',
        Next::Member => bracket == b'}',
        Next::Value | Next::Key | Next::Colon => false,
    }
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'+' | b'.')
}

fn is_scalar(word: &[u8]) -> bool {
    let digits = word.strip_prefix(b"-").unwrap_or(word);
    digits.first().is_some_and(u8::is_ascii_digit)
        || matches!(word, b"true" | b"false" | b"null" | b"NaN")
        || digits == b"Infinity"
}

enum StringEnd {
    /// Behind its closing quote.
    At(usize),
    /// It does not end in the text.
    Beyond,
    /// The line ends before it does.
    Never,
}

/// Where the string whose inside begins at `at` ends.
fn string_end(text: &[u8], mut at: usize) -> StringEnd {
    while let Some(found) = text
        .get(at..)
        .and_then(|rest| memchr::memchr3(b'"', b'\\', b'\n', rest))
    {
        at += found;
        match text[at] {
            b'"' => return StringEnd::At(at + 1),
            b'\n' => return StringEnd::Never,
            _ => at += 2,
        }
    }
    StringEnd::Beyond
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut(spans_lines: bool, closed: usize, brackets: &str) -> Beginning {
        Beginning::Cut {
            spans_lines,
            closed,
            brackets: brackets.into(),
        }
    }

    #[test]
    fn a_text_begins_with_a_value_a_part_of_one_or_none() {
        let value = |end, spans_lines| Beginning::Value { end, spans_lines };
        for (text, expected) in [
            ("{\"a\": [1, NaN, -Infinity, null]}\n{", value(32, false)),
            ("{\n\"a\": {}}", value(10, true)),
            ("[]\n\n[]", value(2, false)),
            ("[\"\\\"\\n\"]", value(8, false)),
            ("[{\"a\": 1}, {\"b\": [2, {\"c", cut(false, 19, "]}]")),
            ("[\n{\"a\": 1},", cut(true, 10, "]")),
            ("[\n{\"a\": \"cu", cut(true, 0, "")),
            ("{\"a\": [1, 2\n{\"b\": 1}", Beginning::Fault),
            ("{\"a\": \"cut\n{\"b\": 1}", Beginning::Fault),
            ("{\"a\": 1,\n{\"b\": 1}", Beginning::Fault),
            ("[INFO] started\n", Beginning::Fault),
            ("{a: 1}", Beginning::Fault),
            ("[1,]", Beginning::Fault),
            ("[1}", Beginning::Fault),
            ("[true, nothing]", Beginning::Fault),
        ] {
            assert_eq!(beginning(text.as_bytes()), expected, "{text:?}");
        }
    }
}
