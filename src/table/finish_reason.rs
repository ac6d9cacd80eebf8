//! Why a model stopped, against what stands in its completion.

use crate::call::Termination;
use crate::diagnostic::Code;
use crate::record::{Completion, Problem, Text};
use crate::scan::Scan;
use crate::span::Span;
use crate::validate::{Native, says_stopped, says_truncated};

/// What the reason to finish and the calls that the provider parsed say about the calls in the text.
pub(super) fn check(
    completion: &Completion,
    scan: &Scan<'_>,
    native: &Native<'_>,
) -> impl Iterator<Item = Problem> {
    let reason = completion.finish_reason.as_deref();
    let truncated = reason.filter(|reason| says_truncated(reason));
    let truncated = truncated.and_then(|reason| truncated_call(reason, completion, scan, native));
    truncated.into_iter().chain(leaked_call(completion, scan))
}

/// A limit that went through a call.
fn truncated_call(
    reason: &str,
    completion: &Completion,
    scan: &Scan<'_>,
    native: &Native<'_>,
) -> Option<Problem> {
    let end = completion.text.as_ref().map_or(0, Text::bytes);
    let span = if scan.cut {
        let cut = scan
            .calls
            .iter()
            .rfind(|call| call.termination == Some(Termination::EndOfText));
        cut.and_then(|call| call.span).unwrap_or(Span::new(end, end))
    } else if native.findings.iter().any(is_cut) {
        Span::new(end, end)
    } else {
        return None;
    };
    let message = format!(
        "the model was stopped (`{reason}`) in the middle of a call; raise the limit of tokens and send the request again"
    );
    Some(Problem::of_completion(Code::TruncatedCall, message, span))
}

/// Whether the finding says that a call's arguments stop in the middle.
fn is_cut(finding: &crate::diagnostic::Diagnostic) -> bool {
    finding.code == Code::InvalidJson
        && matches!(
            finding.detail.as_deref(),
            Some("truncated" | "unbalanced" | "empty")
        )
}

/// A call that the provider should have parsed.
fn leaked_call(completion: &Completion, scan: &Scan<'_>) -> Option<Problem> {
    let call = scan.calls.first()?;
    let reason = completion.finish_reason.as_deref();
    let why = if !completion.native_calls.is_empty() {
        "beside calls that the provider parsed"
    } else if completion.tools_offered && reason.is_some_and(says_stopped) {
        "although the provider was offered tools, and it says that the model called none"
    } else {
        return None;
    };
    let message = format!(
        "a call of {} stands in the text, {why}; use a parser that fits the model",
        call.syntax
    );
    Some(Problem::of_completion(
        Code::LeakedCall,
        message,
        call.span.unwrap_or(Span::new(0, 0)),
    ))
}
