//! Tests of what the cases do not reach: near misses, the info string's corners, places, hostile texts.

use std::sync::Arc;
use std::time::Instant;

use super::*;
use crate::diagnostic::Diagnostic;
use crate::scan::{Scan, ScanOptions, Scanner};

fn scan(text: &str) -> Scan<'_> {
    Scanner::new(vec![Arc::new(MarkdownFence)], ScanOptions::default()).scan(text)
}

/// The findings, as code, detail and the bytes they are about.
fn findings(text: &str) -> Vec<(&'static str, String, &str)> {
    let found = |diagnostic: Diagnostic| {
        let detail = diagnostic.detail.unwrap_or_default().into_owned();
        (diagnostic.code.name(), detail, diagnostic.span.of(text))
    };
    scan(text).diagnostics.into_iter().map(found).collect()
}

#[test]
fn near_misses_are_told_by_their_form() {
    for (text, form, marker) in [
        ("```tools\n```", "wrong_word", "```tools"),
        ("```tool_call x\n```", "wrong_word", "```tool_call"),
        ("```tool-call\n```", "wrong_word", "```tool-call"),
        ("```toolcall\n```", "wrong_word", "```toolcall"),
        ("``` ToolCall\n```", "wrong_word", "``` ToolCall"),
        ("```tool_code\n```", "wrong_word", "```tool_code"),
        ("```tool:search\n```", "wrong_word", "```tool:search"),
        ("```tool{a}\n```", "wrong_word", "```tool{a}"),
        ("```Tool\n```", "wrong_case", "```Tool"),
        ("~~~~TOOL x\n~~~~", "wrong_case", "~~~~TOOL"),
        ("```json tool\n```", "wrong_word", "```json tool"),
        ("``` yaml  tools x\n```", "wrong_word", "``` yaml  tools"),
        ("- a\n\n  ```tools\n  ```", "wrong_word", "```tools"),
        ("> ```tools", "wrong_word", "```tools"),
    ] {
        assert_eq!(findings(text), [("near_miss", form.to_owned(), marker)], "{text}");
        assert!(scan(text).calls.is_empty(), "{text}");
    }
}

#[test]
fn other_words_are_no_near_misses() {
    for text in [
        "```toolbox\n```",
        "```tooling\n```",
        "```toolé\n```",
        "```json\n```",
        "```json tooltip\n```",
        "```jsontool\n```",
        "``tools\n``",
        "a ```tools\n",
        "`````\n```tools\n`````",
        "    ```tools\n",
        "a\n    ```tools\n",
        "```tools```",
        "use ` ```tools ` there",
        "tools",
    ] {
        assert_eq!(findings(text), [], "{text}");
    }
}

#[test]
fn a_near_miss_opens_a_foreign_fence() {
    let text = "```tools\n```tool a\n```\n```tool b\n```";
    let scan = scan(text);
    assert_eq!(scan.calls.len(), 1);
    assert_eq!(scan.calls[0].name.as_deref(), Some("b"));
    assert_eq!(scan.calls[0].call_id.as_deref(), Some("tool-call-1"));
}

#[test]
fn info_strings() {
    for (info, name, id, codes) in [
        (" a b", "a", "b", vec![]),
        (" id=b a", "a", "b", vec![]),
        (" name=a b", "a", "b", vec![]),
        (" a id=b", "a", "b", vec![]),
        (" name=\"a b\" id='c d'", "a b", "c d", vec![]),
        (" \"a b\" c", "a b", "c", vec![]),
        (" name=\"a b", "\"a", "b", vec![]),
        (" name=\"a\"b c", "\"a\"b", "c", vec![]),
        (" name=a=b", "a=b", "tool-call-1", vec![]),
        (" name= id=", "tool", "tool-call-1", vec![]),
        ("\u{a0}a\u{3000}b", "a", "b", vec![]),
        (
            " a b c d",
            "a",
            "b",
            vec!["unexpected_info c", "unexpected_info d"],
        ),
        (" a b=c", "a", "tool-call-1", vec!["unexpected_info b=c"]),
        (
            " name=a name=b",
            "a",
            "tool-call-1",
            vec!["conflicting_field name=b"],
        ),
        (
            " name=a toolName=b",
            "b",
            "tool-call-1",
            vec!["conflicting_field toolName=b"],
        ),
        (
            " toolName=a name=b",
            "a",
            "tool-call-1",
            vec!["conflicting_field name=b"],
        ),
        (" a toolCallId=b id=b", "a", "b", vec![]),
        (" name = a", "name", "=", vec!["unexpected_info a"]),
        (" a \"", "a", "\"", vec![]),
    ] {
        let text = format!("```tool{info}\n```");
        let scan = scan(&text);
        let call = &scan.calls[0];
        assert_eq!(
            (call.name.as_deref(), call.call_id.as_deref()),
            (Some(name), Some(id)),
            "{info}"
        );
        let found: Vec<_> = findings(&text)
            .iter()
            .map(|(code, _, span)| format!("{code} {span}"))
            .collect();
        assert_eq!(found, codes, "{info}");
        assert!(call.is_valid(), "{info}");
    }
}

#[test]
fn findings_stand_where_the_bytes_are() {
    for (text, expected) in [
        (
            "> ```tool\n> é: 1\n> state: done # x\n> ```",
            vec![("invalid_state", "done")],
        ),
        ("- ```tool\n\tname: 1\n  ```", vec![("wrong_type", "1")]),
        (
            "  ```tool\n  id: [a]\n  é: {b: 1,\n   b: 2}\n  ```",
            vec![("wrong_type", "[a]"), ("duplicate_key", "b")],
        ),
        ("> ```tool\n> é: x\n> b: @c\n> ```", vec![("invalid_yaml", "@c")]),
        ("```tool\r\na: @c\r\n```", vec![("invalid_yaml", "@c")]),
        (
            "```tool\n\n- é\n- b # c\n\n```",
            vec![("not_a_mapping", "- é\n- b # c")],
        ),
        (
            "```tool x\nname: y\ntoolName: z\n```",
            vec![("conflicting_field", "z")],
        ),
        (
            "```tool\nerror: a\nerrorText: b\n```",
            vec![("conflicting_field", "a")],
        ),
        ("```tool\na: 1", vec![("unclosed_block", "```tool")]),
    ] {
        let found: Vec<_> = findings(text)
            .into_iter()
            .map(|(code, _, span)| (code, span))
            .collect();
        assert_eq!(found, expected, "{text}");
    }
}

#[test]
fn what_is_cut_is_not_judged_twice() {
    for text in [
        "```tool a\nstate: output-av",
        "```tool a\nsta",
        "```tool a\ninput: {b: \"c",
        "```tool a\ninput: [1, 2",
        "```tool a",
        "> ```tool a\n> input: \"x",
    ] {
        let scan = scan(text);
        let codes = scan.calls[0].codes.names();
        assert_eq!((codes, scan.cut), (vec!["unclosed_block"], true), "{text}");
    }
    let codes = findings("```tool a\nstate: done\ninput: 1");
    assert_eq!(
        codes.iter().map(|(code, ..)| *code).collect::<Vec<_>>(),
        ["unclosed_block", "invalid_state"]
    );
}

#[test]
fn reasoning_leaves_the_line_to_what_follows() {
    for text in [
        "<think>a\n</think>```tool x\n```",
        "a\n</think>```tool x\n```",
        "<think></think>\n```tool x\n```",
    ] {
        assert_eq!(scan(text).calls.len(), 1, "{text}");
    }
    assert_eq!(scan("a <think>\n</think>```tool x\n```").calls.len(), 0);
}

#[test]
fn hostile_texts_are_read_in_linear_time() {
    for text in [
        "```tool\n".repeat(200_000),
        "```tool\n```\n".repeat(100_000),
        "~~~tool\n```tool\n".repeat(100_000),
        "> ```tool\n\n".repeat(100_000),
        "- ```tool\n".repeat(100_000),
        "```tool ".repeat(200_000),
        "`tool".repeat(200_000),
        "`".repeat(500_000) + "tool",
        "` tool".repeat(200_000),
        "```tool".to_owned() + &" a".repeat(300_000) + "\n```",
        "~~~tool".to_owned() + &" \"a".repeat(200_000) + "\n~~~",
        "~~~tool".to_owned() + &" 'a \"b".repeat(100_000),
        "```tools\n".repeat(100_000),
        "```tools\n```\n".repeat(100_000),
        "```tool\n".to_owned() + &"a: 1\n".repeat(100_000) + "```",
        "> ".repeat(100_000) + "```tool\n" + &"> ".repeat(100_000),
        "> ```tool\n".to_owned() + &"> é: 1\n".repeat(100_000),
        " ".repeat(500_000) + "tool",
        "```".to_owned() + &" ".repeat(500_000) + "tool",
        "\ttool".repeat(200_000),
        "  tool".repeat(200_000),
    ] {
        let started = Instant::now();
        scan(&text);
        let took = started.elapsed();
        assert!(took.as_secs() < 30, "{:?}… took {took:?}", &text[..20]);
    }
}
