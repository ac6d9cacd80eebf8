//! The escapes of a JSON string, found without decoding it: where it ends, and how long its text is.

use memchr::memchr_iter;

use super::find::find;
use super::string::Escape;
use crate::vector::{BLOCK_BYTES, Block, Classes, Escaped, Vectors, padded};

/// What may stand behind a backslash beside `u`.
const SHORT: Classes = Classes::of(b"\"\\/bfnrt");

/// How many bytes stand before the quote that closes a string.
pub(super) fn raw_length(inside: &[u8]) -> Option<usize> {
    // Most strings are short.
    let (near, far) = inside.split_at_checked(NEAR_BYTES).unwrap_or((inside, &[]));
    match find(b'"', near) {
        Some(quote) if !is_escaped(near, quote) => return Some(quote),
        None if far.is_empty() => return None,
        _ => {}
    }
    match Vectors::get() {
        Some(vectors) => raw_length_by(vectors, inside),
        None => raw_length_portably(inside),
    }
}

/// Bytes in which a quote is looked for first.
const NEAR_BYTES: usize = 32;

fn raw_length_by(vectors: Vectors, inside: &[u8]) -> Option<usize> {
    vectors.run(
        #[inline(always)]
        || {
            let mut escaped = Escaped::default();
            let (blocks, rest) = inside.as_chunks();
            for (place, block) in blocks.iter().enumerate() {
                let quotes = open_quotes(vectors, block, &mut escaped);
                if quotes != 0 {
                    return Some(place * BLOCK_BYTES + quotes.trailing_zeros() as usize);
                }
            }
            let quotes = open_quotes(vectors, &padded(rest, 0), &mut escaped);
            (quotes != 0).then(|| blocks.len() * BLOCK_BYTES + quotes.trailing_zeros() as usize)
        },
    )
}

/// The quotes of the next block that are not escaped.
#[inline(always)]
fn open_quotes(vectors: Vectors, block: &Block, escaped: &mut Escaped) -> u64 {
    let quotes = vectors.equal(block, b'"');
    quotes & !escaped.next(vectors.equal(block, b'\\'))
}

/// Looks back over the backslashes before each quote; since these runs do not overlap, that is linear.
fn raw_length_portably(inside: &[u8]) -> Option<usize> {
    let mut quotes = memchr_iter(b'"', inside);
    quotes.find(|&quote| !is_escaped(inside, quote))
}

/// Whether an odd number of backslashes stands before the quote.
fn is_escaped(inside: &[u8], quote: usize) -> bool {
    let before = inside[..quote].iter().rev();
    before.take_while(|&&byte| byte == b'\\').count() % 2 == 1
}

/// How many bytes the text of a string has, or `None` where decoding it would lose something, or where a character is
/// spelled with `\u` that is not `harmless`.
pub(super) fn text_length(raw: &[u8], harmless: impl Fn(char) -> bool) -> Option<usize> {
    match Vectors::get() {
        Some(vectors) => text_length_by(vectors, raw, harmless),
        None => text_length_portably(raw, harmless),
    }
}

fn text_length_by(vectors: Vectors, raw: &[u8], harmless: impl Fn(char) -> bool) -> Option<usize> {
    vectors.run(
        #[inline(always)]
        || {
            let mut lengths = Lengths {
                raw,
                harmless,
                text: raw.len(),
                passed: 0,
            };
            let mut escaped = Escaped::default();
            let (blocks, rest) = raw.as_chunks();
            for (place, block) in blocks.iter().enumerate() {
                let escaped = escaped.next(vectors.equal(block, b'\\'));
                let short = vectors.of(block, &SHORT);
                lengths.pass(place * BLOCK_BYTES, escaped, short)?;
            }
            // A backslash at the end escapes the first byte of the padding, which is none that may be escaped.
            let block = padded(rest, 0);
            let escaped = escaped.next(vectors.equal(&block, b'\\'));
            lengths.pass(blocks.len() * BLOCK_BYTES, escaped, vectors.of(&block, &SHORT))?;
            Some(lengths.text)
        },
    )
}

/// Counts off what escapes have more than the characters that they stand for.
struct Lengths<'a, F> {
    raw: &'a [u8],
    harmless: F,
    text: usize,
    /// Behind the last escape that was read on its own.
    passed: usize,
}

impl<F: Fn(char) -> bool> Lengths<'_, F> {
    /// Passes the block at `at`, of which some bytes are escaped and some may be so to make a short escape.
    #[inline(always)]
    fn pass(&mut self, at: usize, escaped: u64, short: u64) -> Option<()> {
        self.text -= (escaped & short).count_ones() as usize;
        let mut others = escaped & !short;
        while others != 0 {
            let start = at + others.trailing_zeros() as usize - 1;
            others &= others - 1;
            self.read(start)?;
        }
        Some(())
    }

    /// Reads the escape at `start` unless that is the second half of one that was read.
    fn read(&mut self, start: usize) -> Option<()> {
        if start >= self.passed {
            let escape = Escape::read(&self.raw[start..])?;
            let character = escape.character.filter(|&character| (self.harmless)(character))?;
            self.text -= escape.length - character.len_utf8();
            self.passed = start + escape.length;
        }
        Some(())
    }
}

fn text_length_portably(raw: &[u8], harmless: impl Fn(char) -> bool) -> Option<usize> {
    let (mut text, mut from) = (raw.len(), 0);
    while let Some(length) = find(b'\\', &raw[from..]) {
        let at = from + length;
        let escape = Escape::read(&raw[at..])?;
        let character = escape.character?;
        if escape.numeric && !harmless(character) {
            return None;
        }
        text -= escape.length - character.len_utf8();
        from = at + escape.length;
    }
    Some(text)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::record::string::{Losses, decode};

    /// Where the string that `inside` begins with closes, byte by byte.
    fn closing_quote(inside: &[u8]) -> Option<usize> {
        let mut escapes = false;
        inside.iter().position(|&byte| {
            let closes = byte == b'"' && !escapes;
            escapes = byte == b'\\' && !escapes;
            closes
        })
    }

    /// The length of what decoding makes of it, if that loses nothing.
    fn decoded_length(raw: &[u8]) -> Option<usize> {
        let (mut text, mut losses) = (String::new(), Losses::default());
        decode(raw, &mut text, &mut losses).ok()?;
        (losses == Losses::default()).then_some(text.len())
    }

    fn check(bytes: &[u8]) {
        let quote = closing_quote(bytes);
        assert_eq!(raw_length(bytes), quote, "{bytes:x?}");
        assert_eq!(raw_length_portably(bytes), quote, "{bytes:x?}");
        let by_vectors = Vectors::get().map(|vectors| raw_length_by(vectors, bytes));
        assert_eq!(by_vectors.unwrap_or(quote), quote, "{bytes:x?}");

        let inside = &bytes[..quote.unwrap_or(bytes.len())];
        if std::str::from_utf8(inside).is_ok() {
            let length = decoded_length(inside);
            assert_eq!(text_length(inside, |_| true), length, "{inside:x?}");
            assert_eq!(text_length_portably(inside, |_| true), length, "{inside:x?}");
        }
    }

    const PIECES: [&str; 16] = [
        "\"",
        "\\",
        "\\\\",
        "\\\"",
        "\\n",
        "\\u0041",
        "\\u00e9",
        "\\ud83d\\ude00",
        "\\ud83d",
        "\\u12",
        "u",
        "a word",
        "é",
        "\u{0}",
        "\\x",
        "0123456789abcdefghijklmnopqrstuvwxyz",
    ];

    #[test]
    fn every_piece_is_seen_at_every_place() {
        for piece in PIECES {
            for before in 0..140 {
                for behind in [0, 1, 40, 100] {
                    let text = format!("{}{piece}{}", "x".repeat(before), "y".repeat(behind));
                    check(text.as_bytes());
                    check(format!("{text}\"").as_bytes());
                }
            }
        }
    }

    #[test]
    fn runs_of_backslashes_are_counted() {
        for before in 0..70 {
            for length in 0..140 {
                let text = format!("{}{}\"n\"", "x".repeat(before), "\\".repeat(length));
                check(text.as_bytes());
            }
        }
    }

    #[test]
    fn a_harmful_spelling_is_told() {
        for (raw, harmless) in [
            ("\\u0041", false),
            ("A", true),
            ("\\u0042", true),
            ("\\\\u0041", true),
        ] {
            for before in 0..70 {
                let text = format!("{}{raw}", "x".repeat(before));
                let told = text_length(text.as_bytes(), |spelled| spelled != 'A');
                assert_eq!(told.is_some(), harmless, "{text}");
                assert_eq!(
                    told,
                    text_length_portably(text.as_bytes(), |spelled| spelled != 'A')
                );
            }
        }
    }

    proptest! {
        #[test]
        fn vectors_see_what_one_sees_byte_by_byte(
            pieces in prop::collection::vec(prop::sample::select(&PIECES[..]), 0..40),
        ) {
            check(pieces.concat().as_bytes());
        }

        #[test]
        fn any_bytes_are_read_alike(bytes in prop::collection::vec(prop_oneof![Just(b'\\'), Just(b'"'), any::<u8>()], 0..300)) {
            check(&bytes);
        }
    }
}
