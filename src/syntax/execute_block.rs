//! `<execute>`, a JSON array of calls, `</execute>` (seed 002), and the `<results>` that follow.

use std::collections::HashSet;

use super::{Claim, Draft, Mark, Part, Role, Syntax, Written};
use crate::body::json::{self, Fault, Node};
use crate::call::{Call, Termination};
use crate::diagnostic::{Code, Finding, Severity};
use crate::offer::Offer;
use crate::scan::Context;
use crate::shown::shown;
use crate::span::Span;
use crate::text::{is_space, trim};

mod results;
mod tags;

const NAME: &str = "execute_block";

/// Kinds of marks. The tags come first: they number the columns of [`tags::Tags`].
const EXECUTE: u8 = 0;
const EXECUTE_END: u8 = 1;
const RESULTS: u8 = 2;
const RESULTS_END: u8 = 3;
const TAGS: usize = 4;
const NEAR: u8 = 4;

const CLOSER: &str = "</execute>";

/// The ends of the tags, by which few byte strings find every mixture of cases, and blanks wherever they stand. Four
/// bytes each, for shorter ones slow the search down. A tab before the `>` would take more of them and is not looked for.
const TAG_ENDS: [&str; 7] = ["ute>", "lts>", "te >", "ts >", "e  >", "s  >", "   >"];

/// Length of the word in either pair of tags.
const WORD_BYTES: usize = 7;

/// The longest info string of a code fence around JSON, in bytes.
const INFO_BYTES: usize = 80;

/// The syntax of seed 002.
#[derive(Debug)]
pub struct ExecuteBlock;

impl Syntax for ExecuteBlock {
    fn name(&self) -> &'static str {
        NAME
    }

    fn description(&self) -> &'static str {
        "A JSON array of calls between two tags"
    }

    fn example(&self) -> &'static str {
        "<execute>\n[{\"name\": \"read\", \"args\": {\"file\": \"config.json\"}}]\n</execute>\n"
    }

    fn anchors(&self) -> Vec<Vec<u8>> {
        TAG_ENDS.into_iter().flat_map(in_any_case).collect()
    }

    fn recognise(&self, text: &str, at: usize) -> Option<Mark> {
        let at = tag_start(text, at)?;
        let rest = &text[at..];
        let inner = rest[1..].trim_start_matches(in_line_space);
        let (closes, inner) = match inner.strip_prefix('/') {
            Some(inner) => (true, inner.trim_start_matches(in_line_space)),
            None => (false, inner),
        };
        let (name, behind) = inner.split_at_checked(WORD_BYTES)?;
        let behind = behind.trim_start_matches(in_line_space).strip_prefix('>')?;
        let kind = match (name.to_ascii_lowercase().as_str(), closes) {
            ("execute", false) => EXECUTE,
            ("execute", true) => EXECUTE_END,
            ("results", false) => RESULTS,
            ("results", true) => RESULTS_END,
            _ => return None,
        };
        let length = rest.len() - behind.len();
        let (role, kind) = if name.bytes().any(|byte| byte.is_ascii_uppercase()) {
            (Role::NearMiss("wrong_case"), NEAR)
        } else if length != name.len() + "<>".len() + usize::from(closes) {
            (Role::NearMiss("white_space"), NEAR)
        } else if closes {
            (Role::Closer, kind)
        } else {
            (Role::Opener, kind)
        };
        Some(Mark::new(role, kind, at..at + length))
    }

    fn parse(&self, mark: Mark, context: &mut Context<'_, '_>) -> Claim {
        if mark.kind == RESULTS {
            return results::parse(mark, context);
        }
        let plain = Claim::Text {
            resume: mark.span.end,
        };
        let frame = match Frame::find(mark, context) {
            Found::Block(frame) => frame,
            Found::Outside => return plain,
            Found::Mention => {
                let message =
                    "`<execute>` stands in prose and opens nothing; write it in front of calls only";
                context.report(Finding::new(Code::StrayMarker, mark.span, message).apart());
                return plain;
            }
        };
        report_frame(mark, &frame, context);
        let rows = read_calls(&frame, context);
        context.state::<results::Waiting>().push(rows);
        Claim::Block { end: frame.end }
    }

    fn locate(&self, text: &str, call: &Call<'_>, part: Part<'_>, _: &dyn Offer) -> Option<Span> {
        let element = json::parse(text, call.span?).ok()?;
        match part {
            Part::Name => Some(element.get(text, "name")?.value.span),
            Part::Argument(path) => Some(element.get(text, "args")?.value.at(text, path)?.span),
        }
    }

    fn write(&self, drafts: &[Draft], out: &mut String) -> Vec<Written> {
        out.push_str("<execute>\n[");
        for (index, draft) in drafts.iter().enumerate() {
            out.push_str(if index > 0 {
                ",\n  {\"name\": "
            } else {
                "\n  {\"name\": "
            });
            json::write_string(&draft.name, out);
            out.push_str(&format!(", \"args\": {}}}", draft.arguments_json()));
        }
        out.push_str("\n]\n</execute>\n");
        drafts.iter().map(Written::plain).collect()
    }
}

/// Every mixture of upper and lower case.
fn in_any_case(word: &str) -> Vec<Vec<u8>> {
    let mut all = vec![Vec::new()];
    for byte in word.bytes() {
        let cases = [byte, byte.to_ascii_uppercase()];
        let cases = &cases[..1 + usize::from(cases[0] != cases[1])];
        all = all
            .iter()
            .flat_map(|head| cases.iter().map(move |&case| [head, &[case][..]].concat()))
            .collect();
    }
    all
}

/// Where the tag begins whose end has an anchor at `at`.
fn tag_start(text: &str, at: usize) -> Option<usize> {
    let (before, _) = text[at..].split_once('>')?;
    let named = text[..at + before.len()].trim_end_matches(in_line_space);
    let start = named.len().checked_sub(WORD_BYTES)?;
    let word = named.get(start..)?;
    if !["execute", "results"]
        .iter()
        .any(|name| word.eq_ignore_ascii_case(name))
    {
        return None;
    }
    let before = text[..start].trim_end_matches(in_line_space);
    let before = before
        .strip_suffix('/')
        .unwrap_or(before)
        .trim_end_matches(in_line_space);
    Some(before.strip_suffix('<')?.len())
}

fn in_line_space(character: char) -> bool {
    character != '\n' && is_space(character)
}

/// What an `<execute>` turned out to be.
enum Found {
    Block(Frame),
    /// A word in prose.
    Mention,
    /// A block that leaves the inline code around it.
    Outside,
}

/// A block's extent and its content.
struct Frame {
    content: Content,
    closer: Option<Mark>,
    /// Behind the block's last byte.
    end: usize,
    termination: Termination,
}

impl Frame {
    fn find(mark: Mark, context: &mut Context<'_, '_>) -> Found {
        let opener = tags::outside_strings(EXECUTE, mark, context);
        match closer(mark, EXECUTE_END, opener, context) {
            (Some(closer), _) => Self::closed(mark, closer, context),
            (None, opener) => Self::open(mark, opener, context),
        }
    }

    fn closed(mark: Mark, closer: Mark, context: &Context<'_, '_>) -> Found {
        if leaves_inline_code(closer.span.end, context) {
            return Found::Outside;
        }
        let start = mark.span.end;
        let content = Content::whole(context.text(), Span::new(start, closer.span.start));
        if content.is_prose() {
            let another = context.next_mark(EXECUTE, start);
            if another.is_some_and(|opener| opener.span.start < closer.span.start) {
                return Found::Mention;
            }
        }
        Found::Block(Self {
            content,
            closer: Some(closer),
            end: closer.span.end,
            termination: Termination::Explicit,
        })
    }

    /// A block without an end marker; `opener` is the next one outside of strings.
    fn open(mark: Mark, opener: Option<Mark>, context: &mut Context<'_, '_>) -> Found {
        let (content, end) = open_end(mark, opener, CLOSER, context);
        if content.is_prose() {
            return Found::Mention;
        }
        if leaves_inline_code(end, context) {
            return Found::Outside;
        }
        let at_end = end == context.limit();
        if at_end {
            context.cut_at_end();
        }
        Found::Block(Self {
            content,
            closer: None,
            end,
            termination: if at_end {
                Termination::EndOfText
            } else {
                Termination::Implicit
            },
        })
    }
}

/// The tag of `kind` that closes what `mark` opens, and the next opener, in which `opener`, the next one outside of
/// strings, is corrected where one stands behind a whole value.
///
/// The first tag outside of JSON strings closes. Behind the place where the JSON breaks nobody knows what is a string:
/// there the first tag of all closes, if no other does or if the other one is a later block's.
fn closer(
    mark: Mark,
    kind: u8,
    opener: Option<Mark>,
    context: &mut Context<'_, '_>,
) -> (Option<Mark>, Option<Mark>) {
    let (text, start) = (context.text(), mark.span.end);
    let Some(first) = context.next_mark(kind, start) else {
        return (None, opener);
    };
    let outside = tags::outside_strings(kind, mark, context);
    if outside == Some(first) && !stands_before(opener, first) {
        return (outside, opener);
    }
    let end = outside.map_or(context.limit(), |closer| closer.span.start);
    let content = Content::prefix(text, Span::new(start, end));
    let (literal, opener) = match &content.value {
        Ok(node) => {
            let next = |kind| context.next_mark(kind, node.span.end);
            (next(kind), opener.or_else(|| next(EXECUTE)))
        }
        Err(fault) => (context.next_mark(kind, broken_from(text, start, fault)), opener),
    };
    let in_later_block = |outside: Mark| {
        let literal = literal.filter(|_| content.begun && content.value.is_err());
        let behind = literal.and_then(|literal| context.next_mark(EXECUTE, literal.span.end));
        stands_before(behind, outside)
    };
    let outside = outside.filter(|&outside| !in_later_block(outside));
    let Some(closer) = outside.or(literal) else {
        return (None, opener);
    };
    // What comes to an end before another opener has lost its own end marker.
    let ended = opener
        .filter(|_| stands_before(opener, closer))
        .is_some_and(|opener| {
            Content::prefix(text, Span::new(start, opener.span.start)).is_whole_or_cut(text)
        });
    ((!ended).then_some(closer), opener)
}

fn stands_before(opener: Option<Mark>, closer: Mark) -> bool {
    opener.is_some_and(|opener| opener.span.start < closer.span.start)
}

/// The place from which on broken JSON that begins at `start` cannot be trusted: its fault, or the string that the
/// fault is in.
fn broken_from(text: &str, start: usize, fault: &Fault) -> usize {
    tags::open_string(&text.as_bytes()[start..fault.at]).map_or(fault.at, |string| start + string)
}

/// The content of a block without an end marker and where the block ends: behind its value where one can be read, else
/// at the next opener or where the text ends. A `closer` that is cut by the text's end belongs to the block.
fn open_end(mark: Mark, opener: Option<Mark>, closer: &str, context: &Context<'_, '_>) -> (Content, usize) {
    let text = context.text();
    let bound = context.open_end(mark.span.end);
    let next = opener.map_or(bound, |opener| opener.span.start.min(bound));
    let region = Span::new(mark.span.end, next);
    let mut content = Content::prefix(text, region);
    let end = match &content.value {
        Ok(node) => {
            let behind = content.behind(text, node, region);
            let rest = text[behind..next].trim_start_matches(is_space);
            let at_end = next == context.limit() && closer.starts_with(rest);
            if at_end { next } else { behind }
        }
        // An opener where the JSON is broken stands in no string that is one.
        Err(fault) if opener.is_none() => {
            let from = if fault.at_end {
                fault.at
            } else {
                broken_from(text, mark.span.end, fault)
            };
            let opener = context.next_mark(EXECUTE, from);
            opener.map_or(bound, |opener| opener.span.start.min(bound))
        }
        Err(_) => next,
    };
    content.region.end = content.region.end.min(end);
    (content, end)
}

fn leaves_inline_code(end: usize, context: &Context<'_, '_>) -> bool {
    context.inline_code().is_some_and(|code| end > code.end)
}

/// What stands behind an opening tag.
struct Content {
    /// The first line of a code fence around the JSON.
    fence: Option<Span>,
    /// Where the JSON is, without a code fence around it.
    region: Span,
    value: Result<Node, Fault>,
    /// Whether it begins as a batch, a single call or a code fence does.
    begun: bool,
}

impl Content {
    /// Reads a region that should be one value.
    fn whole(text: &str, region: Span) -> Self {
        Self::read(text, region, |inner, fence| {
            let end = fence.map_or(inner.end, |fence| fence.end_before_closing(text, inner));
            let inner = Span::new(inner.start, end);
            (inner, json::parse(text, inner))
        })
    }

    /// Reads a region that should begin with a value. Text may stand behind a batch.
    fn prefix(text: &str, region: Span) -> Self {
        Self::read(text, region, |inner, _| (inner, json::parse_prefix(text, inner)))
    }

    /// Reads what begins as a batch by `read`, and anything else as one value.
    fn read(
        text: &str,
        region: Span,
        read: impl Fn(Span, Option<&Fence>) -> (Span, Result<Node, Fault>),
    ) -> Self {
        let start = region.end - region.of(text).trim_start_matches(is_space).len();
        let fence = Fence::at(text, Span::new(start, region.end));
        let inner = Span::new(fence.as_ref().map_or(start, |fence| fence.inner), region.end);
        if inner
            .of(text)
            .trim_start_matches(is_space)
            .starts_with(['[', '{'])
        {
            let (region, value) = read(inner, fence.as_ref());
            return Self {
                fence: fence.map(|fence| fence.line),
                region,
                value,
                begun: true,
            };
        }
        Self {
            fence: None,
            region,
            value: json::parse(text, region),
            begun: fence.is_some(),
        }
    }

    /// Whether it is nothing that a call was ever meant by.
    fn is_prose(&self) -> bool {
        self.value.is_err() && !self.begun
    }

    /// Whether it is a whole value, or a batch that is sound as far as it goes.
    fn is_whole_or_cut(&self, text: &str) -> bool {
        let Err(fault) = &self.value else { return true };
        let at_fence = || {
            let rest = text[..self.region.end].get(fault.at..).unwrap_or_default();
            self.fence.is_some() && trim(&rest[fence_length(rest)..]).is_empty()
        };
        self.begun && (fault.at_end || at_fence())
    }

    /// The place behind the value and the code fence around it.
    fn behind(&self, text: &str, node: &Node, region: Span) -> usize {
        let rest = text[node.span.end..region.end].trim_start_matches(is_space);
        match fence_length(rest) {
            length if length > 0 && self.fence.is_some() => region.end - rest.len() + length,
            _ => node.span.end,
        }
    }
}

/// The beginning of a Markdown code fence.
struct Fence {
    /// Its first line.
    line: Span,
    /// Where its content begins.
    inner: usize,
}

impl Fence {
    /// The fence that `region` begins with, if it does.
    fn at(text: &str, region: Span) -> Option<Self> {
        let rest = region.of(text);
        let length = fence_length(rest);
        if length == 0 {
            return None;
        }
        let info = rest.bytes().skip(length).take(INFO_BYTES);
        let info = info
            .take_while(|byte| !matches!(byte, b'\n' | b'[' | b'{'))
            .count();
        let mut inner = region.start + length + info;
        // An info string of any length is cut, also inside of a character.
        while !text.is_char_boundary(inner) {
            inner -= 1;
        }
        let line = text[region.start..inner].trim_end_matches(is_space);
        Some(Self {
            line: Span::new(region.start, region.start + line.len()),
            inner,
        })
    }

    /// Where the content ends that the fence's last line closes.
    fn end_before_closing(&self, text: &str, inner: Span) -> usize {
        let content = inner.of(text).trim_end_matches(is_space);
        let bare = content.trim_end_matches(['`', '~']);
        if fence_length(&content[bare.len()..]) > 0 {
            inner.start + bare.len()
        } else {
            inner.end
        }
    }
}

/// Length of the run of backticks or tildes that `text` begins with, if that is a fence; else 0.
fn fence_length(text: &str) -> usize {
    let run = text.trim_start_matches(if text.starts_with('~') { '~' } else { '`' });
    let length = text.len() - run.len();
    if length >= 3 { length } else { 0 }
}

/// Reports what is wrong with the block as a whole.
fn report_frame(mark: Mark, frame: &Frame, context: &mut Context<'_, '_>) {
    let text = context.text();
    let content = &frame.content;
    if frame.closer.is_none() {
        let message =
            format!("the block needs a `{CLOSER}`, and none follows its JSON; write it behind the array");
        context.report(Finding::new(Code::UnclosedBlock, mark.span, message));
    }
    if let Some(fence) = content.fence {
        let message = "the JSON stands in a Markdown code fence; write it without one";
        context.report(Finding::new(Code::JsonInCodeFence, fence, message));
    }
    let Some(closer) = frame.closer else { return };
    match &content.value {
        Err(fault) => {
            let span = fault_span(text, fault, content.region, closer);
            let finding = Finding::new(Code::InvalidJson, span, fault.message.as_str());
            context.report(finding.detail(fault.detail));
        }
        Ok(node) => report_shape(node, context),
    }
}

/// The character at which JSON breaks; where it ends too early, the tag that stands there instead.
fn fault_span(text: &str, fault: &Fault, region: Span, closer: Mark) -> Span {
    if fault.detail == "empty" || fault.at >= region.end {
        return closer.span;
    }
    let on_boundary = |at: &usize| text.is_char_boundary(*at);
    let start = (0..=fault.at).rev().find(on_boundary).unwrap_or(fault.at);
    let end = (fault.at + 1..region.end).find(on_boundary).unwrap_or(region.end);
    Span::new(start, end)
}

fn report_shape(node: &Node, context: &mut Context<'_, '_>) {
    match node.items() {
        None => {
            let message = format!(
                "the content must be a JSON array of calls, and is {}; wrap it in `[` and `]`",
                node.kind_name()
            );
            context.report(Finding::new(Code::NotAnArray, node.span, message));
        }
        Some([]) => {
            let message = "the batch holds no call; leave the block out where there is nothing to call";
            context.report(Finding::new(Code::EmptyBatch, node.span, message));
        }
        Some(_) => {}
    }
}

/// Adds the calls of a block. Returns for each element in order which call it became.
fn read_calls(frame: &Frame, context: &mut Context<'_, '_>) -> Vec<Option<usize>> {
    match &frame.content.value {
        Ok(node) => match node.items() {
            Some(items) => read_batch(items, frame, context),
            None => vec![read_alone(node, frame, context)],
        },
        Err(_) => {
            let nodes = json::salvage(context.text(), frame.content.region);
            let rows = nodes.iter().map(|node| read_alone(node, frame, context));
            rows.collect()
        }
    }
}

/// An object of a batch that is broken, or of none at all. It is judged only if it is a call.
fn read_alone(node: &Node, frame: &Frame, context: &mut Context<'_, '_>) -> Option<usize> {
    let element = Element::read(node, context.text()).filter(Element::is_row)?;
    let row = element.add(frame, context);
    element.judge(row, context);
    row
}

/// The strict rule of the format: a batch with a bad element is rejected whole.
fn read_batch(items: &[Node], frame: &Frame, context: &mut Context<'_, '_>) -> Vec<Option<usize>> {
    let mut rows = Vec::with_capacity(items.len());
    let mut rejected = None;
    for (index, item) in items.iter().enumerate() {
        let (row, severity) = read_element(item, frame, context);
        if severity == Some(Severity::Error) {
            rejected.get_or_insert(index);
        }
        rows.push(row);
    }
    // Where the block itself is at fault, no call of it is sound.
    let block_is_sound = frame.closer.is_some() && frame.content.fence.is_none();
    if let Some(bad) = rejected.filter(|_| block_is_sound) {
        for (item, row) in items.iter().zip(&rows) {
            if let &Some(row) = row {
                reject(row, item, bad, context);
            }
        }
    }
    rows
}

fn reject(row: usize, item: &Node, bad: usize, context: &mut Context<'_, '_>) {
    if !context.calls()[row].is_valid() {
        return;
    }
    let message = format!(
        "the call is sound, but element {} of its batch is not, and the batch runs whole or not at all; mend that one",
        bad + 1
    );
    context.report(Finding::new(Code::BatchRejected, item.span, message).call(row));
}

/// Adds the call of an element and reports what is wrong with it. Returns the call's index and how bad it is.
fn read_element(
    node: &Node,
    frame: &Frame,
    context: &mut Context<'_, '_>,
) -> (Option<usize>, Option<Severity>) {
    let Some(element) = Element::read(node, context.text()) else {
        let message = format!(
            "an element must be an object with `name` and `args`, and is {}",
            node.kind_name()
        );
        let severity = context.report(Finding::new(Code::NotAnObject, node.span, message).apart());
        return (None, Some(severity));
    };
    let row = if element.is_row() {
        element.add(frame, context)
    } else {
        None
    };
    let severity = element.judge(row, context);
    (row, severity)
}

/// An object that should be a call.
struct Element<'n, 't> {
    text: &'t str,
    node: &'n Node,
    name: Option<&'n Node>,
    args: Option<&'n Node>,
    /// Members that the format does not know.
    others: Vec<&'n json::Member>,
}

impl<'n, 't> Element<'n, 't> {
    /// Reads an object; `None` if the node is none.
    fn read(node: &'n Node, text: &'t str) -> Option<Self> {
        let mut element = Self {
            text,
            node,
            name: None,
            args: None,
            others: Vec::new(),
        };
        // Of equal keys the last wins.
        for member in node.members()? {
            match &*member.name(text) {
                "name" => element.name = Some(&member.value),
                "args" => element.args = Some(&member.value),
                _ => element.others.push(member),
            }
        }
        Some(element)
    }

    /// Whether a name or arguments can be read.
    fn is_row(&self) -> bool {
        self.name.is_some_and(|name| name.string(self.text).is_some())
            || self.args.is_some_and(|args| args.members().is_some())
    }

    fn add(&self, frame: &Frame, context: &mut Context<'_, 't>) -> Option<usize> {
        let mut call = Call::new(NAME, self.node.span, frame.termination);
        call.name = self.name.and_then(|name| name.string(self.text));
        let args = self.args.filter(|args| args.members().is_some());
        call.arguments = args.map(|args| args.compact(self.text));
        if !self.others.is_empty() {
            let mut extra = String::new();
            json::write_object(self.text, &self.others, &mut extra);
            call.extra = Some(extra.into());
        }
        Some(context.add_call(call))
    }

    /// Reports what is wrong with it, about the call that it is, if it is one. Returns the gravest severity.
    fn judge(&self, row: Option<usize>, context: &mut Context<'_, '_>) -> Option<Severity> {
        let findings = self.name_finding().into_iter().chain(self.args_finding());
        let findings = findings.chain(self.unexpected()).chain(self.duplicates());
        let report = |finding: Finding| {
            context.report(match row {
                Some(row) => finding.call(row),
                None => finding.apart(),
            })
        };
        findings.map(report).max()
    }

    fn name_finding(&self) -> Option<Finding> {
        let Some(name) = self.name else {
            let message = "a call needs a `name`, and this one has none; add it";
            return Some(Finding::new(Code::MissingName, self.node.span, message));
        };
        match name.string(self.text) {
            None => Some(wrong_type("name", "a string", name)),
            Some(word) if word.is_empty() => {
                let message = "the name is empty; write the tool's name";
                Some(Finding::new(Code::EmptyName, name.span, message))
            }
            Some(_) => None,
        }
    }

    fn args_finding(&self) -> Option<Finding> {
        let Some(args) = self.args else {
            let message =
                "a call needs `args`, and this one has none; write `{}` where there are no arguments";
            return Some(Finding::new(Code::MissingArgs, self.node.span, message));
        };
        args.members()
            .is_none()
            .then(|| wrong_type("args", "an object", args))
    }

    /// One finding for each unknown key.
    fn unexpected(&self) -> impl Iterator<Item = Finding> {
        let mut seen = HashSet::new();
        self.others.iter().filter_map(move |member| {
            let name = member.name(self.text);
            let message = format!(
                "a call has `name` and `args` only, and no `{}`; remove it",
                shown(&name)
            );
            seen.insert(name)
                .then(|| Finding::new(Code::UnexpectedField, member.key, message))
        })
    }

    fn duplicates(&self) -> impl Iterator<Item = Finding> {
        json::duplicate_keys(self.node).into_iter().map(|key| {
            let message = format!(
                "the key {} stands twice in one object, and the last one wins; keep one",
                shown(key.of(self.text))
            );
            Finding::new(Code::DuplicateKey, key, message).warning()
        })
    }
}

fn wrong_type(field: &str, expected: &str, found: &Node) -> Finding {
    let message = format!("`{field}` must be {expected}, and is {}", found.kind_name());
    Finding::new(Code::WrongType, found.span, message)
}
