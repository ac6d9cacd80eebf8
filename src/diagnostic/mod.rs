//! Findings: what they say, and how grave they are.

use std::borrow::Cow;

use crate::span::Span;

mod codes;

pub use codes::{CODES, Code, CodeInfo, CodeSet, EXAMPLE_TOOLS, Example};

/// How grave a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// Worth knowing; a strict parser would still run the call.
    Warning,
    /// A strict parser would not run the call.
    Error,
}

impl Severity {
    /// The value of the `severity` column.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

/// A finding about a block, a call, a completion or a record.
#[derive(Clone, Debug, PartialEq)]
pub struct Diagnostic {
    /// What kind of finding it is.
    pub code: Code,
    /// How grave it is here: the code's default, unless the syntax lowers it or `--strict` raises it.
    pub severity: Severity,
    /// The syntax it belongs to; `None` for findings about a record.
    pub syntax: Option<&'static str>,
    /// Index of the call it is about, among the completion's calls.
    pub call_index: Option<usize>,
    /// The kind within the kind, e.g. `trailing_comma`.
    pub detail: Option<Cow<'static, str>>,
    /// What was expected, what was found, and how to mend it.
    pub message: String,
    /// Where it stands.
    pub span: Span,
}

/// Findings of one code in one completion that are kept one by one; the rest is counted.
pub const FINDINGS_OF_ONE_CODE: usize = 1000;

impl Diagnostic {
    /// The finding that stands for `count` more of its code that are not kept, where this one is the last kept.
    pub(crate) fn left_out(&self, count: usize) -> Diagnostic {
        Diagnostic {
            call_index: None,
            detail: None,
            message: left_out_message(self.code.name(), count),
            ..self.clone()
        }
    }
}

fn left_out_message(code: &str, count: usize) -> String {
    format!("{count} more of `{code}` in this completion are counted, not listed")
}

/// How many findings one with this code and message stands for: one, unless it says that it stands for those that are
/// not listed.
#[cfg(feature = "cli")]
pub(crate) fn stands_for(code: &str, message: &str) -> usize {
    let count = message.split(' ').next().and_then(|word| word.parse().ok());
    let count = count.filter(|&count| message == left_out_message(code, count));
    count.unwrap_or(1)
}

/// A finding on its way to becoming a [`Diagnostic`]; built with [`Finding::new`] and refined in a chain.
///
/// Unless [`Finding::call`] or [`Finding::apart`] says otherwise, it is about the block being parsed, and its
/// code is copied to every call of that block.
#[derive(Clone, Debug)]
pub struct Finding {
    pub(crate) code: Code,
    pub(crate) span: Span,
    pub(crate) message: String,
    pub(crate) about: About,
    pub(crate) detail: Option<Cow<'static, str>>,
    pub(crate) severity: Severity,
}

/// What a finding is attached to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum About {
    Block,
    Call(usize),
    Apart,
}

impl Finding {
    /// A finding about the block being parsed, with the code's default severity.
    pub fn new(code: Code, span: impl Into<Span>, message: impl Into<String>) -> Self {
        Self {
            code,
            span: span.into(),
            message: one_line(message.into()),
            about: About::Block,
            detail: None,
            severity: code.info().severity,
        }
    }

    /// Makes it about the call with this index (as returned when the call was added).
    pub fn call(mut self, index: usize) -> Self {
        self.about = About::Call(index);
        self
    }

    /// Makes it about no block and no call: a marker in the text.
    pub fn apart(mut self) -> Self {
        self.about = About::Apart;
        self
    }

    /// Says which kind within the code's kind.
    pub fn detail(mut self, detail: impl Into<Cow<'static, str>>) -> Self {
        self.detail = Some(detail.into());
        self
    }

    /// Lowers it to a warning.
    pub fn warning(mut self) -> Self {
        self.severity = Severity::Warning;
        self
    }
}

/// A message that repeats a model's words stays one line: control characters are written as escapes.
fn one_line(message: String) -> String {
    if !message.contains(char::is_control) {
        return message;
    }
    let mut line = String::with_capacity(message.len() + 8);
    for character in message.chars() {
        if character.is_control() {
            line.extend(character.escape_default());
        } else {
            line.push(character);
        }
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_one_line() {
        let said = |message: &str| Finding::new(Code::UnknownType, 0..1, message).message;
        assert_eq!(said("naïve"), "naïve");
        assert_eq!(said("`a\nb\u{1b}`"), "`a\\nb\\u{1b}`");
    }

    #[cfg(feature = "cli")]
    #[test]
    fn a_finding_stands_for_those_left_out() {
        let finding = Diagnostic {
            code: Code::NearMiss,
            severity: Severity::Warning,
            syntax: None,
            call_index: None,
            detail: None,
            message: "12 more".to_owned(),
            span: Span::new(0, 0),
        };
        assert_eq!(stands_for("near_miss", &finding.message), 1);
        let left_out = finding.left_out(1234).message;
        assert_eq!(stands_for("near_miss", &left_out), 1234);
        assert_eq!(stands_for("stray_marker", &left_out), 1);
    }
}
