//! The inside of a JSON string → text.

use simdutf8::compat::from_utf8;

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
        self.note(text.len());
        text.push(char::REPLACEMENT_CHARACTER);
    }

    fn note(&mut self, at: usize) {
        if self.count == 0 {
            self.first = at;
        }
        self.count += 1;
    }
}

/// A backslash with nothing behind it that JSON knows: its offset in the raw bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct BadEscape(pub(super) usize);

/// Appends what the raw bytes stand for. Invalid UTF-8 is replaced as [`String::from_utf8_lossy`] does, lone
/// surrogates by one U+FFFD each. Raw control characters are text.
pub(super) fn decode(raw: &[u8], text: &mut String, losses: &mut Losses) -> Result<(), BadEscape> {
    if raw.len() <= SHORT {
        return decode_short(raw, text, losses);
    }
    let (start, before) = (text.len(), *losses);
    Unescaped::new(text, losses).read(raw).unwrap_or_else(|_| {
        text.truncate(start);
        *losses = before;
        decode_lossy(raw, text, losses)
    })
}

/// Bytes up to which a string is not worth the preparations: ids and names, mostly without an escape.
const SHORT: usize = 128;

fn decode_short(raw: &[u8], text: &mut String, losses: &mut Losses) -> Result<(), BadEscape> {
    match from_utf8(raw) {
        Ok(valid) if find(b'\\', raw).is_none() => {
            text.push_str(valid);
            Ok(())
        }
        _ => decode_lossy(raw, text, losses),
    }
}

/// As [`decode`], piece by piece. No sequence of UTF-8 goes over a backslash, so that the pieces between escapes are
/// as valid as the whole.
fn decode_lossy(raw: &[u8], text: &mut String, losses: &mut Losses) -> Result<(), BadEscape> {
    let mut from = 0;
    while let Some(length) = find(b'\\', &raw[from..]) {
        let at = from + length;
        push_lossy(&raw[from..at], text, &mut losses.invalid);
        let escape = Escape::read(&raw[at..]).ok_or(BadEscape(at))?;
        match escape.character {
            Some(character) => text.push(character),
            None => losses.surrogates.add(text),
        }
        from = at + escape.length;
    }
    push_lossy(&raw[from..], text, &mut losses.invalid);
    Ok(())
}

/// Bytes that are copied at once, whether all of them are wanted or not.
const STRIDE: usize = 32;

/// Decoded bytes that wait until they are held against UTF-8 as one.
const WAITING: usize = 1024;

/// Text without its escapes, on its way: stretches between escapes are short, and a call for each to copy it, to
/// look for the next backslash and to check its UTF-8 costs more than the bytes do.
struct Unescaped<'t> {
    text: &'t mut String,
    losses: &'t mut Losses,
    waiting: [u8; WAITING],
    /// How many of the waiting bytes are text.
    length: usize,
}

/// The raw bytes are no UTF-8.
struct Invalid;

impl<'t> Unescaped<'t> {
    fn new(text: &'t mut String, losses: &'t mut Losses) -> Self {
        Self {
            text,
            losses,
            waiting: [0; WAITING],
            length: 0,
        }
    }

    fn read(&mut self, raw: &[u8]) -> Result<Result<(), BadEscape>, Invalid> {
        let mut at = 0;
        while at < raw.len() {
            if self.length > WAITING - 2 * STRIDE {
                self.pass_on(false)?;
            }
            at += self.copy(&raw[at..]);
            if raw.get(at) == Some(&b'\\') {
                let Some(length) = self.escape(&raw[at..]) else {
                    // What is no UTF-8 is so before any escape is looked at.
                    std::str::from_utf8(raw).map_err(|_| Invalid)?;
                    return Ok(Err(BadEscape(at)));
                };
                at += length;
            }
        }
        self.pass_on(true).map(Ok)
    }

    /// Takes bytes up to the next backslash, but not more than a stride. Returns how many.
    #[inline]
    fn copy(&mut self, raw: &[u8]) -> usize {
        let taken = match raw.first_chunk::<STRIDE>() {
            Some(stride) => {
                self.waiting[self.length..][..STRIDE].copy_from_slice(stride);
                first_backslash(stride)
            }
            None => {
                let taken = find(b'\\', raw).unwrap_or(raw.len());
                self.waiting[self.length..][..taken].copy_from_slice(&raw[..taken]);
                taken
            }
        };
        self.length += taken;
        taken
    }

    /// Takes the escape with which `raw` begins. Returns its length.
    #[inline]
    fn escape(&mut self, raw: &[u8]) -> Option<usize> {
        if let Some(character) = Escape::of_one_letter(*raw.get(1)?) {
            self.waiting[self.length] = character;
            self.length += 1;
            return Some(2);
        }
        let escape = Escape::read(raw)?;
        match escape.character {
            Some(character) => {
                self.length += character.encode_utf8(&mut self.waiting[self.length..]).len();
            }
            None => {
                self.losses.surrogates.note(self.text.len() + self.length);
                let lost = char::REPLACEMENT_CHARACTER.encode_utf8(&mut self.waiting[self.length..]);
                self.length += lost.len();
            }
        }
        Some(escape.length)
    }

    /// Appends what waits to the text, but for the beginning of a character whose rest is still to come.
    fn pass_on(&mut self, is_all: bool) -> Result<(), Invalid> {
        let waiting = &self.waiting[..self.length];
        let valid = match from_utf8(waiting) {
            Ok(valid) => valid,
            Err(error) if is_all || error.error_len().is_some() => return Err(Invalid),
            Err(error) => from_utf8(&waiting[..error.valid_up_to()]).map_err(|_| Invalid)?,
        };
        self.text.push_str(valid);
        let passed = valid.len();
        self.waiting.copy_within(passed..self.length, 0);
        self.length -= passed;
        Ok(())
    }
}

/// Where the first backslash of a stride stands, or its end.
#[inline]
fn first_backslash(stride: &[u8; STRIDE]) -> usize {
    let any = stride.iter().fold(false, |any, &byte| any | (byte == b'\\'));
    if any {
        find(b'\\', stride).unwrap_or(STRIDE)
    } else {
        STRIDE
    }
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
        let letter = *raw.get(1)?;
        if letter == b'u' {
            return Self::numeric(raw);
        }
        Self::of_one_letter(letter).map(|character| Self {
            length: 2,
            character: Some(character.into()),
            numeric: false,
        })
    }

    /// What a backslash and this letter stand for.
    #[inline]
    fn of_one_letter(letter: u8) -> Option<u8> {
        match letter {
            b'"' | b'\\' | b'/' => Some(letter),
            b'b' => Some(8),
            b'f' => Some(12),
            b'n' => Some(b'\n'),
            b'r' => Some(b'\r'),
            b't' => Some(b'\t'),
            _ => None,
        }
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

    /// Both ways, and the escapes by a reference.
    fn agrees(raw: &[u8]) {
        let way = |decode: fn(&[u8], &mut String, &mut Losses) -> Result<(), BadEscape>| {
            let (mut text, mut losses) = ("é".to_owned(), Losses::default());
            let result = decode(raw, &mut text, &mut losses);
            result.map(|()| (text, losses))
        };
        let decoded = way(decode);
        assert_eq!(decoded, way(decode_lossy), "{raw:?}");
        let Ok(reference) = serde_json::from_slice::<String>(&[b"\"", raw, b"\""].concat()) else {
            return;
        };
        if !raw.contains(&b'"') || !reference.contains('"') {
            assert_eq!(
                decoded.map(|(text, _)| text),
                Ok(format!("é{reference}")),
                "{raw:?}"
            );
        }
    }

    #[test]
    fn long_texts_are_decoded_piece_by_piece() {
        for piece in [
            "a",
            "é",
            "🛠\u{fe0f}",
            "\\n",
            "\\u00e9",
            "\\ud83d\\udee0",
            "\\ud83d",
            "x\\\\",
        ] {
            for shift in 0..40 {
                let raw = format!("{}{}", "-".repeat(shift), piece.repeat(3 * WAITING / piece.len()));
                agrees(raw.as_bytes());
                agrees(&[raw.as_bytes(), b"\xf0\x9f"].concat());
                agrees(&[raw.as_bytes(), b"\\x"].concat());
            }
        }
    }

    proptest::proptest! {
        #[test]
        fn texts_are_decoded_as_a_plain_reader_decodes_them(
            pieces in proptest::collection::vec(proptest::sample::select(vec![
                &b"plain "[..], b"\\n", b"\\\\", b"\\/", b"\\u00e9", b"\\ud83d", b"\\udee0", b"\\u12", b"\\x", b"\\",
                "🛠".as_bytes(), "é".as_bytes(), b"\xf0\x9f", b"\xff", b"\xa0", b"thirty-two bytes and a few more of them",
            ]), 0..12),
        ) {
            agrees(&pieces.concat());
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
