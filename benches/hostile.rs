//! Texts made to be slow, against ordinary text of the same size.
//!
//! Half a million opening markers of each syntax: without an end, each with its end behind all of them (nested), in turn
//! with those of the other syntaxes, in lines and without. Prints nanoseconds per byte and their ratio to ordinary text,
//! and fails where that is beyond [`MOST`].

use std::process::ExitCode;
use std::time::Instant;

use toolscan::syntax::{self, Role};
use toolscan::{ScanOptions, Scanner};

mod common;

use common::corpus::{Settings, completions};

/// Opening markers in a text.
const TIMES: usize = 500_000;

/// A hostile text takes at most this many times as long, per byte, as ordinary text.
const MOST: f64 = 3.0;

/// Runs, of which the quickest counts: what disturbs a run only makes it slower.
const RUNS: usize = 5;

fn main() -> ExitCode {
    let scanner = Scanner::new(syntax::all(), ScanOptions::default());
    let texts = hostile(&scanner);
    let longest = texts.iter().map(|(_, text)| text.len()).max().unwrap_or_default();
    let ordinary = ordinary(longest);
    let mut failed = false;
    println!("{:58} {:>8} {:>8} {:>8}", "text", "MB", "ns/byte", "ratio");
    for (name, text) in &texts {
        let same_size = prefix(&ordinary, text.len());
        let (mut usual, mut slow) = (f64::MAX, f64::MAX);
        for _ in 0..RUNS {
            usual = usual.min(nanoseconds_per_byte(&scanner, same_size));
            slow = slow.min(nanoseconds_per_byte(&scanner, text));
        }
        let ratio = slow / usual;
        let verdict = if ratio > MOST { "  too slow" } else { "" };
        failed |= ratio > MOST;
        println!(
            "{name:58} {:8.1} {slow:8.2} {ratio:8.2}{verdict}",
            text.len() as f64 / 1e6
        );
    }
    ExitCode::from(u8::from(failed))
}

/// At most this many bytes of the text.
fn prefix(text: &str, bytes: usize) -> &str {
    let end = (0..=bytes).rfind(|&end| text.is_char_boundary(end));
    &text[..end.unwrap_or_default()]
}

fn nanoseconds_per_byte(scanner: &Scanner, text: &str) -> f64 {
    let start = Instant::now();
    std::hint::black_box(scanner.scan(text));
    start.elapsed().as_nanos() as f64 / text.len() as f64
}

/// Completions that hold calls, one behind the other.
fn ordinary(bytes: usize) -> String {
    let (texts, _) = completions(Settings::with_calls(1.0), bytes);
    texts.concat()
}

/// Each text with what it is.
fn hostile(scanner: &Scanner) -> Vec<(String, String)> {
    let mut texts = Vec::new();
    let mut openers = Vec::new();
    for syntax in syntax::all() {
        let example = syntax.example();
        let marks = scanner.marks(example);
        let first = |role| {
            marks
                .iter()
                .find(|(_, mark)| mark.role == role)
                .map(|(_, mark)| mark.span)
        };
        let opener = first(Role::Opener).expect("an example shows how a call begins");
        let line = example[opener.start..]
            .split_inclusive('\n')
            .next()
            .expect("a marker stands on a line");
        let opener = opener.of(example);
        let name = syntax.name();
        texts.push((format!("{name}: openers, no end"), opener.repeat(TIMES)));
        texts.push((format!("{name}: lines that open, no end"), line.repeat(TIMES)));
        if let Some(closer) = first(Role::Closer) {
            let closer = format!("{}\n", closer.of(example));
            texts.push((
                format!("{name}: nested"),
                line.repeat(TIMES / 2) + &closer.repeat(TIMES / 2),
            ));
            texts.push((format!("{name}: ends, no opener"), closer.repeat(TIMES)));
        }
        openers.push(line);
    }
    let turn = openers.concat();
    texts.push(("all syntaxes in turn".into(), turn.repeat(TIMES / openers.len())));
    texts
}
