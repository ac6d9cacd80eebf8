//! Output appears whole or not at all, whatever happens to the process, its inputs or its disk.
#![cfg(unix)]

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::ingest::line;
use crate::support::{Folder, Ran, column};

const CALL: &str = "<execute>[{\"name\": \"ls\", \"args\": {}}]</execute>";

/// The names and contents of the files in a folder.
fn listing(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let Ok(entries) = fs::read_dir(folder) else {
        return BTreeMap::new();
    };
    let file = |entry: fs::DirEntry| {
        let name = entry.file_name().into_string().expect("names are ASCII");
        (name, fs::read(entry.path()).unwrap_or_default())
    };
    entries
        .map(|entry| file(entry.expect("it can be listed")))
        .collect()
}

/// Waits until `is_so`, or fails.
fn wait_until(what: &str, is_so: impl Fn() -> bool) {
    let start = Instant::now();
    while !is_so() {
        assert!(
            start.elapsed() < Duration::from_secs(60),
            "waited in vain until {what}"
        );
        std::thread::sleep(Duration::from_millis(2));
    }
}

/// Starts a run that waits for its stdin, and returns when it has begun to write.
fn start_waiting(folder: &Folder, arguments: &[&str]) -> Child {
    let mut command = folder.command(&[&["ingest", "-", "--out", "t/"], arguments].concat());
    let piped = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let child = piped.spawn().expect("it runs");
    wait_until("it writes", || {
        let files = listing(&folder.path("t"));
        files.keys().filter(|name| name.ends_with(".tmp")).count() == 4
    });
    child
}

fn signal(child: &Child, name: &str) {
    let killed = Command::new("kill")
        .args([format!("-{name}"), child.id().to_string()])
        .status();
    assert!(killed.expect("there is a kill").success());
}

fn end(child: Child) -> Ran {
    child.wait_with_output().expect("it ends").into()
}

#[test]
fn a_signal_ends_it_at_once_and_leaves_nothing() {
    for (name, code) in [("INT", 130), ("TERM", 143)] {
        let folder = Folder::new();
        let earlier = ["ingest", "a.jsonl", "--out", "t/", "--quiet"];
        folder.write("a.jsonl", line(CALL, &json!({})));
        for with_earlier in [false, true] {
            if with_earlier {
                folder.run(&earlier).expect(0);
            }
            let before = listing(&folder.path("t"));
            // Its stdin stays open: it does not wait for the end of what it reads.
            let child = start_waiting(&folder, &[]);
            signal(&child, name);
            let ran = end(child).expect(code);
            assert!(ran.stderr.contains("no table was written"), "{}", ran.stderr);
            assert_eq!(listing(&folder.path("t")), before, "{name}");
        }
    }
}

#[test]
fn the_second_run_on_one_target_says_so() {
    let folder = Folder::new();
    folder.write("a.jsonl", line(CALL, &json!({})));
    let mut first = start_waiting(&folder, &[]);
    let second = folder
        .run(&["ingest", "a.jsonl", "--out", "t/calls.parquet"])
        .expect(1);
    assert!(
        second.stderr.contains("another run is writing there"),
        "{}",
        second.stderr
    );
    folder
        .run(&["ingest", "a.jsonl", "--out", "t/other.parquet"])
        .expect(0);
    drop(first.stdin.take());
    end(first).expect(0);
    assert_eq!(folder.tables("t").calls.len(), 0, "the first wrote what it read");
    folder.run(&["ingest", "a.jsonl", "--out", "t/"]).expect(0);
}

#[test]
fn files_of_others_want_force() {
    let folder = Folder::new();
    folder.write("a.jsonl", line(CALL, &json!({})));
    folder.write("t/errors.parquet", "somebody's");
    let refused = folder.run(&["ingest", "a.jsonl", "--out", "t/"]).expect(2);
    assert!(refused.stderr.contains("--force"), "{}", refused.stderr);
    assert_eq!(listing(&folder.path("t")).len(), 1);
    folder
        .run(&["ingest", "a.jsonl", "--out", "t/", "--force"])
        .expect(0);
    folder.run(&["ingest", "a.jsonl", "--out", "t/"]).expect(0);
}

#[test]
fn the_manifest_says_what_the_tables_are_and_of_what() {
    let folder = Folder::new();
    folder.write("a.jsonl", line(CALL, &json!({})));
    folder
        .run(&["ingest", "a.jsonl", "--out", "t/", "--expect", "execute_block"])
        .expect(0);
    let files = listing(&folder.path("t"));
    let manifest: Value = serde_json::from_slice(&files["calls.manifest.json"]).expect("it is JSON");
    assert_eq!(manifest["toolscan"], env!("CARGO_PKG_VERSION"));
    assert_eq!(manifest["options"]["expect"], "execute_block");
    assert_eq!(manifest["records"], 1);
    assert_eq!(manifest["adherent"], 1);
    let input = &manifest["inputs"][0];
    let size = fs::metadata(folder.path("a.jsonl")).expect("it is there").len();
    assert_eq!(
        (&input["name"], &input["bytes"], &input["changed"]),
        (&json!("a.jsonl"), &json!(size), &json!(false))
    );
    let tables = manifest["tables"].as_array().expect("it is a list");
    let rows: BTreeMap<_, _> = tables
        .iter()
        .map(|table| (table["table"].as_str(), &table["rows"]))
        .collect();
    let expected = [("calls", 1), ("errors", 0), ("completions", 1)];
    for (table, number) in expected {
        assert_eq!(rows[&Some(table)], &json!(number), "{table}");
    }
    for table in tables {
        let name = table["file"].as_str().expect("it is a name");
        assert_eq!(table["bytes"], files[name].len(), "{name}");
    }
    folder
        .run(&["ingest", "a.jsonl", "--out", "t/", "--expect", "execute_block"])
        .expect(0);
    assert_eq!(listing(&folder.path("t")), files, "the same again, byte for byte");
}

/// Kills this many runs at different moments of their lives. `scripts/reliability` kills ten times as many.
const KILLS: u32 = 20;

#[test]
fn killed_runs_leave_the_old_output_or_the_new() {
    let folder = Folder::new();
    let lines = |number| line(CALL, &json!({})).repeat(number);
    folder.write("old.jsonl", lines(1000));
    folder.write("new.jsonl", lines(1500));
    let ingest = |log: &'static str| ["ingest", log, "--out", "t/calls.parquet", "--quiet"];
    let tables = || {
        let mut files = listing(&folder.path("t"));
        files.retain(|name, _| !name.starts_with('.'));
        files
    };
    let start = Instant::now();
    folder.run(&ingest("new.jsonl")).expect(0);
    let whole = start.elapsed();
    let new = tables();
    folder.run(&ingest("old.jsonl")).expect(0);
    let old = tables();
    assert_ne!(old, new);
    for number in 0..KILLS {
        let mut child = folder.command(&ingest("new.jsonl")).spawn().expect("it runs");
        std::thread::sleep(whole * number / KILLS);
        child.kill().expect("it can be killed");
        child.wait().expect("it ends");
        // A command that reads the tables finishes what was complete.
        folder.run(&["stats", "t/calls.parquet"]).expect(0);
        let left = tables();
        assert!(left == old || left == new, "kill {number}");
        folder.run(&ingest("old.jsonl")).expect(0);
        assert_eq!(listing(&folder.path("t")), old, "kill {number}: nothing is left");
    }
}

#[test]
fn files_that_may_not_grow_leave_the_old_output() {
    let folder = Folder::new();
    folder.write("a.jsonl", line(CALL, &json!({})));
    let texts = (0..20_000).map(|number| line(&format!("{CALL} {number}"), &json!({"id": number * 7919})));
    folder.write("large.jsonl", texts.collect::<String>());
    folder.run(&["ingest", "a.jsonl", "--out", "t/"]).expect(0);
    let old = listing(&folder.path("t"));
    // The limit stands for a full disk, which only root can make: scripts/reliability does.
    let mut command = Command::new("sh");
    let limited = "trap '' XFSZ; ulimit -f 16; exec \"$@\"";
    command.args(["-c", limited, "sh", env!("CARGO_BIN_EXE_toolscan")]);
    command
        .args(["ingest", "large.jsonl", "--out", "t/"])
        .current_dir(folder.path(""));
    let ran = Ran::from(command.output().expect("there is a shell")).expect(1);
    assert!(ran.stderr.contains("File too large"), "{}", ran.stderr);
    assert_eq!(listing(&folder.path("t")), old);
    folder.run(&["ingest", "large.jsonl", "--out", "t/"]).expect(0);
}

/// Runs with a pipe in front of a file, and does something to the file while the run waits for the pipe.
fn change_while_read(change: impl FnOnce(&Path)) -> (Folder, Ran) {
    let folder = Folder::new();
    let made = Command::new("mkfifo").arg(folder.path("a.pipe")).status();
    assert!(made.expect("there is mkfifo").success());
    folder.write("b.jsonl", line(CALL, &json!({})).repeat(3));
    let mut command = folder.command(&["ingest", "a.pipe", "b.jsonl", "--out", "t/"]);
    let child = command
        .stderr(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("it runs");
    let mut pipe = File::options()
        .write(true)
        .open(folder.path("a.pipe"))
        .expect("it waits for it");
    change(&folder.path("b.jsonl"));
    std::io::Write::write_all(&mut pipe, line(CALL, &json!({})).as_bytes()).expect("it reads");
    drop(pipe);
    let ran = end(child);
    (folder, ran)
}

#[test]
fn an_input_that_vanishes_is_told_and_the_rest_is_there() {
    let (folder, ran) = change_while_read(|path| fs::remove_file(path).expect("it can be removed"));
    let ran = ran.expect(1);
    assert!(ran.stderr.contains("b.jsonl"), "{}", ran.stderr);
    let tables = folder.tables("t");
    assert_eq!(column(&tables.calls, "source"), ["a.pipe"]);
    assert_eq!(column(&tables.errors, "code"), ["source_truncated"]);
}

#[test]
fn an_input_that_changes_is_told() {
    let cut = |path: &Path| {
        let file = File::options().write(true).open(path).expect("it can be opened");
        let length = file.metadata().expect("it is there").len();
        file.set_len(length / 3 + 10).expect("it can be cut");
    };
    let replace = |path: &Path| {
        let other = path.with_extension("other");
        fs::write(&other, line(CALL, &json!({}))).expect("it can be written");
        fs::rename(other, path).expect("it can be replaced");
    };
    for (change, calls, unusable) in [(&cut as &dyn Fn(&Path), 2, 1), (&replace, 2, 0)] {
        let (folder, ran) = change_while_read(change);
        let ran = ran.expect(0);
        assert!(
            ran.stderr
                .contains("changed or vanished while the run went on, such as b.jsonl"),
            "{}",
            ran.stderr
        );
        let tables = folder.tables("t");
        assert_eq!((tables.calls.len(), tables.errors.len()), (calls, unusable));
        let manifest = fs::read(folder.path("t/calls.manifest.json")).expect("it is there");
        let manifest: Value = serde_json::from_slice(&manifest).expect("it is JSON");
        assert_eq!(manifest["inputs"][1]["changed"], true);
    }
}
