//! `<results>`: what became of the calls before it, by position.

use super::{Content, EXECUTE, RESULTS, RESULTS_END, closer, leaves_inline_code, open_end, tags};
use crate::body::json::Node;
use crate::diagnostic::{Code, Finding};
use crate::scan::Context;
use crate::shown::shown;
use crate::span::Span;
use crate::syntax::{Claim, Mark};

const CLOSER: &str = "</results>";

/// The batches that have no results yet: which call each of their elements became.
pub(super) type Waiting = Vec<Vec<Option<usize>>>;

/// Parses a block of results and completes the calls that it belongs to. Results are lenient (seed 002): whatever is
/// wrong with them is a warning, and the calls stand.
pub(super) fn parse(mark: Mark, context: &mut Context<'_, '_>) -> Claim {
    let plain = Claim::Text {
        resume: mark.span.end,
    };
    let (content, closer, end) = find(mark, context);
    if leaves_inline_code(end, context) {
        return plain;
    }
    report_content(mark, &content, closer, context);
    if closer.is_none() && content.is_prose() {
        return plain;
    }
    match context.state::<Waiting>().pop() {
        None => {
            let message =
                "no batch of calls without results stands before these; write results behind their calls";
            context.report(Finding::new(Code::OrphanResults, mark.span, message).apart());
        }
        Some(calls) => {
            if let Some(items) = content.value.as_ref().ok().and_then(Node::items) {
                pair(mark, &calls, items, context);
            }
        }
    }
    Claim::Annex { end }
}

/// The content, the closing tag, and where the block ends.
fn find(mark: Mark, context: &mut Context<'_, '_>) -> (Content, Option<Mark>, usize) {
    let openers = [EXECUTE, RESULTS].map(|kind| tags::outside_strings(kind, mark, context));
    let opener = openers
        .into_iter()
        .flatten()
        .min_by_key(|opener| opener.span.start);
    let (closer, opener) = closer(mark, RESULTS_END, opener, context);
    if let Some(closer) = closer {
        let region = Span::new(mark.span.end, closer.span.start);
        let content = Content::whole(context.text(), region);
        return (content, Some(closer), closer.span.end);
    }
    let (content, end) = open_end(mark, opener, CLOSER, context);
    if end == context.limit() && !content.is_prose() {
        context.cut_at_end();
    }
    (content, None, end)
}

fn report_content(mark: Mark, content: &Content, closer: Option<Mark>, context: &mut Context<'_, '_>) {
    let message = match &content.value {
        _ if closer.is_none() => {
            format!("the results need a `{CLOSER}`, and none follows; write it behind the array")
        }
        Err(fault) => format!("the results are no JSON: {}", fault.message),
        Ok(node) if node.items().is_none() => {
            format!("the results must be a JSON array, and are {}", node.kind_name())
        }
        Ok(_) if content.fence.is_some() => {
            "the results stand in a Markdown code fence; write them without one".to_owned()
        }
        Ok(_) => return,
    };
    context.report(Finding::new(Code::InvalidResults, mark.span, message).apart());
}

/// Gives each call the result in its place.
fn pair(mark: Mark, calls: &[Option<usize>], items: &[Node], context: &mut Context<'_, '_>) {
    if calls.len() != items.len() {
        let message = format!(
            "{} results stand behind {} calls; write one for each, in order",
            items.len(),
            calls.len()
        );
        context.report(Finding::new(Code::ResultsCountMismatch, mark.span, message).apart());
    }
    for (place, item) in items.iter().enumerate() {
        complete(calls.get(place).copied().flatten(), item, context);
    }
}

/// Gives a call its result, and reports what is wrong with that; without a call, that alone.
fn complete(call: Option<usize>, item: &Node, context: &mut Context<'_, '_>) {
    let about = |finding: Finding| match call {
        Some(call) => finding.call(call),
        None => finding.apart(),
    };
    if item.members().is_none() {
        let message = format!(
            "a result must be an object with `tool`, `status` and `content`, and is {}",
            item.kind_name()
        );
        context.report(about(Finding::new(Code::InvalidResults, item.span, message)));
        return;
    }
    let text = context.text();
    let field = |name| item.get(text, name).map(|member| &member.value);
    let status = field("status").map(|status| {
        (
            status,
            status.string(text).unwrap_or_else(|| status.compact(text)),
        )
    });
    let failed = status.as_ref().is_some_and(|(_, word)| word == "failure");
    if !failed && status.as_ref().is_none_or(|(_, word)| word != "success") {
        let found = status
            .as_ref()
            .map_or("none".into(), |(_, word)| format!("`{}`", shown(word)));
        let span = status.as_ref().map_or(item.span, |(node, _)| node.span);
        let message = format!("a status is `success` or `failure`, and here is {found}");
        context.report(about(Finding::new(Code::InvalidResultStatus, span, message)));
    }
    let Some(index) = call else { return };
    report_name(index, item, field("tool"), context);
    let call = context.call_mut(index);
    call.result_status = status.map(|(_, word)| word);
    let Some(content) = field("content") else { return };
    if failed {
        call.error_text = Some(content.string(text).unwrap_or_else(|| content.compact(text)));
    } else {
        call.output = Some(content.compact(text));
    }
}

/// Position alone pairs a result with its call; a name that says otherwise is worth a word.
fn report_name(call: usize, item: &Node, tool: Option<&Node>, context: &mut Context<'_, '_>) {
    let text = context.text();
    let Some(expected) = context.calls()[call].name.clone() else {
        return;
    };
    let found = tool.and_then(|tool| tool.string(text));
    if found.as_ref() == Some(&expected) {
        return;
    }
    let found = found.map_or("none".into(), |found| format!("`{}`", shown(&found)));
    let message = format!(
        "the call in this place is of `{}`, and the result's `tool` is {found}; keep the order of the calls",
        shown(&expected)
    );
    let span = tool.map_or(item.span, |tool| tool.span);
    context.report(Finding::new(Code::ResultNameMismatch, span, message).call(call));
}
