//! The simple reader against the whole parser.

use proptest::prelude::*;

use super::super::read_any;
use super::read;

/// Reads `text` both ways. Returns whether the simple reader took it.
fn agrees(text: &str) -> bool {
    let Some(simple) = read(text) else {
        return false;
    };
    let whole = read_any(text).unwrap_or_else(|fault| panic!("{fault:?} in {text:?}"));
    assert_eq!(format!("{simple:?}"), format!("{whole:?}"), "{text:?}");
    true
}

/// What models write is read here, or nothing is won.
#[test]
fn the_simple_form_is_taken() {
    for text in [
        "state: output-available\ninput:\n  query: cats\noutput:\n  results:\n    - title: All About Cats\n      url: https://example.com/cats\n",
        "input:\n  query: \"coffee \\\"shops\\\" \\u00e9\\n\"\n  near: 'me'\n",
        "input:\n  items:\n  - 1\n  - -2.5\n  - {\"a\": [1, 2, {\"b\":null}], c: true}\n  - []\n",
        "input:\n  \"señal_1\":\n    \"café0\": |-\n      SELECT name\n\n        FROM t;\n\n    b: |\n      x\nstate: a",
        "\n  a: 1\n\n  b:   two words # no comment\n".trim_end_matches(" # no comment\n"),
        "a: |-\n  last",
        "a: b: c".replace("b: c", "b:c").as_str(),
        "a: 12:30\nb: ../x\nc: $HOME/(d) [e] {f} \"g\"\n",
    ] {
        assert!(agrees(text), "{text:?}");
    }
}

#[test]
fn what_may_be_read_in_another_way_is_left_to_the_parser() {
    for text in [
        "",
        "a",
        "a:",
        "a: b: c",
        "a: b #c",
        "a: b:",
        "a: &x 1",
        "a: *x",
        "a: !!str 1",
        "a: >\n  b\n",
        "a: b\n  c",
        "a: \"b\n  c\"",
        "a: [1,\n2]",
        "a: [1,]",
        "a: [a: 1]",
        "a: {a:1}",
        "? a\n: b",
        "- a",
        "a: 1\na: 2",
        "a: .nan",
        "a:\tb",
        "a: b\r\nc: d",
        "a: b\u{85}",
        "a: \"\\ud800\"",
        "a: 'it''s'",
        "a: |2\n   b",
        "a: |\n  b",
        "a: 1\n b: 2",
        "a:\n  b: 1\n c: 2",
        "a: @b",
        "a: `b`",
        "a: %b",
        "---\na: 1",
        "a: 1\n...\n",
        "a: 1\n# b",
        "a: \"b\" c",
        "a: - b",
    ] {
        assert!(read(text).is_none(), "{text:?}");
    }
}

fn piece() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec![
        "a",
        "b: ",
        "key:",
        " ",
        "  ",
        "\n",
        "\n  ",
        "\n    ",
        "\n- ",
        "\n  - ",
        ": ",
        ":",
        "\"",
        "'",
        "[",
        "]",
        "{",
        "}",
        ", ",
        ",",
        "|",
        "|-",
        "|+",
        "\n\n",
        "1",
        "-2",
        "0x1f",
        ".5",
        "true",
        "null",
        "~",
        "#",
        " #",
        "\\n",
        "\\",
        "\\u00e9",
        "é",
        "🛠",
        "\u{a0}",
        "\u{2028}",
        "\t",
        "-",
        "---",
        "...",
        "&x ",
        "*x",
        "!",
        "%",
        "@",
        "? ",
        ">",
        "x y",
        "/",
        "(",
        "\"a\": ",
        "\"k\": \"v\"",
        "'s'",
    ])
}

/// A text of lines that look like YAML.
fn line() -> impl Strategy<Value = String> {
    let start = prop::sample::select(vec!["", " ", "  ", "    ", "- ", "  - ", "    - ", "      "]);
    let key = prop::sample::select(vec![
        "a: ",
        "b: ",
        "c:",
        "\"d\": ",
        "\"é f\":  ",
        "d-1: ",
        "e:  ",
        "",
        "'g': ",
    ]);
    let value = prop::sample::select(vec![
        "",
        "1",
        "x y",
        "\"q\\n\\\"\"",
        "'s'",
        "|",
        "|-",
        "[1, \"a\", {b: c}]",
        "{\"a\":1,\"b\":[]}",
        "{a: b, c: -1}",
        "[ ]",
        "a:b",
        "a #b",
        "x ",
        "é\u{a0}",
        "-1",
        "- 1",
        "\"a\": 1",
        "[a b]",
        "https://x/y?z#w",
        "null",
        "~",
        "0o17",
        "1e5",
        "- - x",
        "[[1], {}]",
    ]);
    (start, key, value).prop_map(|(start, key, value)| format!("{start}{key}{value}\n"))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn agrees_with_the_parser_on_any_text(pieces in prop::collection::vec(piece(), 0..16)) {
        agrees(&format!("a: {}", pieces.concat()));
    }

    #[test]
    fn agrees_with_the_parser_on_lines(lines in prop::collection::vec(line(), 0..7), last in any::<bool>()) {
        let text = lines.concat();
        agrees(if last { &text } else { text.trim_end_matches('\n') });
    }
}
