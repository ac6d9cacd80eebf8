//! Rows add up: every record is accounted for, every invalid call has its reason.

use std::collections::{HashMap, HashSet};

use serde_json::{Value, json};

use crate::support::{Folder, Row, Tables};

/// Where a row of any table comes from: its completion.
fn completion(row: &Row) -> (String, Value, Value) {
    (
        row["source"].to_string(),
        row["line"].clone(),
        row["choice"].clone(),
    )
}

/// Holds the tables of a run against each other and against what the run said about itself.
pub(crate) fn check(tables: &Tables, report: &Value) {
    let unusable = report["unusable_records"].as_object().expect("it is an object");
    let unusable: u64 = unusable.values().filter_map(Value::as_u64).sum();
    assert_eq!(
        report["records"].as_u64(),
        report["records_with_completions"]
            .as_u64()
            .map(|usable| usable + unusable),
        "records = records with completions + records with an error of their own"
    );
    let records: HashSet<_> = tables
        .completions
        .iter()
        .map(|row| (row["source"].to_string(), row["line"].clone()))
        .collect();
    assert_eq!(report["records_with_completions"], records.len());
    let of_records = tables
        .errors
        .iter()
        .filter(|row| row["choice"].is_null() && row["code"] != "source_truncated");
    assert_eq!(unusable, of_records.count() as u64);

    let calls: HashMap<_, _> = tables
        .calls
        .iter()
        .map(|row| ((completion(row), row["call_index"].clone()), row))
        .collect();
    assert_eq!(calls.len(), tables.calls.len(), "a call has its place for itself");
    for row in tables.errors.iter().filter(|row| !row["call_index"].is_null()) {
        let call = calls.get(&(completion(row), row["call_index"].clone()));
        let call = call.unwrap_or_else(|| panic!("no call for {row:?}"));
        let codes = call["codes"].as_array().expect("codes are a list");
        assert!(codes.contains(&row["code"]), "{row:?} is not in {call:?}");
    }
    let codes: HashSet<_> = tables
        .errors
        .iter()
        .map(|row| (completion(row), &row["code"]))
        .collect();
    for call in &tables.calls {
        for code in call["codes"].as_array().expect("codes are a list") {
            assert!(
                codes.contains(&(completion(call), code)),
                "no error row for {code} of {call:?}"
            );
        }
        let is_clean = call["codes"].as_array().is_some_and(Vec::is_empty);
        assert!(
            call["valid"] == true || !is_clean,
            "invalid without a reason: {call:?}"
        );
    }

    let sum = |column: &str| {
        tables
            .completions
            .iter()
            .filter_map(|row| row[column].as_u64())
            .sum::<u64>()
    };
    assert_eq!(sum("n_calls"), tables.calls.len() as u64);
    let valid = tables.calls.iter().filter(|row| row["valid"] == true).count();
    assert_eq!(sum("n_valid_calls"), valid as u64);
    assert_eq!(report["calls"], tables.calls.len());
    assert_eq!(report["valid_calls"], valid);
    let said = tables.completions.iter().filter(|row| row["channel"] == "text");
    assert_eq!(report["completions"], said.count());
}

#[test]
fn of_a_log_with_everything_wrong() {
    let folder = Folder::new();
    let mut log = Vec::new();
    for record in [
        json!({"completion": "<execute>[{\"name\": 1}, {\"name\": \"a\", \"args\": {}}]</execute> 🛠️[x]"}),
        json!({"completion": "```tool a\n- b\n```\n<execute>nothing"}),
        json!({"completion": null}),
        json!([1, 2]),
        json!({"choices": [{"text": "!!!GADGET_START:a:b:c\n"}, {"text": null}, {"text": "[{\"type\": \"search\", \"operation\": 1}]"}]}),
    ] {
        log.extend_from_slice(record.to_string().as_bytes());
        log.push(b'\n');
    }
    log.extend_from_slice(
        b"\n  \nnot json\n{\"completion\": \"caf\xe9 \\ud83d <execute>[\"}\n{\"completion\": \"",
    );
    log.extend_from_slice("long ".repeat(1000).as_bytes());
    log.extend_from_slice(b"\"}\n{\"completion\": \"cut");
    folder.write("a.jsonl", log);
    let ran = folder
        .run(&[
            "ingest",
            "a.jsonl",
            "--out",
            "t/",
            "--json",
            "--max-record-bytes",
            "1000",
        ])
        .expect(0);
    let report: Value = serde_json::from_str(&ran.stdout).expect("it is JSON");
    assert_eq!(report["records"], 9, "blank lines are no records");
    let unusable = json!({"invalid_record": 2, "missing_text": 2, "record_too_large": 1});
    assert_eq!(report["unusable_records"], unusable);
    check(&folder.tables("t"), &report);
}
