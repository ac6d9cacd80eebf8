//! Generated logs hold what their truth says, no more and no less.

use std::collections::HashMap;

use serde_json::Value;

use crate::support::{Folder, Row, Tables};

fn generated(seed: &str, more: &[&str]) -> (Vec<Value>, Tables) {
    let folder = Folder::new();
    let settings = [
        "generate",
        "--seed",
        seed,
        "--records",
        "1500",
        "--fault-rate",
        "0.6",
        "--out",
        "log.jsonl",
    ];
    folder.run(&[&settings, more].concat()).expect(0);
    let truth =
        std::fs::read_to_string(folder.path("log.truth.jsonl")).expect("the truth stands beside the log");
    let truth = truth
        .lines()
        .map(|line| serde_json::from_str(line).expect("a truth is JSON"))
        .collect();
    (truth, folder.ingest(&["log.jsonl"]))
}

fn by_id(rows: &[Row]) -> HashMap<&str, Vec<&Row>> {
    let mut found: HashMap<&str, Vec<&Row>> = HashMap::new();
    for row in rows {
        found
            .entry(row["completion_id"].as_str().expect("every record has an id"))
            .or_default()
            .push(row);
    }
    found
}

/// JSON text with its numbers as floats, as the formats' own readers have them.
fn loosely(text: &Value) -> Value {
    fn floats(value: &mut Value) {
        match value {
            Value::Number(number) => *value = number.as_f64().into(),
            Value::Array(items) => items.iter_mut().for_each(floats),
            Value::Object(members) => members.values_mut().for_each(floats),
            _ => {}
        }
    }
    let mut value = text.as_str().map_or(Value::Null, |text| {
        serde_json::from_str(text).expect("arguments are JSON")
    });
    floats(&mut value);
    value
}

fn codes(truth: &Value) -> Vec<String> {
    let codes = truth["fault"]["codes"].as_array().cloned().unwrap_or_default();
    let mut codes: Vec<_> = codes
        .iter()
        .map(|code| code.as_str().expect("a code is text").to_owned())
        .collect();
    codes.sort();
    codes
}

fn check(truth: &Value, calls: &[&Row], errors: &[&Row]) {
    let id = &truth["id"];
    let mut found: Vec<_> = errors
        .iter()
        .map(|row| row["code"].as_str().expect("a code is text").to_owned())
        // It comes of the record's `finish_reason`, which is no fault of the text.
        .filter(|code| code != "truncated_call")
        .collect();
    found.sort();
    assert_eq!(found, codes(truth), "{id}: {truth} {errors:?}");
    if let Some(detail) = truth["fault"]["detail"].as_str() {
        assert_eq!(errors[0]["detail"], detail, "{id}");
    }
    let written = truth["calls"].as_array().expect("calls are a list");
    if let Some(rows) = truth["fault"]["rows"].as_u64() {
        assert_eq!(
            calls.len(),
            written.len() + rows as usize,
            "{id}: {truth} {calls:?}"
        );
    }
    // The calls of a fault stand somewhere between the sound ones, which keep their order.
    let mut rest = calls.iter();
    for call in written {
        let is_it = |row: &&&Row| {
            row["valid"] == true
                && row["codes"].as_array().is_some_and(Vec::is_empty)
                && row["syntax"] == truth["syntax"]
                && row["name"] == call["name"]
                && row["body"] == call["body"]
                && loosely(&row["arguments"]) == loosely(&call["arguments"])
        };
        assert!(rest.any(|row| is_it(&row)), "{id}: {call} is not among {calls:?}");
    }
}

#[test]
fn every_call_and_every_fault_is_found_and_nothing_else() {
    let mut faults = HashMap::new();
    for (seed, more) in [
        ("1", &[][..]),
        ("2", &["--ascii"]),
        ("3", &["--no-call-rate", "0", "--paragraphs", "1"]),
    ] {
        let (truth, tables) = generated(seed, more);
        let (calls, errors) = (by_id(&tables.calls), by_id(&tables.errors));
        for truth in &truth {
            let id = truth["id"].as_str().expect("an id is text");
            let rows = |found: &HashMap<&str, Vec<_>>| found.get(id).cloned().unwrap_or_default();
            check(truth, &rows(&calls), &rows(&errors));
            for code in codes(truth) {
                *faults.entry(code).or_insert(0) += 1;
            }
        }
    }
    let missing: Vec<_> = toolscan::generate::codes()
        .into_iter()
        .filter(|code| !faults.contains_key(code.name()))
        .collect();
    assert!(
        missing.is_empty(),
        "no log of this test holds a fault of {missing:?}"
    );
}

#[test]
fn faults_cover_every_finding_that_a_text_can_earn() {
    let covered = toolscan::generate::codes();
    let of_records = [
        "invalid_record",
        "invalid_utf8",
        "missing_text",
        "record_too_large",
        "source_truncated",
        "lossy_text",
        "repeated_record",
        "truncated_call",
        "leaked_call",
    ];
    let missing: Vec<_> = toolscan::CODES
        .iter()
        .filter(|info| !matches!(info.example, toolscan::Example::Judged(_)))
        .filter(|info| !covered.contains(&info.code) && !of_records.contains(&info.name))
        .map(|info| info.name)
        .collect();
    assert!(missing.is_empty(), "no fault earns {missing:?}");
}

#[test]
fn the_same_seed_gives_the_same_log() {
    let folder = Folder::new();
    let log = |arguments: &[&str]| {
        folder
            .run(&[&["generate", "--records", "50"], arguments].concat())
            .expect(0)
            .stdout
    };
    assert_eq!(log(&["--seed", "5"]), log(&["--seed", "5"]));
    assert_ne!(log(&["--seed", "5"]), log(&["--seed", "6"]));
    let parse = |text: &str| {
        text.lines()
            .map(serde_json::from_str)
            .collect::<Result<Vec<Value>, _>>()
            .expect("JSONL")
    };
    let escaped = log(&["--seed", "5", "--ascii"]);
    assert!(escaped.is_ascii());
    assert_eq!(parse(&escaped), parse(&log(&["--seed", "5"])));
}
