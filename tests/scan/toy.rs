//! The syntax of docs/adding-a-syntax.md, compiled and put to work.

use std::sync::Arc;

use toolscan::scan::Context;
use toolscan::syntax::{Claim, Draft, Mark, Role, Syntax, Written};
use toolscan::{Call, Code, Finding, ScanOptions, Scanner, Span, Termination};

// begin of the example
/// `@@call NAME`, then lines of text, then `@@end`.
pub(crate) struct AtCall;

const OPENER: u8 = 0;
const CLOSER: u8 = 1;

impl Syntax for AtCall {
    fn name(&self) -> &'static str {
        "at_call"
    }

    fn description(&self) -> &'static str {
        "A line with the tool's name, lines of text, a closing line"
    }

    fn example(&self) -> &'static str {
        "@@call echo\nhello\n@@end"
    }

    fn anchors(&self) -> Vec<Vec<u8>> {
        vec![b"@@call ".to_vec(), b"@@end".to_vec()]
    }

    fn recognise(&self, text: &str, at: usize) -> Option<Mark> {
        Some(if text[at..].starts_with("@@call ") {
            Mark::new(Role::Opener, OPENER, at..at + 7)
        } else {
            Mark::new(Role::Closer, CLOSER, at..at + 5)
        })
    }

    fn parse(&self, mark: Mark, context: &mut Context<'_, '_>) -> Claim {
        let text = context.text();
        let line_end = context.line_end(mark.span.end);
        let name = text[mark.span.end..line_end].trim();
        if name.is_empty() {
            let finding = Finding::new(
                Code::EmptyHeader,
                mark.span,
                "`@@call` needs a tool's name on its line",
            );
            context.report(finding.apart());
            return Claim::Text {
                resume: mark.span.end,
            };
        }
        let closer = context.next_mark(CLOSER, line_end);
        let (body_end, end, termination) = match closer {
            Some(closer) => (closer.span.start, closer.span.end, Termination::Explicit),
            None => (context.limit(), context.limit(), Termination::EndOfText),
        };
        let mut call = Call::new(self.name(), Span::new(mark.span.start, end), termination);
        call.name = Some(name.into());
        call.body = Some(text[(line_end + 1).min(body_end)..body_end].into());
        let index = context.add_call(call);
        if closer.is_none() {
            let finding = Finding::new(
                Code::UnclosedBlock,
                mark.span,
                "the call has no `@@end`; write it",
            );
            context.report(finding.call(index));
            context.cut_at_end();
        }
        Claim::Block { end }
    }

    fn write(&self, drafts: &[Draft], out: &mut String) -> Vec<Written> {
        let mut written = Vec::new();
        for draft in drafts {
            let body = draft.arguments_json();
            out.push_str(&format!("@@call {}\n{body}\n@@end\n", draft.name));
            written.push(Written {
                name: draft.name.clone(),
                arguments: None,
                body: Some(format!("{body}\n")),
            });
        }
        written
    }
}
// end of the example

fn scanner() -> Scanner {
    Scanner::new(vec![Arc::new(AtCall)], ScanOptions::default())
}

#[test]
fn the_example_finds_its_calls() {
    let scanner = scanner();
    let scan = scanner.scan("One:\n@@call echo\nhello\n@@end\nand `@@call ` in prose, then\n@@call cut\nof");
    let names: Vec<_> = scan
        .calls
        .iter()
        .map(|call| call.name.as_deref().unwrap_or(""))
        .collect();
    assert_eq!(names, ["echo", "cut"]);
    assert_eq!(scan.calls[0].body.as_deref(), Some("hello\n"));
    assert!(scan.calls[0].is_valid() && !scan.calls[1].is_valid());
    let codes: Vec<_> = scan.diagnostics.iter().map(|finding| finding.code).collect();
    assert_eq!(codes, [Code::StrayMarker, Code::UnclosedBlock]);
    assert!(scan.cut);
}

#[test]
fn the_walkthrough_shows_this_very_code() {
    let page = include_str!("../../docs/adding-a-syntax.md");
    let source = include_str!("toy.rs");
    let example = source
        .split_once("// begin of the example\n")
        .and_then(|(_, rest)| rest.split_once("// end of the example"))
        .map(|(example, _)| example)
        .expect("the example is marked");
    assert!(
        page.contains(example),
        "docs/adding-a-syntax.md and tests/scan/toy.rs show different code"
    );
}
