//! Texts made to be slow: the time must grow with the text, never with its square.

use std::time::{Duration, Instant};

use toolscan::{Scanner, syntax};

use crate::texts;

/// How often a piece is repeated.
const TIMES: usize = 50_000;

/// Quicker than this is quick enough, also in a debug build.
const QUICK: Duration = Duration::from_millis(500);

/// A text of this part of the size takes about this part of the time. With the square, it takes as much less again.
const PART: u32 = 8;

/// Ways to repeat a piece.
const FRAMES: &[(&str, &str)] = &[
    ("", ""),
    ("", "\n"),
    ("`", "` "),
    ("`", ""),
    ("<think>", "</think>"),
    ("\"", ","),
    ("```\n", "\n"),
    ("> ", "\n"),
];

#[test]
fn time_grows_with_the_text() {
    let scanner = texts::scanner();
    let mut slow = Vec::new();
    for piece in pieces() {
        for (before, behind) in FRAMES {
            let text = format!("{before}{piece}{behind}").repeat(TIMES);
            let whole = time(&scanner, &text);
            if whole < QUICK {
                continue;
            }
            let part = time(&scanner, &text[..text.len() / TIMES * (TIMES / PART as usize)]);
            if whole > part * PART * 3 {
                slow.push(format!(
                    "{piece:?} between {before:?} and {behind:?}: {part:?}, {whole:?}"
                ));
            }
        }
    }
    assert!(slow.is_empty(), "{}", slow.join("\n"));
}

fn time(scanner: &Scanner, text: &str) -> Duration {
    let start = Instant::now();
    scanner.scan(text);
    start.elapsed()
}

/// The parts of each syntax's example.
fn pieces() -> Vec<&'static str> {
    let syntaxes = syntax::all();
    let examples = syntaxes.iter().map(|syntax| syntax.example());
    let mut pieces: Vec<_> = examples
        .flat_map(|example| example.split_inclusive(['\n', '[', '>', ':']))
        .collect();
    pieces.sort_unstable();
    pieces.dedup();
    pieces
}
