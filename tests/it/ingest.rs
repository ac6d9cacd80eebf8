//! `toolscan ingest` on small logs.

use std::process::Stdio;

use serde_json::{Value, json};

use crate::support::{Folder, column};

/// A line of a log with this completion and other fields.
pub(crate) fn line(completion: &str, others: &Value) -> String {
    let mut record = json!({ "completion": completion });
    let fields = others
        .as_object()
        .expect("the other fields are an object")
        .clone();
    record.as_object_mut().expect("it is an object").extend(fields);
    format!("{record}\n")
}

const LS: &str = "Look:\n<execute>[{\"name\": \"ls\", \"args\": {\"path\": \".\"}}]</execute>";
const GADGET: &str = "!!!GADGET_START:read:r1\n!!!ARG:path\na.txt\n!!!GADGET_END";

#[test]
fn one_call_fills_four_tables() {
    let folder = Folder::new();
    folder.write(
        "a.jsonl",
        line(
            LS,
            &json!({"id": "x1", "model": "m", "expected_syntax": "execute_block"}),
        ),
    );
    let tables = folder.ingest(&["a.jsonl"]);

    let call = &tables.calls[0];
    assert_eq!(tables.calls.len(), 1);
    let expected = json!({
        "source": "a.jsonl", "line": 1, "completion_id": "x1", "choice": 0, "model": "m",
        "expected_syntax": "execute_block", "syntax": "execute_block", "block_index": 0, "call_index": 0,
        "name": "ls", "call_id": null, "call_id_generated": false, "arguments": "{\"path\":\".\"}", "raw_args": null,
        "body": null, "dependencies": null, "state": null, "operation": null, "priority": null, "events": null,
        "result_status": null, "output": null, "error_text": null, "extra": null, "termination": "explicit",
        "span_start": 16, "span_end": 53, "valid": true, "codes": [],
        "arguments_object": null, "tool_known": null, "schema_valid": null, "parses": true,
    });
    assert_eq!(&Value::Object(call.clone()), &expected);

    assert_eq!(tables.errors, []);
    let completion = &tables.completions[0];
    assert_eq!(completion["outcome"], "adherent");
    assert_eq!(completion["syntaxes"], json!(["execute_block"]));
    assert_eq!(completion["n_calls"], 1);
    assert_eq!(completion["text_bytes"], LS.len());
    assert_eq!(completion["call_bytes"], LS.len() - "Look:\n".len());
    assert_eq!(completion["truncated"], false);
    let all = &tables.stats[0];
    assert_eq!(
        (&all["level"], &all["adherent_rate"]),
        (&json!("all"), &json!(1.0))
    );
}

#[test]
fn a_file_out_has_the_others_beside_it() {
    let folder = Folder::new();
    folder.write("a.jsonl", line(LS, &json!({})));
    folder
        .run(&["ingest", "a.jsonl", "--out", "run/calls.parquet", "--quiet"])
        .expect(0);
    let mut names: Vec<_> = std::fs::read_dir(folder.path("run"))
        .expect("it was made")
        .map(|entry| {
            entry
                .expect("it can be listed")
                .file_name()
                .into_string()
                .expect("names are ASCII")
        })
        .collect();
    names.sort();
    let expected = [
        "calls.completions.parquet",
        "calls.errors.parquet",
        "calls.manifest.json",
        "calls.parquet",
        "calls.stats.parquet",
    ];
    assert_eq!(names, expected, "and nothing is left over");
}

#[test]
fn inputs_are_files_folders_globs_and_stdin() {
    let folder = Folder::new();
    folder.write("logs/a.jsonl", line(LS, &json!({"id": "a"})));
    folder.write("logs/deep/b.jsonl", line(LS, &json!({"id": "b"})));
    for inputs in [
        &["logs"][..],
        &["logs/a.jsonl", "logs/deep/*.jsonl"],
        &["logs/**/*.jsonl"],
    ] {
        let tables = folder.ingest(inputs);
        assert_eq!(column(&tables.calls, "completion_id"), ["a", "b"], "{inputs:?}");
    }
    let stdin = line(LS, &json!({"id": "c"}));
    folder
        .run_on(stdin.as_bytes(), &["ingest", "-", "--out", "t/"])
        .expect(0);
    let tables = folder.tables("t");
    assert_eq!(tables.calls[0]["source"], "-");
}

#[test]
fn summary_is_on_stderr_and_json_on_stdout() {
    let folder = Folder::new();
    let lines = [
        line(LS, &json!({"model": "qwen-2"})),
        line(
            "<execute>[{\"name\": \"ls\"}]</execute>",
            &json!({"model": "qwen-2"}),
        ),
        line("no call", &json!({"model": "llama"})),
        line(GADGET, &json!({"model": "llama"})),
        "{\"id\": 1}\n".to_owned(),
        "nonsense\n".to_owned(),
    ];
    folder.write("a.jsonl", lines.concat());
    let ran = folder
        .run(&["ingest", "a.jsonl", "--out", "t/", "--json"])
        .expect(0);
    insta::assert_snapshot!("summary", ran.stderr);
    let report: Value = serde_json::from_str(&ran.stdout).expect("stdout is one JSON value");
    assert_eq!(report["records"], 6);
    assert_eq!(report["records_with_completions"], 4);
    assert_eq!(
        report["unusable_records"],
        json!({"invalid_record": 1, "missing_text": 1})
    );
    assert_eq!(report["completions"], 4);
    assert_eq!(report["adherent"], 2);
    assert_eq!(report["tables"]["calls"], "t/calls.parquet");
    let quiet = folder
        .run(&["ingest", "a.jsonl", "--out", "t/", "--quiet"])
        .expect(0);
    assert_eq!((quiet.stdout.as_str(), quiet.stderr.as_str()), ("", ""));
}

#[test]
fn many_models_fit_on_a_screen() {
    let folder = Folder::new();
    let lines = (0..200).map(|model| {
        line(
            LS,
            &json!({"model": format!("some-lab/some-long-model-name-{model}")}),
        )
    });
    folder.write("a.jsonl", lines.collect::<String>());
    let ran = folder.run(&["ingest", "a.jsonl", "--out", "t/"]).expect(0);
    assert!(ran.stderr.lines().count() < 60, "{}", ran.stderr);
    assert!(
        ran.stderr.contains("more models: see the stats table"),
        "{}",
        ran.stderr
    );
    assert!(
        ran.stderr.lines().all(|line| line.chars().count() <= 130),
        "{}",
        ran.stderr
    );
}

#[test]
fn model_fills_in_and_expectations_come_in_order() {
    let folder = Folder::new();
    let lines = [
        line(LS, &json!({})),
        line(LS, &json!({"model": "own", "expected_syntax": "gadget_block"})),
        line(LS, &json!({"meta": {"want": "execute_block"}})),
    ];
    folder.write("a.jsonl", lines.concat());
    let tables = folder.ingest(&["a.jsonl", "--model", "given", "--expect", "execute_block"]);
    assert_eq!(column(&tables.completions, "model"), ["given", "own", "given"]);
    assert_eq!(
        column(&tables.completions, "outcome"),
        ["adherent", "wrong_syntax", "adherent"]
    );
    let tables = folder.ingest(&[
        "a.jsonl",
        "--expect-field",
        "meta.want",
        "--expect",
        "gadget_block",
    ]);
    let expected = ["gadget_block", "gadget_block", "execute_block"];
    assert_eq!(column(&tables.completions, "expected_syntax"), expected);
}

#[test]
fn dependencies_look_at_the_turns_before() {
    let folder = Folder::new();
    let second = "!!!GADGET_START:edit:e1:r1\n!!!ARG:path\na.txt\n!!!GADGET_END";
    let turns = json!({"messages": [
        {"role": "user", "content": "go"},
        {"role": "assistant", "content": GADGET},
        {"role": "user", "content": "on"},
        {"role": "assistant", "content": second},
    ]});
    let choices = json!({"choices": [{"text": GADGET}, {"text": second}]});
    let shown_before =
        |role: &str| json!({"completion": second, "messages": [{"role": role, "content": GADGET}]});
    let (by_model, by_user) = (shown_before("assistant"), shown_before("user"));
    folder.write("a.jsonl", format!("{turns}\n{choices}\n{by_model}\n{by_user}\n"));
    let tables = folder.ingest(&["a.jsonl"]);
    assert_eq!(
        column(&tables.errors, "code"),
        ["unknown_dependency"; 2],
        "choices are not turns of each other, and users do not call"
    );
    assert_eq!(column(&tables.errors, "line"), [2, 4]);
    assert_eq!(tables.errors[0]["choice"], 1);
}

#[test]
fn strict_and_think() {
    let folder = Folder::new();
    folder.write(
        "a.jsonl",
        line(&format!("<think>{LS}</think><execute>[]</execute>"), &json!({})),
    );
    let tables = folder.ingest(&["a.jsonl"]);
    assert_eq!(column(&tables.errors, "code"), ["call_in_think", "empty_batch"]);
    assert_eq!(tables.completions[0]["outcome"], "no_call");
    assert_eq!(tables.completions[0]["think_bytes"], LS.len());
    let strict = folder.ingest(&["a.jsonl", "--strict"]);
    assert_eq!(column(&strict.errors, "severity"), ["error", "error"]);
    let scanned = folder.ingest(&["a.jsonl", "--think", "scan"]);
    assert_eq!(column(&scanned.calls, "name"), ["ls"]);
}

#[test]
fn a_text_cut_by_the_limit_is_truncated() {
    let folder = Folder::new();
    let cut = "<execute>[{\"name\": \"ls\"";
    let lines = [
        line("so", &json!({"finish_reason": "stop"})),
        line("so", &json!({"finish_reason": "length"})),
        line(cut, &json!({})),
    ];
    folder.write("a.jsonl", lines.concat());
    let tables = folder.ingest(&["a.jsonl"]);
    assert_eq!(column(&tables.completions, "truncated"), [false, true, true]);
    assert_eq!(
        column(&tables.completions, "finish_reason"),
        [&json!("stop"), &json!("length"), &json!(null)]
    );
}

#[test]
fn a_run_that_is_refused_leaves_the_old_output() {
    let folder = Folder::new();
    folder.write("a.jsonl", line(LS, &json!({})));
    folder.ingest(&["a.jsonl"]);
    let before = std::fs::read(folder.path("t/calls.parquet")).expect("it was written");
    folder
        .run(&["ingest", "a.jsonl", "gone.jsonl", "--out", "t/"])
        .expect(1);
    assert_eq!(
        std::fs::read(folder.path("t/calls.parquet")).expect("it is still there"),
        before
    );
}

#[test]
fn a_source_that_breaks_off_ends_with_1_and_keeps_what_was_read() {
    let folder = Folder::new();
    folder.write("a.jsonl", line(LS, &json!({})));
    std::fs::create_dir(folder.path("t")).expect("folders can be made");
    // A directory opens like a file on Unix and fails when it is read, if it is named so that it is taken for one;
    // stdin from a directory does just that.
    let directory = std::fs::File::open(folder.path("t")).expect("directories open");
    let mut command = folder.command(&["ingest", "a.jsonl", "-", "--out", "t/"]);
    let ended = command.stdin(Stdio::from(directory)).output().expect("it runs");
    assert_eq!(ended.status.code(), Some(1), "{ended:?}");
    let tables = folder.tables("t");
    assert_eq!(tables.calls.len(), 1);
    assert_eq!(column(&tables.errors, "code"), ["source_truncated"]);
    assert_eq!(tables.errors[0]["source"], "-");
}
