//! Text that compresses and breaks into lines about as a model's does: words of Zipf's frequencies, code, lists.
//! Nothing in it looks like a marker.

use super::random::Random;

/// Different words.
const WORDS: usize = 8_000;

const SYLLABLES: &[&str] = &[
    "ta", "re", "in", "lo", "son", "mi", "ver", "al", "ko", "pre", "ne", "qui", "est", "ra", "di", "com",
    "um", "ber", "sha", "fi", "or", "ten", "el", "gra", "ch", "po", "us", "ing", "tion", "ed", "ly", "er",
];

/// Syllables of the few words that are not ASCII.
const FOREIGN: &[&str] = &[
    "é", "ü", "ñ", "ß", "да", "не", "про", "東", "京", "語", "の", "λο", "γι", "č",
];

const EMOJI: &[&str] = &["✅", "🚀", "🌧️", "👍🏽", "→", "…"];

const CODE: &[&str] = &[
    "def {}(x, y=\"{}\"):\n    return {}[x] + len(y)",
    "for {} in range(10):\n    print(\"{}\\n\", {} % 3 == 0)",
    "if ({} < 3 && {} > 1) {\n    {}(\"C:\\\\tmp\\\\a.txt\");\n}",
    "SELECT {}, count(*)\nFROM {}\nWHERE {} = 'y' AND z <> 3;",
    "{\"{}\": [1, 2, {\"{}\": null}], \"{}\": \"a\\tb\"}",
    "<div class=\"{}\">\n  <p>{} &amp; {}</p>\n</div>",
];

/// A source of words, sentences and code.
pub struct Words {
    words: Vec<String>,
}

impl Words {
    pub fn new() -> Self {
        let random = &mut Random::new(1);
        Self {
            words: (0..WORDS).map(|_| word(random)).collect(),
        }
    }

    /// A word; the first of the list come most often.
    pub fn word(&self, random: &mut Random) -> &str {
        let rank = (WORDS as f64).powf(random.share()) as usize - 1;
        &self.words[rank]
    }

    /// An ASCII word: a key, a tool's name.
    pub fn name(&self, random: &mut Random) -> String {
        let mut part = || loop {
            let word = self.word(random);
            if word.is_ascii() {
                return word.to_owned();
            }
        };
        format!("{}_{}", part(), part())
    }

    /// A sentence, without white space at its ends.
    pub fn sentence(&self, random: &mut Random, out: &mut String) {
        for index in 0..random.between(6, 22) {
            if index > 0 {
                out.push_str(if random.chance(0.08) { ", " } else { " " });
            }
            let word = self.word(random);
            match random.below(60) {
                0 => out.extend(["\"", word, "\""]),
                1 => out.extend(["`", word, "`"]),
                2 => out.extend(["**", word, "**"]),
                3 => out.extend([word, "'s"]),
                _ => out.push_str(word),
            }
        }
        out.push('.');
    }

    /// Several lines of code, without white space at their ends.
    pub fn code(&self, random: &mut Random, out: &mut String) {
        for index in 0..random.between(1, 6) {
            if index > 0 {
                out.push('\n');
            }
            let mut pieces = random.pick(CODE).split("{}");
            out.push_str(pieces.next().expect("splitting gives a piece"));
            for piece in pieces {
                out.push_str(self.word(random));
                out.push_str(piece);
            }
        }
    }

    /// A paragraph, a list or a code block, and an empty line.
    pub fn paragraph(&self, random: &mut Random, out: &mut String) {
        match random.below(12) {
            0 => {
                out.push_str("```python\n");
                self.code(random, out);
                out.push_str("\n```");
            }
            1 => {
                for _ in 0..random.between(2, 6) {
                    out.push_str("- ");
                    self.sentence(random, out);
                    out.push('\n');
                }
            }
            _ => {
                for index in 0..random.between(1, 6) {
                    if index > 0 {
                        out.push(' ');
                    }
                    self.sentence(random, out);
                }
                if random.chance(0.2) {
                    out.extend([" ", *random.pick(EMOJI)]);
                }
            }
        }
        out.push_str("\n\n");
    }

    /// Paragraphs of at least this many bytes in all.
    pub fn prose(&self, random: &mut Random, bytes: usize, out: &mut String) {
        let end = out.len() + bytes;
        while out.len() < end {
            self.paragraph(random, out);
        }
    }
}

fn word(random: &mut Random) -> String {
    let syllables = if random.chance(0.04) { FOREIGN } else { SYLLABLES };
    (0..random.between(1, 4))
        .map(|_| *random.pick(syllables))
        .collect()
}
