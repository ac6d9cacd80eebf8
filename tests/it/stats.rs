//! `toolscan stats`.

use serde_json::{Value, json};

use crate::support::Folder;

/// Tables of two models: one calls `read` twice, once soundly; the other writes nothing but a near miss.
fn folder() -> Folder {
    let folder = Folder::new();
    let sound = r#"<execute>[{"name": "read", "args": {}}]</execute>"#;
    let broken = r#"<execute>[{"name": "read", "args": {}, "colour": 1}, {"name": "read"}]</execute>"#;
    let lines = [
        json!({"model": "a|b", "completion": sound}),
        json!({"model": "a|b", "completion": broken}),
        json!({"model": "a|b", "completion": "nothing"}),
        json!({"model": "c", "completion": "<Execute> it"}),
        json!({"model": "c"}),
    ];
    let lines: Vec<_> = lines.iter().map(Value::to_string).collect();
    folder.write("log.jsonl", lines.join("\n"));
    folder.ingest(&["log.jsonl"]);
    folder
}

fn json(folder: &Folder, by: &str) -> Vec<Value> {
    let ran = folder.run(&["stats", "t/", "--json", "--by", by]).expect(0);
    serde_json::from_str(&ran.stdout).expect("it is an array")
}

#[test]
fn any_columns_group() {
    let folder = folder();
    let counts = |by: &str, names: &[&str]| -> Vec<Value> {
        let rows = json(&folder, by);
        let row = |row: &Value| names.iter().map(|name| row[name].clone()).collect();
        rows.iter().map(row).collect()
    };
    assert_eq!(
        counts(
            "model,syntax",
            &[
                "model",
                "syntax",
                "completions",
                "calls",
                "valid_calls",
                "warnings"
            ]
        ),
        [
            json!(["a|b", null, 1, 0, 0, 0]),
            json!(["a|b", "execute_block", 2, 3, 1, 1]),
            json!(["c", "execute_block", 1, 0, 0, 1]),
        ]
    );
    assert_eq!(
        counts(
            "outcome",
            &["outcome", "completions", "adherent", "adherent_rate"]
        ),
        [
            json!(["adherent", 1, 1, 1.0]),
            json!(["invalid", 1, 0, 0.0]),
            json!(["no_call", 2, 0, null]),
        ]
    );
    // A finding belongs to the tool of the call that it is about; a record without text has no tool to be counted by.
    assert_eq!(
        counts("name", &["name", "completions", "calls", "errors"]),
        [json!([null, 2, 0, 0]), json!(["read", 2, 3, 2])]
    );
    // A record without text is no completion, and its finding has a code and a model all the same.
    assert_eq!(
        counts(
            "model,code",
            &["model", "code", "completions", "errors", "warnings"]
        )[4..],
        [
            json!(["c", "missing_text", 0, 1, 0]),
            json!(["c", "near_miss", 1, 0, 1]),
        ]
    );
}

#[test]
fn two_runs_are_counted_together_and_one_once() {
    let folder = folder();
    let log = std::fs::read(folder.path("log.jsonl")).expect("it is there");
    folder.write("again.jsonl", [&log[..], b"\n", &log].concat());
    folder
        .run(&["ingest", "again.jsonl", "--quiet", "--out", "again.parquet"])
        .expect(0);
    let completions = |tables: &[&str]| {
        let ran = folder.run(&[&["stats", "--json"], tables].concat()).expect(0);
        let rows: Value = serde_json::from_str(&ran.stdout).expect("it is an array");
        rows[0]["completions"].clone()
    };
    assert_eq!(completions(&["t", "t/errors.parquet"]), 4);
    assert_eq!(completions(&["t", "again.parquet"]), 12);
}

#[test]
fn markdown_and_csv_are_well_formed() {
    let folder = folder();
    let md = folder
        .run(&["stats", "t", "--md", "--by", "model"])
        .expect(0)
        .stdout;
    let expected = "\
| model | completions | with calls | adherent % (95 % interval) | calls | valid | commonest codes |
| --- | --: | --: | --: | --: | --: | --- |
| `a\\|b` | 3 | 2 | 50.0 (9.5–90.5) | 3 | 1 | `batch_rejected×1, missing_args×1, unexpected_field×1` |
| `c` | 1 | 0 | - | 0 | 0 | `missing_text×1, near_miss×1` |
";
    assert_eq!(md, expected);
    let csv = folder
        .run(&["stats", "t", "--csv", "--by", "model,code"])
        .expect(0)
        .stdout;
    let lines: Vec<_> = csv.split("\r\n").collect();
    assert!(
        lines[0].starts_with("model,code,completions,with_calls,adherent,"),
        "{csv}"
    );
    assert!(lines[1].starts_with("a|b,,3,2,1,0.5,"), "{csv}");
    assert!(
        lines
            .iter()
            .any(|line| line.ends_with("\"{\"\"near_miss\"\":1}\",,,0,0,0,0,0")),
        "{csv}"
    );
}

#[test]
fn an_unknown_column_is_told_what_is_meant() {
    let folder = folder();
    let ran = folder.run(&["stats", "t", "--by", "model,modell"]).expect(2);
    assert!(
        ran.stderr
            .contains("unknown column `modell`; did you mean `model`?"),
        "{}",
        ran.stderr
    );
    let ran = folder.run(&["stats", "absent.parquet"]).expect(1);
    assert!(
        ran.stderr.contains("cannot open: absent.parquet"),
        "{}",
        ran.stderr
    );
}
