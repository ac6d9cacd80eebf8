//! The inside of a JSON string → text.

use std::ops::Range;

use super::find::find;

/// What decoding could not keep.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Losses {
    /// Sequences of bytes that are no UTF-8.
    pub(super) invalid: Loss,
    /// Escaped surrogates without their other half.
    pub(super) surrogates: Loss,
}

/// How often something became U+FFFD, and where first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Loss {
    /// How often.
    pub(super) count: usize,
    /// Offset of the first one in the decoded text.
    pub(super) first: usize,
}

impl Loss {
    fn add(&mut self, text: &mut String) {
        if self.count == 0 {
            self.first = text.len();
        }
        self.count += 1;
        text.push(char::REPLACEMENT_CHARACTER);
    }
}

/// A backslash with nothing behind it that JSON knows: its offset in the raw bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct BadEscape(pub(super) usize);

/// Appends what the raw bytes stand for. Invalid UTF-8 is replaced as [`String::from_utf8_lossy`] does, lone
/// surrogates by one U+FFFD each. Raw control characters are text.
pub(super) fn decode(raw: &[u8], text: &mut String, losses: &mut Losses) -> Result<(), BadEscape> {
    // No sequence of UTF-8 goes over a backslash, so that the pieces between escapes are as valid as the whole.
    match std::str::from_utf8(raw) {
        Ok(valid) => decode_with(raw, text, losses, |range, text, _| text.push_str(&valid[range])),
        Err(_) => decode_with(raw, text, losses, |range, text, losses| {
            push_lossy(&raw[range], text, &mut losses.invalid);
        }),
    }
}

fn decode_with(
    raw: &[u8],
    text: &mut String,
    losses: &mut Losses,
    mut push: impl FnMut(Range<usize>, &mut String, &mut Losses),
) -> Result<(), BadEscape> {
    let mut from = 0;
    while let Some(length) = find(b'\\', &raw[from..]) {
        let at = from + length;
        push(from..at, text, losses);
        let escape = Escape::read(&raw[at..]).ok_or(BadEscape(at))?;
        match escape.character {
            Some(character) => text.push(character),
            None => losses.surrogates.add(text),
        }
        from = at + escape.length;
    }
    push(from..raw.len(), text, losses);
    Ok(())
}

fn push_lossy(bytes: &[u8], text: &mut String, invalid: &mut Loss) {
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        if !chunk.invalid().is_empty() {
            invalid.add(text);
        }
    }
}

/// One escape.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Escape {
    /// Its length in the raw bytes.
    pub(super) length: usize,
    /// What it stands for; `None` for a lone surrogate.
    pub(super) character: Option<char>,
    /// Whether it is written with `\u`.
    pub(super) numeric: bool,
}

impl Escape {
    /// Reads the escape with which `raw` begins, if JSON knows it.
    #[inline]
    pub(super) fn read(raw: &[u8]) -> Option<Self> {
        let character = match *raw.get(1)? {
            byte @ (b'"' | b'\\' | b'/') => byte as char,
            b'b' => '\u{8}',
            b'f' => '\u{c}',
            b'n' => '\n',
            b'r' => '\r',
            b't' => '\t',
            b'u' => return Self::numeric(raw),
            _ => return None,
        };
        Some(Self {
            length: 2,
            character: Some(character),
            numeric: false,
        })
    }

    fn numeric(raw: &[u8]) -> Option<Self> {
        let unit = code_unit(raw)?;
        let other = code_unit(&raw[6..]).filter(|_| raw[6..].starts_with(b"\\u"));
        let (length, character) = match (unit, other) {
            (0xd800..0xdc00, Some(low @ 0xdc00..0xe000)) => (
                12,
                char::from_u32(0x10000 + ((unit - 0xd800) << 10) + (low - 0xdc00)),
            ),
            _ => (6, char::from_u32(unit)),
        };
        Some(Self {
            length,
            character,
            numeric: true,
        })
    }
}

/// The number that four hexadecimal digits behind two bytes write.
fn code_unit(raw: &[u8]) -> Option<u32> {
    raw.get(2..6)?
        .iter()
        .try_fold(0, |unit, &byte| Some(unit << 4 | char::from(byte).to_digit(16)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decoded(raw: &[u8]) -> (String, Losses) {
        let (mut text, mut losses) = (String::new(), Losses::default());
        decode(raw, &mut text, &mut losses).unwrap_or_else(|bad| panic!("{bad:?} in {raw:?}"));
        (text, losses)
    }

    #[test]
    fn escapes_stand_for_their_characters() {
        let cases: &[(&str, &str)] = &[
            ("", ""),
            ("plain ключ 🛠️", "plain ключ 🛠️"),
            (r#"\"\\\/\b\f\n\r\t"#, "\"\\/\u{8}\u{c}\n\r\t"),
            (r"\u003cexecute\u003E", "<execute>"),
            (r"\ud83d\udee0\uFE0F[", "🛠️["),
            (r"\uD83d\uDEe0", "🛠"),
            (r"\\u003c", r"\u003c"),
            (r"\\\u003c", r"\<"),
            (r"a\u0000b", "a\0b"),
            (r"\\\\", r"\\"),
            ("raw \t and \x01 stay", "raw \t and \x01 stay"),
        ];
        for (raw, text) in cases {
            assert_eq!(
                decoded(raw.as_bytes()),
                ((*text).to_owned(), Losses::default()),
                "{raw}"
            );
        }
    }

    #[test]
    fn lone_surrogates_are_replaced_one_by_one() {
        let cases: &[(&str, &str, usize, usize)] = &[
            (r"ab\ud83d", "ab\u{fffd}", 1, 2),
            (r"\udee0x", "\u{fffd}x", 1, 0),
            (r"\ud83d\ud83d\udee0", "\u{fffd}🛠", 1, 0),
            (r"\udee0\ud83d", "\u{fffd}\u{fffd}", 2, 0),
            (r"é\ud83d\n\udee0", "é\u{fffd}\n\u{fffd}", 2, 2),
            (r"\ud83d\u0041", "\u{fffd}A", 1, 0),
            (r"\ud83dudee0", "\u{fffd}udee0", 1, 0),
            (r"\ud83d_udee0", "\u{fffd}_udee0", 1, 0),
        ];
        for &(raw, text, count, first) in cases {
            let (found, losses) = decoded(raw.as_bytes());
            assert_eq!(found, text, "{raw}");
            assert_eq!(losses.surrogates, Loss { count, first }, "{raw}");
            assert_eq!(losses.invalid.count, 0);
        }
    }

    #[test]
    fn invalid_bytes_are_replaced_as_the_standard_library_does() {
        let cases: &[&[u8]] = &[
            b"a\xffb",
            b"\xf0\x9f\x9b",
            b"\xf0\x9f\x9b\\n",
            b"\xe2\x9c\xe2\x9c\x82",
            b"\xed\xa0\xbd\xed\xbb\xa0",
            b"\xc0\xaf\x80",
        ];
        for raw in cases {
            let expected = String::from_utf8_lossy(raw).replace("\\n", "\n");
            let (found, losses) = decoded(raw);
            assert_eq!(found, expected, "{raw:x?}");
            assert_eq!(losses.invalid.count, expected.matches('\u{fffd}').count());
            assert_eq!(Some(losses.invalid.first), expected.find('\u{fffd}'));
        }
    }

    #[test]
    fn what_json_does_not_know_is_named() {
        for (raw, at) in [
            (r"ab\x", 2),
            ("\\", 0),
            (r"\u12G4", 0),
            (r"\u12", 0),
            (r"\n\U0041", 2),
            (r"\ud83d\u12", 6),
        ] {
            let (mut text, mut losses) = (String::new(), Losses::default());
            assert_eq!(
                decode(raw.as_bytes(), &mut text, &mut losses),
                Err(BadEscape(at)),
                "{raw}"
            );
        }
    }
}
