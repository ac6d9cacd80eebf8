//! Parts of a run, made on any machine, merge into what one run would have written.

use std::fs;

use serde_json::{Value, json};

use crate::invariance::{TABLES, bytes, write_logs};
use crate::support::{Folder, Ran};

/// Writes part `i` of `n` into the folder `p/i`.
fn part(folder: &Folder, share: &str, arguments: &[&str]) -> Ran {
    let out = format!("p/{}/", share.split('/').next().unwrap_or_default());
    folder.run(&[&["ingest", "--out", &out, "--shard", share], arguments].concat())
}

fn merge(folder: &Folder, parts: &[&str], arguments: &[&str]) -> Ran {
    folder.run(&[&["merge", "--out", "m/"], arguments, parts].concat())
}

#[test]
fn merged_parts_are_the_one_run_byte_for_byte() {
    for (of, options) in [
        (1, &[][..]),
        (2, &["--threads", "3", "--shard-bytes", "100"]),
        (7, &["--strict", "--expect", "execute_block"]),
        (40, &[]),
    ] {
        let folder = Folder::new();
        write_logs(&folder);
        for number in 0..6 {
            let log = fs::read(folder.path("b.jsonl")).expect("it was written");
            folder.write(&format!("more/{number}.jsonl"), log.repeat(number));
        }
        let inputs = [options, &["a.jsonl", "b.jsonl", "c.jsonl", "more"]].concat();
        let expected = bytes(&folder, &inputs);
        let mut parts: Vec<String> = (1..=of).map(|part| format!("p/{part}/")).collect();
        let mut records = 0;
        for number in 1..=of {
            let share = format!("{number}/{of}");
            let ran = part(&folder, &share, &[&inputs[..], &["--json", "--quiet"]].concat()).expect(0);
            let summary: Value = serde_json::from_str(&ran.stdout).expect("it is JSON");
            assert_eq!(summary["shard"], json!(share));
            records += summary["records"].as_u64().expect("it is a count");
        }
        let whole = folder.run(&[&["ingest", "--out", "t/", "--json", "--quiet"], &inputs[..]].concat());
        let whole: Value = serde_json::from_str(&whole.expect(0).stdout).expect("it is JSON");
        assert_eq!(whole["records"], json!(records));
        parts.reverse();
        let parts: Vec<&str> = parts.iter().map(String::as_str).collect();
        let ran = merge(&folder, &parts, &["--json"]).expect(0);
        let summary: Value = serde_json::from_str(&ran.stdout).expect("it is JSON");
        assert_eq!(summary["parts"], json!(of));
        for (table, expected) in TABLES.iter().zip(&expected) {
            let found = fs::read(folder.path(&format!("m/{table}.parquet"))).expect("it was written");
            assert!(found == *expected, "{table} differs with {of} parts");
        }
    }
}

#[test]
fn tools_are_counted_together() {
    let folder = Folder::new();
    folder.write(
        "tools.json",
        r#"[{"name": "ls", "parameters": {"type": "object", "required": ["path"]}}]"#,
    );
    for (file, call) in [
        ("a", r#"{"name":"ls","args":{}}"#),
        ("b", r#"{"name":"rm","args":{}}"#),
    ] {
        let record = json!({"completion": format!("<execute>[{call}]</execute>")});
        folder.write(&format!("{file}.jsonl"), record.to_string());
    }
    let inputs = ["a.jsonl", "b.jsonl", "--tools", "tools.json"];
    let expected = bytes(&folder, &inputs);
    for share in ["1/2", "2/2"] {
        part(&folder, share, &inputs).expect(0);
    }
    merge(&folder, &["p/1", "p/2"], &["--quiet"]).expect(0);
    let stats = fs::read(folder.path("m/stats.parquet")).expect("it was written");
    assert!(stats == expected[3]);
}

#[test]
fn a_glob_over_the_files_of_all_parts_names_each_once() {
    let folder = Folder::new();
    write_logs(&folder);
    for share in ["1/2", "2/2"] {
        let out = format!("p{}.parquet", &share[..1]);
        folder
            .run(&["ingest", "*.jsonl", "--shard", share, "--out", &out, "--quiet"])
            .expect(0);
    }
    let mut files: Vec<String> = Vec::new();
    for name in ["p1", "p2"] {
        files.push(format!("{name}.parquet"));
        files.extend(TABLES[1..].iter().map(|table| format!("{name}.{table}.parquet")));
    }
    let files: Vec<&str> = files.iter().map(String::as_str).collect();
    let said = merge(&folder, &files, &[]).expect(0).stderr;
    assert!(said.starts_with("2 parts: "), "{said}");
}

#[test]
fn what_does_not_belong_together_is_wrong_usage() {
    let folder = Folder::new();
    write_logs(&folder);
    let logs = ["a.jsonl", "b.jsonl", "c.jsonl"];
    let make = |out: &str, arguments: &[&str]| {
        let ran = folder.run(&[&["ingest", "--quiet", "--out", out], arguments].concat());
        ran.expect(0);
    };
    make("1of2/", &[&logs[..], &["--shard", "1/2"]].concat());
    make("2of2/", &[&logs[..], &["--shard", "2/2"]].concat());
    make(
        "again/",
        &[&logs[..], &["--shard", "2/2", "--threads", "1"]].concat(),
    );
    make("2of3/", &[&logs[..], &["--shard", "2/3"]].concat());
    make("strict/", &[&logs[..], &["--shard", "2/2", "--strict"]].concat());
    make("fewer/", &["a.jsonl", "b.jsonl", "--shard", "2/2"]);
    make("whole/", &logs);
    merge(&folder, &["1of2/calls.parquet", "1of2", "2of2"], &["--quiet"]).expect(0);
    fs::remove_dir_all(folder.path("m")).expect("it was written");
    let cases: &[(&[&str], &str)] = &[
        (
            &["1of2"],
            "of 2 parts these are missing: 2; make them with `toolscan ingest --shard 2/2`",
        ),
        (&["2of3"], "of 3 parts these are missing: 1, 3;"),
        (&["1of2", "2of2", "again"], "both are part 2 of 2"),
        (&["1of2", "2of3"], "one is of 2 parts, the other of 3"),
        (&["1of2", "strict"], "different options: `strict`"),
        (&["1of2", "fewer"], "their inputs differ"),
        (&["whole"], "is no part of a run"),
        (&["1of2", "whole"], "is no part of a run"),
    ];
    for (parts, reason) in cases {
        let said = merge(&folder, parts, &[]).expect(2).stderr;
        assert!(said.contains(reason), "{parts:?}: {said}");
        assert!(!folder.path("m").exists(), "nothing was written");
    }
    let said = merge(&folder, &["nowhere/calls.parquet"], &[]).expect(1).stderr;
    assert!(said.contains("cannot open: nowhere/calls.parquet"), "{said}");
    let over = folder
        .run(&["merge", "1of2", "2of2", "--out", "2of2/"])
        .expect(2)
        .stderr;
    assert!(over.contains("it is one of the parts"), "{over}");
    fs::copy(
        folder.path("again/errors.parquet"),
        folder.path("1of2/errors.parquet"),
    )
    .expect("a copy");
    let mixed = merge(&folder, &["1of2", "2of2"], &[]).expect(1).stderr;
    assert!(
        mixed.contains("it is of another run than 1of2/calls.parquet"),
        "{mixed}"
    );
}

#[test]
fn a_share_that_is_none_is_wrong_usage() {
    let folder = Folder::new();
    write_logs(&folder);
    for (share, reason) in [
        ("0/2", "parts count from 1"),
        ("3/2", "parts count from 1"),
        ("2", "expected i/n"),
    ] {
        let said = part(&folder, share, &["a.jsonl"]).expect(2).stderr;
        assert!(said.contains(reason), "{said}");
    }
    let said = part(&folder, "1/2", &["-"]).expect(2).stderr;
    assert!(said.contains("- has no size to share out by"), "{said}");
}
