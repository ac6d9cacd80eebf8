//! Tables as logs: the rows of Parquet and Arrow give what the same records give as lines.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::accounting::check;
use crate::support::{Folder, Tables, column};

fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/containers")
}

fn fixture(name: &str) -> Vec<u8> {
    fs::read(fixtures().join(name)).expect("the fixture is there")
}

/// Reads `log` into `t/`: what there is but for where and how the records stand.
fn ingest(folder: &Folder, log: &[u8]) -> Tables {
    folder.write("log", log);
    let ran = folder
        .run(&["ingest", "log", "--out", "t/", "--json", "--quiet"])
        .expect(0);
    let report: Value = serde_json::from_str(&ran.stdout).expect("the report is JSON");
    let mut tables = folder.tables("t");
    check(&tables, &report);
    assert_eq!(report["bytes"], log.len());
    for (place, row) in tables.completions.iter_mut().enumerate() {
        let offset = row.remove("record_offset");
        assert!(offset.is_some(), "row {place} has an offset");
    }
    for row in tables.errors.iter_mut().filter(|row| row["choice"].is_null()) {
        for column in ["span_start", "span_end", "snippet"] {
            row.remove(column);
        }
    }
    tables
}

#[test]
fn rows_are_read_as_lines_are() {
    let text = String::from_utf8(fixture("log.jsonl")).expect("it is UTF-8");
    let lines = text
        .lines()
        .filter(|line| serde_json::from_str::<Value>(line).is_ok());
    let lines: String = lines.map(|line| format!("{line}\n")).collect();
    let folder = Folder::new();
    let expected = ingest(&folder, lines.as_bytes());
    let mut count = 0;
    for entry in fs::read_dir(fixtures().join("rows")).expect("the folder is there") {
        let path = entry.expect("it can be read").path();
        if path.extension().is_none() {
            let found = ingest(&folder, &fs::read(&path).expect("it can be read"));
            assert_eq!(found, expected, "{}", path.display());
            count += 1;
        }
    }
    assert!(count >= 9, "there are tables");
}

/// The arguments are those that the model wrote, not those of all calls of the column.
#[test]
fn members_that_only_the_column_has_are_left_out() {
    let folder = Folder::new();
    let expected = ingest(&folder, &fixture("rows/messages.jsonl"));
    let found = ingest(&folder, &fixture("rows/messages.parquet"));
    assert_eq!(found, expected);
    assert_eq!(
        column(&found.calls, "arguments")[0],
        r#"{"file":"a.txt","lines":[1,2]}"#
    );
}

#[test]
fn columns_of_every_type_pass() {
    let folder = Folder::new();
    let found = ingest(&folder, &fixture("rows/types.parquet"));
    assert_eq!(found.completions.len(), 2);
    assert!(found.errors.is_empty());
}

/// Wherever a table is cut or damaged, the run ends with words.
#[test]
fn cut_and_damaged_tables_end() {
    let folder = Folder::new();
    for name in ["parquet", "arrow-file", "arrow-stream", "arrow-stream-zstd"] {
        let whole = fixture(&format!("rows/{name}"));
        for length in (20..whole.len() - 10).step_by(whole.len() / 9) {
            folder.write("log", &whole[..length]);
            let ran = folder.run(&["ingest", "log", "--out", "t/", "--quiet"]);
            assert!(
                !ran.stderr.contains("panicked"),
                "{name} cut at {length}: {}",
                ran.stderr
            );
            // What is cut off a file's end may be its table of contents alone.
            assert!(
                ran.code == 1 || name == "arrow-file",
                "{name} cut at {length}: {}",
                ran.stderr
            );
        }
    }
}

#[test]
fn tables_about_logs_are_no_logs() {
    let folder = Folder::new();
    folder.write("logs/a.jsonl", fixture("log.jsonl"));
    folder.write("logs/b.parquet", fixture("rows/parquet"));
    let read = || {
        folder
            .run(&["ingest", "logs", "--out", "logs/", "--quiet"])
            .expect(0)
    };
    read();
    let first = folder.tables("logs");
    read();
    assert_eq!(
        folder.tables("logs"),
        first,
        "the tables of the first run are passed over"
    );
    let ran = folder
        .run(&["ingest", "logs/calls.parquet", "--out", "t/"])
        .expect(1);
    assert!(
        ran.stderr.contains("it is a table that toolscan wrote"),
        "{}",
        ran.stderr
    );
    let ran = folder
        .run_on(&fixture("rows/parquet"), &["ingest", "-", "--out", "t/"])
        .expect(1);
    assert!(
        ran.stderr.contains("Parquet is read from a file of its own"),
        "{}",
        ran.stderr
    );
}
