//! Texts for comparing two parsers: sound calls in prose, the same after a few mutations, and mixtures of pieces.
//! The same seed gives the same texts.

use toolscan::syntax::{Draft, SharedSyntax, Value};

const NAMES: &[&str] = &[
    "read",
    "write_file",
    "Search",
    "list_dir",
    "calc2",
    "tool",
    "fetchAll",
];

const KEYS: &[&str] = &[
    "path", "query", "n", "items", "config", "deep_key", "flag", "text",
];

const STRINGS: &[&str] = &[
    "a",
    "src/main.rs",
    "two words",
    "line one\nline two",
    "say \"hi\" to 'them'",
    "C:\\new\\table",
    "café 東京 🌧️",
    "fn main() {\n    println!(\"[]\");\n}",
    "x < y && y > z",
    "# Title\n\nSome *text*, more.",
];

const NUMBERS: &[&str] = &[
    "0",
    "7",
    "-5",
    "3.14",
    "-0.5",
    "42",
    "1000000",
    "9007199254740993",
];

const PROSE: &[&str] = &[
    "Let me look.",
    "First, the files.",
    "Ça va — 東京 🌧️.",
    "I'll use `cargo test` now:",
    "- one\n- two",
    "> quoted",
    "Done [1], see {2}.",
    "It costs $5 < $6.",
    "```rust\nlet a = 1;\n```",
];

/// Separators between what a text is put together from.
const GAPS: &[&str] = &["\n", "\n", "\n", "\n\n", "\n\n", " ", "", "\r\n", "\t"];

/// Pieces for every syntax: white space and line breaks of all kinds, code, reasoning, JSON.
const PIECES: &[&str] = &[
    "\n",
    "\n",
    "\n",
    "\r\n",
    "\r",
    " ",
    "  ",
    "\t",
    "a",
    "x y",
    "é",
    "😀",
    "`",
    "```",
    "```json\n",
    "\n```\n",
    "\"",
    "\\",
    "'",
    "[",
    "]",
    "{",
    "}",
    ",",
    ":",
    "1",
    "-1",
    "true",
    "null",
    "NaN",
    "[]",
    "{}",
    "\"a\"",
    "\u{a0}",
    "\u{feff}",
    "<think>",
    "</think>",
    "<think>hm</think>",
    "Let me see.",
];

/// SplitMix64 (Steele, Lea, Flood 2014).
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// A number below `bound`, which is not 0.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^= z >> 31;
        ((u128::from(z) * bound as u128) >> 64) as usize
    }

    pub(crate) fn pick<'a, T: ?Sized>(&mut self, items: &[&'a T]) -> &'a T {
        items[self.below(items.len())]
    }

    /// Whether one of `times` comes up.
    pub(crate) fn one_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }
}

/// Makes one text after the other.
pub(crate) struct Mutants {
    random: Random,
    syntax: SharedSyntax,
    /// Pieces that matter to this syntax alone: its markers, and what stands in it.
    own: &'static [&'static str],
}

impl Mutants {
    pub(crate) fn new(syntax: SharedSyntax, own: &'static [&'static str], seed: u64) -> Self {
        Self {
            random: Random::new(seed),
            syntax,
            own,
        }
    }

    /// The next text: of ten, four are sound, four mutated, two put together from pieces.
    pub(crate) fn text(&mut self) -> String {
        match self.random.below(10) {
            0..4 => self.sound(),
            4..8 => {
                let mut text = self.sound();
                for _ in 0..=self.random.below(3) {
                    text = self.mutate(&text);
                }
                text
            }
            _ => self.mixture(),
        }
    }

    fn sound(&mut self) -> String {
        let mut text = String::new();
        if self.random.one_in(12) {
            text.push_str("<think>Which tool?</think>\n");
        }
        let first = self.syntax.needs_text_start();
        let blocks = if first {
            1
        } else {
            [1, 1, 1, 2, 3][self.random.below(5)]
        };
        for _ in 0..blocks {
            if !first && self.random.one_in(2) {
                text.push_str(self.random.pick(PROSE));
                text.push_str(self.random.pick(GAPS));
            }
            let drafts: Vec<Draft> = (0..=self.random.below(3)).map(|_| self.draft()).collect();
            self.syntax.write(&drafts, &mut text);
            text.push_str(self.random.pick(GAPS));
        }
        if self.random.one_in(3) {
            text.push_str(self.random.pick(PROSE));
        }
        if self.random.one_in(16) {
            text = text.replace('\n', "\r\n");
        }
        text
    }

    fn draft(&mut self) -> Draft {
        Draft {
            name: self.random.pick(NAMES).to_owned(),
            arguments: self.members(2),
        }
    }

    /// Members with different keys, nested as deep as `depth`.
    fn members(&mut self, depth: usize) -> Vec<(String, Value)> {
        let mut members: Vec<(String, Value)> = Vec::new();
        for _ in 0..=self.random.below(3) {
            let key = self.random.pick(KEYS);
            if members.iter().all(|(known, _)| known != key) {
                members.push((key.to_owned(), self.value(depth)));
            }
        }
        members
    }

    fn value(&mut self, depth: usize) -> Value {
        match self.random.below(8) {
            0 if depth > 0 => Value::Object(self.members(depth - 1)),
            1 if depth > 0 => Value::List(
                (0..=self.random.below(3))
                    .map(|_| self.value(depth - 1))
                    .collect(),
            ),
            2 | 3 => Value::Number(self.random.pick(NUMBERS).to_owned()),
            4 => Value::Boolean(self.random.one_in(2)),
            _ => Value::Text(self.random.pick(STRINGS).to_owned()),
        }
    }

    fn mixture(&mut self) -> String {
        (0..=self.random.below(16)).map(|_| self.piece()).collect()
    }

    fn piece(&mut self) -> &'static str {
        let pieces = if self.random.one_in(2) { PIECES } else { self.own };
        self.random.pick(pieces)
    }

    fn mutate(&mut self, text: &str) -> String {
        let (from, to) = (self.place(text), self.place(text));
        let (from, to) = (from.min(to), from.max(to));
        let near = (from..=text.len().min(from + 12))
            .rev()
            .find(|&at| text.is_char_boundary(at))
            .unwrap_or(from);
        match self.random.below(8) {
            0 => text[..from].to_owned(),
            1 => text[from..].to_owned(),
            2 => format!("{}{}", &text[..from], &text[near..]),
            3 => format!("{}{}", &text[..to], &text[from..]),
            4 => format!(
                "{}{}{}{}",
                &text[..from],
                &text[near..],
                &text[from..near],
                &text[from..]
            ),
            _ => format!("{}{}{}", &text[..from], self.piece(), &text[from..]),
        }
    }

    fn place(&mut self, text: &str) -> usize {
        let at = self.random.below(text.len() + 1);
        (0..=at)
            .rev()
            .find(|&at| text.is_char_boundary(at))
            .unwrap_or_default()
    }
}
