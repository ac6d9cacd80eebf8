//! Markers that were encoded twice: UTF-8 read as an 8-bit encoding and written as UTF-8 again.
//!
//! The seeds themselves suffer from it: seed 000 was read as cp1254, seed 003 as Mac Roman.

use crate::span::Span;

/// An 8-bit encoding that UTF-8 gets mistaken for.
struct Encoding {
    /// The `detail` of the finding.
    name: &'static str,
    /// Characters of the bytes from 0x80 on, as far as they differ from Latin-1. A byte without a character is
    /// U+FFFD here.
    high: &'static str,
    /// Bytes whose character differs although it stands behind `high`.
    odd: &'static [(u8, char)],
}

const ENCODINGS: [Encoding; 4] = [
    Encoding {
        name: "cp1252",
        high: "€�‚ƒ„…†‡ˆ‰Š‹Œ�Ž��‘’“”•–—˜™š›œ�žŸ",
        odd: &[],
    },
    Encoding {
        name: "cp1254",
        high: "€�‚ƒ„…†‡ˆ‰Š‹Œ����‘’“”•–—˜™š›œ��Ÿ",
        odd: &[
            (0xD0, 'Ğ'),
            (0xDD, 'İ'),
            (0xDE, 'Ş'),
            (0xF0, 'ğ'),
            (0xFD, 'ı'),
            (0xFE, 'ş'),
        ],
    },
    Encoding {
        name: "mac_roman",
        high: "ÄÅÇÉÑÖÜáàâäãåçéèêëíìîïñóòôöõúùûü\
               †°¢£§•¶ß®©™´¨≠ÆØ∞±≤≥¥µ∂∑∏π∫ªºΩæø\
               ¿¡¬√ƒ≈∆«»…\u{a0}ÀÃÕŒœ–—“”‘’÷◊ÿŸ⁄€‹›ﬁﬂ\
               ‡·‚„‰ÂÊÁËÈÍÎÏÌÓÔ\u{f8ff}ÒÚÛÙıˆ˜¯˘˙˚¸˝˛ˇ",
        odd: &[],
    },
    Encoding {
        name: "latin_1",
        high: "��������������������������������",
        odd: &[],
    },
];

/// What a decoder does with a byte that its encoding does not define.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Undefined {
    Dropped,
    Control,
    Replaced,
}

impl Encoding {
    fn decode(&self, byte: u8) -> char {
        if byte < 0x80 {
            return char::from(byte);
        }
        let odd = self.odd.iter().find(|(odd, _)| *odd == byte);
        odd.map(|&(_, character)| character)
            .or_else(|| self.high.chars().nth(usize::from(byte - 0x80)))
            .unwrap_or(char::from(byte))
    }

    fn misread(&self, marker: &str, undefined: Undefined) -> String {
        let mut text = String::new();
        for byte in marker.bytes() {
            // The apple of Mac Roman has no character of its own in Unicode: decoders lose it, too.
            match (self.decode(byte), undefined) {
                ('\u{fffd}', Undefined::Control) => text.push(char::from(byte)),
                ('\u{fffd}' | '\u{f8ff}', Undefined::Replaced) => text.push('\u{fffd}'),
                ('\u{fffd}' | '\u{f8ff}', Undefined::Dropped) => {}
                (character, _) => text.push(character),
            }
        }
        text
    }
}

/// Bytes of a form that are looked for, at the least.
const ANCHOR_BYTES: usize = 6;

/// The forms that some markers take when they are encoded twice.
#[derive(Debug)]
pub(super) struct Mojibake {
    /// Longest first, so that the first one that fits is the whole of it.
    forms: Vec<(String, &'static str)>,
}

impl Mojibake {
    /// All forms of these markers, each given as it should be; those without U+FE0F are added.
    pub(super) fn of(markers: &[&str]) -> Self {
        let mut forms: Vec<(String, &'static str)> = Vec::new();
        for marker in markers {
            for marker in [(*marker).to_owned(), marker.replace('\u{fe0f}', "")] {
                for encoding in &ENCODINGS {
                    for undefined in [Undefined::Control, Undefined::Dropped, Undefined::Replaced] {
                        let form = encoding.misread(&marker, undefined);
                        if forms.iter().all(|(known, _)| *known != form) {
                            forms.push((form, encoding.name));
                        }
                    }
                }
            }
        }
        forms.sort_by_key(|(form, _)| std::cmp::Reverse(form.len()));
        Self { forms }
    }

    /// The byte strings to look for: a few characters of each form, which many forms share.
    pub(super) fn anchors(&self) -> impl Iterator<Item = Vec<u8>> {
        self.forms.iter().map(|(form, _)| {
            let mut length = ANCHOR_BYTES.min(form.len());
            while !form.is_char_boundary(length) {
                length += 1;
            }
            form.as_bytes()[..length].to_vec()
        })
    }

    /// The form that stands at `at`, and the name of the encoding that it was read as.
    pub(super) fn at(&self, text: &str, at: usize) -> Option<(Span, &'static str)> {
        let rest = &text[at..];
        // Most hits are the markers themselves, and a look at one byte tells.
        if !self
            .forms
            .iter()
            .any(|(form, _)| form.as_bytes()[0] == rest.as_bytes()[0])
        {
            return None;
        }
        let (form, encoding) = self.forms.iter().find(|(form, _)| rest.starts_with(form))?;
        Some((Span::new(at, at + form.len()), encoding))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn encoding_of(markers: &[&str], bytes: &[u8]) -> Option<&'static str> {
        let text = std::str::from_utf8(bytes).expect("mojibake is UTF-8");
        let (span, encoding) = Mojibake::of(markers).at(text, 0)?;
        assert_eq!(span, Span::new(0, text.len()));
        Some(encoding)
    }

    #[test]
    fn tables_have_a_character_for_every_byte() {
        for encoding in &ENCODINGS {
            let length = encoding.high.chars().count();
            assert!(length == 32 || length == 128, "{}: {length}", encoding.name);
        }
        assert_eq!(ENCODINGS[2].decode(0x9F), 'ü');
        assert_eq!(ENCODINGS[2].decode(0xCA), '\u{a0}');
        assert_eq!(ENCODINGS[2].decode(0xFF), 'ˇ');
        assert_eq!(ENCODINGS[0].decode(0x9F), 'Ÿ');
        assert_eq!(ENCODINGS[1].decode(0xF0), 'ğ');
    }

    /// The damage as it stands in seeds 000 and 003, and as the common decoders do it.
    #[test]
    fn names_the_encoding() {
        let tool = "🛠\u{fe0f}[";
        let scissors = "✂\u{fe0f}🐱";
        let cases: &[(&str, &[u8], &str)] = &[
            (tool, b"\xc4\x9f\xc5\xb8\xe2\x80\xba\xc2\xa0\xc3\xaf\xc2\xb8[", "cp1254"),
            (tool, b"\xc3\xb0\xc5\xb8\xe2\x80\xba\xc2\xa0\xc3\xaf\xc2\xb8[", "cp1252"),
            (tool, b"\xc3\xb0\xc5\xb8\xe2\x80\xba\xc2\xa0\xc3\xaf\xc2\xb8\xc2\x8f[", "cp1252"),
            (tool, b"\xc3\xb0\xc5\xb8\xe2\x80\xba\xc2\xa0\xc3\xaf\xc2\xb8\xef\xbf\xbd[", "cp1252"),
            (tool, b"\xc3\xb0\xc5\xb8\xe2\x80\xba\xc2\xa0[", "cp1252"),
            (tool, b"\xc3\xb0\xc2\x9f\xc2\x9b\xc2\xa0\xc3\xaf\xc2\xb8\xc2\x8f[", "latin_1"),
            (scissors, b"\xe2\x80\x9a\xc3\xba\xc3\x87\xc3\x94\xe2\x88\x8f\xc3\xa8\xef\xa3\xbf\xc3\xbc\xc3\xaa\xc2\xb1", "mac_roman"),
            (scissors, b"\xc3\xa2\xc5\x93\xe2\x80\x9a\xc3\xaf\xc2\xb8\xc3\xb0\xc5\xb8\xc2\xb1", "cp1252"),
            (scissors, b"\xc3\xa2\xc2\x9c\xc2\x82\xc3\xaf\xc2\xb8\xc2\x8f\xc3\xb0\xc2\x9f\xc2\x90\xc2\xb1", "latin_1"),
        ];
        for (marker, bytes, encoding) in cases {
            assert_eq!(encoding_of(&[marker], bytes), Some(*encoding), "{bytes:x?}");
        }
    }

    #[test]
    fn knows_the_marker_itself_from_its_damage() {
        assert_eq!(Mojibake::of(&["🛠\u{fe0f}["]).at("🛠\u{fe0f}[ls]", 0), None);
        assert!(
            Mojibake::of(&["✂\u{fe0f}🐱"])
                .anchors()
                .all(|anchor| anchor.len() >= 3)
        );
    }
}
