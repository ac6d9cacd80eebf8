//! Log records with a known truth: what the benches read, and what the corpus on disk is made of.

use std::fmt::Write;

use toolscan::syntax::{self, Draft, SharedSyntax};

use super::drafts::draft;
use super::random::Random;
use super::words::Words;

/// What kind of log it is.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// Where the random numbers begin.
    pub seed: u64,
    /// Share of the completions that hold calls, 0 to 1.
    pub with_calls: f64,
    /// Whether every system prompt shows how to call in each syntax.
    pub quotes_formats: bool,
}

impl Settings {
    /// A log in which this share of the completions holds calls.
    pub fn with_calls(share: f64) -> Self {
        Self {
            seed: 7,
            with_calls: share,
            quotes_formats: false,
        }
    }
}

/// How a log's JSON is spelled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spelling {
    /// UTF-8, no spaces.
    Utf8,
    /// ASCII with `\u` escapes, no spaces.
    Ascii,
    /// ASCII with `\u` escapes and spaces behind colons and commas.
    AsciiSpaced,
}

/// What a reader has to find in one syntax.
#[derive(Clone, Debug)]
pub struct Found {
    pub syntax: &'static str,
    /// Completions that call in it. Each holds one piece that the syntax wrote.
    pub completions: usize,
    pub calls: usize,
}

/// What a reader has to find.
#[derive(Clone, Debug)]
pub struct Truth {
    pub bytes: usize,
    pub records: usize,
    pub found: Vec<Found>,
}

impl Truth {
    pub fn completions_with_calls(&self) -> usize {
        self.found.iter().map(|found| found.completions).sum()
    }

    pub fn calls(&self) -> usize {
        self.found.iter().map(|found| found.calls).sum()
    }

    /// As JSON, for other programs.
    pub fn json(&self) -> String {
        let syntaxes: Vec<_> = self.found.iter().map(Found::json).collect();
        format!(
            "{{\"bytes\": {}, \"records\": {}, \"completions_with_calls\": {}, \"calls\": {}, \"syntaxes\": {{{}}}}}\n",
            self.bytes,
            self.records,
            self.completions_with_calls(),
            self.calls(),
            syntaxes.join(", ")
        )
    }
}

impl Found {
    fn json(&self) -> String {
        format!(
            "\"{}\": {{\"completions\": {}, \"calls\": {}}}",
            self.syntax, self.completions, self.calls
        )
    }
}

/// Makes one record after the other. The same settings give the same bytes.
pub struct Corpus {
    settings: Settings,
    syntaxes: Vec<SharedSyntax>,
    words: Words,
    /// How to call in each syntax, as a system prompt tells it.
    formats: String,
    random: Random,
    truth: Truth,
}

impl Corpus {
    pub fn new(settings: Settings) -> Self {
        let syntaxes = syntax::all();
        let found = |syntax: &SharedSyntax| Found {
            syntax: syntax.name(),
            completions: 0,
            calls: 0,
        };
        let show =
            |syntax: &SharedSyntax| format!("{}, as in:\n\n{}\n\n", syntax.description(), syntax.example());
        Self {
            settings,
            words: Words::new(),
            formats: syntaxes.iter().map(show).collect(),
            random: Random::new(settings.seed),
            truth: Truth {
                bytes: 0,
                records: 0,
                found: syntaxes.iter().map(found).collect(),
            },
            syntaxes,
        }
    }

    /// What the records made so far hold.
    pub fn truth(&self) -> &Truth {
        &self.truth
    }

    /// Calls to be written.
    pub fn drafts(&mut self, count: usize) -> Vec<Draft> {
        (0..count).map(|_| draft(&mut self.random, &self.words)).collect()
    }

    /// The text of a completion, 2 KB on average. Its syntax goes with the model's number.
    pub fn completion(&mut self, model: usize) -> String {
        let mut text = String::new();
        let bytes = self.random.between(300, 3_000);
        if !self.random.chance(self.settings.with_calls) {
            self.words.prose(&mut self.random, bytes, &mut text);
            return text;
        }
        let place = model % self.syntaxes.len();
        let syntax = self.syntaxes[place].clone();
        let count = 1 + self.random.below(10) / 3;
        let drafts = self.drafts(count);
        if !syntax.needs_text_start() {
            self.words.prose(&mut self.random, bytes / 3, &mut text);
        }
        let calls = syntax.write(&drafts, &mut text).len();
        text.push('\n');
        self.words.prose(&mut self.random, bytes / 3, &mut text);
        let found = &mut self.truth.found[place];
        found.completions += 1;
        found.calls += calls;
        text
    }

    /// Appends a record with its line break, 3.8 KB on average.
    pub fn record(&mut self, spelling: Spelling, out: &mut Vec<u8>) {
        let start = out.len();
        let number = self.truth.records;
        let model = self.random.below(10);
        let mut system = String::new();
        if self.settings.quotes_formats {
            system.push_str(&self.formats);
        }
        // The formats stand in the place of other text, so that records are as long with them as without.
        let rest = 1_000_usize.saturating_sub(system.len());
        self.words.prose(&mut self.random, rest, &mut system);
        let mut user = String::new();
        let bytes = self.random.between(50, 700);
        self.words.prose(&mut self.random, bytes, &mut user);
        let completion = self.completion(model);
        let mut line = Line { spelling, out };
        line.raw("{", "");
        line.text("id", &format!("chatcmpl-{number:09}"));
        line.raw(",", " ");
        line.text("model", &format!("model-{model}"));
        line.raw(",", " ");
        line.raw("\"created\":", " ");
        line.raw(&(1_763_000_000 + number).to_string(), "");
        line.raw(",", " ");
        line.raw("\"messages\":", " ");
        for (role, content) in [("system", &system), ("user", &user)] {
            line.raw(if role == "system" { "[{" } else { "},{" }, "");
            line.text("role", role);
            line.raw(",", " ");
            line.text("content", content);
        }
        line.raw("}],", " ");
        line.text("completion", &completion);
        line.raw(",", " ");
        line.text("finish_reason", "stop");
        line.raw(",", " ");
        let usage = format!(
            "\"usage\":{{\"prompt_tokens\":{},\"completion_tokens\":{}}}",
            (system.len() + user.len()) / 4,
            completion.len() / 4
        );
        line.raw(&usage, "");
        line.raw("}\n", "");
        self.truth.records += 1;
        self.truth.bytes += out.len() - start;
    }
}

/// Records of at least this many bytes in all, a third in each spelling, and what they hold.
pub fn records(settings: Settings, bytes: usize) -> (Vec<u8>, Truth) {
    let mut corpus = Corpus::new(settings);
    let mut out = Vec::new();
    let spellings = [Spelling::Utf8, Spelling::Ascii, Spelling::AsciiSpaced];
    for spelling in spellings.iter().cycle() {
        if out.len() >= bytes {
            break;
        }
        corpus.record(*spelling, &mut out);
    }
    (out, corpus.truth)
}

/// Texts of completions of at least this many bytes in all, and what they hold.
pub fn completions(settings: Settings, bytes: usize) -> (Vec<String>, Truth) {
    let mut corpus = Corpus::new(settings);
    let mut texts = Vec::new();
    while corpus.truth.bytes < bytes {
        let text = corpus.completion(texts.len());
        corpus.truth.records += 1;
        corpus.truth.bytes += text.len();
        texts.push(text);
    }
    (texts, corpus.truth)
}

/// A record being written.
struct Line<'o> {
    spelling: Spelling,
    out: &'o mut Vec<u8>,
}

impl Line<'_> {
    /// Writes what stands for itself, and the space behind it where there are spaces.
    fn raw(&mut self, text: &str, space: &str) {
        self.out.extend_from_slice(text.as_bytes());
        if self.spelling == Spelling::AsciiSpaced {
            self.out.extend_from_slice(space.as_bytes());
        }
    }

    fn text(&mut self, key: &str, value: &str) {
        self.raw(&format!("\"{key}\":"), " ");
        self.out.push(b'"');
        for (place, character) in value.char_indices() {
            match character {
                '"' => self.out.extend_from_slice(b"\\\""),
                '\\' => self.out.extend_from_slice(b"\\\\"),
                '\n' => self.out.extend_from_slice(b"\\n"),
                '\t' => self.out.extend_from_slice(b"\\t"),
                ' '..='~' => self.out.push(character as u8),
                _ if self.spelling == Spelling::Utf8 => {
                    let bytes = &value.as_bytes()[place..place + character.len_utf8()];
                    self.out.extend_from_slice(bytes);
                }
                _ => self.escaped(character),
            }
        }
        self.out.push(b'"');
    }

    fn escaped(&mut self, character: char) {
        let mut escape = String::new();
        for unit in character.encode_utf16(&mut [0; 2]) {
            write!(escape, "\\u{unit:04x}").expect("strings take everything");
        }
        self.out.extend_from_slice(escape.as_bytes());
    }
}
