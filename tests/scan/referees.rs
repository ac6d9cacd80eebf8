//! The scanner against slow, obvious parsers of the formats that have no published reference: each is written straight
//! from its seed, with the departures that docs/divergences.md lists.

use pulldown_cmark::{CodeBlockKind, Event, Parser, Tag};
use serde_json::{Map, Value, json};
use toolscan::scan::is_space;
use toolscan::syntax::{self, scissors_cat};
use toolscan::{Call, ScanOptions, Scanner};

use crate::mutants::Mutants;

/// Texts for each syntax.
const TEXTS: usize = 20_000;

/// What is read here knows nothing of reasoning, nor of code where that hides markers: tests of their own hold those.
/// Without `<` no HTML begins, either, which the scanner takes for text.
fn without_reasoning(text: &str) -> String {
    text.replace("think>", "thing").replace('<', "(")
}

fn without_code(text: &str) -> String {
    without_reasoning(text).replace('`', "'")
}

/// Tries `compare` on many texts, with a scanner for that syntax alone. It says whether there was a call to compare.
fn try_texts(name: &str, own: &'static [&'static str], compare: impl Fn(&str, &Scanner) -> bool) {
    let all = syntax::all();
    let syntax = all.into_iter().find(|syntax| syntax.name() == name);
    let syntax = syntax.expect("the name is one of the list");
    let scanner = Scanner::new(vec![syntax.clone()], ScanOptions::default());
    let mut mutants = Mutants::new(syntax, own, 1);
    let compared = (0..TEXTS).filter(|_| compare(&mutants.text(), &scanner)).count();
    assert!(compared > TEXTS / 3, "calls in {compared} of {TEXTS} texts only");
}

const EMOJI_BRACKET: &[&str] = &[
    "🛠\u{fe0f}[",
    "🛠[",
    "🛠\u{fe0f}[ls]",
    "🛠\u{fe0f}[write a.txt  b ]",
    "🛠\u{fe0f}[ls -a /]",
    "🛠\u{fe0f}[]",
    "🛠\u{fe0f}[ ]",
    "🛠\u{fe0f}[/end]",
    "🛠[/end]",
    "🛠\u{fe0f}[/en",
    "/]",
    " /]",
];

/// A call as seed 000 §5.1 emits it, and where it begins.
#[derive(Debug, PartialEq)]
struct EmojiCall<'t> {
    start: usize,
    name: &'t str,
    raw_args: &'t str,
    body: Option<&'t str>,
    valid: bool,
}

/// The first of these in `text` from `from` on: its place, and the one behind it.
fn first_of(text: &str, markers: &[&str], from: usize) -> Option<(usize, usize)> {
    let places = markers.iter().filter_map(|marker| {
        text[from..]
            .find(marker)
            .map(|at| (from + at, from + at + marker.len()))
    });
    places.min()
}

/// Seed 000 §5.1 with §7. `None` where a header is nearly an end marker, about which the seed is silent.
fn read_emoji_bracket(text: &str) -> Option<Vec<EmojiCall<'_>>> {
    const OPENERS: &[&str] = &["🛠\u{fe0f}[", "🛠["];
    const CLOSERS: &[&str] = &["🛠\u{fe0f}[/end]", "🛠[/end]"];
    let mut calls = Vec::new();
    let mut at = 0;
    while let Some((start, behind)) = first_of(text, OPENERS, at) {
        at = behind;
        // An end marker that closes nothing is no call of the name `/end`.
        if text[behind..].starts_with("/end]") {
            continue;
        }
        // §7.1, §2: a header is closed on its line, or it is plain text.
        let line = text[behind..].split('\n').next().unwrap_or_default();
        let word = line.trim_start_matches(|c| is_space(c) || c == '/' || c == '\\');
        if word.to_ascii_lowercase().starts_with("end") {
            return None;
        }
        let Some(length) = line.find(']') else { continue };
        at = behind + length + 1;
        let header = &line[..length];
        let bare = header.strip_suffix(" /");
        let header = bare.unwrap_or(header).trim_start_matches(is_space);
        let (name, rest) = header.split_at(header.find(is_space).unwrap_or(header.len()));
        if name.is_empty() {
            continue;
        }
        let raw_args = rest.trim_start_matches(is_space);
        let rest = &text[at..];
        let (body, valid) = match first_of(text, CLOSERS, at) {
            // The form that closes itself has no body.
            _ if bare.is_some() => (None, true),
            Some((end, behind)) => {
                let body = &text[at..end];
                at = behind;
                (Some(body), true)
            }
            // §7.2, but calls that consist of their headers do not swallow each other.
            None if rest.trim_start_matches(is_space).is_empty() => (Some(""), false),
            None if first_of(rest.trim_start_matches(is_space), OPENERS, 0)
                .is_some_and(|(at, _)| at == 0) =>
            {
                (Some(""), false)
            }
            None => {
                at = text.len();
                (Some(rest), false)
            }
        };
        // §5.3: the body begins on the line behind the header.
        let body = body.map(|body| {
            let inner = body.strip_prefix("\r\n").or_else(|| body.strip_prefix('\n'));
            inner.unwrap_or(body)
        });
        calls.push(EmojiCall {
            start,
            name,
            raw_args,
            body,
            valid,
        });
    }
    Some(calls)
}

#[test]
fn emoji_bracket_is_read_as_its_seed_says() {
    try_texts("emoji_bracket", EMOJI_BRACKET, |text, scanner| {
        let text = &without_code(text);
        let Some(expected) = read_emoji_bracket(text) else {
            return false;
        };
        let scan = scanner.scan(text);
        let found: Vec<_> = scan
            .calls
            .iter()
            .map(|call| EmojiCall {
                start: call.span.expect("the call was found in a text").start,
                name: call.name.as_deref().unwrap_or_default(),
                raw_args: call.raw_args.as_deref().unwrap_or_default(),
                body: call.body.as_deref(),
                valid: call.is_valid(),
            })
            .collect();
        assert_eq!(found, expected, "{text:?}");
        !found.is_empty()
    });
}

const MARKDOWN_FENCE: &[&str] = &[
    "\n```tool\n",
    "\n```tool search c1\n",
    "\n~~~tool name='a b' id=c2\n",
    "\n````tool toolName=x\n",
    "\n``` tool fetch\n",
    "\n```\n",
    "\n~~~\n",
    "\n> ",
    "\n- ",
    "state: output-available\n",
    "input:\n  q: \"x\"\n  deep:\n    n: 7\n",
    "input:\n",
    "output: [1, {\"a\": true}]\n",
    "error: \"no: way\"\n",
    "name: n1\n",
    "id: i1\n",
    "toolCallId: \"i2\"\n",
    "more: 1\n",
];

/// A tool fence as far as the referee understands it.
struct Fence {
    start: usize,
    /// Name and id that the info string gives; `None` where it holds more than these.
    info: Option<[Option<String>; 2]>,
    /// `None` where the YAML is not of the simple kind that is read here.
    fields: Option<Map<String, Value>>,
    closed: bool,
}

/// The tool fences of a text, found by CommonMark.
fn tool_fences(text: &str) -> Vec<Fence> {
    let mut fences = Vec::new();
    let mut body = None;
    for (event, range) in Parser::new(text).into_offset_iter() {
        match event {
            Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(_))) => {
                let start = range.start + text[range.start..].find(['`', '~']).unwrap_or_default();
                let line = text[start..].split(['\n', '\r']).next().unwrap_or_default();
                let info = line.trim_start_matches(['`', '~']).trim_matches([' ', '\t']);
                let words = info.strip_prefix("tool");
                body = words
                    .filter(|rest| rest.is_empty() || rest.starts_with(is_space))
                    .map(|words| {
                        let block = text[range.clone()].trim_end();
                        let last = block.lines().last().unwrap_or_default();
                        let last = last.trim_matches(|c| is_space(c) || c == '>');
                        let fence = &line[..line.len() - line.trim_start_matches(['`', '~']).len()];
                        fences.push(Fence {
                            start,
                            info: read_info(words),
                            fields: None,
                            closed: block.contains('\n')
                                && last.starts_with(fence)
                                && last.trim_start_matches(&fence[..1]).is_empty(),
                        });
                        String::new()
                    });
            }
            Event::Text(piece) => {
                if let Some(body) = &mut body {
                    body.push_str(&piece);
                }
            }
            Event::End(_) => {
                if let Some((body, fence)) = body.take().zip(fences.last_mut()) {
                    fence.fields = read_yaml(&body);
                }
            }
            _ => {}
        }
    }
    fences
}

/// Seed 001, Info String: a name and an id, by place or by key, in quotes or not.
fn read_info(words: &str) -> Option<[Option<String>; 2]> {
    let mut given = [None, None];
    let mut rest = words.trim_start_matches(is_space);
    while !rest.is_empty() {
        let keys = [("toolName=", 0), ("toolCallId=", 1), ("name=", 0), ("id=", 1)];
        let key = keys.iter().find(|(key, _)| rest.starts_with(key));
        let value = key.map_or(rest, |(key, _)| &rest[key.len()..]);
        let (value, behind) = match value
            .chars()
            .next()
            .filter(|&quote| quote == '"' || quote == '\'')
        {
            Some(quote) => value[1..].split_once(quote)?,
            None => value.split_at(value.find(is_space).unwrap_or(value.len())),
        };
        let odd = value.is_empty() || value.contains(['=', '"', '\'']);
        if odd || !(behind.is_empty() || behind.starts_with(is_space)) {
            return None;
        }
        let place = key.map_or(usize::from(given[0].is_some()), |&(_, place)| place);
        if given[place].replace(value.to_owned()).is_some() {
            return None;
        }
        rest = behind.trim_start_matches(is_space);
    }
    Some(given)
}

/// YAML as simple as the examples of seed 001: mappings by two blanks of indentation, whose values are words, whole
/// numbers, JSON or literal blocks.
fn read_yaml(body: &str) -> Option<Map<String, Value>> {
    if body.contains(['\t', '\r']) {
        return None;
    }
    let mut lines = body.trim_end_matches('\n').split('\n').collect::<Vec<_>>();
    if lines == [""] {
        lines.clear();
    }
    let mut at = 0;
    let mapping = read_mapping(&lines, &mut at, 0)?;
    (at == lines.len()).then_some(mapping)
}

fn indent_of(line: &str) -> usize {
    line.len() - line.trim_start_matches(' ').len()
}

fn read_mapping(lines: &[&str], at: &mut usize, indent: usize) -> Option<Map<String, Value>> {
    let mut mapping = Map::new();
    while let Some(line) = lines.get(*at).filter(|line| indent_of(line) == indent) {
        *at += 1;
        let line = line[indent..].trim_end_matches(' ');
        let (key, value) = match line.strip_prefix('"') {
            Some(quoted) => quoted.split_once("\":")?,
            None => line.split_once(':')?,
        };
        if !is_word(key) {
            return None;
        }
        let value = match value {
            "" if lines.get(*at).is_some_and(|next| indent_of(next) > indent) => {
                Value::Object(read_mapping(lines, at, indent + 2)?)
            }
            "" => Value::Null,
            " |-" => read_literal(lines, at, indent + 2)?,
            _ => read_scalar(value.strip_prefix(' ')?)?,
        };
        if mapping.insert(key.to_owned(), value).is_some() {
            return None;
        }
    }
    Some(mapping)
}

fn read_literal(lines: &[&str], at: &mut usize, indent: usize) -> Option<Value> {
    let inside = |line: &&&str| line.is_empty() || indent_of(line) >= indent;
    let block: Vec<_> = lines[*at..]
        .iter()
        .take_while(inside)
        .map(|line| line.get(indent..))
        .collect();
    *at += block.len();
    let block: Vec<&str> = block.into_iter().map(Option::unwrap_or_default).collect();
    // Blank lines at its ends, and a first line that is indented further, are subtle.
    let plain = |line: Option<&&str>| line.is_some_and(|line| !line.starts_with(' ') && !line.is_empty());
    (plain(block.first()) && plain(block.last())).then(|| block.join("\n").into())
}

fn read_scalar(value: &str) -> Option<Value> {
    if is_word(value) && !["true", "false", "null"].contains(&value.to_ascii_lowercase().as_str()) {
        return Some(value.into());
    }
    // A number that is not written as JSON has it may be one in YAML.
    serde_json::from_str(value).ok()
}

fn is_word(text: &str) -> bool {
    text.starts_with(|first: char| first.is_ascii_alphabetic())
        && text
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-'))
}

/// Seed 001, Body Fields: what a field is, by its long or its short name.
fn field<'f>(fields: &'f Map<String, Value>, names: [&str; 2]) -> Option<&'f Value> {
    names
        .iter()
        .find_map(|&name| fields.get(name).filter(|value| !value.is_null()))
}

fn check_fence(fence: &Fence, ordinal: usize, call: &Call, text: &str) {
    assert_eq!(call.span.map(|span| span.start), Some(fence.start), "{text:?}");
    let Some((info, fields)) = fence.info.as_ref().zip(fence.fields.as_ref()) else {
        return;
    };
    let names = [["toolName", "name"], ["toolCallId", "id"]];
    let in_body = names.map(|names| field(fields, names));
    if in_body.into_iter().flatten().any(|value| !value.is_string()) {
        return;
    }
    let given = |place: usize| {
        let in_body = in_body[place].and_then(Value::as_str);
        info[place].clone().or(in_body.map(str::to_owned))
    };
    let name = given(0).unwrap_or("tool".to_owned());
    assert_eq!(call.name.as_deref(), Some(&*name), "{text:?}");
    let id = given(1).unwrap_or(format!("tool-call-{ordinal}"));
    assert_eq!(call.call_id.as_deref(), Some(&*id), "{text:?}");
    let read =
        |json: Option<&str>| json.map(|json| serde_json::from_str::<Value>(json).expect("a column of JSON"));
    let input = fields.get("input").cloned().unwrap_or(json!({}));
    assert_eq!(read(call.arguments.as_deref()), Some(input), "{text:?}");
    assert_eq!(
        read(call.output.as_deref()),
        fields.get("output").cloned(),
        "{text:?}"
    );
    if let Some(error) = field(fields, ["errorText", "error"]).and_then(Value::as_str) {
        assert_eq!(call.error_text.as_deref(), Some(error), "{text:?}");
    }
    let states = [
        "input-streaming",
        "input-available",
        "output-available",
        "output-error",
    ];
    let state = fields.get("state");
    let sound = state.is_none_or(|state| state.as_str().is_some_and(|state| states.contains(&state)));
    if sound && fence.closed {
        assert!(call.is_valid(), "{text:?}: {:?}", call.codes.names());
    }
}

#[test]
fn markdown_fence_is_read_as_its_seed_says() {
    try_texts("markdown_fence", MARKDOWN_FENCE, |text, scanner| {
        // A lone carriage return ends a line in CommonMark, but not everywhere in pulldown-cmark, to which a byte
        // order mark is no white space, nor a tab behind a closing fence.
        let lines: Vec<_> = text.split("\r\n").map(|line| line.replace('\r', " ")).collect();
        let text = &without_reasoning(&lines.join("\r\n"))
            .replace('\u{feff}', "")
            .replace('\t', " ");
        let fences = tool_fences(text);
        let scan = scanner.scan(text);
        assert_eq!(scan.calls.len(), fences.len(), "{text:?}");
        for (index, (fence, call)) in fences.iter().zip(&scan.calls).enumerate() {
            check_fence(fence, index + 1, call, text);
        }
        fences.iter().any(|fence| fence.fields.is_some())
    });
}

const SCISSORS_CAT: &[&str] = &[
    "✂\u{fe0f}🐱",
    "✂🐱",
    "✂\u{fe0f} 🐱",
    "✂\u{fe0f}",
    "\"id\": \"a\",",
    "\"priority\": 2,",
    "\"priority\": \"high\",",
    "\"type\": \"search\",",
    "\"type\": \"say\",",
    "{\"id\": \"s\", \"type\": \"search\", \"operation\": \"o\", \"parameters\": {\"q\": \"✂\u{fe0f}🐱\"}}",
    "[{\"id\": \"t\", \"type\": \"custom\", \"operation\": \"\", \"parameters\": {}, \"priority\": -1.5}]\n✂\u{fe0f}🐱\n",
    "[]\n✂\u{fe0f}🐱\nHi",
];

/// Seed 003, `parseLLMOutput`: the valid calls, and how many objects of the section have a name or arguments at all.
fn parse_llm_output(output: &str) -> (Vec<Value>, Option<usize>) {
    const DELIMITERS: &[&str] = &["✂\u{fe0f}🐱", "✂🐱", "✂\u{fe0f} 🐱", "✂ 🐱"];
    let mut at = 0;
    // The first delimiter that does not stand in a string: the text before it is JSON, or nothing is before any.
    while let Some((place, behind)) = first_of(output, DELIMITERS, at) {
        let section = output[..place].trim_matches(is_space);
        if let Ok(parsed) = serde_json::from_str::<Value>(section) {
            let calls = match parsed {
                Value::Array(calls) => calls,
                single => vec![single],
            };
            let is_row = |call: &&Value| call["type"].is_string() || call["parameters"].is_object();
            let rows = calls.iter().filter(is_row).count();
            return (calls.iter().filter_map(valid_call).collect(), Some(rows));
        }
        at = behind;
    }
    (Vec::new(), None)
}

/// Seed 003, `toolCallSchema`.
fn valid_call(call: &Value) -> Option<Value> {
    let kind = call["type"]
        .as_str()
        .filter(|kind| scissors_cat::TYPES.contains(kind))?;
    let priority = match call.get("priority") {
        None => 0.0,
        Some(priority) => priority.as_f64()?,
    };
    let parameters = Some(&call["parameters"]).filter(|parameters| parameters.is_object())?;
    Some(json!([
        call["id"].as_str()?,
        kind,
        call["operation"].as_str()?,
        parameters,
        priority
    ]))
}

#[test]
fn scissors_cat_is_read_as_its_seed_says() {
    try_texts("scissors_cat", SCISSORS_CAT, |text, scanner| {
        let text = &without_code(text);
        let (expected, rows) = parse_llm_output(text);
        let scan = scanner.scan(text);
        let valid = scan.calls.iter().filter(|call| call.is_valid());
        let found: Vec<_> = valid
            .map(|call| {
                let parameters: Value = serde_json::from_str(call.arguments.as_deref().unwrap_or("null"))
                    .expect("a column of JSON");
                json!([call.call_id, call.name, call.operation, parameters, call.priority])
            })
            .collect();
        assert_eq!(found, expected, "{text:?}");
        if let Some(rows) = rows {
            assert_eq!(scan.calls.len(), rows, "{text:?}");
        }
        !found.is_empty()
    });
}
