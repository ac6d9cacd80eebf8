//! Calls against schemas: what is known, what fits, and what there is to say.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::fmt::Write;

use jsonschema::ValidationError;
use jsonschema::error::ValidationErrorKind;

use super::instance::Instance;
use super::paths::{Danger, PATH_FORMATS, is_path_name};
use super::schema::Schema;
use super::{Place, Toolset};
use crate::body::json::{self, Kind, Node};
use crate::call::Call;
use crate::diagnostic::{Code, Diagnostic, Finding, Severity};
use crate::nearest::nearest;
use crate::offer::Offer;
use crate::shown::beginning;
use crate::span::Span;
use crate::syntax::{Part, SharedSyntax};
use crate::validate::NATIVE;
use crate::validate::capped::Capped;

/// Characters of a value or of a schema that a message repeats.
const SHOWN: usize = 80;

/// How often a text may be read again to find the places of arguments, on average over its bytes, and the bytes that may
/// be read again whatever its length. Beyond that a finding has the place of its whole call.
const READ_AGAIN: usize = 64;
const LEAST_READ_AGAIN: usize = 1 << 20;

/// Holds calls against the tools that were offered.
#[derive(Clone, Copy)]
pub struct Judge<'j> {
    tools: &'j Toolset,
    syntaxes: &'j [SharedSyntax],
    strict: bool,
}

/// What there is to say about the calls of a completion.
#[derive(Clone, Debug, Default)]
pub struct Judged {
    /// The findings, call by call, capped as the scan caps its own. Those about native calls have their places in
    /// the arguments as logged.
    pub findings: Vec<Diagnostic>,
    /// How often each overflown code was really found, for those codes alone.
    pub overflow: Vec<(Code, usize)>,
    /// For each finding, where the schema says what it says.
    pub schemas: Vec<Option<Place>>,
}

impl<'j> Judge<'j> {
    /// A judge over calls of these syntaxes. With `strict` every warning is an error.
    pub fn new(tools: &'j Toolset, syntaxes: &'j [SharedSyntax], strict: bool) -> Self {
        Self {
            tools,
            syntaxes,
            strict,
        }
    }

    /// Judges the calls that were found in `text`, and logged calls among them. Sets what they say of their tools,
    /// and attaches codes.
    pub fn judge(&self, text: &str, calls: &mut [Call<'_>]) -> Judged {
        let mut found = Capped::default();
        let mut schemas = Vec::new();
        let mut budget = LEAST_READ_AGAIN + READ_AGAIN * text.len();
        let repeated = self.repeated_ids(calls);
        for (index, call) in calls.iter_mut().enumerate() {
            let mut bench = Bench {
                judge: self,
                text,
                call,
                index,
                found: &mut found,
                schemas: &mut schemas,
                budget: &mut budget,
            };
            bench.judge();
            if repeated.contains(&index) {
                bench.repeated_id();
            }
        }
        let (findings, overflow) = found.finish();
        schemas.resize(findings.len(), None);
        Judged {
            findings,
            overflow,
            schemas,
        }
    }

    /// The calls with an id that an earlier call has, unless their own syntax has said so, or lets its calls share
    /// ids. Ids that were made up for calls without one do not count.
    fn repeated_ids(&self, calls: &[Call<'_>]) -> HashSet<usize> {
        let mut owners: HashMap<&str, &str> = HashMap::new();
        let mut repeated = HashSet::new();
        for (index, call) in calls.iter().enumerate() {
            let id = call.call_id.as_deref().unwrap_or_default();
            if id.is_empty() || call.call_id_generated {
                continue;
            }
            let Some(owner) = owners.insert(id, call.syntax) else {
                continue;
            };
            let may_share =
                owner == call.syntax && self.syntax(owner).is_some_and(|syntax| syntax.shares_ids());
            if !may_share && !call.codes.contains(Code::DuplicateCallId) {
                repeated.insert(index);
            }
        }
        repeated
    }

    fn syntax(&self, name: &str) -> Option<&'j SharedSyntax> {
        self.syntaxes.iter().find(|syntax| syntax.name() == name)
    }
}

/// One call before the judge.
struct Bench<'b, 't> {
    judge: &'b Judge<'b>,
    text: &'b str,
    call: &'b mut Call<'t>,
    index: usize,
    found: &'b mut Capped,
    schemas: &'b mut Vec<Option<Place>>,
    /// Bytes that may be read again.
    budget: &'b mut usize,
}

impl<'b, 't> Bench<'b, 't> {
    fn judge(&mut self) {
        let tools = self.judge.tools;
        let Some(name) = self.call.name.clone() else {
            return;
        };
        let is_known = tools.has(&name);
        self.call.tool_known = Some(is_known);
        if !is_known && !name.is_empty() && !self.call.codes.contains(Code::UnknownType) {
            self.unknown_tool(&name);
        }
        let Some(arguments) = self.arguments() else {
            return;
        };
        let Ok(node) = json::parse_value(&arguments, Span::new(0, arguments.len())) else {
            return;
        };
        let schema = tools.schema(&name);
        self.paths(&arguments, &node, schema.map(|schema| &**schema), &mut Vec::new());
        if let Some(schema) = schema {
            self.schema(&name, schema, Instance::Node(&arguments, &node));
        }
    }

    /// Not every format says that ids are unique, but whoever pairs results with calls needs them so.
    fn repeated_id(&mut self) {
        let id = self.call.call_id.clone().unwrap_or_default();
        self.report_as(Severity::Warning, Code::DuplicateCallId, Part::Name, || Words {
            message: format!(
                "an earlier call has the id `{}` too; give every call its own",
                shown(&id)
            ),
            ..Words::default()
        });
    }

    /// What can be held against a schema: arguments with names, in a call whose text has them as it should.
    fn arguments(&self) -> Option<Cow<'t, str>> {
        let call = &*self.call;
        if call.arguments_object.is_some() {
            return call.arguments_object.clone();
        }
        let is_positional = self.syntax().is_some_and(|syntax| syntax.is_positional());
        let is_misshapen = call.syntax == NATIVE && call.codes.contains(Code::WrongType);
        if is_positional || is_misshapen {
            return None;
        }
        call.arguments.clone()
    }

    fn syntax(&self) -> Option<&'b SharedSyntax> {
        self.judge.syntax(self.call.syntax)
    }

    fn unknown_tool(&mut self, name: &str) {
        let tools = self.judge.tools;
        self.report(Code::UnknownTool, Part::Name, || Words {
            message: match tools.nearest(name) {
                Some(meant) => format!("no tool `{}` was offered; did you mean `{meant}`?", shown(name)),
                None => format!("no tool `{}` was offered; name one that was", shown(name)),
            },
            ..Words::default()
        });
    }

    /// Looks for paths that are not safe, at any depth.
    fn paths<'n>(
        &mut self,
        text: &'n str,
        node: &Node,
        schema: Option<&Schema>,
        path: &mut Vec<Cow<'n, str>>,
    ) {
        match &node.kind {
            Kind::Object(members) => {
                for member in members {
                    path.push(member.name(text));
                    self.paths(text, &member.value, schema, path);
                    path.pop();
                }
            }
            Kind::Array(items) => {
                for (index, item) in items.iter().enumerate() {
                    path.push(index.to_string().into());
                    self.paths(text, item, schema, path);
                    path.pop();
                }
            }
            Kind::String => self.path(&node.string(text).unwrap_or_default(), schema, path),
            _ => {}
        }
    }

    fn path(&mut self, value: &str, schema: Option<&Schema>, path: &[Cow<'_, str>]) {
        let Some(danger) = Danger::of(value) else { return };
        let steps: Vec<&str> = path.iter().map(|step| &**step).collect();
        let is_index = |step: &&&str| step.bytes().all(|byte| byte.is_ascii_digit());
        let name = steps.iter().rev().find(|step| !is_index(step));
        let is_path = name.is_some_and(|name| is_path_name(name))
            || schema.is_some_and(|schema| schema.has_format(&steps, &PATH_FORMATS));
        if !is_path {
            return;
        }
        self.report(Code::UnsafePath, Part::Argument(&steps), || Words {
            detail: Some(danger.detail()),
            message: format!(
                "the argument `{}` is `{}`, {}; write a path below the working folder",
                pointer(&steps),
                shown(value),
                match danger {
                    Danger::Parent => "a path with `..`",
                    Danger::Absolute => "an absolute path",
                },
            ),
            ..Words::default()
        });
    }

    fn schema(&mut self, tool: &str, schema: &Schema, instance: Instance<'_>) {
        // What has no property at all was found when the names were given.
        let has_surplus = self.call.codes.contains(Code::UnexpectedArgument);
        let is_valid = schema.is_valid(instance);
        self.call.schema_valid = Some(is_valid && !has_surplus);
        if is_valid {
            return;
        }
        for error in schema.errors(instance) {
            self.fault(tool, schema, instance, &error);
        }
    }

    fn fault(&mut self, tool: &str, schema: &Schema, instance: Instance<'_>, error: &ValidationError<'_>) {
        let steps = steps(error.instance_path().as_str());
        let place: Vec<&str> = steps.iter().map(String::as_str).collect();
        match error.kind() {
            ValidationErrorKind::Required { property } => {
                let name = property.as_str().unwrap_or_default();
                self.missing(tool, error, &place, name);
            }
            ValidationErrorKind::AdditionalProperties { unexpected }
            | ValidationErrorKind::UnevaluatedProperties { unexpected } => {
                let names = unexpected.iter().map(String::as_str);
                names.for_each(|name| self.unexpected(tool, schema, error, &place, name));
            }
            ValidationErrorKind::FalseSchema if allows_no_name(error) => {
                let names = names_at(instance, &place);
                names
                    .iter()
                    .for_each(|name| self.unexpected(tool, schema, error, &place, name));
            }
            _ => self.invalid(tool, schema, error, &place, instance),
        }
    }

    fn missing(&mut self, tool: &str, error: &ValidationError<'_>, place: &[&str], name: &str) {
        self.report(Code::MissingArgument, Part::Argument(place), || Words {
            message: format!(
                "`{}` requires `{}`, and it is not there; write the argument",
                shown(tool),
                pointer(&[place, &[name]].concat()),
            ),
            schema: Some(steps(error.schema_path().as_str())),
            ..Words::default()
        });
    }

    fn unexpected(
        &mut self,
        tool: &str,
        schema: &Schema,
        error: &ValidationError<'_>,
        place: &[&str],
        name: &str,
    ) {
        let path = [place, &[name]].concat();
        self.report(Code::UnexpectedArgument, Part::Argument(&path), || {
            let mend = match nearest(name, schema.property_names(place)) {
                Some(meant) => format!("did you mean `{meant}`?"),
                None => "leave it out".to_owned(),
            };
            Words {
                message: format!("`{}` has no argument `{}`; {mend}", shown(tool), pointer(&path)),
                schema: Some(steps(error.schema_path().as_str())),
                ..Words::default()
            }
        });
    }

    fn invalid(
        &mut self,
        tool: &str,
        schema: &Schema,
        error: &ValidationError<'_>,
        place: &[&str],
        instance: Instance<'_>,
    ) {
        self.report(Code::InvalidArgument, Part::Argument(place), || Words {
            message: format!(
                "{} of `{}` wants {}, and {} stands there; write what the schema asks for",
                match pointer(place) {
                    root if root.is_empty() => "the schema".to_owned(),
                    pointer => format!("`{pointer}`"),
                },
                shown(tool),
                words_of(schema, error),
                match error.kind() {
                    ValidationErrorKind::PropertyNames { error } =>
                        format!("the name `{}`", shown(&error.instance().to_string())),
                    _ => found(instance, place),
                },
            ),
            keyword: Some(error.kind().keyword().to_owned()),
            schema: Some(steps(error.schema_path().as_str())),
            ..Words::default()
        });
    }

    /// Reports a finding about a part of the call.
    fn report(&mut self, code: Code, part: Part<'_>, words: impl FnOnce() -> Words) {
        self.report_as(code.info().severity, code, part, words);
    }

    /// Nothing is put into words that is not kept.
    fn report_as(&mut self, severity: Severity, code: Code, part: Part<'_>, words: impl FnOnce() -> Words) {
        let severity = if self.judge.strict {
            Severity::Error
        } else {
            severity
        };
        self.call.attach(code, severity);
        if !self.found.count(code) {
            return;
        }
        let words = words();
        let tool = self.call.name.as_deref().unwrap_or_default();
        let schema = words
            .schema
            .and_then(|steps| self.judge.tools.place(tool, &steps));
        let detail = words.detail.map(Cow::Borrowed);
        let span = self.span(part);
        let finding = Diagnostic {
            code,
            severity,
            syntax: Some(self.call.syntax),
            call_index: Some(self.index),
            detail: detail.or(words.keyword.map(Cow::Owned)),
            message: Finding::new(code, Span::default(), words.message).message,
            span,
        };
        self.found.keep(finding);
        self.schemas.push(schema);
    }

    fn span(&mut self, part: Part<'_>) -> Span {
        let length = self.call.span.map_or(0, Span::len);
        let logged = self.call.raw_args.as_deref().map_or(0, str::len);
        let cost = length.max(logged);
        let whole = self.call.span.unwrap_or_default();
        if cost > *self.budget {
            return whole;
        }
        *self.budget -= cost;
        if self.call.span.is_none() {
            return self.span_in_logged(part).unwrap_or_default();
        }
        let syntax = self.syntax();
        let found = syntax.and_then(|syntax| syntax.locate(self.text, self.call, part, self.judge.tools));
        found.unwrap_or(whole)
    }

    /// The place of a part in the arguments of a call that was logged as structure.
    fn span_in_logged(&self, part: Part<'_>) -> Option<Span> {
        let Part::Argument(path) = part else { return None };
        let logged = self.call.raw_args.as_deref()?;
        let node = json::parse_value(logged, Span::new(0, logged.len())).ok()?;
        Some(node.at(logged, path)?.span)
    }
}

/// A finding in words.
#[derive(Default)]
struct Words {
    detail: Option<&'static str>,
    /// The detail, where it is a keyword of a schema.
    keyword: Option<String>,
    message: String,
    /// The way to the part of the schema that it is about.
    schema: Option<Vec<String>>,
}

/// What a schema says in the place of an error, in its own words.
fn words_of(schema: &Schema, error: &ValidationError<'_>) -> String {
    let path = error.schema_path().as_str();
    let keyword = steps(path).pop().unwrap_or_default();
    match schema.part(path) {
        None => format!("what its `{keyword}` says"),
        Some(serde_json::Value::Bool(false)) => "nothing".to_owned(),
        Some(part) => format!("`{}`", shown(&format!("\"{keyword}\": {part}"))),
    }
}

/// Whether it is `"additionalProperties": false` of a schema without properties, of which the validator names none.
fn allows_no_name(error: &ValidationError<'_>) -> bool {
    let steps = steps(error.schema_path().as_str());
    let is_keyword = steps.iter().rev().nth(1).is_none_or(|step| step != "properties");
    is_keyword && steps.last().is_some_and(|step| step == "additionalProperties")
}

/// The names in the object at the end of a path.
fn names_at<'n>(instance: Instance<'n>, path: &[&str]) -> Vec<Cow<'n, str>> {
    let Instance::Node(text, node) = instance else {
        return Vec::new();
    };
    let members = node.at(text, path).and_then(Node::members);
    members
        .into_iter()
        .flatten()
        .map(|member| member.name(text))
        .collect()
}

/// The value that stands at the end of a path.
fn found(instance: Instance<'_>, path: &[&str]) -> String {
    match instance {
        Instance::Node(text, node) => match node.at(text, path) {
            Some(node) => format!("`{}`", shown(&node.compact(text))),
            None => "nothing".to_owned(),
        },
        Instance::Name(name) => format!("`{}`", shown(name)),
    }
}

/// The steps of a JSON Pointer (RFC 6901).
fn steps(pointer: &str) -> Vec<String> {
    let steps = pointer.split('/').skip(1);
    steps
        .map(|step| step.replace("~1", "/").replace("~0", "~"))
        .collect()
}

/// The JSON Pointer of these steps.
fn pointer(steps: &[&str]) -> String {
    steps.iter().fold(String::new(), |mut pointer, step| {
        let _ = write!(pointer, "/{}", step.replace('~', "~0").replace('/', "~1"));
        pointer
    })
}

/// `text` as a message repeats it.
fn shown(text: &str) -> Cow<'_, str> {
    beginning(text, SHOWN)
}
