//! Texts to try promises on: those of the cases, and random mixtures of what the syntaxes react to.

use proptest::prelude::*;
use toolscan::{ScanOptions, Scanner, syntax};

use crate::cases;

/// Pieces that matter between markers: white space, Markdown, JSON, YAML, other emoji, think tags.
const BETWEEN: &[&str] = &[
    "\n",
    "\r\n",
    "\n\n",
    " ",
    "\t",
    "a",
    "ls",
    "]",
    "[",
    "/",
    ":",
    ",",
    "/end",
    " /]",
    "`",
    "``",
    "```",
    "~~~",
    "> ",
    "- ",
    "{",
    "}",
    "\"",
    "\\",
    "'",
    "1",
    "é",
    "😀",
    "\u{fe0f}",
    "\u{fffd}",
    "\u{feff}",
    "<think>",
    "</think>",
    "<thinking>",
    "</thinking>",
    "<",
    ">",
    "!",
    "!!!",
    "---\n",
    "name: x\n",
    "{\"name\": \"ls\", \"args\": {}}",
];

/// The texts of all cases, with the scanner each asks for.
pub(crate) fn of_cases() -> Vec<(String, Scanner, String)> {
    let mut texts = Vec::new();
    for file in cases::all() {
        for case in file.cases {
            let name = format!("{}.toml: {}", file.name, case.name);
            texts.push((name, case.scanner(), case.text));
        }
    }
    for syntax in syntax::all() {
        let name = format!("the example of {}", syntax.name());
        texts.push((name, scanner(), syntax.example().to_owned()));
    }
    texts
}

/// A scanner for every syntax.
pub(crate) fn scanner() -> Scanner {
    Scanner::new(syntax::all(), ScanOptions::default())
}

/// Random mixtures of anchors, examples, pieces of examples and what may stand between.
pub(crate) fn mixtures() -> impl Strategy<Value = String> {
    let mut pieces: Vec<String> = BETWEEN.iter().map(|&piece| piece.to_owned()).collect();
    for syntax in syntax::all() {
        let anchors = syntax.anchors();
        pieces.extend(
            anchors
                .iter()
                .map(|anchor| String::from_utf8_lossy(anchor).into_owned()),
        );
        let example = syntax.example();
        pieces.push(example.to_owned());
        pieces.extend(example.split_inclusive(['\n', ']', '>', ':']).map(str::to_owned));
    }
    prop::collection::vec(prop::sample::select(pieces), 0..24).prop_map(|pieces| pieces.concat())
}
