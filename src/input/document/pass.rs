//! Where a JSON value ends, found piece by piece and without looking at what it is.

use memchr::memchr3;

/// A value that is being passed over. Brackets are counted and not matched: whether they match is judged by whoever
/// reads the value.
#[derive(Debug, Default)]
pub(super) struct Passing {
    depth: usize,
    in_string: bool,
    escaped: bool,
    /// Whether the value is a number or a word, which ends where something else begins.
    in_scalar: bool,
}

impl Passing {
    /// Goes on with these bytes, which are not white space where the value begins. How many of them belong to it, if
    /// it ends in them.
    ///
    /// A line break ends a string, because JSON has none in strings: so a quote that is missing costs one line and not
    /// the rest of the document.
    pub(super) fn pass(&mut self, bytes: &[u8]) -> Option<usize> {
        let mut at = 0;
        while at < bytes.len() {
            if self.in_string {
                at += self.pass_string(&bytes[at..])?;
                if !self.in_string && self.depth == 0 {
                    return Some(at);
                }
                continue;
            }
            let byte = bytes[at];
            if self.in_scalar && is_delimiter(byte) {
                return Some(at);
            }
            at += 1;
            match byte {
                b'"' => self.in_string = true,
                b'{' | b'[' => self.depth += 1,
                b'}' | b']' => {
                    self.depth = self.depth.saturating_sub(1);
                    if self.depth == 0 {
                        return Some(at);
                    }
                }
                _ => self.in_scalar = self.depth == 0,
            }
        }
        None
    }

    /// Goes on in a string; how many bytes of it were passed, unless it goes on behind them.
    fn pass_string(&mut self, bytes: &[u8]) -> Option<usize> {
        let mut at = 0;
        loop {
            if self.escaped {
                let escaped = *bytes.get(at)?;
                self.escaped = false;
                at += usize::from(escaped != b'\n');
            }
            at += memchr3(b'"', b'\\', b'\n', &bytes[at..])?;
            match bytes[at] {
                b'\\' => self.escaped = true,
                _ => {
                    self.in_string = false;
                    return Some(at + usize::from(bytes[at] == b'"'));
                }
            }
            at += 1;
        }
    }

    /// Whether the value may end with what was passed.
    pub(super) fn may_end(&self) -> bool {
        self.in_scalar
    }
}

/// Whether a number or a word ends before the byte.
fn is_delimiter(byte: u8) -> bool {
    is_space(byte) || matches!(byte, b'"' | b',' | b':' | b'{' | b'}' | b'[' | b']')
}

/// Whether JSON allows the byte between its tokens.
pub(super) fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_end_where_they_end_however_they_come() {
        for (value, rest) in [
            ("{}", "{"),
            ("[[], {\"a\": \"]}\"}]", "]"),
            ("\"a\\\"b\\\\\"", "\""),
            ("12.5e3", ","),
            ("-Infinity", "\n"),
            ("NaN", "}"),
            ("{\"a\": \"cut,\n \"b\": 1}", "]"),
            ("{\"a\": \"cut\\\n}", ","),
            ("]", "]"),
            ("\"cut", "\n1"),
        ] {
            let text = format!("{value}{rest}");
            for step in 1..=text.len() {
                let mut passing = Passing::default();
                let mut passed = 0;
                let mut end = None;
                for piece in text.as_bytes().chunks(step) {
                    if let Some(length) = passing.pass(piece) {
                        end = Some(passed + length);
                        break;
                    }
                    passed += piece.len();
                }
                assert_eq!(end, Some(value.len()), "{text:?} by {step}");
            }
        }
    }

    #[test]
    fn only_numbers_and_words_end_with_the_bytes() {
        for (text, expected) in [("12", true), ("{1", false), ("\"a", false), ("{", false)] {
            let mut passing = Passing::default();
            assert_eq!(passing.pass(text.as_bytes()), None);
            assert_eq!(passing.may_end(), expected, "{text}");
        }
    }
}
