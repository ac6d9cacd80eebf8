//! What is joined is what the provider would have sent in one piece.

use super::*;

/// The records of some lines, with their lines.
fn joined(most_bytes: usize, text: &str) -> Vec<(u64, String)> {
    let mut joiner = Joiner::new(most_bytes);
    let mut found = Vec::new();
    for (place, line) in text.lines().enumerate() {
        joiner.push(line.as_bytes(), place as u64 + 1, 0);
        found.extend(std::iter::from_fn(|| joiner.pop()));
    }
    joiner.close_all();
    found.extend(std::iter::from_fn(|| joiner.pop()));
    assert_eq!(joiner.held, 0, "nothing is held in the end");
    let text = |bytes| String::from_utf8(bytes).expect("it was text");
    found
        .into_iter()
        .map(|joined| (joined.line, text(joined.bytes)))
        .collect()
}

fn chunk(id: &str, delta: &str, finish_reason: &str) -> String {
    format!(
        r#"{{"id":"{id}","object":"chat.completion.chunk","model":"m","choices":[{{"index":0,"delta":{delta},"finish_reason":{finish_reason}}}]}}"#
    )
}

fn whole_chat(id: &str, message: &str, finish_reason: &str) -> String {
    let finish = match finish_reason {
        "" => String::new(),
        reason => format!(r#","finish_reason":"{reason}""#),
    };
    format!(
        r#"{{"id":"{id}","object":"chat.completion.chunk","model":"m","choices":[{{"index":0,"message":{{"role":"assistant",{message}}}{finish}}}]}}"#
    )
}

#[test]
fn interleaved_answers_come_out_whole_in_the_order_in_which_they_began() {
    let lines = [
        chunk("a", r#"{"role":"assistant","content":""}"#, "null"),
        chunk("b", r#"{"content":"\ud83d"}"#, "null"),
        chunk("a", r#"{"content":"one\n"}"#, "null"),
        chunk("b", r#"{"content":"\ude00"}"#, "\"stop\""),
        r#"{"completion": "a record of its own"}"#.to_owned(),
        chunk("a", r#"{"content":" two"}"#, "\"length\""),
        r#"{"id":"a","object":"chat.completion.chunk","choices":[],"usage":{}}"#.to_owned(),
    ];
    let expected = [
        (1, whole_chat("a", r#""content":"one\n two""#, "length")),
        (2, whole_chat("b", r#""content":"\ud83d\ude00""#, "stop")),
        (5, r#"{"completion": "a record of its own"}"#.to_owned()),
    ];
    assert_eq!(joined(usize::MAX, &lines.join("\n")), expected);
}

#[test]
fn calls_are_joined_by_index_and_reasoning_stands_apart() {
    let lines = [
        chunk("a", r#"{"content":null,"reasoning_content":"hm"}"#, "null"),
        chunk("a", r#"{"reasoning_content":"m","reasoning":"m"}"#, "null"),
        chunk(
            "a",
            r#"{"tool_calls":[{"index":0,"id":"x","function":{"name":"ls","arguments":""}}]}"#,
            "null",
        ),
        chunk(
            "a",
            r#"{"tool_calls":[{"index":1,"id":"y","function":{"name":"rm","arguments":"{\"p\":"}}]}"#,
            "null",
        ),
        chunk(
            "a",
            r#"{"tool_calls":[{"index":0,"function":{"arguments":"{}"}}]}"#,
            "null",
        ),
        chunk(
            "a",
            r#"{"tool_calls":[{"index":1,"function":{"arguments":"1}"}}]}"#,
            "\"tool_calls\"",
        ),
    ];
    let message = r#""content":null,"reasoning_content":"hmm","tool_calls":[{"id":"x","type":"function","function":{"name":"ls","arguments":"{}"}},{"id":"y","type":"function","function":{"name":"rm","arguments":"{\"p\":1}"}}]"#;
    assert_eq!(
        joined(usize::MAX, &lines.join("\n")),
        [(1, whole_chat("a", message, "tool_calls"))]
    );
}

#[test]
fn what_is_too_much_to_hold_comes_out_as_far_as_it_has_come() {
    let lines = [
        chunk("a", r#"{"content":"one"}"#, "null"),
        chunk("b", r#"{"content":"two"}"#, "\"stop\""),
        chunk("a", r#"{"content":"three"}"#, "\"stop\""),
    ];
    let expected = [
        (1, whole_chat("a", r#""content":"one""#, "")),
        (2, whole_chat("b", r#""content":"two""#, "stop")),
        (3, whole_chat("a", r#""content":"three""#, "stop")),
    ];
    assert_eq!(joined(200, &lines.join("\n")), expected);
}

#[test]
fn a_finished_answer_is_not_held_for_ever() {
    let mut joiner = Joiner::new(usize::MAX);
    joiner.push(chunk("a", r#"{"content":"one"}"#, "\"stop\"").as_bytes(), 1, 0);
    for line in 0..LATE_LINES {
        assert_eq!(joiner.pop(), None, "{line}");
        joiner.push(b": keep-alive", 0, 0);
    }
    joiner.push(b"", 0, 0);
    assert!(joiner.pop().is_some());
    let usage = r#"{"id":"a","object":"chat.completion.chunk","choices":[]}"#;
    joiner.push(usage.as_bytes(), 0, 0);
    joiner.close_all();
    assert_eq!(joiner.pop(), None, "the counts behind it are no answer");
}

#[test]
fn events_of_anthropic_are_joined() {
    let text = r#"event: message_start
data: {"type":"message_start","message":{"id":"msg_1","type":"message","role":"assistant","model":"c","content":[],"stop_reason":null}}

event: content_block_start
data: {"type":"content_block_start","index":0,"content_block":{"type":"thinking","thinking":""}}
event: content_block_delta
data: {"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","thinking":"hm"}}
data: {"type":"content_block_delta","index":0,"delta":{"type":"signature_delta","signature":"s"}}
data: {"type":"content_block_start","index":1,"content_block":{"type":"text","text":""}}
data: {"type":"ping"}
data: {"type":"content_block_delta","index":1,"delta":{"type":"text_delta","text":"Let me"}}
data: {"type":"content_block_delta","index":1,"delta":{"type":"text_delta","text":" see"}}
data: {"type":"content_block_start","index":2,"content_block":{"type":"tool_use","id":"t","name":"ls","input":{}}}
data: {"type":"content_block_delta","index":2,"delta":{"type":"input_json_delta","partial_json":"{\"p\": \""}}
data: {"type":"content_block_delta","index":2,"delta":{"type":"input_json_delta","partial_json":"é\"}"}}
data: {"type":"content_block_start","index":3,"content_block":{"type":"tool_use","id":"u","name":"rm","input":{}}}
data: {"type":"content_block_delta","index":3,"delta":{"type":"input_json_delta","partial_json":"{\"p\": "}}
data: {"type":"message_delta","delta":{"stop_reason":"max_tokens","stop_sequence":null},"usage":{"output_tokens":1}}
data: {"type":"message_stop"}

data: {"type":"message_start","message":{"id":"msg_2","model":"c","content":[]}}
"#;
    let message = |id: &str, content: &str, stop: &str| {
        format!(
            r#"{{"type":"message_start","message":{{"id":"{id}","type":"message","role":"assistant","model":"c","content":[{content}]{stop}}}}}"#
        )
    };
    let content = r#"{"type":"thinking","thinking":"hm"},{"type":"text","text":"Let me see"},{"type":"tool_use","id":"t","name":"ls","input":{"p": "é"}},{"type":"tool_use","id":"u","name":"rm","input":"{\"p\": "}"#;
    let expected = [
        (2, message("msg_1", content, r#","stop_reason":"max_tokens""#)),
        (21, message("msg_2", "", "")),
    ];
    assert_eq!(joined(usize::MAX, text), expected);
}

#[test]
fn events_of_responses_are_the_last_one_or_joined_where_that_is_missing() {
    let created = r#"{"type":"response.created","response":{"id":"r","model":"m","output":[]}}"#;
    let completed = r#"{"type":"response.completed","response":{"id":"r","model":"m","output":[7]}}"#;
    let events = [
        r#"{"type":"response.output_item.added","output_index":0,"item":{"id":"i0","type":"message","role":"assistant","content":[]}}"#,
        r#"{"type":"response.output_text.delta","item_id":"i0","output_index":0,"content_index":0,"delta":"Let me"}"#,
        r#"{"type":"response.output_text.delta","item_id":"i0","output_index":0,"content_index":0,"delta":" see"}"#,
        r#"{"type":"response.output_item.added","output_index":1,"item":{"id":"i1","type":"function_call","call_id":"c","name":"ls","arguments":""}}"#,
        r#"{"type":"response.function_call_arguments.delta","item_id":"i1","output_index":1,"delta":"{}"}"#,
        r#"{"type":"response.output_item.done","output_index":1,"item":{"id":"i1","type":"function_call","call_id":"c","name":"ls","arguments":"{}","status":"completed"}}"#,
    ];
    let all = [&[created][..], &events, &[completed]].concat().join("\n");
    assert_eq!(joined(usize::MAX, &all), [(1, completed.to_owned())]);
    let cut = [&[created][..], &events].concat().join("\n");
    let output = r#"{"type":"message","id":"i0","role":"assistant","content":[{"type":"output_text","text":"Let me see"}]},{"id":"i1","type":"function_call","call_id":"c","name":"ls","arguments":"{}","status":"completed"}"#;
    let expected = format!(
        r#"{{"type":"response.completed","response":{{"id":"r","object":"response","model":"m","output":[{output}]}}}}"#
    );
    assert_eq!(joined(usize::MAX, &cut), [(1, expected)]);
}

#[test]
fn streams_are_known_by_their_first_lines() {
    let cases = [
        ("data: {\"object\":\"text_completion\",\"choices\":[]}", true),
        ("event: message_start\ndata: {\"type\":\"message_start\"}", true),
        ("{\"choices\":[{\"delta\":{}}]}", true),
        ("{\"type\":\"response.created\"}\n{}", false),
        ("{\"object\":\"text_completion\",\"choices\":[]}", false),
        ("{\"completion\":\"data: \"}", false),
        ("no JSON", false),
        ("", false),
    ];
    for (text, expected) in cases {
        assert_eq!(Joiner::suits(text.lines().map(str::as_bytes)), expected, "{text}");
    }
}
