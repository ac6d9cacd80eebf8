//! Streamed answers are records, whatever the threads and the shards.

use serde_json::{Value, json};

use crate::support::{Folder, column};

fn chunk(id: &str, delta: &Value, finish_reason: &Value) -> String {
    let choice = json!({"index": 0, "delta": delta, "finish_reason": finish_reason});
    json!({"id": id, "object": "chat.completion.chunk", "model": "m", "choices": [choice]}).to_string()
}

/// Twenty answers of many chunks, three at a time interleaved; the last of all is cut.
fn chunks() -> Vec<String> {
    let mut lines = Vec::new();
    for group in 0..7 {
        let ids: Vec<String> = (3 * group..(3 * group + 3).min(20))
            .map(|id| format!("a{id}"))
            .collect();
        let text = "<execute>[{\"name\": \"ls\", \"args\": {}}]</execute>";
        for piece in text.as_bytes().chunks(5) {
            let piece = String::from_utf8_lossy(piece);
            lines.extend(
                ids.iter()
                    .map(|id| chunk(id, &json!({"content": piece}), &Value::Null)),
            );
        }
        lines.extend(
            ids.iter()
                .filter(|id| *id != "a19")
                .map(|id| chunk(id, &json!({}), &json!("stop"))),
        );
    }
    lines
}

#[test]
fn interleaved_chunks_are_one_record_an_answer() {
    let folder = Folder::new();
    let lines = chunks();
    let with_others = [
        &lines[..40],
        &["{\"completion\": \"x\"}".to_owned(), "no record".to_owned()],
        &lines[40..],
    ];
    folder.write("log.jsonl", with_others.concat().join("\n"));
    let mut shown = Vec::new();
    for arguments in [
        &[][..],
        &["--threads", "4", "--shard-bytes", "1"],
        &["--shard-bytes", "500"],
    ] {
        let tables = folder.ingest(&[&["log.jsonl"], arguments].concat());
        assert_eq!(tables.calls.len(), 20);
        assert_eq!(tables.completions.len(), 21);
        assert_eq!(column(&tables.errors, "code"), [&json!("invalid_record")]);
        let ids: Vec<String> = (0..20).map(|id| format!("a{id}")).collect();
        assert_eq!(
            column(&tables.calls, "completion_id"),
            ids.iter()
                .map(|id| json!(id))
                .collect::<Vec<_>>()
                .iter()
                .collect::<Vec<_>>()
        );
        let reasons = column(&tables.completions, "finish_reason");
        assert_eq!(
            reasons.iter().filter(|reason| **reason == &json!("stop")).count(),
            19
        );
        shown.push(tables);
    }
    assert!(shown.windows(2).all(|pair| pair[0] == pair[1]));
    let ran = folder
        .run(&["ingest", "log.jsonl", "--out", "t/", "--quiet", "--json"])
        .expect(0);
    let summary: Value = serde_json::from_str(&ran.stdout).expect("it is JSON");
    assert_eq!(summary["records"], json!(22));
    assert_eq!(summary["records_with_completions"], json!(21));
    assert_eq!(summary["formats"], json!({"flat": 1, "openai_stream": 20}));
}

#[test]
fn places_are_those_of_the_first_chunk() {
    let folder = Folder::new();
    let lines = chunks();
    folder.write(
        "log.sse.jsonl",
        lines
            .iter()
            .map(|line| format!("data: {line}\n\n"))
            .collect::<String>(),
    );
    let tables = folder.ingest(&["log.sse.jsonl"]);
    let places = tables
        .completions
        .iter()
        .map(|row| (row["line"].clone(), row["record_offset"].clone()));
    let second = lines[0].len() + "data: \n\n".len();
    let first: Vec<_> = places.take(2).collect();
    assert_eq!(first, [(json!(1), json!(0)), (json!(3), json!(second))]);
}

#[test]
fn a_stream_in_one_body_is_read() {
    let folder = Folder::new();
    let body: String = chunks()[..1]
        .iter()
        .map(|line| format!("data: {line}\n\n"))
        .collect();
    folder.write(
        "log.jsonl",
        json!({"request_id": "q", "request_body": {}, "response_body": body}).to_string(),
    );
    let tables = folder.ingest(&["log.jsonl"]);
    assert_eq!(column(&tables.completions, "completion_id"), [&json!("q")]);
    assert_eq!(column(&tables.completions, "text_bytes"), [&json!(5)]);
}

#[test]
fn sniff_knows_a_stream() {
    let folder = Folder::new();
    folder.write("log.jsonl", chunks().join("\n"));
    let said = folder.run(&["sniff", "log.jsonl"]).expect(0).stdout;
    assert!(said.contains("openai_stream: OpenAI chat chunks"), "{said}");
    assert!(said.contains("<execute>"), "{said}");
}
