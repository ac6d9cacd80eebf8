//! ZIP archives: members are sources, and archives that lie are told.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::accounting::check;
use crate::support::{Folder, Row, Tables, column};

fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/containers")
}

fn fixture(name: &str) -> Vec<u8> {
    fs::read(fixtures().join(name)).expect("the fixture is there")
}

/// Reads a file into `t/`: the report and the tables.
fn ingest(folder: &Folder, name: &str, code: i32) -> (Value, Tables) {
    let ran = folder.run(&["ingest", name, "--out", "t/", "--json", "--quiet"]);
    let report = serde_json::from_str(&ran.expect(code).stdout).expect("the report is JSON");
    let tables = folder.tables("t");
    check(&tables, &report);
    (report, tables)
}

fn without(columns: &[&str], rows: &[Row]) -> Vec<Row> {
    let mut rows = rows.to_vec();
    for row in &mut rows {
        for column in columns {
            row.remove(*column);
        }
    }
    rows
}

/// The tables of a log, but for the name of the source.
fn anonymous(tables: &Tables) -> [Vec<Row>; 4] {
    let Tables {
        calls,
        errors,
        completions,
        stats,
    } = tables;
    [calls, errors, completions, stats].map(|rows| without(&["source"], rows))
}

#[test]
fn a_member_is_a_source() {
    let folder = Folder::new();
    folder.write("plain", fixture("log.jsonl"));
    let expected = anonymous(&ingest(&folder, "plain", 0).1);
    for name in ["deflated", "stored", "bzip2", "unnamed", "commented"] {
        folder.write("log", fixture(&format!("zip/{name}")));
        let (report, tables) = ingest(&folder, "log", 0);
        assert_eq!(anonymous(&tables), expected, "{name}");
        assert_eq!(report["sources"], 1);
        let member = if name == "unnamed" {
            "part-00000"
        } else {
            "log.jsonl"
        };
        assert_eq!(tables.calls[0]["source"], format!("log!{member}"));
    }
}

#[test]
fn members_are_read_as_the_files_of_a_folder_are() {
    let folder = Folder::new();
    folder.write("log", fixture("zip/folders"));
    let (report, tables) = ingest(&folder, "log", 0);
    assert_eq!(report["sources"], 2);
    let mut sources = column(&tables.completions, "source");
    sources.dedup();
    assert_eq!(sources, ["log!../a.jsonl", "log!b/log.jsonl.gz"]);
    let halves = tables.completions.len() / 2;
    let [first, second] = [&tables.completions[..halves], &tables.completions[halves..]];
    assert_eq!(without(&["source"], first), without(&["source"], second));
}

#[test]
fn archives_that_cannot_be_read_stop_the_run() {
    for (name, reason) in [
        (
            "overlapping",
            "cannot open: log: members of the ZIP archive overlap",
        ),
        (
            "encrypted",
            "cannot open: log!log.jsonl: it is encrypted; unpack the archive first",
        ),
        (
            "unknown",
            "cannot open: log!log.jsonl: it is compressed in a way that is not read, 99 (AES)",
        ),
        ("notes", "cannot read: log: there are no logs in the ZIP archive"),
    ] {
        let folder = Folder::new();
        folder.write("log", fixture(&format!("zip/{name}")));
        let ran = folder.run(&["ingest", "log", "--out", "t/"]).expect(1);
        assert!(ran.stderr.contains(reason), "{name}: {}", ran.stderr);
        assert!(!folder.path("t").exists(), "nothing was written");
    }
}

#[test]
fn members_that_are_not_what_the_archive_says_are_told() {
    for (name, reason) in [
        ("larger", "the member is larger than the ZIP archive says"),
        ("smaller", "the member is smaller than the ZIP archive says"),
        (
            "checksum",
            "the member has another checksum than the ZIP archive says",
        ),
        ("nested", "a ZIP archive is read from a file of its own"),
    ] {
        let folder = Folder::new();
        folder.write("log", fixture(&format!("zip/{name}")));
        let (report, tables) = ingest(&folder, "log", 1);
        let said = report["truncated_sources"][0].as_str().expect("it is told");
        assert!(said.contains(reason), "{name}: {said}");
        assert_eq!(
            tables.errors.last().expect("there is a row")["code"],
            "source_truncated"
        );
    }
    let folder = Folder::new();
    let ran = folder
        .run_on(&fixture("zip/stored"), &["ingest", "-", "--out", "t/"])
        .expect(1);
    assert!(ran.stderr.contains("not from a pipe"), "{}", ran.stderr);
}

/// Wherever an archive is cut, it says so; nothing panics.
#[test]
fn cut_and_damaged_archives_end() {
    let whole = fixture("zip/deflated");
    let folder = Folder::new();
    for length in (30..whole.len()).step_by(23) {
        folder.write("log", &whole[..length]);
        let ran = folder.run(&["ingest", "log", "--out", "t/"]).expect(1);
        assert!(
            ran.stderr.contains("the ZIP archive cannot be read"),
            "{}",
            ran.stderr
        );
    }
    for place in (0..whole.len()).step_by(7) {
        let mut damaged = whole.clone();
        damaged[place] ^= 0x55;
        folder.write("log", damaged);
        let ran = folder.run(&["ingest", "log", "--out", "t/", "--quiet"]);
        assert!(matches!(ran.code, 0 | 1), "{place}: {}", ran.stderr);
        assert!(!ran.stderr.contains("panicked"), "{place}: {}", ran.stderr);
    }
}

/// One run of Inspect, as it writes it: the same completions and calls, whether as a ZIP archive or as a document.
#[test]
fn logs_of_inspect_are_the_same_in_both_forms() {
    let folder = Folder::new();
    folder.write("log.eval", fixture("inspect.eval"));
    folder.write("log.json", fixture("inspect.json"));
    let (packed, in_archive) = ingest(&folder, "log.eval", 0);
    let (report, in_document) = ingest(&folder, "log.json", 0);
    assert_eq!(packed["records"], report["records"]);
    assert_eq!(packed["formats"], json!({"inspect_sample": 4}));
    assert_eq!(packed["formats"], report["formats"]);
    let sorted = |rows: &[Row]| {
        // Arguments as they were written have the white space of the document.
        let rows = without(&["source", "line", "record_offset", "raw_args"], rows);
        let mut rows: Vec<_> = rows
            .into_iter()
            .map(|row| Value::Object(row).to_string())
            .collect();
        rows.sort();
        rows
    };
    assert_eq!(sorted(&in_archive.completions), sorted(&in_document.completions));
    assert_eq!(sorted(&in_archive.calls), sorted(&in_document.calls));
    assert_eq!(sorted(&in_archive.errors), sorted(&in_document.errors));
    let syntaxes: Vec<_> = column(&in_document.calls, "syntax");
    for syntax in ["execute_block", "native", "emoji_bracket"] {
        assert!(syntaxes.contains(&&json!(syntax)), "{syntaxes:?}");
    }
    assert_eq!(column(&in_archive.completions, "model")[0], "mockllm/model");
}
