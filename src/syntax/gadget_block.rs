//! `!!!GADGET_START:name:id:dependencies`, arguments by pointer, `!!!GADGET_END` (seed 004).
//!
//! The markers can be set; the end marker may be left out.

use super::{Claim, Draft, Mark, Part, Syntax, Value, Written};
use crate::call::{Call, Termination};
use crate::diagnostic::{Code, Finding};
use crate::offer::Offer;
use crate::scan::Context;
use crate::span::Span;

mod arguments;
mod dependencies;
mod header;
mod markers;
mod tree;

use dependencies::Gadget;
use header::Header;
pub use markers::Markers;
use markers::{ARG, END, Forms, START};

const NAME: &str = "gadget_block";

/// The syntax of seed 004.
#[derive(Debug)]
pub struct GadgetBlock {
    forms: Forms,
    markers: Markers,
}

impl GadgetBlock {
    /// The syntax with these markers, which [`Markers::fault`] finds nothing wrong with.
    pub fn new(markers: &Markers) -> Self {
        Self {
            forms: Forms::of(markers),
            markers: markers.clone(),
        }
    }
}

/// What is remembered from block to block.
#[derive(Debug, Default)]
struct Memory {
    /// Gadgets so far that have no id of their own.
    unnamed: usize,
    gadgets: Vec<Gadget>,
}

impl Syntax for GadgetBlock {
    fn name(&self) -> &'static str {
        NAME
    }

    fn description(&self) -> &'static str {
        "A start marker with name, id and dependencies, a marker before each argument, an end marker"
    }

    fn example(&self) -> &'static str {
        "!!!GADGET_START:WriteFile:write_1\n!!!ARG:filePath\nsrc/a.ts\n!!!ARG:content\nlet a = 1;\nlet b = 2;\n\
         !!!GADGET_END\n"
    }

    fn anchors(&self) -> Vec<Vec<u8>> {
        self.forms.anchors()
    }

    fn recognise(&self, text: &str, at: usize) -> Option<Mark> {
        self.forms.recognise(text, at)
    }

    fn write(&self, drafts: &[Draft], out: &mut String) -> Vec<Written> {
        for draft in drafts {
            out.push_str(&format!("{}{}\n", self.markers.start, draft.name));
            for (key, value) in &draft.arguments {
                self.write_argument(key, value, out);
            }
            out.push_str(&format!("{}\n", self.markers.end));
        }
        drafts.iter().map(Written::plain).collect()
    }

    fn parse(&self, mark: Mark, context: &mut Context<'_, '_>) -> Claim {
        let plain = Claim::Text {
            resume: mark.span.end,
        };
        if context.inline_code().is_some() {
            // Inline code ends with its line; a gadget needs a second one.
            return plain;
        }
        let Some(line) = header_line(mark, context) else {
            let message = "the header needs a line break behind it and no other marker in it; write it on a line of its own";
            context.report(Finding::new(Code::UnclosedHeader, mark.span, message));
            return plain;
        };
        let header = Header::read(context.text(), line);
        let body = Body::find(line.end + 1, context);
        let call = add_call(mark, &header, &body, context);
        header.report(mark.span, call, context);
        let raw = body.span.of(context.text());
        let tool = header.name.map_or("", |name| name.text);
        let offer = context.offer().filter(|offer| offer.has(tool));
        let types = offer.map(|offer| move |path: &[&str]| offer.types(tool, path));
        let wanted = types.as_ref().map(|types| types as arguments::Wanted<'_>);
        let arguments = arguments::read(raw, &self.markers.arg, wanted, &mut |mut finding| {
            finding.span = finding.span.shifted(body.span.start);
            context.report(finding.call(call));
        });
        context.call_mut(call).arguments = arguments.map(Into::into);
        Claim::Block { end: body.end }
    }

    fn locate(&self, text: &str, call: &Call<'_>, part: Part<'_>, _: &dyn Offer) -> Option<Span> {
        let start = call.span?.start + self.markers.start.len();
        let line = Span::new(start, start + text[start..].find('\n')?);
        match part {
            Part::Name => Header::read(text, line).name.map(|name| name.span),
            Part::Argument([]) => Some(line),
            Part::Argument(path) => {
                let raw = call.raw_args.as_deref()?;
                let found = arguments::locate(raw, &self.markers.arg, path)?;
                Some(found.shifted(line.end + 1))
            }
        }
    }

    fn finish(&self, context: &mut Context<'_, '_>) {
        let memory: Memory = std::mem::take(context.state());
        dependencies::check(&memory.gadgets, context);
    }
}

/// The rest of the marker's line, if it can be a header.
fn header_line(mark: Mark, context: &mut Context<'_, '_>) -> Option<Span> {
    let start = mark.span.end;
    let end = context.line_end(start);
    let holds_marker = [START, END, ARG].into_iter().any(|kind| {
        let next = context.next_mark(kind, start);
        next.is_some_and(|next| next.span.start < end)
    });
    (end < context.limit() && !holds_marker).then(|| Span::new(start, end))
}

/// What stands behind a header.
struct Body {
    /// The parameter text.
    span: Span,
    /// Behind the block's last byte.
    end: usize,
    termination: Termination,
}

impl Body {
    /// Finds the end of the block whose parameters begin at `start` (seed 004, Implicit Termination).
    fn find(start: usize, context: &Context<'_, '_>) -> Self {
        let next = context.next_mark(START, start).map(|next| next.span.start);
        if let Some(closer) = context.next_mark(END, start)
            && next.is_none_or(|next| closer.span.start < next)
        {
            return Self {
                span: Span::new(start, closer.span.start),
                end: closer.span.end,
                termination: Termination::Explicit,
            };
        }
        let latest = context.open_end(start);
        let end = next.map_or(latest, |next| next.min(latest));
        let termination = if end == context.limit() {
            Termination::EndOfText
        } else {
            Termination::Implicit
        };
        Self {
            span: Span::new(start, end),
            end,
            termination,
        }
    }
}

fn add_call<'t>(mark: Mark, header: &Header<'t>, body: &Body, context: &mut Context<'_, 't>) -> usize {
    let span = Span::new(mark.span.start, body.end);
    let mut call = Call::new(NAME, span, body.termination);
    call.name = header.name.map(|name| name.text.into());
    call.raw_args = Some(body.span.of(context.text()).into());
    call.dependencies = Some(header.dependencies.iter().map(|part| part.text.into()).collect());
    call.call_id_generated = header.id.is_none();
    call.call_id = Some(match header.id {
        Some(id) => id.text.into(),
        None => {
            let memory: &mut Memory = context.state();
            memory.unnamed += 1;
            format!("gadget_{}", memory.unnamed).into()
        }
    });
    let call = context.add_call(call);
    let memory: &mut Memory = context.state();
    memory.gadgets.push(Gadget {
        call,
        id: header.id.map_or(mark.span, |id| id.span),
        dependencies: header.dependencies.iter().map(|part| part.span).collect(),
    });
    call
}

impl GadgetBlock {
    /// Writes one value as arguments: a container as one for each of its leaves.
    fn write_argument(&self, pointer: &str, value: &Value, out: &mut String) {
        match value {
            Value::Object(members) => {
                for (key, value) in members {
                    self.write_argument(&format!("{pointer}/{key}"), value, out);
                }
            }
            Value::List(items) => {
                for (index, item) in items.iter().enumerate() {
                    self.write_argument(&format!("{pointer}/{index}"), item, out);
                }
            }
            Value::Text(text) => out.push_str(&format!("{}{pointer}\n{text}\n", self.markers.arg)),
            Value::Number(_) | Value::Boolean(_) => {
                let token = value.token().expect("numbers and booleans are tokens");
                out.push_str(&format!("{}{pointer}\n{token}\n", self.markers.arg));
            }
        }
    }
}
