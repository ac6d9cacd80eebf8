//! What records are understood as.

use std::sync::Arc;

use super::*;

/// The number of a completion and its text.
type Expected = (i32, Option<&'static str>);

fn fields(text: &[&str]) -> Fields {
    Fields {
        text: text.iter().map(|path| path.parse().expect(path)).collect(),
        ..Fields::default()
    }
}

fn read_with(fields: Fields, line: &[u8]) -> Record {
    let mut record = Record::default();
    Reader::new(Arc::new(fields)).read(line, &mut record);
    record
}

fn read(line: impl AsRef<[u8]>) -> Record {
    read_with(Fields::default(), line.as_ref())
}

/// Choice and text of each completion.
fn texts(record: &Record) -> Vec<(i32, Option<&str>)> {
    let completions = record.completions.iter();
    completions
        .map(|completion| (completion.choice, completion.text.as_ref().map(Text::as_str)))
        .collect()
}

fn codes(problems: &[Problem]) -> Vec<Code> {
    problems.iter().map(|problem| problem.code).collect()
}

#[test]
fn the_record_before_changes_nothing() {
    let long = format!(r#"{{"{}": 1, "": "e", "id": 2, "text": "f"}}"#, "k".repeat(1000));
    let lines = [
        r#"{"id": 1, "completion": "a", "model": "m"}"#,
        r#"{"completion": "b", "id": "1", "x": 1, "finish_reason": "stop"}"#,
        r#"{"id": 1, "id": 2, "text": "c", "completion": "d"}"#,
        r#"{"x": 1, "": "no", "": 2, "i\u0064": 3, "text": ""}"#,
        r#"{"": "g", "text": "h"}"#,
        r#"{"id": {}, "model": ["#,
        r#"[1]"#,
        "{}",
        &long,
    ];
    let (mut reader, mut record) = (Reader::new(Arc::new(Fields::default())), Record::default());
    for before in lines {
        for line in lines {
            reader.read(before.as_bytes(), &mut record);
            reader.read(line.as_bytes(), &mut record);
            assert_eq!(record, read(line), "{before} {line}");
        }
    }
}

#[test]
fn the_first_key_that_holds_text_wins() {
    let cases: &[(&str, &str)] = &[
        (r#"{"completion":"a"}"#, "a"),
        (r#"{"response":"a"}"#, "a"),
        (r#"{"output":"a"}"#, "a"),
        (r#"{"text":"a"}"#, "a"),
        (r#"{"generated_text":"a"}"#, "a"),
        (r#"{"content":"a"}"#, "a"),
        (
            r#"{"content":"f","generated_text":"e","text":"d","output":"c","response":"b","completion":"a"}"#,
            "a",
        ),
        (
            r#"{"completion":null,"response":7,"output":{"text":"x"},"text":["x"],"content":"a"}"#,
            "a",
        ),
        (r#"{"completion":"","text":"b"}"#, ""),
        (
            r#"{"choices":[{"text":"c"}],"messages":[{"role":"assistant","content":"m"}],"content":"a"}"#,
            "a",
        ),
        (
            r#"{"messages":[{"role":"assistant","content":"m"}],"choices":[{"text":"a"}]}"#,
            "a",
        ),
        (r#"{"choices":[{"message":{"content":"a"},"text":"b"}]}"#, "a"),
        (r#"{"choices":[{"message":{"content":null},"text":"a"}]}"#, "a"),
        (
            r#"{"choices":[],"messages":[{"role":"user","content":"q"},{"role":"assistant","content":"a"}]}"#,
            "a",
        ),
        (
            r#"{"messages":[{"role":"user","content":"q"}],"conversations":[{"from":"gpt","value":"a"}]}"#,
            "a",
        ),
        (
            r#"{"conversations":[{"from":"human","value":"q"},{"from":"model","value":"a"}]}"#,
            "a",
        ),
        (r#"{"conversations":[{"from":"assistant","value":"a"}]}"#, "a"),
        (r#"{"completion":"x","completion":"a"}"#, "a"),
        (
            r#"{"choices":[{"text":"x"}],"choices":[{"text":"y","text":"a"}]}"#,
            "a",
        ),
        (r#"{"completion":"x","completion":null,"text":"a"}"#, "a"),
        (r#"{"compl\u0065tion":"a"}"#, "a"),
        (
            r#"{"content":[{"type":"text","text":"a"},{"type":"image_url","text":"x"},{"type":"text","text":"b"}]}"#,
            "ab",
        ),
        (r#"{"completion":[{"type":"image"}],"text":"a"}"#, "a"),
        (r#"{"completion":[{"type":"text","text":null}],"text":"a"}"#, "a"),
        ("\t { \"completion\" : \"a\" } \r", "a"),
    ];
    for (line, text) in cases {
        let record = read(line);
        assert_eq!(texts(&record), [(0, Some(*text))], "{line}");
        assert_eq!(record.problems, [], "{line}");
    }
}

#[test]
fn choices_and_turns_keep_their_numbers() {
    let cases: &[(&str, &[Expected])] = &[
        (
            r#"{"choices":[{"message":{"content":"a"}},{"message":{"content":null}},{"text":"c"},7,{}]}"#,
            &[(0, Some("a")), (2, Some("c"))],
        ),
        (
            r#"{"choices":[{"message":{"content":null,"tool_calls":[{"function":{"name":"f"}}]}},{"text":"b"}]}"#,
            &[(0, None), (1, Some("b"))],
        ),
        (
            r#"{"messages":[{"role":"system","content":"s"},{"role":"assistant","content":"a"},{"role":"tool"},
                {"role":"assistant","content":null},{"content":"?"},{"role":"assistant","content":"c"}]}"#,
            &[(0, Some("a")), (2, Some("c"))],
        ),
    ];
    for (line, expected) in cases {
        assert_eq!(texts(&read(line)), *expected, "{line}");
    }
}

#[test]
fn later_turns_are_told_from_choices() {
    let later = |line: &str| -> Vec<bool> {
        let record = read(line);
        record
            .completions
            .iter()
            .map(|completion| completion.is_later_turn)
            .collect()
    };
    assert_eq!(
        later(r#"{"choices":[{"text":"a"},{"text":"b"}]}"#),
        [false, false]
    );
    assert_eq!(
        later(r#"{"messages":[{"role":"assistant","content":"a"},{"role":"assistant","content":"b"}]}"#),
        [false, true]
    );
    assert_eq!(
        later(r#"{"messages":[{"role":"assistant","content":null},{"role":"assistant","content":"b"}]}"#),
        [true]
    );
}

#[test]
fn ids_models_and_expectations_are_words() {
    let cases: &[(&str, Option<&str>)] = &[
        (r#""abc""#, Some("abc")),
        (r#""""#, Some("")),
        ("7", Some("7")),
        ("-1.50e3", Some("-1.50e3")),
        (
            "123456789012345678901234567890",
            Some("123456789012345678901234567890"),
        ),
        (r#""\u00e9\ud83d\ude00""#, Some("é😀")),
        ("null", None),
        ("true", None),
        (r#"{"a":1}"#, None),
        ("[1]", None),
    ];
    for (value, expected) in cases {
        let line = format!(r#"{{"id":{value},"model":{value},"expected_syntax":{value},"text":"t"}}"#);
        let record = read(&line);
        assert_eq!(record.id.as_deref(), *expected, "{line}");
        assert_eq!(record.model.as_deref(), *expected, "{line}");
        let syntax = expected.filter(|name| !name.is_empty());
        assert_eq!(record.expected.as_deref(), syntax, "{line}");
        assert_eq!(texts(&record), [(0, Some("t"))]);
    }
}

#[test]
fn reasons_to_finish_belong_to_their_choices() {
    let cases: &[(&str, &[Option<&str>])] = &[
        (r#"{"text":"a","finish_reason":"length"}"#, &[Some("length")]),
        (
            r#"{"text":"a","stop_reason":"max_tokens"}"#,
            &[Some("max_tokens")],
        ),
        (
            r#"{"text":"a","finish_reason":null,"stop_reason":"max_tokens"}"#,
            &[Some("max_tokens")],
        ),
        (r#"{"text":"a"}"#, &[None]),
        (
            r#"{"choices":[{"text":"a","finish_reason":"stop"},{"text":"b","finish_reason":null},{"text":"c"}],
                "finish_reason":"length"}"#,
            &[Some("stop"), Some("length"), Some("length")],
        ),
        (
            r#"{"messages":[{"role":"assistant","content":"a"},{"role":"assistant","content":"b"}],
                "finish_reason":"length"}"#,
            &[None, Some("length")],
        ),
    ];
    for (line, expected) in cases {
        let record = read(line);
        let found: Vec<_> = record
            .completions
            .iter()
            .map(|completion| completion.finish_reason.as_deref())
            .collect();
        assert_eq!(found, *expected, "{line}");
    }
}

#[test]
fn named_fields_are_followed() {
    let cases: &[(&[&str], &str, &[Expected])] = &[
        (
            &["result.text"],
            r#"{"text":"x","result":{"text":"a"}}"#,
            &[(0, Some("a"))],
        ),
        (
            &["result.text"],
            r#"{"result":{"text":"x"},"result":{"text":"a"}}"#,
            &[(0, Some("a"))],
        ),
        (
            &["r.t"],
            r#"{"r":{"t":"x","t":[{"type":"text","text":"a"}]}}"#,
            &[(0, Some("a"))],
        ),
        (
            &["runs[].out"],
            r#"{"runs":[{"out":"a"},{"out":null},{},5,{"out":"b"}]}"#,
            &[(0, Some("a")), (4, Some("b"))],
        ),
        (
            &["a[].b[].c"],
            r#"{"a":[{"b":[{"c":"0"},{"c":"1"}]},{"b":[]},{"b":[{"c":"2"}]}]}"#,
            &[(0, Some("0")), (1, Some("1")), (2, Some("2"))],
        ),
        (
            &["a[].b"],
            r#"{"a":[{"b":"x"},{"b":"y"}],"a":[{"b":"z"}]}"#,
            &[(0, Some("z"))],
        ),
        (
            &["a[].b"],
            r#"{"a":[{"b":"x","b":"z"},{"b":"y"}]}"#,
            &[(0, Some("z")), (1, Some("y"))],
        ),
        (
            &["outputs[]"],
            r#"{"outputs":["a","b"]}"#,
            &[(0, Some("a")), (1, Some("b"))],
        ),
        (
            &["grid[][]"],
            r#"{"grid":[["a"],["b","c"]]}"#,
            &[(0, Some("a")), (1, Some("b")), (2, Some("c"))],
        ),
        (&["no", "b"], r#"{"a":1,"b":"x"}"#, &[(0, Some("x"))]),
        (
            &["[].content"],
            r#"[{"content":"a"},{"content":"b"}]"#,
            &[(0, Some("a")), (1, Some("b"))],
        ),
    ];
    for (paths, line, expected) in cases {
        let record = read_with(fields(paths), line.as_bytes());
        assert_eq!(texts(&record), *expected, "{paths:?} in {line}");
    }
}

#[test]
fn a_named_field_alone_is_looked_at() {
    let record = read_with(fields(&["result.text"]), br#"{"text":"x","result":{}}"#);
    assert_eq!(codes(&record.problems), [Code::MissingText]);
    assert!(
        record.problems[0].message.contains("`result.text`"),
        "{:?}",
        record.problems
    );
}

#[test]
fn every_field_can_be_named() {
    let path = |text: &str| Some(text.parse().expect(text));
    let fields = Fields {
        text: vec!["runs[].out".parse().expect("a path")],
        id: path("meta.id"),
        model: path("meta.models[].name"),
        expected: path("meta.format"),
        finish_reason: path("runs[].why"),
        tools: path("request.tools"),
        ..Fields::default()
    };
    let line = br#"{"id":1,"model":"x","meta":{"id":2,"models":[{"name":"m"}],"format":"f"},
        "runs":[{"out":"a","why":"stop"},{"out":"b","why":"length"}],"request":{"tools":[ {"n": 1} ]}}"#;
    let record = read_with(fields, line);
    assert_eq!(record.id.as_deref(), Some("2"));
    assert_eq!(record.model.as_deref(), Some("m"));
    assert_eq!(record.expected.as_deref(), Some("f"));
    assert_eq!(record.tools.as_deref(), Some(r#"[ {"n": 1} ]"#));
    let reasons: Vec<_> = record
        .completions
        .iter()
        .map(|c| c.finish_reason.as_deref())
        .collect();
    assert_eq!(reasons, [Some("stop"), Some("length")]);
}

#[test]
fn native_calls_are_taken_as_logged() {
    let call = |name: &str, id: Option<&str>, arguments: Option<&str>| NativeCall {
        name: Some(name.to_owned()),
        id: id.map(str::to_owned),
        arguments: arguments.map(str::to_owned),
    };
    let line = r#"{"choices":[{"message":{"content":"hm","tool_calls":[
        {"id":"c1","type":"function","function":{"name":"f","arguments":"{\"a\": 1}"}},
        {"id":"c2","function":{"arguments":{ "b": 2.0 },"name":"g"}},
        {"id":"c3","name":"h","arguments":null}, null, {"id":"c4"}],
        "function_call":{"name":"old","arguments":"{"}}}]}"#;
    let record = read(line);
    assert_eq!(
        record.completions[0].native_calls,
        [
            call("f", Some("c1"), Some(r#"{"a": 1}"#)),
            call("g", Some("c2"), Some(r#"{ "b": 2.0 }"#)),
            call("h", Some("c3"), None),
            call("old", None, Some("{")),
        ]
    );
    assert_eq!(texts(&record), [(0, Some("hm"))]);

    let line =
        r#"{"messages":[{"role":"assistant","content":null,"function_call":{"name":"f","arguments":"{}"}}]}"#;
    let record = read(line);
    assert_eq!(texts(&record), [(0, None)]);
    assert_eq!(record.completions[0].native_calls, [call("f", None, Some("{}"))]);
    assert_eq!(record.problems, []);

    let record = read(r#"{"role":"assistant","content":null,"tool_calls":[{"function":{"name":"f"}}]}"#);
    assert_eq!(record.completions[0].native_calls, [call("f", None, None)]);
}

#[test]
fn what_is_not_read_is_not_judged() {
    let deep = "[".repeat(100_000) + &"]".repeat(100_000);
    for elsewhere in [
        "NaN",
        "-Infinity",
        r#""\ud83d""#,
        r#""\x \u12""#,
        "123456789012345678901234567890",
        "1e999",
        "tru",
        "[1,,2,]",
        "{a: 1, 'b': 2}",
        r#"{"a" 1}"#,
        "\"raw \t control\"",
        r#""\\\\\\\"""#,
        r#""\\""#,
        r#"["]}",{"\"":"{["}]"#,
        "",
        &deep,
        &deep.replace('[', r#"{"a":"#).replace(']', "}"),
    ] {
        for line in [
            format!(r#"{{"x":{elsewhere},"completion":"a"}}"#),
            format!(r#"{{"completion":"a","x":{elsewhere}}}"#),
            format!(r#"{{"completion":"a","x":{elsewhere},}}"#),
            format!(r#"{{y: 1, "x":{elsewhere},, "completion":"a"}},"#),
        ] {
            let record = read(&line);
            assert_eq!(record.problems, [], "{line:.300}");
            assert_eq!(texts(&record), [(0, Some("a"))], "{line:.300}");
        }
    }
    let mut invalid = br#"{"completion":"a","x":""#.to_vec();
    invalid.extend(b"\xff\xfe\"}");
    assert_eq!(texts(&read(&invalid)), [(0, Some("a"))]);
}

#[test]
fn what_does_not_close_is_no_record() {
    for line in [
        "hello",
        r#"{"completion":"a""#,
        r#"{"completion":"a"#,
        r#"{"completion":"a\"}"#,
        r#"{"completion":"a","x":[1,2}"#,
        r#"{"completion":"a","x":[1,2}]"#,
        r#"{"completion":"a","x":{"y":1}"#,
        r#"{"completion":"a"}}"#,
        r#"{"completion":"a"}{"completion":"b"}"#,
        r#"{"completion":"a"} ["x"]"#,
        r#"{"completion":"a"]"#,
        r#"{"completion" "a"}"#,
        r#"{"completion":"He said "hi" to me"}"#,
        r#"{"completion":"a","b"}"#,
        r#"{"completion":"bad \x escape"}"#,
        r#"{"completion":"\u12G4"}"#,
        r#"{"choices":[{"text":"a"}"#,
        r#"{"choices":[{"text":"a"}}"#,
        r#"{"choices":[{"text" "a"}]}"#,
        "[",
        "{",
        "\"abc",
        "}",
        "hello {}",
        "7 8",
        r#"{"other":1,}"#,
        r#"{other:1}"#,
        r#"{"completion":helo}"#,
        r#"{"other":[1,]}"#,
    ] {
        let record = read(line);
        assert_eq!(codes(&record.problems), [Code::InvalidRecord], "{line}");
        assert_eq!(record.completions, [], "{line}");
        let problem = &record.problems[0];
        assert!(
            problem.span.start < problem.span.end && problem.span.end <= line.len(),
            "{line}: {problem:?}"
        );
        assert!(!problem.snippet.is_empty() && problem.snippet.len() <= 160);
    }
}

#[test]
fn a_record_without_text_says_where_it_was_looked_for() {
    for line in [
        "{}",
        r#"{"prompt":"x"}"#,
        r#"{"completion":null}"#,
        r#"{"completion":7,"text":{},"content":[]}"#,
        r#"{"choices":[{"message":{"content":null,"tool_calls":[]}}]}"#,
        r#"{"messages":[{"role":"user","content":"q"}]}"#,
        r#"{"x":NaN}"#,
        r#"{"x":[-Infinity,1]}"#,
        "{\"x\":\"raw \t control\"}",
        r#"{"x":123456789012345678901234567890,"y":"\ud83d"}"#,
        "[1,2]",
        r#""text""#,
        "7",
        "null",
    ] {
        let record = read(line);
        assert_eq!(codes(&record.problems), [Code::MissingText], "{line}");
        assert_eq!(record.problems[0].span, Span::new(0, line.len()));
        assert!(record.problems[0].message.contains("`completion`"), "{line}");
    }
}

#[test]
fn a_validating_reader_judges_the_whole_record() {
    let cases: &[(&[u8], bool)] = &[
        (
            br#"{"completion":"a","x":[1e999,123456789012345678901234567890,"\ud83d"]}"#,
            true,
        ),
        (b" {\"completion\" : \"a\"}\r", true),
        (br#"{"completion":"a","x":NaN}"#, false),
        (br#"{"completion":"a",}"#, false),
        (br#"{"completion":"a"} x"#, false),
        (br#"{"completion":"a","x":"\x"}"#, false),
        (b"{\"completion\":\"raw \t control\"}", false),
        (b"{\"completion\":\"a\",\"x\":\"\xff\"}", false),
        (b"{\"completion\":\"a\xff\"}", false),
        (b"\xef\xbb\xbf{\"completion\":\"a\"}", false),
    ];
    let mut reader = Reader::new(Arc::new(Fields::default())).validates(true);
    let mut record = Record::default();
    for (line, valid) in cases {
        reader.read(line, &mut record);
        let expected: &[Code] = if *valid { &[] } else { &[Code::InvalidRecord] };
        let line = String::from_utf8_lossy(line);
        assert_eq!(codes(&record.problems), expected, "{line}");
        assert_eq!(record.completions.len(), usize::from(*valid), "{line}");
    }
    let deep = format!(
        r#"{{"completion":"a","x":{}{}}}"#,
        "[".repeat(100_000),
        "]".repeat(100_000)
    );
    reader.read(deep.as_bytes(), &mut record);
    assert_eq!(record.problems, []);
}

#[test]
fn losses_are_reported_once_a_text() {
    let record = read(br#"{"id":"\ud83d","completion":"a\ud83d b\udee0"}"#);
    assert_eq!(texts(&record), [(0, Some("a\u{fffd} b\u{fffd}"))]);
    assert_eq!(record.id.as_deref(), Some("\u{fffd}"));
    assert_eq!(codes(&record.completions[0].problems), [Code::LossyText]);
    assert_eq!(record.completions[0].problems[0].span, Span::new(1, 4));

    let record = read(
        b"{\"id\":\"\xff\",\"choices\":[{\"text\":\"ok\"},{\"text\":\"\xc3\xa9\xe2\x9c_\xff\\ud83d\"}]}",
    );
    assert_eq!(
        texts(&record),
        [(0, Some("ok")), (1, Some("é\u{fffd}_\u{fffd}\u{fffd}"))]
    );
    assert_eq!(record.completions[0].problems, []);
    assert_eq!(
        codes(&record.completions[1].problems),
        [Code::InvalidUtf8, Code::LossyText]
    );
    assert_eq!(record.completions[1].problems[0].span, Span::new(2, 5));
    assert_eq!(record.problems, []);
}

#[test]
fn snippets_are_short_and_whole() {
    for filler in ["a", "é", "🛠", "\u{ffff}"] {
        for place in [0, 1, 50, 200] {
            let line = format!("{{{}\"{}", filler.repeat(place), filler.repeat(300));
            let record = read(&line);
            let snippet = &record.problems[0].snippet;
            assert!(snippet.len() <= 160 && snippet.len() > 140, "{snippet}");
            assert!(line.contains(snippet.as_str()), "{snippet}");
        }
    }
    let mut line = b"\"".to_vec();
    line.extend([0xff; 300]);
    assert!(read(&line).problems[0].snippet.len() <= 160);
}

#[test]
fn a_reader_forgets_the_record_before() {
    let mut reader = Reader::new(Arc::new(Fields::default()));
    let mut record = Record::default();
    reader.read(
        br#"{"id":1,"model":"m","choices":[{"text":"a"},{"text":"b"}]}"#,
        &mut record,
    );
    assert_eq!(record.completions.len(), 2);
    reader.read(br#"{"text":"c"}"#, &mut record);
    assert_eq!(record, read(r#"{"text":"c"}"#));
    reader.read(b"{", &mut record);
    assert_eq!(record, read("{"));
    reader.read(br#"{"text":"d"}"#, &mut record);
    assert_eq!(record, read(r#"{"text":"d"}"#));
}
