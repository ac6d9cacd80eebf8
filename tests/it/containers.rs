//! How a log is packed does not matter: what other programs packed gives the tables of the plain log, byte for byte.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::accounting::check;
use crate::support::{Folder, Tables, column};

const TABLES: [&str; 4] = ["calls", "errors", "completions", "stats"];

fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/containers")
}

fn plain() -> Vec<u8> {
    fs::read(fixtures().join("log.jsonl")).expect("the log is there")
}

/// The packed logs, by name: the files without an extension.
fn packed() -> Vec<(String, Vec<u8>)> {
    let entries = fs::read_dir(fixtures()).expect("the folder is there");
    let paths = entries.map(|entry| entry.expect("it can be read").path());
    let paths = paths.filter(|path| path.is_file() && path.extension().is_none());
    let packed: Vec<_> = paths
        .map(|path| {
            (
                path.display().to_string(),
                fs::read(&path).expect("it can be read"),
            )
        })
        .collect();
    assert!(packed.len() > 10, "there are packed logs");
    packed
}

/// The tables, as bytes, of these bytes in a file without an extension; accounts are checked on the way.
fn tables(bytes: &[u8]) -> Vec<Vec<u8>> {
    let folder = Folder::new();
    folder.write("log", bytes);
    let report = ingest(&folder, 0);
    check(&folder.tables("t"), &report);
    assert_eq!(report["bytes"], bytes.len());
    let read = |table: &str| fs::read(folder.path(&format!("t/{table}.parquet"))).expect("it was written");
    TABLES.map(read).into()
}

/// Reads `log` into `t/`; the report.
fn ingest(folder: &Folder, code: i32) -> Value {
    let ran = folder.run(&["ingest", "log", "--out", "t/", "--json", "--quiet"]);
    serde_json::from_str(&ran.expect(code).stdout).expect("the report is JSON")
}

#[test]
fn every_container_gives_the_same_tables() {
    let expected = tables(&plain());
    for (name, bytes) in packed() {
        assert!(tables(&bytes) == expected, "{name}");
        let folder = Folder::new();
        let read = |bytes: &[u8]| {
            let arguments = ["ingest", "-", "--out", "t/", "--quiet"];
            folder.run_on(bytes, &arguments).expect(0);
            folder.tables("t")
        };
        assert_eq!(read(&bytes), read(&plain()), "{name} on stdin");
    }
}

/// The records before the cut stay, in all tables; the cut is told.
#[test]
fn what_stands_before_a_cut_stays() {
    let whole = {
        let folder = Folder::new();
        folder.write("log", plain());
        ingest(&folder, 0);
        folder.tables("t")
    };
    for (name, bytes) in packed() {
        for share in [3, 2] {
            let folder = Folder::new();
            let padding = bytes.iter().rev().take_while(|&&byte| byte == 0).count();
            folder.write("log", &bytes[..(bytes.len() - padding) * (share - 1) / share - 1]);
            let report = ingest(&folder, 1);
            let Tables {
                completions, errors, ..
            } = folder.tables("t");
            check(&folder.tables("t"), &report);
            assert!(whole.completions.starts_with(&completions), "{name}");
            let last = errors.last().expect("the cut is a row");
            assert_eq!(last["code"], "source_truncated", "{name}");
            let reason = last["message"].as_str().expect("it is text");
            assert!(reason.contains("stream"), "{name}: {reason}");
            assert_eq!(report["truncated_sources"].as_array().map(Vec::len), Some(1));
        }
    }
}

#[test]
fn a_byte_order_mark_and_carriage_returns_change_nothing_but_offsets() {
    let folder = Folder::new();
    folder.write("log", plain());
    ingest(&folder, 0);
    let expected = folder.tables("t");
    let text = String::from_utf8(plain()).expect("it is UTF-8");
    let crlf = format!("\u{feff}{}", text.replace("\r\n", "\n").replace('\n', "\r\n"));
    folder.write("log", crlf);
    ingest(&folder, 0);
    let found = folder.tables("t");
    assert_eq!(found.calls, expected.calls);
    assert_eq!(found.errors, expected.errors);
    for name in ["line", "completion_id", "outcome", "text_bytes"] {
        assert_eq!(
            column(&found.completions, name),
            column(&expected.completions, name)
        );
    }
}

/// The same records in documents of many forms: only where they stand differs.
#[test]
fn records_of_a_document_are_those_of_lines() {
    let text = String::from_utf8(plain()).expect("it is UTF-8");
    let values: Vec<Value> = text
        .lines()
        .filter_map(|line| serde_json::from_str(line).ok())
        .collect();
    let lines: String = values.iter().map(|value| format!("{value}\n")).collect();
    let indented = |value: &Value| serde_json::to_string_pretty(value).expect("it can be written");
    let array = json!(values);
    let documents = [
        array.to_string(),
        indented(&array),
        indented(&json!({"name": "run", "scores": [{"a": 1}], "results": values, "n": 8})),
        json!({"summary": {"n": 8, "rows": values}, "more": [1]}).to_string(),
        values.iter().map(indented).collect::<Vec<_>>().join("\n"),
        values.iter().map(Value::to_string).collect(),
        format!("\u{feff}{}", indented(&array)).replace('\n', "\r\n"),
    ];
    let folder = Folder::new();
    let read = |log: &str| {
        folder.write("log", log);
        let report = ingest(&folder, 0);
        let tables = folder.tables("t");
        check(&tables, &report);
        assert_eq!(report["bytes"], log.len());
        for (row, value) in tables
            .completions
            .iter()
            .zip(values.iter().filter(|value| value["id"] != "c"))
        {
            let offset = row["record_offset"].as_u64().expect("it is a number") as usize;
            let mut there = serde_json::Deserializer::from_str(&log[offset..]).into_iter::<Value>();
            let there = there.next().expect("something stands there").expect("it is JSON");
            assert_eq!(there, *value, "the offset leads to the record");
        }
        tables
    };
    let without_offsets = |mut tables: Tables| {
        for row in &mut tables.completions {
            row.remove("record_offset");
        }
        // Findings about whole records show them as they stand.
        for row in tables.errors.iter_mut().filter(|row| row["choice"].is_null()) {
            for column in ["span_start", "span_end", "snippet"] {
                row.remove(column);
            }
        }
        tables
    };
    let expected = without_offsets(read(&lines));
    for document in documents {
        assert_eq!(without_offsets(read(&document)), expected, "{document}");
    }
}

#[test]
fn utf_16_is_refused_with_the_way_out() {
    let text = String::from_utf8(plain()).expect("it is UTF-8");
    let marked = format!("\u{feff}{text}");
    let little: Vec<u8> = marked.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let big: Vec<u8> = text.encode_utf16().flat_map(u16::to_be_bytes).collect();
    for (bytes, name) in [(&little, "UTF-16LE"), (&big, "UTF-16BE")] {
        let folder = Folder::new();
        folder.write("log", bytes);
        let ran = folder.run(&["ingest", "log", "--out", "t/"]).expect(1);
        let expected = format!(
            "toolscan: cannot open: log: the text is {name}, and logs are UTF-8; convert it with `iconv -f {name} -t UTF-8`\n"
        );
        assert_eq!(ran.stderr, expected);
        assert!(!folder.path("t").exists(), "nothing was written");
        // What is packed is seen when it is read.
        folder.write("log", zstd::bulk::compress(bytes, 1).expect("it can be packed"));
        let report = ingest(&folder, 1);
        assert_eq!(report["records"], json!(0));
        let said = report["truncated_sources"][0].as_str().expect("it is text");
        assert!(said.contains("iconv"), "{said}");
    }
}
