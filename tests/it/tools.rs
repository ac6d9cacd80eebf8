//! Calls held against their tools: the cases of `tests/tools`, and the options.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use serde::Deserialize;
use serde_json::{Value, json};
use toolscan::validate::tools::{Dialect, Judge, MEOWSTIK, Schema, Toolset};
use toolscan::validate::{Logged, native_calls};
use toolscan::{Call, Diagnostic, Offer, ScanOptions, Scanner, Think, Turn, syntax};

use crate::support::{Folder, Row, column};

#[derive(Deserialize)]
struct File {
    case: Vec<Case>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    name: String,
    tools: Option<String>,
    built_in: Option<String>,
    dialect: Option<String>,
    #[serde(default)]
    strict: bool,
    fails: Option<String>,
    text: Option<String>,
    #[serde(default)]
    native: Vec<Vec<String>>,
    #[serde(default)]
    calls: Vec<Expected>,
    #[serde(default)]
    errors: Vec<Finding>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Expected {
    name: Option<String>,
    arguments: Option<String>,
    arguments_object: Option<String>,
    tool_known: Option<bool>,
    schema_valid: Option<bool>,
    valid: Option<bool>,
    parses: Option<bool>,
    codes: Option<Vec<String>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Finding {
    code: String,
    call: usize,
    severity: Option<String>,
    detail: Option<String>,
    at: Option<String>,
    #[serde(default)]
    says: Vec<String>,
    schema: Option<String>,
}

fn read_tools(text: &str, dialect: Option<&str>) -> Result<Toolset, String> {
    let dialect = match dialect {
        None => Dialect::JsonSchema,
        Some("bfcl") => Dialect::Bfcl,
        Some(other) => panic!("no dialect is called {other}"),
    };
    let compile = |schema: &str| Schema::compile(schema, dialect).map(Arc::new);
    Toolset::read("tools.json", text, &compile)
}

#[test]
fn cases() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/tools");
    let mut wrong = Vec::new();
    let mut count = 0;
    for name in ["registries.toml", "drafts.toml", "codes.toml"] {
        let text = fs::read_to_string(folder.join(name)).expect("the cases are there");
        let file: File = toml::from_str(&text).unwrap_or_else(|error| panic!("{name}: {error}"));
        let mut tools = String::new();
        for case in &file.case {
            count += 1;
            match case.built_in.as_deref() {
                Some("meowstik") => tools = MEOWSTIK.to_owned(),
                Some(other) => panic!("no registry is called {other}"),
                None => tools = case.tools.clone().unwrap_or(tools),
            }
            let faults = run(case, &tools);
            wrong.extend(
                faults
                    .into_iter()
                    .map(|fault| format!("{name}: {}: {fault}", case.name)),
            );
        }
    }
    assert!(
        wrong.is_empty(),
        "{} of {count} cases:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}

/// What is wrong with a case.
fn run(case: &Case, tools: &str) -> Vec<String> {
    let tools = match (read_tools(tools, case.dialect.as_deref()), &case.fails) {
        (Err(reason), Some(fails)) if reason.contains(fails) => return vec![],
        (Err(reason), _) => return vec![format!("the registry is refused: {reason}")],
        (Ok(_), Some(_)) => return vec!["the registry is taken".to_owned()],
        (Ok(tools), None) => tools,
    };
    let options = ScanOptions {
        think: Think::Hide,
        strict: case.strict,
    };
    let scanner = Scanner::new(syntax::all(), options);
    let text = case.text.as_deref().expect("a case has a text");
    let turn = Turn {
        offer: Some(&tools as &dyn Offer),
        ..Turn::default()
    };
    let mut scan = scanner.scan_turn(text, turn);
    let in_text = scan.calls.len();
    let logged = case.native.iter().map(|call| Logged {
        name: Some(&call[0]),
        id: call.get(2).map(String::as_str),
        arguments: Some(&call[1]),
    });
    scan.calls
        .extend(native_calls(logged, in_text, case.strict).calls);
    let judged = Judge::new(&tools, scanner.syntaxes(), case.strict).judge(text, &mut scan.calls);
    let mut found: Vec<_> = scan
        .diagnostics
        .into_iter()
        .filter(|found| found.code.is_about_tools())
        .map(|found| (found, None))
        .collect();
    found.extend(judged.findings.into_iter().zip(judged.schemas));

    let mut faults = Vec::new();
    if scan.calls.len() != case.calls.len() {
        faults.push(format!("{} calls, not {}", scan.calls.len(), case.calls.len()));
    }
    for (index, (call, expected)) in scan.calls.iter().zip(&case.calls).enumerate() {
        let differs = differences(call, expected);
        faults.extend(differs.into_iter().map(|fault| format!("call {index}: {fault}")));
    }
    if found.len() != case.errors.len() {
        let found: Vec<_> = found
            .iter()
            .map(|(found, _)| (found.code.name(), &found.message))
            .collect();
        faults.push(format!(
            "{} findings, not {}: {found:?}",
            found.len(),
            case.errors.len()
        ));
        return faults;
    }
    for (index, ((found, place), expected)) in found.iter().zip(&case.errors).enumerate() {
        let source = match found.call_index {
            Some(call) if call >= in_text => &case.native[call - in_text][1],
            _ => text,
        };
        let schema = place.and_then(|place| Some(place.span.of(tools.registry(place)?.1)));
        let differs = expected.differences(found, source, schema);
        faults.extend(
            differs
                .into_iter()
                .map(|fault| format!("finding {index}: {fault}")),
        );
    }
    faults
}

fn differences(call: &Call<'_>, expected: &Expected) -> Vec<String> {
    let codes = call.codes.names();
    let codes: Vec<_> = codes.into_iter().map(str::to_owned).collect();
    let text = |text: &Option<std::borrow::Cow<'_, str>>| text.as_deref().map(str::to_owned);
    let pairs = [
        (json!(expected.name), json!(text(&call.name))),
        (json!(expected.arguments), json!(text(&call.arguments))),
        (
            json!(expected.arguments_object),
            json!(text(&call.arguments_object)),
        ),
        (json!(expected.tool_known), json!(call.tool_known)),
        (json!(expected.schema_valid), json!(call.schema_valid)),
        (json!(expected.valid), json!(call.is_valid())),
        (json!(expected.parses), json!(call.parses())),
        (json!(expected.codes), json!(codes)),
    ];
    let pairs = pairs
        .into_iter()
        .filter(|(expected, found)| !expected.is_null() && expected != found);
    pairs
        .map(|(expected, found)| format!("{found}, not {expected}"))
        .collect()
}

impl Finding {
    fn differences(&self, found: &Diagnostic, source: &str, schema: Option<&str>) -> Vec<String> {
        let pairs = [
            (json!(self.code), json!(found.code.name())),
            (json!(self.call), json!(found.call_index)),
            (json!(self.severity), json!(found.severity.name())),
            (json!(self.detail), json!(found.detail)),
            (json!(self.at), json!(found.span.of(source))),
            (json!(self.schema), json!(schema)),
        ];
        let pairs = pairs
            .into_iter()
            .filter(|(expected, found)| !expected.is_null() && expected != found);
        let mut differs: Vec<_> = pairs
            .map(|(expected, found)| format!("{found}, not {expected}"))
            .collect();
        for words in &self.says {
            if !found.message.contains(words) {
                differs.push(format!("`{}` does not say {words}", found.message));
            }
        }
        differs
    }
}

#[test]
fn the_built_in_catalogue_is_that_of_the_format() {
    let tools = read_tools(MEOWSTIK, None).expect("it is sound");
    let mut names = syntax::scissors_cat::TYPES;
    names.sort_unstable();
    assert_eq!(tools.names(), names);
}

const TOOLS: &str =
    r#"{"ls": {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}}"#;

fn line(completion: &str, more: Value) -> String {
    let mut record = json!({ "completion": completion });
    let fields = more.as_object().expect("fields").clone();
    record.as_object_mut().expect("an object").extend(fields);
    format!("{record}\n")
}

fn call(args: &str) -> String {
    format!("<execute>[{{\"name\": \"ls\", \"args\": {args}}}]</execute>")
}

#[test]
fn tables_without_tools_have_nulls_and_with_tools_values() {
    let folder = Folder::new();
    let log =
        line(&call("{\"n\": 1}"), json!({})) + &line(&call("{}"), json!({})) + &line("hello", json!({}));
    folder.write("log.jsonl", log);
    folder.write("tools.json", TOOLS);
    let without = folder.ingest(&["log.jsonl"]);
    let with = folder.ingest(&["log.jsonl", "--tools", "tools.json"]);
    for name in ["arguments_object", "tool_known", "schema_valid"] {
        assert_eq!(column(&without.calls, name), [&Value::Null; 2], "{name}");
    }
    assert_eq!(column(&without.calls, "parses"), [true, true]);
    assert_eq!(column(&without.completions, "n_schema_valid"), [&Value::Null; 3]);
    assert_eq!(without.stats[0]["tool_known_rate"], Value::Null);
    assert_eq!(without.stats[0]["schema_valid_rate"], Value::Null);

    assert_eq!(column(&with.calls, "tool_known"), [true, true]);
    assert_eq!(column(&with.calls, "schema_valid"), [true, false]);
    assert_eq!(column(&with.calls, "valid"), [true, false]);
    assert_eq!(column(&with.calls, "parses"), [true, true]);
    assert_eq!(column(&with.completions, "n_schema_valid"), [1, 0, 0]);
    assert_eq!(
        column(&with.completions, "outcome"),
        ["adherent", "invalid", "no_call"]
    );
    assert_eq!(column(&with.errors, "code"), ["missing_argument"]);
    assert_eq!(with.stats[0]["tool_known_rate"], 1.0);
    assert_eq!(with.stats[0]["schema_valid_rate"], 0.5);
    assert_eq!(
        with.stats[0]["code_counts"],
        json!([{"code": "missing_argument", "count": 1}])
    );
}

#[test]
fn a_record_brings_its_own_tools() {
    let folder = Folder::new();
    let own = json!([{"name": "ls", "parameters": {"required": ["path"]}}]);
    let log = [
        line(&call("{\"n\": 1}"), json!({ "request": { "tools": own } })),
        line(
            &call("{\"path\": 1}"),
            json!({ "request": { "tools": own.to_string() } }),
        ),
        line(&call("{\"n\": 1}"), json!({ "request": { "tools": null } })),
        line(&call("{\"n\": 1}"), json!({})),
        line(&call("{\"n\": 1}"), json!({ "request": { "tools": [] } })),
        line(&call("{\"n\": 1}"), json!({ "request": { "tools": 7 } })),
    ];
    folder.write("log.jsonl", log.concat());
    folder.write("tools.json", TOOLS);
    let arguments = ["log.jsonl", "--tools-field", "request.tools"];
    let alone = folder.ingest(&arguments);
    let known = |rows: &[Row]| {
        column(rows, "tool_known")
            .into_iter()
            .cloned()
            .collect::<Vec<_>>()
    };
    let (yes, no, null) = (json!(true), json!(false), Value::Null);
    assert_eq!(
        known(&alone.calls),
        [&yes, &yes, &null, &null, &no, &null].map(Clone::clone)
    );
    let with = folder.ingest(&[&arguments[..], &["--tools", "tools.json"]].concat());
    assert_eq!(
        known(&with.calls),
        [&yes, &yes, &yes, &yes, &no, &yes].map(Clone::clone)
    );
    let valid = [false, true, true, true, false, true];
    assert_eq!(column(&with.calls, "valid"), valid);

    let said = folder.run(&[
        "ingest",
        "--out",
        "u/",
        "log.jsonl",
        "--tools-field",
        "request.tools",
        "--json",
    ]);
    let said = said.expect(0);
    assert!(
        said.stderr.contains("1 record with tools that cannot be used"),
        "{}",
        said.stderr
    );
    let report: Value = serde_json::from_str(&said.stdout).expect("it is JSON");
    assert_eq!(report["records_with_unusable_tools"], 1);

    let misspelt = [
        "ingest",
        "--out",
        "u/",
        "log.jsonl",
        "--tools-field",
        "reqest.tools",
    ];
    let said = folder.run(&misspelt).expect(0).stderr;
    assert!(said.contains("no record has tools at `reqest.tools`"), "{said}");
}

#[test]
fn the_config_file_names_tools_beside_it() {
    let folder = Folder::new();
    folder.write("log.jsonl", line(&call("{}"), json!({})));
    folder.write("conf/tools.json", TOOLS);
    folder.write("conf/toolscan.toml", "tools = [\"tools.json\"]\n");
    let tables = folder.ingest(&["log.jsonl", "--config", "conf/toolscan.toml"]);
    assert_eq!(column(&tables.errors, "code"), ["missing_argument"]);
    folder.write("bfcl.json", r#"{"ls": {"type": "dict", "properties": {}}}"#);
    folder.write(
        "conf/toolscan.toml",
        "tools = [\"../bfcl.json\", \"meowstik\"]\ntools_dialect = \"bfcl\"\n",
    );
    let tables = folder.ingest(&["log.jsonl", "--config", "conf/toolscan.toml"]);
    assert_eq!(column(&tables.calls, "schema_valid"), [true]);
    folder.write("conf/toolscan.toml", "tools_dialect = \"bfc\"\n");
    let said = folder.run(&[
        "ingest",
        "--out",
        "u/",
        "log.jsonl",
        "--config",
        "conf/toolscan.toml",
    ]);
    assert!(said.expect(2).stderr.contains("did you mean `bfcl`?"));
}

#[test]
fn several_files_add_up_and_the_later_one_wins() {
    let folder = Folder::new();
    folder.write("log.jsonl", line(&call("{}"), json!({})));
    folder.write("a.json", TOOLS);
    folder.write("b.json", r#"[{"name": "ls", "parameters": {}}]"#);
    let tables = folder.ingest(&["log.jsonl", "--tools", "a.json", "--tools", "b.json"]);
    assert_eq!(column(&tables.calls, "valid"), [true]);
    let tables = folder.ingest(&["log.jsonl", "--tools", "b.json", "--tools", "a.json"]);
    assert_eq!(column(&tables.calls, "valid"), [false]);
}

#[test]
fn tools_that_cannot_be_used_stop_the_run() {
    let folder = Folder::new();
    folder.write("log.jsonl", line("hello", json!({})));
    folder.write(
        "remote.json",
        r#"{"ls": {"$ref": "https://example.com/ls.json"}}"#,
    );
    for (file, words) in [
        ("none.json", "No such file"),
        ("remote.json", "nothing is fetched"),
    ] {
        let ran = folder
            .run(&["ingest", "log.jsonl", "--out", "t/", "--tools", file])
            .expect(2);
        assert!(
            ran.stderr.contains(file) && ran.stderr.contains(words),
            "{}",
            ran.stderr
        );
        assert!(!folder.path("t").exists());
    }
}

#[test]
fn explain_shows_the_argument_and_the_line_of_the_schema() {
    let folder = Folder::new();
    folder.write("completion.txt", call("{\"n\": \"ten\"}"));
    folder.write(
        "tools.json",
        "{\n  \"ls\": {\n    \"properties\": {\n      \"n\": {\"type\": \"integer\"}\n    }\n  }\n}\n",
    );
    let ran = folder
        .run(&["explain", "completion.txt", "--tools", "tools.json"])
        .expect(0);
    insta::assert_snapshot!(ran.stdout);
}

#[test]
fn batches_are_joined_with_their_requests() {
    let folder = Folder::new();
    let tool = json!({"type": "function", "function": {"name": "ls", "parameters": {"required": ["path"]}}});
    let requests = [
        json!({"custom_id": "a", "method": "POST", "url": "/v1/chat/completions", "body": {"model": "m", "tools": [tool]}}),
        json!({"custom_id": "b", "body": {"model": "n"}}),
    ];
    let answer = |id: &str, name: &str| {
        json!({"id": "x", "custom_id": id, "error": null, "response": {"status_code": 200, "body": {"choices": [
            {"finish_reason": "stop", "message": {
                "content": format!("<execute>[{{\"name\":\"{name}\",\"args\":{{}}}}]</execute>"),
            }},
        ]}}})
    };
    let lines = |values: &[Value]| {
        values
            .iter()
            .map(|value| format!("{value}\n"))
            .collect::<String>()
    };
    folder.write("requests.jsonl", lines(&requests));
    folder.write(
        "log.jsonl",
        lines(&[answer("a", "ls"), answer("b", "ls"), answer("c", "ls")]),
    );
    let tables = folder.ingest(&["log.jsonl", "--join-requests", "requests.jsonl"]);
    assert_eq!(
        column(&tables.calls, "model"),
        [&json!("m"), &json!("n"), &Value::Null]
    );
    assert_eq!(
        column(&tables.calls, "tool_known"),
        [&json!(true), &Value::Null, &Value::Null]
    );
    assert_eq!(
        column(&tables.calls, "schema_valid"),
        [&json!(false), &Value::Null, &Value::Null]
    );
    assert_eq!(
        column(&tables.errors, "code"),
        [&json!("leaked_call"), &json!("missing_argument")]
    );
    let said = folder.run(&[
        "ingest",
        "log.jsonl",
        "--out",
        "t/",
        "--join-requests",
        "requests.jsonl",
    ]);
    assert!(
        said.expect(0)
            .stderr
            .contains("1 record without a request of the same `custom_id`")
    );
}

#[test]
fn a_file_that_holds_no_requests_stops_the_run() {
    let folder = Folder::new();
    folder.write(
        "log.jsonl",
        r#"{"custom_id": "a", "response": {"body": {"choices": []}}}"#,
    );
    folder.write("broken.jsonl", "{\"custom_id\": \"a\"}\n{\"id\": 1}\n");
    for (file, reason) in [
        ("broken.jsonl", "broken.jsonl: line 2 is no request"),
        ("missing.jsonl", "missing.jsonl: No such file"),
    ] {
        let said = folder
            .run(&["ingest", "log.jsonl", "--out", "t/", "--join-requests", file])
            .expect(1)
            .stderr;
        assert!(said.contains(reason), "{said}");
        assert!(!folder.path("t").exists(), "nothing was written");
    }
}
