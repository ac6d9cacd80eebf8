//! `toolscan.toml`.

use serde_json::json;

use crate::support::{Folder, column};

const CALL: &str = "<execute>[{\\\"name\\\": \\\"ls\\\", \\\"args\\\": {}}]</execute>";

#[test]
fn is_found_upwards_and_named_by_hand() {
    let folder = Folder::new();
    folder.write("toolscan.toml", "syntaxes = ['gadget_block']\n");
    folder.write("other.toml", "syntaxes = ['execute_block']\n");
    folder.write("logs/a.jsonl", format!("{{\"completion\": \"{CALL}\"}}\n"));
    let run = |more: &[&str]| {
        let mut command = folder.command(&["ingest", "a.jsonl", "--out", "t/", "--quiet"]);
        let ended = command
            .args(more)
            .current_dir(folder.path("logs"))
            .output()
            .expect("it runs");
        assert!(ended.status.success(), "{ended:?}");
        folder.tables("logs/t").calls.len()
    };
    assert_eq!(run(&[]), 0, "the file in the folder above counts");
    assert_eq!(run(&["--config", "../other.toml"]), 1);
    assert_eq!(run(&["--syntax", "execute_block"]), 1, "an option wins");
}

#[test]
fn fields_and_expectations() {
    let folder = Folder::new();
    folder.write(
        "toolscan.toml",
        "[fields]\ntext = 'result.text'\nid = 'uid'\nmodel = 'who'\nexpected = 'want'\nfinish_reason = 'why'\n\
         [expect]\n'qwen-*' = 'execute_block'\n'*' = 'gadget_block'\n",
    );
    let line = |who: &str, want: &str| {
        format!(
            "{{\"uid\": 7, \"who\": \"{who}\", \"want\": {want}, \"why\": \"length\", \"result\": {{\"text\": \"{CALL}\"}}}}\n"
        )
    };
    let lines = [
        line("qwen-2", "null"),
        line("org/llama", "null"),
        line("qwen-2", "\"scissors_cat\""),
        line("qwen-2", "\"xml\""),
    ];
    folder.write("a.jsonl", lines.concat());
    let tables = folder.ingest(&["a.jsonl", "--expect", "emoji_bracket"]);
    let expected = ["execute_block", "gadget_block", "scissors_cat", "xml"];
    assert_eq!(
        column(&tables.completions, "expected_syntax"),
        expected.map(|name| json!(name)).iter().collect::<Vec<_>>()
    );
    let outcomes = ["adherent", "wrong_syntax", "wrong_syntax", "wrong_syntax"];
    assert_eq!(
        column(&tables.completions, "outcome"),
        outcomes.map(|name| json!(name)).iter().collect::<Vec<_>>()
    );
    assert_eq!(tables.completions[0]["completion_id"], "7");
    assert_eq!(tables.completions[0]["truncated"], true);
}

#[test]
fn what_it_does_not_know_is_wrong_usage() {
    let folder = Folder::new();
    folder.write("toolscan.toml", "\n[expct]\n'*' = 'execute_block'\n");
    folder.write("a.jsonl", "{}\n");
    let ran = folder.run(&["ingest", "a.jsonl", "--out", "t/"]).expect(2);
    assert!(
        ran.stderr.starts_with("toolscan: cannot use the config file: "),
        "{}",
        ran.stderr
    );
    assert!(
        ran.stderr
            .ends_with("toolscan.toml:2: unknown key `expct`; did you mean `expect`?\n"),
        "{}",
        ran.stderr
    );
    let ran = folder
        .run(&["ingest", "a.jsonl", "--out", "t/", "--config", "gone.toml"])
        .expect(2);
    assert!(ran.stderr.contains("gone.toml: No such file"), "{}", ran.stderr);
}
