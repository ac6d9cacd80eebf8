//! ```` ```tool name id ````, YAML, ```` ``` ```` (seed 001).
//!
//! CommonMark decides what is a fence and where it ends; the scan's Markdown structure answers both.

use std::borrow::Cow;

use super::{Claim, Draft, Mark, Part, Role, Syntax, Value, Written};
use crate::call::{Call, Termination};
use crate::diagnostic::{Code, Finding};
use crate::offer::Offer;
use crate::scan::Context;
use crate::scan::markdown::{FenceBlock, FenceEnd};
use crate::shown::shown;
use crate::span::Span;
use body::Body;
use fields::Fields;
use info::Info;
use word::Word;

mod body;
mod fields;
mod info;
mod word;

const NAME: &str = "markdown_fence";

/// Kinds of marks.
const OPEN: u8 = 0;
const NEAR: u8 = 1;

/// The name of a call that gives none.
const DEFAULT_NAME: &str = "tool";

/// The syntax of seed 001.
#[derive(Debug, Default)]
pub struct MarkdownFence;

/// How many tool fences stood before.
#[derive(Default)]
struct Ordinal(usize);

impl Syntax for MarkdownFence {
    fn name(&self) -> &'static str {
        NAME
    }

    fn description(&self) -> &'static str {
        "A Markdown code fence with the info string `tool` and YAML inside"
    }

    fn example(&self) -> &'static str {
        "```tool search call_1\ninput:\n  query: cats\n```\n"
    }

    fn anchors(&self) -> Vec<Vec<u8>> {
        let anchors = [
            // The word behind a fence character, or behind blanks.
            "`tool",
            "~tool",
            "` tool",
            "~ tool",
            "  tool",
            "\t tool",
            "\ttool",
            // Near misses.
            "`Tool",
            "` Tool",
            "~Tool",
            "`TOOL",
            "~TOOL",
            "json tool",
            "yaml tool",
            "yml tool",
        ];
        anchors.map(|anchor| anchor.as_bytes().to_vec()).to_vec()
    }

    fn recognise(&self, text: &str, at: usize) -> Option<Mark> {
        let (start, end) = fence_before(text, at)?;
        let info = text[end..].trim_start_matches(word::BLANKS);
        let from = text.len() - info.len();
        let span = |length: usize| Span::new(start, from + length);
        Some(match Word::read(info)? {
            Word::Exact => Mark::new(Role::Opener, OPEN, span(word::TOOL.len())),
            // Whether it opens a fence is known to the parse alone.
            Word::Near { length, .. } => Mark::new(Role::Opener, NEAR, span(length)),
        })
    }

    fn write(&self, drafts: &[Draft], out: &mut String) -> Vec<Written> {
        for (index, draft) in drafts.iter().enumerate() {
            if index > 0 {
                out.push('\n');
            }
            out.push_str(&format!("```tool {}\ninput:\n", draft.name));
            write_members(&draft.arguments, 1, out);
            out.push_str("```\n");
        }
        drafts.iter().map(Written::plain).collect()
    }

    fn parse(&self, mark: Mark, context: &mut Context<'_, '_>) -> Claim {
        let plain = Claim::Text {
            resume: mark.span.end,
        };
        let Some(opening) = context.markdown().opening(mark.span.start) else {
            return plain;
        };
        if opening.line.start != mark.span.start {
            return plain;
        }
        if mark.kind == NEAR {
            near_miss(mark, opening.info, context);
            return plain;
        }
        let block = context.markdown().read_fence(&opening);
        context.state::<Ordinal>().0 += 1;
        add_call(mark, Span::new(mark.span.end, opening.line.end), &block, context);
        Claim::Block { end: block.span.end }
    }

    fn locate(&self, text: &str, call: &Call<'_>, part: Part<'_>, _: &dyn Offer) -> Option<Span> {
        let span = call.span?;
        let opening = span.of(text).split('\n').next()?;
        let behind = Span::new(opening.find("tool")? + "tool".len(), opening.len());
        let in_opening = Info::read(opening, behind, &mut Vec::new()).name;
        if let (Part::Name, Some(name)) = (part, in_opening) {
            return Some(name.span.shifted(span.start));
        }
        let start = span.start + opening.len() + 1;
        let body = text.get(start..span.end)?;
        let is_closed = call.termination == Some(Termination::Explicit);
        let end = if is_closed { body.rfind('\n')? } else { body.len() };
        let body = without_quote_marks(&body[..end], &text[..span.start]);
        let found = match part {
            Part::Name => fields::locate(&body, &["toolName"]).or_else(|| fields::locate(&body, &["name"])),
            Part::Argument(path) => fields::locate(&body, &[&["input"], path].concat()),
        };
        Some(found?.shifted(start))
    }

    fn sees_through_fences(&self) -> bool {
        false
    }

    /// A fence may tell what became of the call that an earlier one announced (seed 001, States).
    fn shares_ids(&self) -> bool {
        true
    }
}

/// The lines of a fence with blanks for the marks of the quotes that it stands in, so that places stay as they are.
/// `before` is the text before the fence.
fn without_quote_marks<'t>(body: &'t str, before: &str) -> Cow<'t, str> {
    let container = &before[before.rfind('\n').map_or(0, |at| at + 1)..];
    let depth = container.matches('>').count();
    if depth == 0 {
        return body.into();
    }
    let mut left = depth;
    let blanked = body.chars().map(|character| {
        left = match character {
            '\n' => depth,
            '>' if left > 0 => {
                left -= 1;
                return ' ';
            }
            ' ' | '\t' => left,
            _ => 0,
        };
        character
    });
    blanked.collect()
}

/// The run of three or more fence characters at `at`, or before it: blanks and a language may stand between.
fn fence_before(text: &str, at: usize) -> Option<(usize, usize)> {
    let bytes = text.as_bytes();
    let end = if is_fence(bytes[at]) {
        at + 1
    } else {
        word::before_language(text[..at].trim_end_matches(word::BLANKS)).len()
    };
    let character = *bytes[..end].last().filter(|&&byte| is_fence(byte))?;
    let length = bytes[..end]
        .iter()
        .rev()
        .take_while(|&&byte| byte == character)
        .count();
    (length >= 3).then_some((end - length, end))
}

fn is_fence(byte: u8) -> bool {
    matches!(byte, b'`' | b'~')
}

fn near_miss(mark: Mark, info: Span, context: &mut Context<'_, '_>) {
    let Some(Word::Near { form, .. }) = Word::read(info.of(context.text())) else {
        return;
    };
    let message = format!(
        "the fence opens with `{}`, and a call needs the word `tool` alone there; write it exactly",
        shown(mark.span.of(context.text())),
    );
    context.report(
        Finding::new(Code::NearMiss, mark.span, message)
            .apart()
            .detail(form),
    );
}

/// Adds the call of a fence that opens with `mark`; `behind` is the rest of its line.
fn add_call(mark: Mark, behind: Span, block: &FenceBlock, context: &mut Context<'_, '_>) {
    let text = context.text();
    let body = Body::new(text, &block.lines);
    let mut findings = Vec::new();
    let is_cut = block.end == FenceEnd::Unclosed;
    if is_cut {
        let message = "the fence is open at the text's end; close it with a fence at least as long";
        findings.push(Finding::new(Code::UnclosedBlock, mark.span, message));
        context.cut_at_end();
    }
    let info = Info::read(text, behind, &mut findings);
    let fields = Fields::read(info, &body, is_cut, &mut findings);
    let termination = match block.end {
        FenceEnd::Closed => Termination::Explicit,
        FenceEnd::Container => Termination::Implicit,
        FenceEnd::Unclosed => Termination::EndOfText,
    };
    let ordinal = context.state::<Ordinal>().0;
    let call = Call {
        call_id_generated: fields.id.is_none(),
        name: Some(fields.name.unwrap_or(DEFAULT_NAME.into())),
        call_id: Some(fields.id.unwrap_or_else(|| format!("tool-call-{ordinal}").into())),
        arguments: fields.arguments.map(Into::into),
        state: fields.state.map(Into::into),
        events: Some(fields.events),
        output: fields.output.map(Into::into),
        error_text: fields.error_text.map(Into::into),
        extra: fields.extra.map(Into::into),
        ..Call::new(NAME, block.span, termination)
    };
    let index = context.add_call(call);
    for finding in findings {
        context.report(finding.call(index));
    }
}

/// Writes the members of a mapping, one a line, at this depth of indentation.
fn write_members(members: &[(String, Value)], depth: usize, out: &mut String) {
    for (key, value) in members {
        out.push_str(&"  ".repeat(depth));
        crate::body::json::write_string(key, out);
        out.push(':');
        match value {
            Value::Text(text) if text.contains('\n') => {
                out.push_str(" |-\n");
                for line in text.split('\n') {
                    out.push_str(&"  ".repeat(depth + 1));
                    out.push_str(line);
                    out.push('\n');
                }
            }
            Value::Object(members) => {
                out.push('\n');
                write_members(members, depth + 1, out);
            }
            _ => {
                out.push(' ');
                value.write_json(out);
                out.push('\n');
            }
        }
    }
}

#[cfg(test)]
mod tests;
