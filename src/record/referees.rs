//! Slow, obvious versions that the fast ones must agree with, and records that nobody thought of.

use std::sync::Arc;

use proptest::prelude::*;
use serde_json::Value;

use super::*;
use crate::{ScanOptions, Scanner, syntax};

/// Pieces of which texts are made: whole and cut markers, and what may stand beside them.
const PIECES: [&str; 38] = [
    "<execute>",
    "</execute>",
    "<execute",
    "< execute >",
    "[{\"name\":\"ls\",\"args\":{}}]",
    "<results>",
    "</results>",
    "🛠️[",
    "🛠[",
    "🛠",
    "🛠️[/end]",
    "x]",
    "🔧[",
    "✂️🐱",
    "✂",
    "🐱",
    "!!!GADGET_START:",
    "!!!GADGET_END",
    "!!!ARG:",
    "!!!",
    "```tool\n",
    "```",
    "`",
    "\n",
    "\t",
    " ",
    "[",
    "{",
    "<think>",
    "</think>",
    "\u{feff}",
    "\u{fe0f}",
    "/",
    "\\",
    "\"",
    "é",
    "âœ‚",
    "ğŸ› ï¸",
];

fn text() -> impl Strategy<Value = String> {
    prop::collection::vec(
        prop_oneof![prop::sample::select(&PIECES[..]), Just("a word "), Just("ż")],
        0..6,
    )
    .prop_map(|pieces| pieces.concat())
}

/// Spells `text` as the inside of a JSON string; `choices` decide how each character is written.
fn spell(text: &str, choices: &[u8]) -> String {
    let mut raw = String::new();
    for (index, character) in text.chars().enumerate() {
        let choice = choices.get(index % choices.len().max(1)).copied().unwrap_or(0);
        match (choice % 4, character) {
            (1, _) => character
                .encode_utf16(&mut [0; 2])
                .iter()
                .for_each(|unit| raw.push_str(&format!("\\u{unit:04x}"))),
            (2, _) => character
                .encode_utf16(&mut [0; 2])
                .iter()
                .for_each(|unit| raw.push_str(&format!("\\u{unit:04X}"))),
            (3, '/') => raw.push_str("\\/"),
            (3, '\n') => raw.push_str("\\n"),
            (3, '\t') => raw.push_str("\\t"),
            (_, '"' | '\\') => raw.extend(['\\', character]),
            _ => raw.push(character),
        }
    }
    raw
}

/// The texts of a record by the rules, on a parsed value.
fn referee(record: &Value) -> Vec<(i32, String)> {
    let numbered = |texts: Vec<Option<String>>| -> Vec<(i32, String)> {
        let numbered = (0..).zip(texts);
        numbered
            .filter_map(|(choice, text)| Some((choice, text?)))
            .collect()
    };
    for key in [
        "completion",
        "response",
        "output",
        "text",
        "generated_text",
        "content",
    ] {
        if let Some(text) = referee_text(&record[key]) {
            return vec![(0, text)];
        }
    }
    let list = |key: &str| record[key].as_array().cloned().unwrap_or_default();
    let choices = list("choices").into_iter();
    let choices = numbered(
        choices
            .map(|choice| {
                referee_text(&choice["message"]["content"]).or_else(|| referee_text(&choice["text"]))
            })
            .collect(),
    );
    if !choices.is_empty() {
        return choices;
    }
    for (key, role, content) in [
        ("messages", "role", "content"),
        ("conversations", "from", "value"),
    ] {
        let turns = list(key).into_iter().filter(|turn| turn[role] == "assistant");
        let turns = numbered(turns.map(|turn| referee_text(&turn[content])).collect());
        if !turns.is_empty() {
            return turns;
        }
    }
    Vec::new()
}

fn referee_text(value: &Value) -> Option<String> {
    if let Some(text) = value.as_str() {
        return Some(text.to_owned());
    }
    let parts = value.as_array()?.iter().filter(|part| part["type"] == "text");
    let parts: Vec<_> = parts.filter_map(|part| part["text"].as_str()).collect();
    (!parts.is_empty()).then(|| parts.concat())
}

/// The source of a value that may or may not be a text.
fn value() -> impl Strategy<Value = String> {
    let string = (text(), prop::collection::vec(any::<u8>(), 1..4)).prop_map(|(text, choices)| {
        let raw = spell(&text, &choices).replace('\n', "\\n").replace('\t', "\\t");
        format!("\"{raw}\"")
    });
    let other = prop::sample::select(vec![
        "null",
        "-12.5e3",
        "[]",
        "{}",
        "[\"a\",[{\"}\":\"]\\\"\"}]]",
        "{\"text\":\"x\"}",
    ]);
    let string = string.boxed();
    let part = (
        prop::sample::select(vec!["text", "text", "image"]),
        string.clone(),
    )
        .prop_map(|(kind, text)| format!("{{\"type\":\"{kind}\",\"text\":{text}}}"));
    let parts = prop::collection::vec(part, 0..3).prop_map(|parts| format!("[{}]", parts.join(",")));
    prop_oneof![string, other.prop_map(str::to_owned), parts]
}

/// The source of an object with some of these keys, perhaps twice, and white space anywhere.
fn object(
    keys: &'static [&'static str],
    value: impl Strategy<Value = String>,
    most: usize,
) -> impl Strategy<Value = String> {
    let space = prop::sample::select(vec!["", "", " ", "\t "]);
    let member = (prop::sample::select(keys), space, value)
        .prop_map(|(key, space, value)| format!("{space}\"{key}\"{space}:{space}{value}{space}"));
    prop::collection::vec(member, 0..most).prop_map(|members| format!("{{{}}}", members.join(",")))
}

fn array(item: impl Strategy<Value = String>) -> impl Strategy<Value = String> {
    prop::collection::vec(item, 0..4).prop_map(|items| format!("[{}]", items.join(", ")))
}

/// The source of a record with something in each of the usual places, or nothing.
fn source() -> impl Strategy<Value = String> {
    let role = || prop::sample::select(vec!["\"assistant\"", "\"user\"", "null"]).prop_map(str::to_owned);
    let message = object(&["content", "other"], value(), 3);
    let choice = prop_oneof![
        object(&["text", "t\\u0065xt", "other"], value(), 3),
        object(&["message", "text"], prop_oneof![message, value()], 3),
    ];
    let turn = |role_key: &'static str, text_key: &'static str| {
        (role(), role(), value(), value(), 0..3).prop_map(move |(a, b, c, d, order)| match order {
            0 => format!("{{\"{role_key}\":{a},\"{text_key}\":{c}}}"),
            1 => format!("{{\"{text_key}\":{c},\"{role_key}\":{a},\"{role_key}\":{b}}}"),
            _ => format!("{{\"{text_key}\":{c},\"{text_key}\":{d},\"{role_key}\":{b}}}"),
        })
    };
    let choices = array(choice).prop_map(|list| format!("\"choices\":{list}"));
    let messages = array(turn("role", "content")).prop_map(|list| format!("\"messages\":{list}"));
    let conversations = array(turn("from", "value")).prop_map(|list| format!("\"conversations\":{list}"));
    let flat = (
        prop::sample::select(vec!["completion", "text", "content", "other"]),
        value(),
    )
        .prop_map(|(key, value)| format!("\"{key}\":{value}"));
    let member = prop_oneof![choices, messages, conversations, flat];
    prop::collection::vec(member, 0..5).prop_map(|members| format!("{{{}}}", members.join(" , ")))
}

fn read(reader: Reader, line: &[u8]) -> Record {
    let mut record = Record::default();
    reader.clone().read(line, &mut record);
    record
}

fn reader() -> Reader {
    Reader::new(Arc::new(Fields::default()))
}

fn scanner() -> Scanner {
    Scanner::new(syntax::all(), ScanOptions::default())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn a_filtered_reader_hides_nothing(text in text(), choices in prop::collection::vec(any::<u8>(), 1..8)) {
        let line = format!(r#"{{"completion":"{}"}}"#, spell(&text, &choices));
        let scanner = scanner();
        let filter = Arc::new(Prefilter::new(scanner.anchors()));
        let plain = read(reader(), line.as_bytes());
        let filtered = read(reader().prefilter(filter), line.as_bytes());
        prop_assert_eq!(plain.completions[0].text.as_ref().map(Text::as_str), Some(text.as_str()));
        let found = filtered.completions[0].text.as_ref().expect("there is a text");
        prop_assert_eq!(found.bytes(), text.len());
        prop_assert_eq!(scanner.scan(found.as_str()), scanner.scan(&text));
        prop_assert_eq!(&filtered.completions[0].problems, &plain.completions[0].problems);
    }

    #[test]
    fn records_hold_what_the_referee_finds(source in source()) {
        let value: Value = serde_json::from_str(&source).expect("the source is JSON");
        let record = read(reader(), source.as_bytes());
        let found: Vec<_> = record
            .completions
            .iter()
            .filter_map(|completion| Some((completion.choice, completion.text.as_ref()?.as_str().to_owned())))
            .collect();
        prop_assert_eq!(found, referee(&value));
        prop_assert!(record.problems.iter().all(|problem| problem.code == Code::MissingText));
    }

    #[test]
    fn any_bytes_are_read_or_have_a_problem(
        start in prop::sample::select(vec!["", "{", "{\"completion\":", "{\"choices\":[", "{\"messages\":[{\"role\":\"assistant\","]),
        bytes in prop::collection::vec(
            prop_oneof![prop::sample::select(br#"{}[]:,"\u0dD8 nt"#.to_vec()), any::<u8>()], 0..40),
    ) {
        let line = [start.as_bytes(), &bytes].concat();
        for reader in [reader(), reader().validates(true), reader().prefilter(Arc::new(Prefilter::new(scanner().anchors())))] {
            let record = read(reader, &line);
            prop_assert_eq!(record.problems.len(), usize::from(record.completions.is_empty()));
            for problem in &record.problems {
                prop_assert!(problem.span.start <= problem.span.end && problem.span.end <= line.len());
                prop_assert!(problem.snippet.len() <= 160);
            }
        }
    }
}

/// Every record of the real logs beside the checkout is read, and the filter hides nothing in them.
#[test]
fn real_logs_are_read() {
    let directory = concat!(env!("CARGO_MANIFEST_DIR"), "/../shared/logs");
    let Ok(files) = std::fs::read_dir(directory) else {
        println!("skipped: no {directory}");
        return;
    };
    let scanner = scanner();
    let mut plain = reader();
    let mut filtered = reader().prefilter(Arc::new(Prefilter::new(scanner.anchors())));
    let (mut record, mut other) = (Record::default(), Record::default());
    for path in files.filter_map(|file| Some(file.ok()?.path())) {
        if path.extension().is_none_or(|extension| extension != "jsonl") {
            continue;
        }
        let bytes = std::fs::read(&path).expect("a log can be read");
        for line in bytes.split(|&byte| byte == b'\n').filter(|line| !line.is_empty()) {
            plain.read(line, &mut record);
            filtered.read(line, &mut other);
            assert_eq!(record.problems, other.problems);
            let missing = record
                .problems
                .iter()
                .all(|problem| problem.code == Code::MissingText);
            assert!(missing, "{}: {:?}", path.display(), record.problems);
            assert_eq!(record.problems.is_empty(), !record.completions.is_empty());
            for (completion, other) in record.completions.iter().zip(&other.completions) {
                let texts = (completion.text.as_ref(), other.text.as_ref());
                if let (Some(text), Some(found @ Text::Plain { bytes })) = texts {
                    assert_eq!(text.bytes(), *bytes);
                    assert_eq!(scanner.scan(found.as_str()), scanner.scan(text.as_str()));
                } else {
                    assert_eq!(completion, other);
                }
            }
        }
    }
}
