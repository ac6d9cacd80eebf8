//! Calls that the provider had already parsed and logged as structure, judged like those in the text.

use crate::call::Call;
use crate::diagnostic::{Code, Diagnostic};
use crate::span::Span;

/// What stands in the `syntax` column for them.
pub const NATIVE: &str = "native";

/// The row of a logged call, the `call_index`-th of its completion, with what is wrong with it.
///
/// Name and arguments are judged as those of an `<execute>` batch (seed 002): a name that is not empty, and
/// arguments that are a JSON object. `raw_args` holds the arguments as logged. Spans lie in the logged arguments.
pub fn native_call<'n>(
    name: Option<&'n str>,
    id: Option<&'n str>,
    arguments: Option<&'n str>,
    call_index: usize,
) -> (Call<'n>, Vec<Diagnostic>) {
    let mut call = Call::native(NATIVE);
    call.name = name.map(Into::into);
    call.call_id = id.map(Into::into);
    call.raw_args = arguments.map(Into::into);
    let mut judge = Judge {
        call,
        call_index,
        findings: Vec::new(),
    };
    judge.name(name);
    (judge.call, judge.findings)
}

struct Judge<'n> {
    call: Call<'n>,
    call_index: usize,
    findings: Vec<Diagnostic>,
}

impl Judge<'_> {
    fn name(&mut self, name: Option<&str>) {
        let (code, message) = match name {
            None => (
                Code::MissingName,
                "the logged call has no tool name; log the name with it",
            ),
            Some("") => (
                Code::EmptyName,
                "the logged call's tool name is empty; log the name with it",
            ),
            Some(_) => return,
        };
        self.report(code, Span::new(0, 0), message);
    }

    fn report(&mut self, code: Code, span: Span, message: impl Into<String>) {
        let severity = code.info().severity;
        self.call.attach(code, severity);
        self.findings.push(Diagnostic {
            code,
            severity,
            syntax: Some(NATIVE),
            call_index: Some(self.call_index),
            detail: None,
            message: message.into(),
            span,
        });
    }
}
