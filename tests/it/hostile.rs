//! Hostile and broken input: a finding or an error that says what is wrong, at a bounded cost.

use std::fs;
use std::io::Write;
use std::process::Stdio;

use serde_json::json;

use crate::ingest::line;
use crate::support::{Folder, column};

const CALL: &str = "<execute>[{\"name\": \"ls\", \"args\": {}}]</execute>";

#[test]
#[cfg(unix)]
fn what_is_no_file_is_told_before_anything_is_written() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    use std::os::unix::net::UnixListener;

    let folder = Folder::new();
    let _listener = UnixListener::bind(folder.path("a.socket")).expect("sockets can be made");
    symlink("nowhere", folder.path("dangling.jsonl")).expect("links can be made");
    symlink("circle.jsonl", folder.path("circle.jsonl")).expect("links can be made");
    fs::create_dir(folder.path("empty")).expect("folders can be made");
    fs::create_dir(folder.path("linked")).expect("folders can be made");
    symlink("nowhere", folder.path("linked/b.jsonl")).expect("links can be made");
    folder.write("linked/a.jsonl", line(CALL, &json!({})));
    for (input, reason) in [
        ("a.socket", "it is a socket"),
        ("dangling.jsonl", "No such file"),
        ("circle.jsonl", "symbolic links"),
        ("linked", "linked/b.jsonl: No such file"),
        ("empty", "no file in it or below it"),
    ] {
        let ran = folder.run(&["ingest", input, "--out", "t/"]).expect(1);
        assert!(
            ran.stderr.contains(reason) && ran.stderr.contains(input),
            "{}",
            ran.stderr
        );
        assert!(!folder.path("t").exists(), "{input}");
    }

    folder.write("secret.jsonl", line(CALL, &json!({})));
    let secret = folder.path("secret.jsonl");
    fs::set_permissions(&secret, fs::Permissions::from_mode(0o000)).expect("it is ours");
    if fs::read(&secret).is_ok() {
        println!("skipped: this user may read everything");
        return;
    }
    let ran = folder.run(&["ingest", "secret.jsonl", "--out", "t/"]).expect(1);
    assert!(ran.stderr.contains("Permission denied"), "{}", ran.stderr);
}

/// A record whose completion ends in a call, with these bytes in front of it.
fn record_with(bytes: &[u8]) -> Vec<u8> {
    let mut record = b"{\"completion\": \"".to_vec();
    record.extend_from_slice(bytes);
    record.extend_from_slice(&line(CALL, &json!({})).as_bytes()["{\"completion\":\"".len()..]);
    record
}

#[test]
fn bytes_that_are_no_text_are_told_and_what_stands_behind_them_is_read() {
    let cases: &[(&str, &[u8], &[&str])] = &[
        // A record whose quotes and brackets close is read; --validate-records holds it against the standard.
        ("NUL in a string", b"a\0b", &[]),
        ("NUL escaped", b"a\\u0000b", &[]),
        ("a byte that begins nothing", b"\xff", &["invalid_utf8"]),
        ("overlong slash", b"\xc0\xaf", &["invalid_utf8"]),
        ("overlong NUL of three bytes", b"\xe0\x80\x80", &["invalid_utf8"]),
        (
            "overlong NUL of four bytes",
            b"\xf0\x80\x80\x80",
            &["invalid_utf8"],
        ),
        ("a surrogate in UTF-8", b"\xed\xa0\x80", &["invalid_utf8"]),
        ("beyond Unicode", b"\xf4\x90\x80\x80", &["invalid_utf8"]),
        ("cut in a character", b"\xf0\x9f\x90", &["invalid_utf8"]),
        ("a lone surrogate", b"\\ud800", &["lossy_text"]),
    ];
    for (name, bytes, codes) in cases {
        let folder = Folder::new();
        let good = line(CALL, &json!({}));
        let log = [good.as_bytes(), &record_with(bytes), good.as_bytes()].concat();
        folder.write("a.jsonl", log);
        let tables = folder.ingest(&["a.jsonl"]);
        assert_eq!(column(&tables.errors, "code"), *codes, "{name}");
        assert_eq!(tables.calls.len(), 3, "{name}");
        if bytes.contains(&0) {
            let tables = folder.ingest(&["a.jsonl", "--validate-records"]);
            assert_eq!(column(&tables.errors, "code"), ["invalid_record"], "{name}");
            assert_eq!(column(&tables.calls, "line"), [1, 3], "{name}");
        }
    }
}

#[test]
fn every_code_point_is_read() {
    let mut text = Vec::new();
    let mut length = 0;
    for point in 0..=0x10_ffff_u32 {
        match char::from_u32(point) {
            // As JSON demands it.
            Some(character) if character < ' ' || character == '"' || character == '\\' => {
                write!(text, "\\u{point:04x}").expect("memory takes it");
                length += 1;
            }
            Some(character) => {
                write!(text, "{character}").expect("memory takes it");
                length += character.len_utf8();
            }
            // The surrogates become U+FFFD each, two that make a pair aside; these stand in order, high ones first.
            None => {
                write!(text, "\\u{point:04x} ").expect("memory takes it");
                length += '\u{fffd}'.len_utf8() + 1;
            }
        }
    }
    let folder = Folder::new();
    folder.write("a.jsonl", record_with(&text));
    let tables = folder.ingest(&["a.jsonl"]);
    assert_eq!(tables.completions[0]["text_bytes"], length + CALL.len());
    assert_eq!(column(&tables.calls, "name"), ["ls"]);
    assert!(column(&tables.errors, "code").contains(&&json!("lossy_text")));
}

/// `scripts/reliability` takes ten times as many; this build is not a fast one.
const DEEP: usize = 100_000;

#[test]
fn deep_brackets_are_an_ordinary_finding() {
    let open = "[".repeat(DEEP);
    let closed = open.clone() + &"]".repeat(DEEP);
    let objects = "{\"a\":".repeat(DEEP);
    let quoted = |text: &str| text.replace('"', "\\\"");
    let execute =
        |arguments: &str| format!("<execute>[{{\"name\": \"ls\", \"args\": {arguments}}}]</execute>");
    let gadget = |value: &str| format!("!!!GADGET_START:ls:a\n!!!ARG:b\n{value}\n!!!GADGET_END");
    let cases = [
        (
            "brackets in a record",
            format!("{{\"completion\": \"a\", \"b\": {closed}}}"),
            None,
        ),
        (
            "brackets that stay open",
            format!("{{\"completion\": \"a\", \"b\": {open}}}"),
            Some("invalid_record"),
        ),
        (
            "objects that stay open",
            format!("{{\"completion\": \"a\", \"b\": {objects}"),
            Some("invalid_record"),
        ),
        ("nothing but brackets", closed.clone(), Some("missing_text")),
        (
            "arguments",
            json!({"completion": execute(&closed)}).to_string(),
            Some("invalid_json"),
        ),
        (
            "open arguments",
            json!({"completion": execute(&open)}).to_string(),
            Some("invalid_json"),
        ),
        (
            "open objects",
            json!({"completion": execute(&objects)}).to_string(),
            Some("invalid_json"),
        ),
        (
            "YAML",
            json!({"completion": format!("```tool ls a\nb: {open}\n```")}).to_string(),
            Some("invalid_yaml"),
        ),
        (
            "a gadget's value",
            json!({"completion": gadget(&open)}).to_string(),
            None,
        ),
        (
            "quoted",
            format!("{{\"completion\": \"{}\"}}", quoted(&objects)),
            None,
        ),
    ];
    for (name, record, code) in cases {
        let folder = Folder::new();
        let good = line(CALL, &json!({}));
        folder.write("a.jsonl", format!("{good}{record}\n{good}"));
        for arguments in [&["a.jsonl"][..], &["a.jsonl", "--validate-records"]] {
            let tables = folder.ingest(arguments);
            let found = column(&tables.errors, "code");
            match code {
                Some(code) => assert!(found.contains(&&json!(code)), "{name}: {found:?}"),
                None if arguments.len() == 1 => assert!(found.is_empty(), "{name}: {found:?}"),
                None => {}
            }
            let good_calls = column(&tables.calls, "line")
                .iter()
                .filter(|line| **line != &json!(2))
                .count();
            assert_eq!(good_calls, 2, "{name}: the lines around it are read");
        }
    }
}

#[test]
fn a_line_without_an_end_is_one_finding_and_costs_no_memory() {
    const MIB: usize = 300;
    let folder = Folder::new();
    let arguments = [
        "ingest",
        "-",
        "--out",
        "t/",
        "--quiet",
        "--max-record-bytes",
        "1048576",
        "--threads",
        "2",
    ];
    let mut child = folder
        .command(&arguments)
        .stdin(Stdio::piped())
        .spawn()
        .expect("it runs");
    let mut pipe = child.stdin.take().expect("it is piped");
    let block = vec![b'x'; 1 << 20];
    for _ in 0..MIB {
        pipe.write_all(&block).expect("it reads");
    }
    write!(pipe, "\n{}", line(CALL, &json!({}))).expect("it reads");
    // Linux tells the most memory that it ever had.
    if let Ok(status) = fs::read_to_string(format!("/proc/{}/status", child.id())) {
        let peak = status
            .lines()
            .find_map(|line| line.strip_prefix("VmHWM:"))
            .expect("it is told");
        let kilobytes: usize = peak
            .trim_end_matches("kB")
            .trim()
            .parse()
            .expect("it is a number");
        assert!(kilobytes < 128 << 10, "{kilobytes} kB for a line of {MIB} MiB");
    }
    drop(pipe);
    assert!(child.wait().expect("it ends").success());
    let tables = folder.tables("t");
    assert_eq!(column(&tables.errors, "code"), ["record_too_large"]);
    assert_eq!(column(&tables.calls, "line"), [2]);
}

/// Characters that a terminal obeys, or that change the direction of text.
fn obeyed(text: &str) -> Vec<char> {
    let is_obeyed = |character: &char| {
        character.is_control() || matches!(character, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    text.chars()
        .filter(|character| *character != '\n')
        .filter(is_obeyed)
        .collect()
}

#[test]
fn no_text_of_a_log_commands_the_terminal() {
    const EVIL: &str = "\u{1b}]0;owned\u{7}\u{1b}[2J\r\u{9b}31m\u{85}\u{7f}\u{202e}\u{2066}";
    let folder = Folder::new();
    let name = "a\u{1b}[2J.jsonl";
    let text = format!(
        "{EVIL}\n<execute>[{{\"name\": \"{EVIL}\", \"args\": {{\"{EVIL}\": }}}}]</execute>\n🛠️[{EVIL}"
    );
    let record = line(
        &text,
        &json!({"id": EVIL, "model": EVIL, "expected_syntax": EVIL, "tools": EVIL}),
    );
    folder.write(name, record.clone() + &line(CALL, &json!({"model": EVIL})));
    folder.write("text.txt", &text);
    folder.write("unknown.jsonl", json!({EVIL: EVIL}).to_string() + "\n");
    folder.write("config.toml", format!("syntaxes = [\"{EVIL}\"]"));
    folder.write(
        "tools.json",
        json!([{"name": EVIL, "parameters": {"type": EVIL}}]).to_string(),
    );
    for arguments in [
        &["ingest", name, "--out", "t/", "--json"][..],
        &["ingest", name, "--out", "t/", "--tools", "tools.json"],
        &["ingest", "missing\u{1b}[2J.jsonl", "--out", "t/"],
        &["ingest", name, "--out", "t/", "--config", "config.toml"],
        &["sniff", name],
        &["sniff", name, "--json"],
        &["sniff", "unknown.jsonl"],
        &["explain", "text.txt"],
        &["explain", "text.txt", "--tools", "tools.json"],
        &["stats", "t/"],
        &["stats", "t/", "--md"],
        &["stats", "t/", "--json"],
        &["stats", "t/", "--by", "model,code,tool"],
    ] {
        let ran = folder.run(arguments);
        assert_eq!(obeyed(&ran.stdout), [], "{arguments:?}: {}", ran.stdout);
        assert_eq!(obeyed(&ran.stderr), [], "{arguments:?}: {}", ran.stderr);
        assert!(!(ran.stdout + &ran.stderr).is_empty(), "{arguments:?}");
    }
}
