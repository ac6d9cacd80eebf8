//! A JSON array of calls, `✂️🐱`, Markdown (seed 003).

use super::mojibake::Mojibake;
use super::{AtStart, Claim, Draft, Mark, Part, Role, Syntax, Written};
use crate::body::json::{self, Fault, Member, Node};
use crate::call::{Call, Termination};
use crate::diagnostic::{Code, Finding};
use crate::offer::Offer;
use crate::scan::Context;
use crate::scan::markdown::Markdown;
use crate::shown::shown;
use crate::span::Span;
use crate::text::{is_space, trim};

const NAME: &str = "scissors_cat";

const DELIMITER: &str = "✂\u{fe0f}🐱";
/// The accepted variant with a space in it.
const SPACED: &str = "✂\u{fe0f} 🐱";

/// Kinds of marks.
const SPLIT: u8 = 0;
const HALF: u8 = 1;
const DAMAGED: u8 = 2;
/// The JSON of the calls in a text that does not begin with it.
const JSON: u8 = 3;

/// The catalogue of seed 003, "Tool Call Schema".
pub const TYPES: [&str; 37] = [
    "api_call",
    "file_ingest",
    "file_upload",
    "search",
    "web_search",
    "custom",
    "gmail_list",
    "gmail_read",
    "gmail_send",
    "gmail_search",
    "drive_list",
    "drive_read",
    "drive_create",
    "drive_update",
    "drive_delete",
    "drive_search",
    "calendar_list",
    "calendar_events",
    "calendar_create",
    "calendar_update",
    "calendar_delete",
    "docs_read",
    "docs_create",
    "docs_append",
    "docs_replace",
    "sheets_read",
    "sheets_write",
    "sheets_append",
    "sheets_create",
    "sheets_clear",
    "tasks_list",
    "tasks_get",
    "tasks_create",
    "tasks_update",
    "tasks_complete",
    "tasks_delete",
    "terminal_execute",
];

/// The syntax of seed 003.
#[derive(Debug)]
pub struct ScissorsCat {
    mojibake: Mojibake,
}

impl Default for ScissorsCat {
    fn default() -> Self {
        Self::new()
    }
}

impl ScissorsCat {
    /// The syntax; it has no settings.
    pub fn new() -> Self {
        Self {
            mojibake: Mojibake::of(&[DELIMITER, SPACED]),
        }
    }
}

/// What the syntax knows of the completion.
#[derive(Debug, Default)]
struct State {
    /// Where the section of the calls begins, behind leading reasoning.
    start: usize,
    /// The delimiter of the JSON that stands later in the text.
    later: Option<Mark>,
    /// Whether a delimiter has split the text.
    split: bool,
}

/// The part of a text that holds the calls.
struct Section<'t> {
    text: &'t str,
    /// What the block claims.
    claim: Span,
    /// Where the JSON stands, white space around it not included.
    json: Span,
    /// The opening line of the code fence around the JSON.
    fence: Option<Span>,
    /// Text in front of the JSON.
    before: Option<Span>,
    /// The delimiter, if one stands behind the calls.
    delimiter: Option<Mark>,
}

impl Syntax for ScissorsCat {
    fn name(&self) -> &'static str {
        NAME
    }

    fn description(&self) -> &'static str {
        "A JSON array of calls at the text's start, scissors and a cat, then Markdown"
    }

    fn example(&self) -> &'static str {
        "[{\"type\": \"search\", \"id\": \"s-1\", \"operation\": \"Find it\", \"parameters\": {\"query\": \"cats\"}}]\n\n✂\u{fe0f}🐱\n\nHere you are.\n"
    }

    fn anchors(&self) -> Vec<Vec<u8>> {
        let mut anchors = vec!["✂".as_bytes().to_vec()];
        anchors.extend(self.mojibake.anchors());
        anchors
    }

    fn recognise(&self, text: &str, at: usize) -> Option<Mark> {
        let Some(rest) = text[at..].strip_prefix('✂') else {
            let (span, encoding) = self.mojibake.at(text, at)?;
            return Some(Mark::new(Role::Mojibake(encoding), DAMAGED, span));
        };
        let behind = rest.strip_prefix('\u{fe0f}').unwrap_or(rest);
        let spaced = behind.strip_prefix(' ').unwrap_or(behind);
        if let Some(end) = spaced.strip_prefix('🐱') {
            let span = Span::new(at, text.len() - end.len());
            return Some(Mark {
                variant: span.of(text) != DELIMITER,
                ..Mark::new(Role::Opener, SPLIT, span)
            });
        }
        let alone = is_line_start(&text[..at]) && is_line_end(behind);
        let span = Span::new(at, text.len() - behind.len());
        alone.then(|| Mark::new(Role::NearMiss("half_delimiter"), HALF, span))
    }

    fn at_start(&self, at: usize, context: &mut Context<'_, '_>) -> AtStart {
        context.state::<State>().start = at;
        let text = context.text();
        let limit = context.limit();
        let (fence, json_start) = skip_fence_opening(text, Span::new(at, limit));
        if !text[json_start..limit].starts_with(['[', '{']) {
            return self.later(at, context);
        }
        let prefix = json::parse_prefix(text, Span::new(json_start, limit));
        if fence.is_none() && is_remark(text, json_start, &prefix) {
            let later = self.later(at, context);
            if matches!(later, AtStart::Later(_)) {
                return later;
            }
        }
        let from = prefix.as_ref().map_or(at, |node| node.span.end);
        if let Some(delimiter) = first_delimiter(at, from, true, context) {
            if delimiter.span.start < json_start {
                // It stands on the fence's opening line, and no JSON before it.
                return self.later(at, context);
            }
            let json =
                without_fence_closing(text, Span::new(json_start, delimiter.span.start), fence.is_some());
            let claim = Span::new(at, delimiter.span.end);
            let section = Section {
                text,
                claim,
                json,
                fence,
                before: None,
                delimiter: Some(delimiter),
            };
            return AtStart::Claim(section.read(context));
        }
        if fence.is_some() || !looks_like_calls(text, &prefix, Span::new(at, limit)) {
            return AtStart::Nothing;
        }
        AtStart::Claim(read_without_delimiter(prefix, Span::new(at, limit), context))
    }

    fn parse(&self, mark: Mark, context: &mut Context<'_, '_>) -> Claim {
        let text = context.text();
        if mark.kind == JSON {
            let delimiter = context
                .state::<State>()
                .later
                .expect("the place of the JSON was found with its delimiter");
            return read_later(mark, delimiter, context);
        }
        let State { start, split, .. } = *context.state::<State>();
        let section = Span::new(start.min(mark.span.start), mark.span.start);
        let begins_with_json = text[skip_fence_opening(text, section).1..].starts_with(['[', '{']);
        let in_fence = context.markdown().in_fence(mark.span.start);
        if context.inline_code().is_some() || in_fence && !begins_with_json {
            let message = "the delimiter stands in code: a mention that splits nothing";
            context.report(Finding::new(Code::StrayMarker, mark.span, message).apart());
        } else if split {
            let message = "a second delimiter; the first one has split the text, remove this one";
            context.report(Finding::new(Code::RepeatedDelimiter, mark.span, message).apart());
        } else {
            context.state::<State>().split = true;
            report_no_calls(section, context);
        }
        Claim::Text {
            resume: mark.span.end,
        }
    }

    fn sees_through_fences(&self) -> bool {
        false
    }

    fn locate(&self, text: &str, call: &Call<'_>, part: Part<'_>, _: &dyn Offer) -> Option<Span> {
        let element = json::parse(text, call.span?).ok()?;
        match part {
            Part::Name => Some(element.get(text, "type")?.value.span),
            Part::Argument(path) => Some(element.get(text, "parameters")?.value.at(text, path)?.span),
        }
    }

    fn write(&self, drafts: &[Draft], out: &mut String) -> Vec<Written> {
        let mut written = Vec::new();
        out.push('[');
        for (index, draft) in drafts.iter().enumerate() {
            // The format has a closed catalogue: the draft's name chooses from it.
            let letters: usize = draft.name.bytes().map(usize::from).sum();
            let name = TYPES[letters % TYPES.len()];
            let arguments = draft.arguments_json();
            out.push_str(if index > 0 { ",\n" } else { "\n" });
            out.push_str(&format!(
                "  {{\"type\": \"{name}\", \"id\": \"call-{}\", \"operation\": ",
                index + 1
            ));
            json::write_string(&format!("Call {}", draft.name), out);
            out.push_str(&format!(", \"parameters\": {arguments}}}"));
            written.push(Written {
                name: name.to_owned(),
                arguments: Some(arguments),
                body: None,
            });
        }
        out.push_str("\n]\n\n✂\u{fe0f}🐱\n");
        written
    }

    fn needs_text_start(&self) -> bool {
        true
    }
}

impl ScissorsCat {
    /// Looks for the calls of a text that does not begin with them (`text_before_json`).
    fn later(&self, at: usize, context: &mut Context<'_, '_>) -> AtStart {
        let Some(delimiter) = first_delimiter(at, at, false, context) else {
            return AtStart::Nothing;
        };
        let text = context.text();
        let section = Span::new(at, delimiter.span.start);
        let Some(node) = json::find_first(text, section, |node| is_call_shaped(text, node)) else {
            return AtStart::Nothing;
        };
        context.state::<State>().later = Some(delimiter);
        AtStart::Later(Mark::new(Role::Opener, JSON, node.span.start..node.span.start))
    }
}

fn is_line_start(before: &str) -> bool {
    let line = before.trim_end_matches(|c: char| is_space(c) && c != '\n');
    line.is_empty() || line.ends_with('\n')
}

fn is_line_end(behind: &str) -> bool {
    let rest = behind.trim_start_matches(|c: char| is_space(c) && c != '\n');
    rest.is_empty() || rest.starts_with('\n')
}

/// The first delimiter from `from` on that is no mention: none in inline code, and none in a code fence where the text,
/// which begins at `start`, does not begin with JSON.
fn first_delimiter(
    start: usize,
    from: usize,
    begins_with_json: bool,
    context: &Context<'_, '_>,
) -> Option<Mark> {
    let mut mark = context.next_mark(SPLIT, from)?;
    let mut markdown = Markdown::new(context.text(), Span::new(start, context.limit()));
    loop {
        let at = mark.span.start;
        let in_fence = markdown.in_fence(at);
        if markdown.inline_code(at).is_none() && (begins_with_json || !in_fence) {
            return Some(mark);
        }
        mark = context.next_mark(SPLIT, mark.span.end)?;
    }
}

/// The opening line of a code fence with which the region begins, and the place of the first character that is no white
/// space behind it.
fn skip_fence_opening(text: &str, region: Span) -> (Option<Span>, usize) {
    let content = |from: usize| {
        let rest = &text[from..region.end];
        region.end - rest.trim_start_matches(is_space).len()
    };
    let start = content(region.start);
    let rest = &text[start..region.end];
    if !rest.starts_with("```") && !rest.starts_with("~~~") {
        return (None, start);
    }
    let line = rest.find('\n').map_or(region.end, |length| start + length);
    (Some(Span::new(start, line)), content(line))
}

/// The region without white space at its ends, and without the closing line of a code fence.
fn without_fence_closing(text: &str, region: Span, fenced: bool) -> Span {
    let trimmed = trim_end(text, region);
    if !fenced {
        return trimmed;
    }
    let content = trimmed.of(text);
    let line = content.rfind('\n').map_or(0, |at| at + 1);
    let closing = trim(&content[line..]);
    let is_fence = |character| closing.len() >= 3 && closing.bytes().all(|byte| byte == character);
    if is_fence(b'`') || is_fence(b'~') {
        return trim_end(text, Span::new(region.start, region.start + line));
    }
    trimmed
}

fn trim_end(text: &str, region: Span) -> Span {
    Span::new(
        region.start,
        region.start + region.of(text).trim_end_matches(is_space).len(),
    )
}

/// Whether an object has the keys of a call, or an array such an object.
fn is_call_shaped(text: &str, node: &Node) -> bool {
    let is_call = |node: &Node| {
        let has = |key| node.get(text, key).is_some();
        node.members().is_some() && has("type") && (has("parameters") || has("operation"))
    };
    is_call(node) || node.items().is_some_and(|items| items.iter().any(is_call))
}

/// Whether the brackets that a text begins with at `start` are no calls, so that those may stand behind them: a whole
/// value without a call, or a word in brackets (`[TOOL_CALLS]`).
fn is_remark(text: &str, start: usize, prefix: &Result<Node, Fault>) -> bool {
    match prefix {
        Ok(node) => !is_call_shaped(text, node),
        Err(fault) => {
            let inner = text[start..].strip_prefix('[').unwrap_or_default();
            let inner = inner.trim_start_matches(is_space);
            text.len() - inner.len() == fault.at && inner.starts_with(char::is_alphabetic)
        }
    }
}

/// Whether a text that begins with JSON and has no delimiter was meant to hold calls (`missing_delimiter`).
fn looks_like_calls(text: &str, prefix: &Result<Node, Fault>, region: Span) -> bool {
    let rest = region.of(text);
    let begins = rest.starts_with('{') || rest[1..].trim_start_matches(is_space).starts_with('{');
    let shown = match prefix {
        Ok(node) => node.span,
        Err(_) => region,
    };
    begins
        && has_key(shown.of(text), "type")
        && (has_key(shown.of(text), "parameters") || has_key(shown.of(text), "operation"))
}

/// Whether `"key":` stands in a text that need not be whole JSON.
fn has_key(text: &str, key: &str) -> bool {
    let quoted = format!("\"{key}\"");
    text.match_indices(&quoted).any(|(at, _)| {
        text[at + quoted.len()..]
            .trim_start_matches(is_space)
            .starts_with(':')
    })
}

/// Reads calls behind which no delimiter follows.
fn read_without_delimiter(prefix: Result<Node, Fault>, region: Span, context: &mut Context<'_, '_>) -> Claim {
    let text = context.text();
    let (nodes, end) = match &prefix {
        Ok(node) => (elements(node), node.span.end),
        Err(fault) => (
            Vec::new(),
            if fault.at_end {
                region.end
            } else {
                fault.at.max(region.start + 1)
            },
        ),
    };
    let salvaged = if prefix.is_err() {
        json::salvage(text, region)
    } else {
        Vec::new()
    };
    let end = salvaged.last().map_or(end, |node| end.max(node.span.end));
    if let Err(fault) = &prefix {
        if fault.at_end {
            context.cut_at_end();
        } else {
            report_fault(fault, context);
        }
    }
    let message = "calls stand at the text's start and no `✂️🐱` follows; write it behind them";
    context.report(Finding::new(Code::MissingDelimiter, region.start..end, message));
    let elements = nodes
        .into_iter()
        .chain(salvaged.iter().filter(|node| is_row(text, node)));
    read_elements(elements, Termination::EndOfText, context);
    // A fault can lie inside of a character.
    let end = (end..=text.len())
        .find(|&at| text.is_char_boundary(at))
        .unwrap_or(text.len());
    Claim::Block { end }
}

/// Reads the calls of a text that does not begin with them.
fn read_later(mark: Mark, delimiter: Mark, context: &mut Context<'_, '_>) -> Claim {
    let text = context.text();
    let start = mark.span.start;
    let section_start = context.state::<State>().start;
    let fenced = context.markdown().in_fence(start);
    let fence = fenced.then(|| Span::new(start, start + 1));
    let before = trim_end(text, Span::new(section_start, start));
    let json = without_fence_closing(text, Span::new(start, delimiter.span.start), fenced);
    let claim = Span::new(start, delimiter.span.end);
    Section {
        text,
        claim,
        json,
        fence,
        before: Some(before),
        delimiter: Some(delimiter),
    }
    .read(context)
}

/// Reports a section that holds something, but no calls.
fn report_no_calls(section: Span, context: &mut Context<'_, '_>) {
    let text = context.text();
    let content = trim_end(text, section);
    if content.is_empty() {
        return;
    }
    let detail = match json::parse(text, content) {
        Err(fault) => fault.detail,
        Ok(_) => "not_json",
    };
    let message = "text stands where the calls should; begin with a JSON array, or write no delimiter";
    context.report(
        Finding::new(Code::InvalidJson, content, message)
            .apart()
            .detail(detail),
    );
}

impl<'t> Section<'t> {
    fn read(self, context: &mut Context<'_, 't>) -> Claim {
        context.state::<State>().split = true;
        if let Some(fence) = self.fence {
            let message = "the calls stand in a Markdown code fence; write the JSON without one";
            context.report(Finding::new(Code::JsonInCodeFence, fence, message));
        }
        if let Some(before) = self.before {
            let message = "text stands before the calls; begin with the JSON";
            context.report(Finding::new(Code::TextBeforeJson, before, message));
        }
        if let Some(delimiter) = self.delimiter.filter(|mark| mark.variant) {
            let message = "the delimiter is written in a variant; write `✂️🐱` with its variation selector and no space";
            context.report(Finding::new(Code::MarkerVariant, delimiter.span, message));
        }
        match json::parse(self.text, self.json) {
            Ok(node) => read_elements(elements(&node).into_iter(), Termination::Explicit, context),
            Err(fault) => self.read_broken(&fault, context),
        }
        Claim::Block { end: self.claim.end }
    }

    /// A section that is not JSON as a whole: JSON with text behind it, or broken JSON.
    fn read_broken(&self, fault: &Fault, context: &mut Context<'_, 't>) {
        let prefix = json::parse_prefix(self.text, self.json).ok();
        if let Some(node) =
            prefix.filter(|node| fault.detail != "unbalanced" && is_call_shaped(self.text, node))
        {
            let rest = Span::new(node.span.end, self.json.end);
            let rest = without_fence_closing(self.text, rest, self.fence.is_some());
            let lead = rest.of(self.text).len() - rest.of(self.text).trim_start_matches(is_space).len();
            let after = self.behind_fence(Span::new(rest.start + lead, rest.end));
            if !after.is_empty() {
                let message = "text stands between the calls and the delimiter; write the delimiter right behind the JSON";
                context.report(Finding::new(Code::TextAfterJson, after, message));
            }
            return read_elements(elements(&node).into_iter(), Termination::Explicit, context);
        }
        report_fault(fault, context);
        let salvaged = json::salvage(self.text, self.json);
        read_elements(
            salvaged.iter().filter(|node| is_row(self.text, node)),
            Termination::Explicit,
            context,
        );
    }

    /// What is left of the text behind the JSON when the closing line of the fence around it is taken off.
    fn behind_fence(&self, rest: Span) -> Span {
        if self.fence.is_none() {
            return rest;
        }
        let line_end = rest
            .of(self.text)
            .find('\n')
            .map_or(rest.end, |length| rest.start + length);
        let line = trim(&self.text[rest.start..line_end]);
        if line.len() >= 3 && (line.bytes().all(|byte| byte == b'`') || line.bytes().all(|byte| byte == b'~'))
        {
            let behind = &self.text[line_end..rest.end];
            return Span::new(rest.end - behind.trim_start_matches(is_space).len(), rest.end);
        }
        rest
    }
}

fn report_fault(fault: &Fault, context: &mut Context<'_, '_>) {
    let text = context.text();
    let length = text[fault.at..].chars().next().map_or(0, char::len_utf8);
    let span = fault.at..fault.at + length;
    context.report(Finding::new(Code::InvalidJson, span, &*fault.message).detail(fault.detail));
}

/// The calls of a section: the items of an array, or one object taken as an array of one.
fn elements(node: &Node) -> Vec<&Node> {
    match node.items() {
        Some(items) => items.iter().collect(),
        None => vec![node],
    }
}

/// Whether a name or arguments can be read.
fn is_row(text: &str, node: &Node) -> bool {
    let has = |key, fits: fn(&Node) -> bool| node.get(text, key).is_some_and(|member| fits(&member.value));
    has("type", is_string) || has("parameters", is_object)
}

fn is_string(node: &Node) -> bool {
    matches!(node.kind, json::Kind::String)
}

fn is_object(node: &Node) -> bool {
    node.members().is_some()
}

fn is_number(node: &Node) -> bool {
    matches!(node.kind, json::Kind::Number)
}

/// Judges the elements one by one: a bad one does not reject its siblings.
fn read_elements<'n>(
    elements: impl Iterator<Item = &'n Node>,
    termination: Termination,
    context: &mut Context<'_, '_>,
) {
    let mut ids = std::collections::HashSet::new();
    for node in elements {
        read_element(node, termination, &mut ids, context);
    }
}

fn read_element<'t>(
    node: &Node,
    termination: Termination,
    ids: &mut std::collections::HashSet<String>,
    context: &mut Context<'_, 't>,
) {
    let text = context.text();
    let Some(members) = node.members() else {
        let message = format!("expected an object with a call, found {}", node.kind_name());
        context.report(Finding::new(Code::NotAnObject, node.span, message).apart());
        return;
    };
    let mut call = Call::new(NAME, node.span, termination);
    let mut findings = Vec::new();
    let mut field = |name: &str, required: bool, wanted: &str, fits: fn(&Node) -> bool| -> Option<&Member> {
        let Some(member) = node.get(text, name) else {
            if required {
                let message = format!("the call lacks `{name}`; write {wanted}");
                findings.push(Finding::new(Code::MissingField, node.span, message));
            }
            return None;
        };
        if fits(&member.value) {
            return Some(member);
        }
        let message = format!("`{name}` wants {wanted}, found {}", member.value.kind_name());
        findings.push(Finding::new(Code::WrongType, member.value.span, message));
        None
    };
    call.call_id = field("id", true, "a string", is_string).and_then(|id| id.value.string(text));
    let kind = field("type", true, "a string", is_string);
    call.operation =
        field("operation", true, "a string", is_string).and_then(|member| member.value.string(text));
    call.arguments =
        field("parameters", true, "an object", is_object).map(|member| member.value.compact(text));
    let has_priority = node.get(text, "priority").is_some();
    let priority = field("priority", false, "a number", is_number);
    call.priority = match priority {
        Some(member) => member
            .value
            .span
            .of(text)
            .parse()
            .ok()
            .filter(|number: &f64| number.is_finite()),
        None => (!has_priority).then_some(0.0),
    };
    call.name = kind.and_then(|member| member.value.string(text));
    if let Some((member, name)) = kind.zip(call.name.as_deref())
        && let Some(message) = unknown_type(name, context)
    {
        findings.push(Finding::new(Code::UnknownType, member.value.span, message));
    }
    for key in json::duplicate_keys(node) {
        let message = format!(
            "the key {} stands twice; the last one counts",
            shown(key.of(text))
        );
        findings.push(Finding::new(Code::DuplicateKey, key, message).warning());
    }
    call.extra = extra(text, members);
    if let Some(id) = &call.call_id
        && !ids.insert(id.clone().into_owned())
    {
        let span = node.get(text, "id").map_or(node.span, |member| member.value.span);
        let message = format!("the id `{}` was given before; give every call its own", shown(id));
        findings.push(Finding::new(Code::DuplicateCallId, span, message).warning());
    }
    let index = (call.name.is_some() || call.arguments.is_some()).then(|| context.add_call(call));
    for finding in findings {
        context.report(match index {
            Some(index) => finding.call(index),
            None => finding.apart(),
        });
    }
}

/// What is wrong with a type that is none of the tools that were offered, or else of the format's catalogue.
fn unknown_type(name: &str, context: &Context<'_, '_>) -> Option<String> {
    let shown = shown(name);
    let is_told = !context.is_full(Code::UnknownType);
    match context.offer() {
        Some(offer) if offer.has(name) => None,
        Some(offer) => Some(match is_told.then(|| offer.nearest(name)).flatten() {
            Some(meant) => format!("no tool `{shown}` was offered; did you mean `{meant}`?"),
            None => format!("no tool `{shown}` was offered; name one that was"),
        }),
        None if TYPES.contains(&name) => None,
        None => Some(format!("`{shown}` is none of the format's 37 types")),
    }
}

/// The members that the format does not know, as a JSON object.
fn extra<'t>(text: &'t str, members: &[Member]) -> Option<std::borrow::Cow<'t, str>> {
    let known = ["id", "type", "operation", "parameters", "priority"];
    let others: Vec<_> = members
        .iter()
        .filter(|member| !known.contains(&&*member.name(text)))
        .collect();
    if others.is_empty() {
        return None;
    }
    let mut out = String::new();
    json::write_object(text, &others, &mut out);
    Some(out.into())
}
