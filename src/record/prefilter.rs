//! Whether a text can hold any marker, asked of its bytes as they stand in the log, before anything is decoded.
//!
//! A JSON string may spell each character as it is, by a short escape (`\/`), or by `\u` and hexadecimal digits of
//! either case. What is spelled without `\u` is found by a search for the spellings of the anchors. For the
//! rest it is enough to know the characters with which anchors begin: a text that spells one of them by `\u` is
//! decoded and scanned.

use super::escapes::text_length;
use crate::needles::Needles;
use crate::text::is_space;

/// Bytes that a needle has at least: shorter ones stand everywhere.
const NEEDLE_BYTES: usize = 3;

/// Finds the texts that hold nothing to find. Built once, shared between threads.
#[derive(Debug)]
pub struct Prefilter {
    needles: Needles,
    spelled: Spelled,
}

impl Prefilter {
    /// A filter for texts that could hold one of these byte strings ([`crate::Scanner::anchors`]).
    pub fn new(anchors: &[Vec<u8>]) -> Self {
        let (needles, spelled) = wanted(anchors);
        Self {
            needles: Needles::new(&needles),
            spelled,
        }
    }

    /// The decoded length of a string in which nothing can be found, or `None` if it has to be decoded: because
    /// of what it may hold, or because decoding it has something to report.
    pub(super) fn plain(&self, raw: &[u8]) -> Option<usize> {
        let text = std::str::from_utf8(raw).ok()?;
        if may_begin_with_json(text) || self.needles.any(raw) {
            return None;
        }
        text_length(raw, |spelled| !self.spelled.contains(spelled))
    }
}

/// What to look for, and which characters matter when they are spelled by `\u`.
fn wanted(anchors: &[Vec<u8>]) -> (Vec<Vec<u8>>, Spelled) {
    let mut spelled = Spelled::default();
    let mut wanted: Vec<Vec<u8>> = Vec::new();
    for anchor in anchors {
        let (beginning, rest_is_text) = beginning(anchor);
        if rest_is_text {
            beginning.chars().for_each(|character| spelled.add(character));
            wanted.extend(spellings(beginning));
        } else {
            spelled.add_all();
            wanted.push(anchor.clone());
        }
    }
    wanted.sort_by_key(Vec::len);
    let mut needles: Vec<Vec<u8>> = Vec::new();
    for needle in wanted {
        if !needles.iter().any(|kept| needle.starts_with(kept)) {
            needles.push(needle);
        }
    }
    (needles, spelled)
}

/// The shortest beginning of an anchor that is worth looking for: its leading ASCII characters, or as many
/// characters as make a needle. And whether it could be told, which it cannot where a character is cut.
fn beginning(anchor: &[u8]) -> (&str, bool) {
    let text = anchor.utf8_chunks().next().map_or("", |chunk| chunk.valid());
    let ascii = text.bytes().take_while(u8::is_ascii).count();
    let enough = text
        .char_indices()
        .map(|(at, character)| at + character.len_utf8());
    let end = enough.into_iter().find(|&end| end >= NEEDLE_BYTES.max(ascii));
    match end {
        Some(end) => (&text[..end], true),
        None => (text, text.len() == anchor.len()),
    }
}

/// Every way to spell `text` in a JSON string without `\u`. Control characters may stand as they are, since the
/// reader lets them.
fn spellings(text: &str) -> Vec<Vec<u8>> {
    let mut all = vec![Vec::new()];
    for character in text.chars() {
        let itself = character.to_string();
        let ways: &[&str] = match character {
            '"' => &["\\\""],
            '\\' => &["\\\\"],
            '/' => &["/", "\\/"],
            '\n' => &["\n", "\\n"],
            '\r' => &["\r", "\\r"],
            '\t' => &["\t", "\\t"],
            '\u{8}' => &["\u{8}", "\\b"],
            '\u{c}' => &["\u{c}", "\\f"],
            _ => &[&itself],
        };
        all = all
            .iter()
            .flat_map(|head| ways.iter().map(move |way| [head, way.as_bytes()].concat()))
            .collect();
    }
    all
}

/// Whether calls could begin the text without any marker: as JSON, behind white space. `\u` might be anything.
fn may_begin_with_json(text: &str) -> bool {
    let mut rest = text.trim_start_matches(is_space);
    while let Some(behind) = ["\\n", "\\r", "\\t", "\\f"]
        .iter()
        .find_map(|escape| rest.strip_prefix(escape))
    {
        rest = behind.trim_start_matches(is_space);
    }
    rest.starts_with(['[', '{']) || rest.starts_with("\\u")
}

/// The characters that matter when they are spelled by `\u`, one bit a code unit: of a surrogate pair the second
/// unit stands for the whole, because half of all emoji share the first.
#[derive(Debug)]
struct Spelled(Box<[u64; 1024]>);

impl Default for Spelled {
    fn default() -> Self {
        Self(Box::new([0; 1024]))
    }
}

impl Spelled {
    fn add(&mut self, character: char) {
        let unit = last_unit(character);
        self.0[unit / 64] |= 1 << (unit % 64);
    }

    fn add_all(&mut self) {
        self.0.fill(u64::MAX);
    }

    fn contains(&self, character: char) -> bool {
        let unit = last_unit(character);
        self.0[unit / 64] & (1 << (unit % 64)) != 0
    }
}

fn last_unit(character: char) -> usize {
    let mut units = [0; 2];
    character
        .encode_utf16(&mut units)
        .last()
        .map_or(0, |&unit| usize::from(unit))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::string::{Losses, decode};
    use crate::{ScanOptions, Scanner, syntax};

    fn filter() -> Prefilter {
        let anchors = ["<execute", "</execute", "🛠️[", "✂", "```tool", "âœ‚", "a\"b\\c"];
        Prefilter::new(&anchors.map(|anchor| anchor.as_bytes().to_vec()))
    }

    #[test]
    fn the_search_stays_fast() {
        let scanner = Scanner::new(syntax::all(), ScanOptions::default());
        crate::needles::assert_quick(&wanted(scanner.anchors()).0);
    }

    #[test]
    fn knows_the_length_of_what_holds_nothing() {
        for raw in [
            "",
            "nothing to see",
            r#"line\none\ttwo \\ \/ \" q"#,
            r"caf\u00E9 \ud83d\ude00 😀 \u2019",
            r"\\u003cexecute",
            "x [1, 2]",
            r"\\n[",
            r"\\\\\\ \n\\\n \\",
            r"\\d \\\\w",
        ] {
            let (mut text, mut losses) = (String::new(), Losses::default());
            decode(raw.as_bytes(), &mut text, &mut losses).expect(raw);
            assert_eq!(filter().plain(raw.as_bytes()), Some(text.len()), "{raw}");
        }
    }

    #[test]
    fn sees_every_spelling() {
        for raw in [
            "<execute>",
            r"\u003cexecute\u003e",
            r"\u003Cexecute",
            r"<\u0065xecute",
            r"<\/execute>",
            r"<\u002fexecute>",
            "🛠️[",
            r"🛠\ufe0f[",
            r"\ud83d\udee0\ufe0f[",
            r"\uD83D\uDEE0\uFE0F[",
            r"\uD83d\uDeE0",
            r"\u2702",
            "✂",
            "```tool",
            r"`\u0060`tool",
            "âœ‚",
            r"\u00e2\u0153\u201a",
            r"\u00E2œ‚",
            r#"a\"b\\c"#,
            r"a\u0022b\\c",
        ] {
            assert_eq!(filter().plain(raw.as_bytes()), None, "{raw}");
            let within = format!("before {raw} behind");
            assert_eq!(filter().plain(within.as_bytes()), None, "{within}");
        }
    }

    #[test]
    fn leaves_to_decoding_what_it_must_report_and_json_at_the_start() {
        for raw in [
            &b"\xff"[..],
            br"\ud83d",
            br"\x",
            br"\u12",
            b"\\",
            br#"[{\"a\": 1}]"#,
            br"  \n\t {}",
            br"\r\n\n[",
            br"\u000a[",
            "\u{feff} [".as_bytes(),
        ] {
            assert_eq!(filter().plain(raw), None, "{raw:x?}");
        }
    }

    #[test]
    fn a_cut_character_makes_every_spelling_matter() {
        let filter = Prefilter::new(&[b"\xf0\x9f\x9b".to_vec()]);
        assert_eq!(filter.plain("🛠".as_bytes()), None);
        assert_eq!(filter.plain(br"\ud83d\udee0"), None);
        assert_eq!(filter.plain(b"nothing"), Some(7));
    }
}
