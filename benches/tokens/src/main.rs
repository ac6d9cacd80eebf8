//! The comparison of syntaxes: the same calls written in each, and what they cost per call in bytes, in tokens of two
//! vocabularies, and in time to parse. Prints a Markdown table.
//!
//! The columns of time are from one run after the other in turn; the quickest of [`RUNS`] counts.

use std::time::Instant;

use tiktoken::CoreBpe;
use toolscan::syntax::{self, Draft, SharedSyntax};
use toolscan::{ScanOptions, Scanner};

#[path = "../../common/mod.rs"]
mod common;

use common::corpus::{Corpus, Settings};

/// Calls that are written in each syntax.
const CALLS: usize = 3_000;

/// Runs over all calls.
const RUNS: usize = 15;

/// Vocabularies: of GPT-4o and later, and of Qwen 2 to 3, whose weights are open.
const VOCABULARIES: [&str; 2] = ["o200k_base", "qwen2"];

fn main() {
    let drafts = Corpus::new(Settings::with_calls(1.0)).drafts(CALLS);
    let vocabularies = VOCABULARIES.map(|name| tiktoken::get_encoding(name).expect("its feature is on"));
    for in_batch in [1, 3] {
        let mut written: Vec<_> = syntax::all()
            .into_iter()
            .map(|syntax| Written::new(syntax, &drafts, in_batch, &vocabularies))
            .collect();
        for _ in 0..RUNS {
            written.iter_mut().for_each(Written::time);
        }
        print(in_batch, &written);
    }
    let payload: Vec<_> = drafts.iter().map(Draft::arguments_json).collect();
    println!(
        "\nThe arguments alone, as compact JSON: {:.1} bytes; {}.",
        per_call(payload.iter().map(String::len).sum()),
        vocabularies
            .iter()
            .zip(VOCABULARIES)
            .map(|(vocabulary, name)| format!("{:.1} tokens of {name}", tokens(vocabulary, &payload)))
            .collect::<Vec<_>>()
            .join(", ")
    );
}

/// All calls in one syntax.
struct Written {
    name: &'static str,
    scanner: Scanner,
    texts: Vec<String>,
    tokens: [f64; VOCABULARIES.len()],
    nanoseconds: f64,
}

impl Written {
    fn new(
        syntax: SharedSyntax,
        drafts: &[Draft],
        in_batch: usize,
        vocabularies: &[&CoreBpe; VOCABULARIES.len()],
    ) -> Self {
        let write = |drafts: &[Draft]| {
            let mut text = String::new();
            syntax.write(drafts, &mut text);
            text
        };
        let texts: Vec<_> = drafts.chunks(in_batch).map(write).collect();
        let written = Self {
            name: syntax.name(),
            tokens: vocabularies.map(|vocabulary| tokens(vocabulary, &texts)),
            scanner: Scanner::new(vec![syntax], ScanOptions::default()),
            texts,
            nanoseconds: f64::MAX,
        };
        assert_eq!(written.valid_calls(), drafts.len(), "{}", written.name);
        written
    }

    fn valid_calls(&self) -> usize {
        let scans = self.texts.iter().map(|text| self.scanner.scan(text));
        scans
            .map(|scan| scan.calls.iter().filter(|call| call.is_valid()).count())
            .sum()
    }

    fn time(&mut self) {
        let start = Instant::now();
        assert_eq!(self.valid_calls(), CALLS);
        self.nanoseconds = self
            .nanoseconds
            .min(per_call(start.elapsed().as_nanos() as usize));
    }
}

fn tokens(vocabulary: &CoreBpe, texts: &[String]) -> f64 {
    per_call(texts.iter().map(|text| vocabulary.count(text)).sum())
}

fn per_call(sum: usize) -> f64 {
    sum as f64 / CALLS as f64
}

fn print(in_batch: usize, written: &[Written]) {
    println!("\n{CALLS} calls, {in_batch} together:\n");
    println!(
        "| syntax | bytes a call | tokens a call, {} | ns to parse a call |",
        VOCABULARIES.join(" | tokens a call, ")
    );
    println!("|---|---:|{}---:|", "---:|".repeat(VOCABULARIES.len()));
    for syntax in written {
        let bytes = per_call(syntax.texts.iter().map(String::len).sum());
        let tokens = syntax.tokens.map(|tokens| format!("{tokens:.1}")).join(" | ");
        println!(
            "| `{}` | {bytes:.1} | {tokens} | {:.0} |",
            syntax.name, syntax.nanoseconds
        );
    }
}
