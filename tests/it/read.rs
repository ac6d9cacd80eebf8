//! Tables read back tell what the run told.

use serde_json::{Value, json};
use toolscan::read::{Entry, Run};

use crate::support::{Folder, Row};

/// The rows of the stats table, counted again by `stats` from the other tables.
fn counted(folder: &Folder) -> Vec<Row> {
    let counted = folder.run(&["stats", "t", "--json"]).expect(0).stdout;
    let mut rows: Vec<Row> = serde_json::from_str(&counted).expect("it is an array of objects");
    for row in &mut rows {
        let codes = row["code_counts"].as_object().expect("codes have counts").clone();
        let codes = codes
            .into_iter()
            .map(|(code, count)| json!({"code": code, "count": count}));
        row["code_counts"] = codes.collect();
    }
    rows
}

fn check(folder: &Folder, arguments: &[&str]) {
    let tables = folder.ingest(arguments);
    assert_eq!(counted(folder), tables.stats);
}

#[test]
fn counts_are_those_of_the_stats_table() {
    let folder = Folder::new();
    for (seed, fault_rate) in [("1", "0.1"), ("2", "0.9")] {
        let arguments = ["--seed", seed, "--fault-rate", fault_rate, "--records", "800"];
        let generated = [&["generate", "--out", "log.jsonl"][..], &arguments].concat();
        folder.run(&generated).expect(0);
        check(&folder, &["log.jsonl"]);
        check(
            &folder,
            &[
                "log.jsonl",
                "--strict",
                "--expect",
                "execute_block",
                "--model",
                "m",
            ],
        );
    }
}

/// Lines in which counting is hard: reasoning with a call of its own, more findings of a code than are listed (of
/// two codes, and of one whose message is that of findings left out), native calls, what is no record, and nothing.
fn hard_lines() -> String {
    let call = r#"<execute>[{"name": "read", "args": {"file": "a"}}]</execute>"#;
    let left_out = "5 more of `near_miss` in this completion are counted, not listed";
    let lines = [
        json!({"id": 1, "model": "thinks", "completion": call, "reasoning": format!("maybe {call}")}),
        json!({"id": 2, "model": "thinks", "choices": [
            {"message": {"content": "no call here", "reasoning_content": call}},
            {"message": {"content": call, "reasoning_content": "nothing"}},
        ]}),
        json!({"id": 3, "model": "repeats", "completion": "a </execute>\n🛠️ [ ".repeat(1700)}),
        json!({"id": 4, "model": "repeats", "completion": format!("{left_out} <Execute>")}),
        json!({"id": 5, "model": "native", "choices": [{"message": {"content": call, "tool_calls": [
            {"id": "a", "function": {"name": "read", "arguments": "{\"file\": \"b\"}"}},
            {"id": "b", "function": {"name": "raed", "arguments": "{\"file\": "}},
        ]}}]}),
        json!({"id": 6, "model": "silent", "completion": null}),
        json!({"id": 7, "completion": "nothing"}),
        json!({"id": 8, "completion": call, "expected_syntax": "gadget_block"}),
    ];
    let lines: Vec<_> = lines.iter().map(Value::to_string).collect();
    lines.join("\n") + "\nno record\n"
}

#[test]
fn hard_cases_are_counted_as_in_the_stats_table() {
    let folder = Folder::new();
    folder.write("log.jsonl", hard_lines());
    folder.write(
        "tools.json",
        r#"{"read": {"type": "object", "properties": {"file": {"enum": ["a"]}}}}"#,
    );
    folder.write("empty.jsonl", "");
    check(&folder, &["log.jsonl"]);
    check(&folder, &["log.jsonl", "--tools", "tools.json"]);
    check(&folder, &["log.jsonl", "--tools", "tools.json", "--strict"]);
    check(&folder, &["empty.jsonl"]);
}

#[test]
fn entries_are_the_rows_of_the_tables() {
    let folder = Folder::new();
    folder.write("log.jsonl", hard_lines());
    let tables = folder.ingest(&["log.jsonl"]);
    let run = Run::open(&folder.path("t")).expect("the tables are there");
    let (mut completions, mut calls, mut findings, mut times) = (0, 0, 0, 0);
    for entry in run.entries(&toolscan::read::Columns::all()).expect("they open") {
        match entry.expect("they can be read") {
            Entry::Problem(_) => findings += 1,
            Entry::Completion(completion) => {
                completions += 1;
                calls += completion.calls.len();
                findings += completion.findings.len();
                times += completion
                    .findings
                    .iter()
                    .map(|finding| finding.times)
                    .sum::<usize>();
            }
        }
    }
    let expected = [&tables.completions, &tables.calls, &tables.errors].map(Vec::len);
    assert_eq!([completions, calls, findings], expected);
    assert!(
        times > findings + 1300,
        "findings that are not listed are counted"
    );
}

#[test]
fn a_run_is_opened_by_any_of_its_names() {
    let folder = Folder::new();
    folder
        .run(&["generate", "--records", "20", "--out", "log.jsonl"])
        .expect(0);
    let ingest = |out: &str| {
        folder
            .run(&["ingest", "log.jsonl", "--quiet", "--out", out])
            .expect(0)
    };
    ingest("x.parquet");
    ingest("named");
    let names = [
        "x.parquet",
        "x.errors.parquet",
        "x.completions.parquet",
        "x.stats.parquet",
    ];
    let in_folder = ["named", "named/", "named/calls.parquet", "named/stats.parquet"];
    let paths = |names: &[&str]| names.iter().map(|name| folder.path(name)).collect::<Vec<_>>();
    let opened = |names: &[&str]| {
        let runs = Run::open_all(&paths(names)).expect("they open");
        runs.iter().map(Run::name).collect::<Vec<_>>()
    };
    assert_eq!(opened(&names), [folder.path("x.parquet").display().to_string()]);
    assert_eq!(
        opened(&in_folder),
        [folder.path("named/calls.parquet").display().to_string()]
    );
    assert_eq!(opened(&[&names[..], &in_folder].concat()).len(), 2);
}

#[test]
fn what_is_no_run_is_refused_with_a_reason() {
    let folder = Folder::new();
    folder
        .run(&["generate", "--records", "20", "--out", "log.jsonl"])
        .expect(0);
    folder
        .run(&[
            "generate",
            "--records",
            "20",
            "--seed",
            "2",
            "--out",
            "other.jsonl",
        ])
        .expect(0);
    for out in ["lost.parquet", "mixed.parquet", "strict.parquet"] {
        let strict: &[&str] = if out == "strict.parquet" {
            &["--strict"]
        } else {
            &[]
        };
        folder
            .run(&[&["ingest", "log.jsonl", "--quiet", "--out", out], strict].concat())
            .expect(0);
    }
    folder
        .run(&["ingest", "other.jsonl", "--quiet", "--out", "other.parquet"])
        .expect(0);
    std::fs::remove_file(folder.path("lost.errors.parquet")).expect("it is there");
    std::fs::copy(
        folder.path("other.errors.parquet"),
        folder.path("mixed.errors.parquet"),
    )
    .expect("it is there");
    std::fs::copy(
        folder.path("other.errors.parquet"),
        folder.path("strict.errors.parquet"),
    )
    .expect("it is there");
    std::fs::create_dir(folder.path("none")).expect("a folder can be made");
    let counted = |name: &str| -> String {
        let outcome = Run::open(&folder.path(name)).and_then(|run| {
            run.entries(&toolscan::read::Columns::default())?
                .try_for_each(|entry| entry.map(drop))
        });
        outcome.expect_err(name).to_string()
    };
    for (name, reason) in [
        ("absent.parquet", "cannot open"),
        ("none", "no calls.parquet in this folder"),
        ("log.jsonl", "is it whole, and a Parquet file?"),
        ("lost.parquet", "lost.errors.parquet"),
        ("strict.parquet", "of another run"),
        ("mixed.parquet", "do not fit those of `completions`"),
    ] {
        assert!(counted(name).contains(reason), "{name}: {}", counted(name));
    }
}
