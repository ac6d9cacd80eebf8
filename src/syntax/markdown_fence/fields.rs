//! The fields of a tool fence: what its YAML says, together with the info string.

use std::borrow::Cow;

use super::body::Body;
use super::info::{Given, Info, conflict};
use crate::body::yaml::{self, Content, Field, Key, Kind, Node};
use crate::diagnostic::{Code, Finding};
use crate::shown::shown;
use crate::span::Span;

const STATES: [&str; 4] = [
    "input-streaming",
    "input-available",
    "output-available",
    "output-error",
];

/// The fields of the body that are known, each long name before its short one.
const KNOWN: [&str; 9] = [
    "toolCallId",
    "id",
    "toolName",
    "name",
    "state",
    "input",
    "output",
    "errorText",
    "error",
];

/// What a fence says about its call.
#[derive(Debug, Default)]
pub(super) struct Fields<'t> {
    pub(super) name: Option<Cow<'t, str>>,
    pub(super) id: Option<Cow<'t, str>>,
    pub(super) state: Option<String>,
    /// As JSON; `None` where the body cannot be read.
    pub(super) arguments: Option<String>,
    /// As JSON.
    pub(super) output: Option<String>,
    pub(super) error_text: Option<String>,
    pub(super) extra: Option<String>,
    pub(super) events: Vec<&'static str>,
}

/// The fields of a body's YAML, by their place in it.
struct Reader<'b, 'f> {
    body: &'b Body<'b>,
    fields: &'b [Field<'b>],
    findings: &'f mut Vec<Finding>,
}

/// A text that the body gives for a field.
struct Text {
    text: String,
    span: Span,
}

impl<'t> Fields<'t> {
    /// Reads `body`. What the info string gives wins. A body that is cut and cannot be read has been reported
    /// as cut.
    pub(super) fn read(info: Info<'t>, body: &Body<'_>, is_cut: bool, findings: &mut Vec<Finding>) -> Self {
        let from_info = Self {
            name: info.name.map(|given| given.value.into()),
            id: info.id.map(|given| given.value.into()),
            ..Self::default()
        };
        let document = match yaml::read(&body.text) {
            Ok(document) => document,
            Err(fault) => {
                findings.extend((!is_cut).then(|| invalid_yaml(&fault, body)));
                return from_info;
            }
        };
        findings.extend(document.duplicates.iter().map(|key| duplicate_key(key, body)));
        let fields = match document.root.as_ref().map(|root| &root.content) {
            None => &[],
            Some(Content::Mapping(fields)) => fields.as_slice(),
            Some(_) => {
                findings.extend((!is_cut).then(|| not_a_mapping(body)));
                return from_info;
            }
        };
        let reader = Reader {
            body,
            fields,
            findings,
        };
        reader.read(info, is_cut)
    }
}

impl Reader<'_, '_> {
    fn read<'t>(mut self, info: Info<'t>, is_cut: bool) -> Fields<'t> {
        let input = self.field("input").map(Node::to_json);
        let output = self.field("output").map(Node::to_json);
        let state = self.state(is_cut);
        let error_text = self.error_text();
        Fields {
            name: self.name_or_id("name", info.name, ["toolName", "name"]),
            id: self.name_or_id("id", info.id, ["toolCallId", "id"]),
            events: events(state.as_deref(), output.is_some(), error_text.is_some()),
            state,
            arguments: Some(input.unwrap_or_else(|| "{}".to_owned())),
            output,
            error_text,
            extra: self.extra(),
        }
    }

    fn field(&self, key: &str) -> Option<&Node<'_>> {
        let (_, node) = self.fields.iter().find(|(other, _)| other.text == key)?;
        Some(node)
    }

    fn extra(&self) -> Option<String> {
        let mut unknown = self
            .fields
            .iter()
            .filter(|(key, _)| !KNOWN.contains(&key.text.as_ref()))
            .peekable();
        unknown.peek()?;
        Some(yaml::object_to_json(unknown))
    }

    /// The name or the id: the info string's, else that of the long key, else that of the short one.
    fn name_or_id<'t>(
        &mut self,
        field: &str,
        given: Option<Given<'t>>,
        keys: [&str; 2],
    ) -> Option<Cow<'t, str>> {
        let given: Option<Cow<'t, str>> = given.map(|given| given.value.into());
        let texts = keys.map(|key| self.text(key));
        self.first(field, given, texts)
    }

    fn error_text(&mut self) -> Option<String> {
        let texts = ["errorText", "error"].map(|key| {
            let node = self.field(key)?;
            let text = match &node.content {
                Content::Scalar(Kind::Null, _) => return None,
                Content::Scalar(Kind::String, text) => text.to_string(),
                _ => node.to_json(),
            };
            let span = self.body.place(node.span);
            Some(Text { text, span })
        });
        self.first("error text", None, texts).map(Cow::into_owned)
    }

    /// The first value that is given. Reports it once where another differs.
    fn first<'t>(
        &mut self,
        field: &str,
        given: Option<Cow<'t, str>>,
        texts: [Option<Text>; 2],
    ) -> Option<Cow<'t, str>> {
        let mut first = given;
        let mut differs = false;
        for Text { text, span } in texts.into_iter().flatten() {
            match &first {
                None => first = Some(text.into()),
                Some(first) if *first != text && !differs => {
                    differs = true;
                    self.findings.push(conflict(field, span, first, &text));
                }
                Some(_) => {}
            }
        }
        first
    }

    /// A name or an id of the body. One that is blank or null counts as absent.
    fn text(&mut self, key: &str) -> Option<Text> {
        let node = self.field(key)?;
        let span = self.body.place(node.span);
        let (text, kind) = match &node.content {
            Content::Scalar(Kind::Null, _) => return None,
            Content::Scalar(Kind::String, text) => (Some(text.to_string()), ""),
            Content::Scalar(Kind::Boolean, text) => (Some(text.to_string()), "a boolean"),
            Content::Scalar(_, text) => (Some(text.to_string()), "a number"),
            Content::Sequence(_) => (None, "a list"),
            Content::Mapping(_) => (None, "a mapping"),
        };
        if !kind.is_empty() {
            let message = format!("`{key}` has to be a string and is {kind}; put it in quotes");
            let finding = Finding::new(Code::WrongType, span, message);
            self.findings.push(if text.is_some() {
                finding.warning()
            } else {
                finding
            });
        }
        let text = text.filter(|text| !crate::text::trim(text).is_empty())?;
        Some(Text { text, span })
    }

    /// The state as written. One at the end of a body that is cut may itself be cut, and is not judged.
    fn state(&mut self, is_cut: bool) -> Option<String> {
        let node = self.field("state")?;
        let span = self.body.place(node.span);
        let text = match &node.content {
            Content::Scalar(Kind::Null, _) => None,
            Content::Scalar(_, text) => Some(text.to_string()),
            _ => Some(node.to_json()),
        };
        let is_last = self.body.text.trim_end().len() == node.span.end;
        let is_known =
            matches!(&node.content, Content::Scalar(Kind::String, text) if STATES.contains(&text.as_ref()));
        let may_be_cut = is_cut && is_last;
        if !is_known && !may_be_cut {
            let found = text.as_deref().unwrap_or("null");
            let message = format!(
                "the state is `{}` and has to be one of {}",
                shown(found),
                STATES.join(", ")
            );
            self.findings
                .push(Finding::new(Code::InvalidState, span, message));
        }
        text
    }
}

/// Where the value at the end of `path` in a body stands. A body in a list is indented as a whole, which
/// YAML does not mind; of what it does mind, no place is known.
pub(super) fn locate(body: &str, path: &[&str]) -> Option<Span> {
    let document = yaml::read(body).ok()?;
    let mut node = document.root.as_deref()?;
    for step in path {
        node = match &node.content {
            Content::Mapping(fields) => &fields.iter().find(|(key, _)| key.text == *step)?.1,
            Content::Sequence(items) => items.get(step.parse::<usize>().ok()?)?,
            Content::Scalar(..) => return None,
        };
    }
    Some(node.span)
}

/// The events that a call emits (seed 001, Streaming Behavior).
fn events(state: Option<&str>, has_output: bool, has_error: bool) -> Vec<&'static str> {
    let mut events = vec!["tool-input-available"];
    if has_output || state == Some("output-available") {
        events.push("tool-output-available");
    }
    if has_error || state == Some("output-error") {
        events.push("tool-output-error");
    }
    events
}

fn invalid_yaml(fault: &yaml::Fault, body: &Body<'_>) -> Finding {
    let line = body.text[fault.at..]
        .find(['\n', '\r'])
        .unwrap_or(body.text.len() - fault.at);
    let span = body.place(Span::new(fault.at, fault.at + line));
    let message = format!(
        "the body has to be YAML, and is none: {}; mend it there",
        fault.reason
    );
    Finding::new(Code::InvalidYaml, span, message)
}

fn duplicate_key(key: &Key<'_>, body: &Body<'_>) -> Finding {
    let message = format!(
        "the key `{}` stands in its mapping already; keep one of the two",
        shown(&key.text)
    );
    Finding::new(Code::DuplicateKey, body.place(key.span), message)
}

fn not_a_mapping(body: &Body<'_>) -> Finding {
    let text = body.text.trim_end();
    let start = text.len() - text.trim_start().len();
    let span = body.place(Span::new(start, text.len()));
    let message = "the body has to be a mapping of fields, and is none; write `key: value` lines";
    Finding::new(Code::NotAMapping, span, message)
}
