//! Tests of the YAML reader: the core schema in tables, places, limits, hostile texts.

use proptest::prelude::*;

use super::*;

fn json(text: &str) -> String {
    match read(text) {
        Ok(document) => document.root.map_or("nothing".to_owned(), |root| root.to_json()),
        Err(fault) => format!("fault: {}", fault.reason),
    }
}

/// The value of the only field.
fn value(text: &str) -> String {
    let json = json(&format!("v: {text}\n"));
    match json.strip_prefix("{\"v\":") {
        Some(value) => value.strip_suffix('}').unwrap().to_owned(),
        None => json,
    }
}

#[test]
fn plain_scalars_follow_the_core_schema() {
    for (text, expected) in [
        ("", "null"),
        ("~", "null"),
        ("Null", "null"),
        ("nULL", "\"nULL\""),
        ("True", "true"),
        ("FALSE", "false"),
        ("yes", "\"yes\""),
        ("on", "\"on\""),
        ("tRUE", "\"tRUE\""),
        ("0", "0"),
        ("-0", "-0"),
        ("+12", "12"),
        ("007", "7"),
        ("-007", "-7"),
        ("00", "0"),
        ("123456789012345678901234567890", "123456789012345678901234567890"),
        ("0x1F", "31"),
        ("0xffffffffffffffffffffffff", "79228162514264337593543950335"),
        ("0x3b9aca00", "1000000000"),
        ("0o17", "15"),
        ("0o18", "\"0o18\""),
        ("0b1", "\"0b1\""),
        ("-0x1", "\"-0x1\""),
        ("0x", "\"0x\""),
        ("1_000", "\"1_000\""),
        ("1,000", "\"1,000\""),
        ("12:30:45", "\"12:30:45\""),
        ("2024-01-01", "\"2024-01-01\""),
        ("2024-01-01T00:00:00Z", "\"2024-01-01T00:00:00Z\""),
        ("1.50", "1.50"),
        (".5", "0.5"),
        ("-.5", "-0.5"),
        ("+.5e3", "0.5e3"),
        ("5.", "5.0"),
        ("5.e1", "5.0e1"),
        ("00.5", "0.5"),
        ("1e3", "1e3"),
        ("1E+3", "1E+3"),
        ("1e", "\"1e\""),
        ("1e400", "1e400"),
        (".", "\".\""),
        ("+", "\"+\""),
        ("1.2.3", "\"1.2.3\""),
        (".e1", "\".e1\""),
        ("inf", "\"inf\""),
        ("\"1\"", "\"1\""),
        ("'true'", "\"true\""),
        ("\"a\\tb\\u0001\"", "\"a\\tb\\u0001\""),
        ("!!str 5", "\"5\""),
        ("! 5", "\"5\""),
        ("!!int \"5\"", "5"),
        ("!!float 5", "5"),
        ("!!bool 'true'", "true"),
        ("!!null ''", "null"),
        ("!<tag:yaml.org,2002:str> 1", "\"1\""),
        ("!!map {a: 1}", "{\"a\":1}"),
        ("!!seq [1]", "[1]"),
        ("[a, {b: c}, []]", "[\"a\",{\"b\":\"c\"},[]]"),
        ("{\"a\":1,\"b\":[true]}", "{\"a\":1,\"b\":[true]}"),
    ] {
        assert_eq!(value(text), expected, "{text}");
    }
}

#[test]
fn faults_say_why() {
    for (text, expected) in [
        (".inf", "`.inf` is no number"),
        ("-.INF", "`-.INF` is no number"),
        (".NaN", "`.NaN` is no number"),
        ("!foo a", "the tag `!foo`"),
        ("!!binary a", "the tag `tag:yaml.org,2002:binary`"),
        ("!!set {a: b}", "the tag `tag:yaml.org,2002:set`"),
        ("!!str [a]", "the tag `tag:yaml.org,2002:str`"),
        ("!!int a", "tagged `!!int`"),
        ("!!bool yes", "tagged `!!bool`"),
        ("*a", "unknown anchor"),
        ("&a [*a]", "the value that it stands in"),
        ("\"a\0b\"", "NUL"),
        ("a\n--- \nb", "a second document"),
        ("a\n---", "a second document"),
        ("[1, 2", ""),
    ] {
        let found = value(text);
        assert!(
            found.starts_with("fault: ") && found.contains(expected),
            "{text}: {found}"
        );
    }
}

#[test]
fn keys_are_strings_or_their_source() {
    for (text, expected) in [
        ("1: a", r#"{"1":"a"}"#),
        ("0x1F: a", r#"{"0x1F":"a"}"#),
        ("true: a", r#"{"true":"a"}"#),
        ("~: a", r#"{"~":"a"}"#),
        ("'1': a", r#"{"1":"a"}"#),
        ("? [a, b]\n: c", r#"{"[a, b]":"c"}"#),
        ("{a: b}: c", r#"{"{a: b}":"c"}"#),
        ("<<: {a: 1}", r#"{"<<":{"a":1}}"#),
        ("a: &x 1\n*x : b", r#"{"a":1,"1":"b"}"#),
        ("é: 'ü'\n? [ö]\n: á", r#"{"é":"ü","[ö]":"á"}"#),
    ] {
        assert_eq!(json(text), expected, "{text}");
    }
}

#[test]
fn nothing_is_read_from_nothing() {
    for text in ["", "\n\n", "# a\n", "---\n", "--- # a\n...\n", "\u{feff}"] {
        assert!(read(text).unwrap().root.is_none(), "{text:?}");
    }
    for (text, expected) in [("~", "null"), ("''", "\"\""), ("---\na: 1\n...\n", "{\"a\":1}")] {
        assert_eq!(json(text), expected, "{text:?}");
    }
}

#[test]
fn the_last_of_equal_keys_wins_and_is_reported() {
    let text = "a: 1\nb: {c: 1, c: 2}\n'a': é\n1: x\n\"1\": y\n";
    let document = read(text).unwrap();
    assert_eq!(
        document.root.unwrap().to_json(),
        r#"{"a":"é","b":{"c":2},"1":"y"}"#
    );
    let duplicates: Vec<_> = document
        .duplicates
        .iter()
        .map(|key| (key.span.start, key.span.of(text)))
        .collect();
    assert_eq!(duplicates, [(15, "c"), (21, "'a'"), (34, "\"1\"")]);
}

#[test]
fn places_are_bytes_of_the_source() {
    let text = "é: \"ü \\\" '\" # \"ñ\"\nö: 'a''b' # c\nx: |\n  á\n\ny: !!str 1\nz: [ü, 1] # ß\nlast:\n  - é\n  # end\n";
    let document = read(text).unwrap();
    let root = document.root.unwrap();
    let Content::Mapping(fields) = &root.content else {
        panic!()
    };
    let found: Vec<_> = fields
        .iter()
        .map(|(key, value)| (key.span.of(text), value.span.of(text)))
        .collect();
    assert_eq!(
        found,
        [
            ("é", "\"ü \\\" '\""),
            ("ö", "'a''b'"),
            ("x", "á"),
            ("y", "!!str 1"),
            ("z", "[ü, 1]"),
            ("last", "- é\n  # end"),
        ]
    );
    let fault = read("ä: ö\nü: [1\nx").unwrap_err();
    assert!(fault.at >= 7, "{fault:?}");
    let fault = read("ä: ö\nü: @x").unwrap_err();
    assert_eq!(fault.at, "ä: ö\nü: ".len());
}

#[test]
fn nesting_is_bounded() {
    let nested = |levels: usize| format!("input: {}{}", "[".repeat(levels), "]".repeat(levels));
    assert!(read(&nested(NESTING)).is_ok());
    assert!(
        read(&nested(NESTING + 1))
            .unwrap_err()
            .reason
            .contains("limit of 128")
    );
    let blocks: String = (0..=NESTING + 1)
        .map(|level| format!("{}a:\n", " ".repeat(level)))
        .collect();
    assert!(read(&blocks).unwrap_err().reason.contains("limit of 128"));
    // An alias brings its nesting with it.
    let alias = |levels: usize| {
        format!(
            "a: &a {}{}\nb: {}*a{}",
            "[".repeat(64),
            "]".repeat(64),
            "[".repeat(levels),
            "]".repeat(levels)
        )
    };
    assert!(read(&alias(64)).is_ok());
    assert!(read(&alias(65)).unwrap_err().reason.contains("limit of 128"));
}

#[test]
fn aliases_are_bounded() {
    let mut bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n".to_owned();
    for level in 1..10 {
        let aliases = vec![format!("*a{}", level - 1); 10].join(", ");
        bomb += &format!("a{level}: &a{level} [{aliases}]\n");
    }
    let fault = read(&bomb).unwrap_err();
    assert!(
        fault.reason.contains("limit of") && fault.reason.contains("aliases"),
        "{fault:?}"
    );
    assert_eq!(
        json("a: &a {b: 1}\nc: [*a, *a]\n"),
        r#"{"a":{"b":1},"c":[{"b":1},{"b":1}]}"#
    );
    let many = format!("a: &a abc\nb: [{}]", "*a, ".repeat(500));
    assert!(read(&many).is_ok());
}

#[test]
fn digits_of_other_bases_are_bounded() {
    assert!(read(&format!("a: 0x{}", "f".repeat(1000))).is_ok());
    assert!(
        read(&format!("a: 0x{}", "f".repeat(1001)))
            .unwrap_err()
            .reason
            .contains("limit")
    );
    assert!(read(&format!("a: {}", "9".repeat(5000))).is_ok());
}

#[test]
fn hostile_texts_are_read_in_linear_time() {
    let started = std::time::Instant::now();
    for text in [
        "[".repeat(300_000),
        "{".repeat(300_000),
        "- ".repeat(300_000),
        "? ".repeat(300_000),
        "a: ".repeat(300_000),
        "&a ".repeat(300_000),
        "!!str ".repeat(100_000),
        "\"".repeat(300_000),
        "'".repeat(300_001),
        "# a\n".repeat(200_000),
        "a\n".repeat(200_000),
        "\n".repeat(500_000),
        format!("a: |\n{}", "  b\n".repeat(200_000)),
        format!("a: >\n{}", "  b\n\n".repeat(100_000)),
        format!("a: \"{}", "b\n".repeat(200_000)),
        format!("a: [{}]", "1, ".repeat(200_000)),
        format!("a: [{}]", "1,\n".repeat(200_000)),
        format!("a: {{{}}}", "b: 1,\n".repeat(100_000)),
        (0..100_000).map(|key| format!("é{key}: *a\n")).collect(),
        (0..100_000).map(|key| format!("é{key}: ü\n")).collect(),
        (0..50_000)
            .map(|key| format!("k{key}: &a{key} v\nl{key}: *a{key}\n"))
            .collect(),
        "a: 1\n".repeat(100_000),
        format!("a: {}", "0x1 ".repeat(100_000)),
        " ".repeat(500_000),
        "\t".repeat(500_000),
        format!("a:{}b", " ".repeat(500_000)),
        "%a\n".repeat(100_000),
        "---\n".repeat(100_000),
    ] {
        let before = started.elapsed();
        if let Ok(document) = read(&text) {
            document.root.map(|root| root.to_json());
        }
        let took = started.elapsed() - before;
        assert!(
            took.as_secs() < 30,
            "{:?}… took {took:?}",
            &text[..40.min(text.len())]
        );
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4096, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_text_is_read(text in "([-?:,\\[\\]{}#&*!|>'\"%@`~. \\n\\t\\r0a<é\u{feff}\u{85}]|: |- |---|\\.\\.\\.|!!|\\\\|\n  ){0,40}") {
        if let Ok(Some(root)) = read(&text).map(|document| document.root) {
            let json = root.to_json();
            prop_assert!(serde_json::from_str::<serde_json::Value>(&json).is_ok(), "{} gives {}", text, json);
            prop_assert!(text.get(root.span.start..root.span.end).is_some());
        }
    }
}
