//! The same input and options give the same bytes, whatever the threads, the shards and the order of arguments.

use std::fmt::Write;

use serde_json::json;
use toolscan::{CODES, Example};

use crate::support::Folder;

pub(crate) const TABLES: [&str; 4] = ["calls", "errors", "completions", "stats"];

/// Every example of every code, several times, in three files.
pub(crate) fn write_logs(folder: &Folder) {
    for (file, rounds) in [("a", 7), ("b", 1), ("c", 4)] {
        let mut log = Vec::new();
        for round in 0..rounds {
            for (place, info) in CODES.iter().enumerate() {
                match info.example {
                    Example::Text(text) | Example::Judged(text) => {
                        let mut id = String::new();
                        write!(id, "{file}-{round}-{place}").expect("strings take everything");
                        let record =
                            json!({"id": id, "model": format!("m{}", place % 5), "completion": text});
                        log.extend_from_slice(record.to_string().as_bytes());
                    }
                    Example::Record(line) => log.extend_from_slice(line),
                    Example::Event(_) => continue,
                }
                log.push(b'\n');
            }
        }
        folder.write(&format!("{file}.jsonl"), log);
    }
}

pub(crate) fn bytes(folder: &Folder, arguments: &[&str]) -> Vec<Vec<u8>> {
    folder
        .run(&[&["ingest", "--out", "t/", "--quiet"], arguments].concat())
        .expect(0);
    let read =
        |table: &str| std::fs::read(folder.path(&format!("t/{table}.parquet"))).expect("it was written");
    TABLES.map(read).into()
}

#[test]
fn same_bytes_for_any_threads_shards_and_order() {
    let folder = Folder::new();
    write_logs(&folder);
    let inputs = ["a.jsonl", "b.jsonl", "c.jsonl"];
    let expected = bytes(&folder, &inputs);
    let ways: &[&[&str]] = &[
        &["a.jsonl", "b.jsonl", "c.jsonl", "--threads", "1"],
        &[
            "a.jsonl",
            "b.jsonl",
            "c.jsonl",
            "--threads",
            "8",
            "--shard-bytes",
            "100",
        ],
        &[
            "a.jsonl",
            "b.jsonl",
            "c.jsonl",
            "--threads",
            "3",
            "--shard-bytes",
            "1",
        ],
        &["c.jsonl", "a.jsonl", "b.jsonl", "--shard-bytes", "4096"],
        &["*.jsonl"],
    ];
    for way in ways {
        let found = bytes(&folder, way);
        for (table, (found, expected)) in TABLES.iter().zip(found.iter().zip(&expected)) {
            assert!(found == expected, "{table} differs with {way:?}");
        }
    }
}
