//! Texts made to be slow: pieces of calls, over and over. Here only what is found counts; `benches/hostile.rs`
//! measures the time.

use std::collections::BTreeMap;

use toolscan::{Scan, syntax};

use crate::texts;

/// How often a piece is repeated: these and their doubles.
const TIMES: usize = 10_000;

/// A step that no period of a piece between its frames divides unevenly: pairs of backticks, fences that open and
/// close.
const STEP: usize = 24;

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

/// A piece, what each repetition is found to be, and how many of the repetitions are not (the first ones or the last).
const OPENERS: &[(&str, &str, usize)] = &[
    ("🛠️[", "unclosed_header", 0),
    ("🛠️[]", "empty_header", 0),
    ("🛠️[a]", "unclosed_block", 0),
    ("🛠️[/end]", "stray_end_marker", 0),
    ("🔧[\n", "near_miss", 0),
    ("<execute>", "stray_marker", 0),
    ("<execute>[", "unclosed_block", 0),
    ("</execute>", "stray_end_marker", 0),
    ("<Execute>\n", "near_miss", 0),
    ("<results>", "invalid_results", 0),
    ("✂️🐱", "repeated_delimiter", 1),
    ("✂️\n", "near_miss", 0),
    ("!!!GADGET_START:", "unclosed_header", 0),
    ("!!!GADGET_START:\n", "missing_name", 0),
    ("!!!GADGET_END", "stray_end_marker", 0),
    ("!!!ARG:", "stray_marker", 0),
    ("```tools\n```\n", "near_miss", 0),
];

#[test]
fn every_opener_is_told() {
    let scanner = texts::scanner();
    for (piece, code, fewer) in OPENERS {
        for times in [TIMES, 2 * TIMES] {
            let counts = counts(&scanner.scan(&piece.repeat(times)));
            assert_eq!(counts.get(code), Some(&(times - fewer)), "{piece:?}: {counts:?}");
        }
    }
}

#[test]
fn what_is_found_grows_with_the_text() {
    let scanner = texts::scanner();
    let mut odd = Vec::new();
    for piece in pieces() {
        for (before, behind) in FRAMES {
            let framed = format!("{before}{piece}{behind}");
            let [first, second, third] =
                [1, 2, 3].map(|steps| counts(&scanner.scan(&framed.repeat(steps * STEP))));
            for (code, &last) in &third {
                let of = |counts: &BTreeMap<_, _>| counts.get(code).copied().unwrap_or(0);
                if of(&first) + last != 2 * of(&second) {
                    odd.push(format!(
                        "{framed:?}: {code} {} {} {last}",
                        of(&first),
                        of(&second)
                    ));
                }
            }
        }
    }
    assert!(odd.is_empty(), "{}", odd.join("\n"));
}

/// How often each code was found, and how many calls.
fn counts(scan: &Scan<'_>) -> BTreeMap<&'static str, usize> {
    let mut counts = BTreeMap::from([("calls", scan.calls.len())]);
    for diagnostic in &scan.diagnostics {
        *counts.entry(diagnostic.code.name()).or_default() += 1;
    }
    counts.extend(scan.overflow.iter().map(|&(code, count)| (code.name(), count)));
    counts
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
