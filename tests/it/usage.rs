//! Help, wrong usage and exit codes.

use std::process::Stdio;

use crate::support::Folder;

#[test]
fn help_is_as_it_was_read() {
    let folder = Folder::new();
    for command in [
        "",
        "ingest",
        "merge",
        "sniff",
        "explain",
        "syntaxes",
        "codes",
        "completions",
        "generate",
        "stats",
    ] {
        let arguments: Vec<_> = command.split_whitespace().chain(["--help"]).collect();
        let name = format!("help_{}", if command.is_empty() { "toolscan" } else { command });
        insta::assert_snapshot!(name, folder.run(&arguments).expect(0).stdout);
    }
}

#[test]
fn wrong_usage_is_exit_code_2() {
    let folder = Folder::new();
    folder.write("a.jsonl", "{}\n");
    let cases: &[(&[&str], &str)] = &[
        (&[], "Usage: toolscan"),
        (&["ingst"], "'ingest'"),
        (&["ingest", "a.jsonl"], "--out"),
        (&["ingest", "--out", "t/"], "<INPUT>"),
        (
            &["ingest", "a.jsonl", "--out", "t/", "--sintax", "execute_block"],
            "'--syntax'",
        ),
        (
            &["ingest", "a.jsonl", "--out", "t/", "--syntax", "execute_blok"],
            "'execute_block'",
        ),
        (
            &["ingest", "a.jsonl", "--out", "t/", "--expect", "xml"],
            "execute_block",
        ),
        (
            &["ingest", "a.jsonl", "--out", "t/", "--threads", "0"],
            "--threads",
        ),
        (
            &["ingest", "a.jsonl", "--out", "t/", "--max-record-bytes", "0"],
            "at least 1",
        ),
        (
            &["ingest", "a.jsonl", "--out", "t/", "--think", "maybe"],
            "hide, scan",
        ),
        (
            &["ingest", "a.jsonl", "--out", "t/", "--text-field", "a..b"],
            "a..b",
        ),
        (&["ingest", "a.jsonl", "--out", "a.jsonl"], "one of the inputs"),
        (&["codes", "invalid_jso"], "did you mean `invalid_json`?"),
        (&["completions", "tcsh"], "bash"),
    ];
    for (arguments, message) in cases {
        let ran = folder.run(arguments).expect(2);
        assert!(ran.stderr.contains(message), "{arguments:?}: {}", ran.stderr);
        assert_eq!(ran.stdout, "", "{arguments:?}");
        assert!(!folder.path("t").exists(), "{arguments:?} wrote something");
    }
}

#[test]
fn a_source_that_cannot_be_opened_stops_the_run_before_anything_is_written() {
    let folder = Folder::new();
    folder.write("a.jsonl", "{\"completion\": \"hello\"}\n");
    let ran = folder
        .run(&["ingest", "a.jsonl", "gone.jsonl", "--out", "t/"])
        .expect(1);
    assert!(
        ran.stderr
            .starts_with("toolscan: cannot open: gone.jsonl: No such file"),
        "{}",
        ran.stderr
    );
    assert_eq!(ran.stderr.lines().count(), 1, "no backtrace: {}", ran.stderr);
    assert!(!folder.path("t").exists());
}

#[test]
fn an_output_that_cannot_be_written_is_a_failure_with_its_name() {
    let folder = Folder::new();
    folder.write("a.jsonl", "{\"completion\": \"hello\"}\n");
    folder.write("file", "");
    let ran = folder
        .run(&["ingest", "a.jsonl", "--out", "file/calls.parquet"])
        .expect(1);
    assert!(
        ran.stderr.starts_with("toolscan: cannot ") && ran.stderr.contains("file"),
        "{}",
        ran.stderr
    );
}

#[test]
fn a_reader_that_leaves_early_is_no_error() {
    let folder = Folder::new();
    let mut command = folder.command(&["codes", "--json"]);
    let mut child = command
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it runs");
    drop(child.stdout.take());
    let ended = child.wait_with_output().expect("it ends");
    assert_eq!(ended.status.code(), Some(0));
    assert_eq!(String::from_utf8_lossy(&ended.stderr), "");
}

#[test]
fn a_summary_that_nobody_reads_is_no_error() {
    let folder = Folder::new();
    folder.write("a.jsonl", "{\"completion\": \"hello\"}\n");
    let mut command = folder.command(&["ingest", "a.jsonl", "--out", "t/"]);
    let mut child = command.stderr(Stdio::piped()).spawn().expect("it runs");
    drop(child.stderr.take());
    assert_eq!(child.wait().expect("it ends").code(), Some(0));
}

#[test]
fn says_its_version() {
    let version = concat!("toolscan ", env!("CARGO_PKG_VERSION"), "\n");
    assert_eq!(Folder::new().run(&["--version"]).expect(0).stdout, version);
}

#[test]
fn completions_know_the_syntaxes() {
    for shell in ["bash", "zsh", "fish"] {
        let script = Folder::new().run(&["completions", shell]).expect(0).stdout;
        assert!(script.contains("execute_block"), "{shell}");
    }
}
