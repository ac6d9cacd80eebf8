//! Calls that the provider had already parsed and logged as structure, judged like those in the text.

use super::capped::Capped;
use crate::body::json::{self, Fault, Node};
use crate::call::Call;
use crate::diagnostic::{Code, Diagnostic, Severity};
use crate::span::Span;

/// What stands in the `syntax` column for them.
pub const NATIVE: &str = "native";

/// A call as it was logged.
#[derive(Clone, Copy, Debug, Default)]
pub struct Logged<'n> {
    /// The tool's name.
    pub name: Option<&'n str>,
    /// The call's id.
    pub id: Option<&'n str>,
    /// The arguments: the text of a JSON string, or the source text of an object.
    pub arguments: Option<&'n str>,
}

/// What there is to say about a completion's logged calls.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Native<'n> {
    /// Their rows.
    pub calls: Vec<Call<'n>>,
    /// The findings about them, capped as the scan caps its own. Their spans lie in the arguments as logged.
    pub findings: Vec<Diagnostic>,
    /// How often each overflown code was really found, for those codes alone.
    pub overflow: Vec<(Code, usize)>,
}

/// Judges the logged calls of a completion whose text holds `calls_in_text` calls.
///
/// Name and arguments are judged as those of an `<execute>` batch (seed 002): a name that is not empty, and
/// arguments that are a JSON object. `raw_args` holds the arguments as logged. With `strict` every warning is an
/// error.
pub fn native_calls<'n>(
    logged: impl IntoIterator<Item = Logged<'n>>,
    calls_in_text: usize,
    strict: bool,
) -> Native<'n> {
    let mut calls = Vec::new();
    let mut findings = Capped::default();
    for (place, logged) in logged.into_iter().enumerate() {
        let judge = Judge::new(logged, calls_in_text + place, strict);
        calls.push(judge.call);
        for finding in judge.findings {
            if findings.count(finding.code) {
                findings.keep(finding);
            }
        }
    }
    let (findings, overflow) = findings.finish();
    Native {
        calls,
        findings,
        overflow,
    }
}

struct Judge<'n> {
    call: Call<'n>,
    call_index: usize,
    strict: bool,
    findings: Vec<Diagnostic>,
}

impl<'n> Judge<'n> {
    fn new(logged: Logged<'n>, call_index: usize, strict: bool) -> Self {
        let mut call = Call::native(NATIVE);
        call.name = logged.name.map(Into::into);
        call.call_id = logged.id.map(Into::into);
        call.raw_args = logged.arguments.map(Into::into);
        let mut judge = Self {
            call,
            call_index,
            strict,
            findings: Vec::new(),
        };
        judge.name(logged.name);
        match logged.arguments {
            Some(arguments) => judge.arguments(arguments),
            None => judge.report(
                Code::MissingArgs,
                Span::new(0, 0),
                "the logged call has no arguments; log `{}` for a call without any",
            ),
        }
        judge
    }

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

    fn arguments(&mut self, arguments: &'n str) {
        match json::parse_value(arguments, Span::new(0, arguments.len())) {
            Ok(node) => self.value(arguments, &node),
            Err(fault) => self.fault(arguments, fault),
        }
    }

    fn value(&mut self, arguments: &'n str, node: &Node) {
        self.call.arguments = Some(node.compact(arguments));
        if node.members().is_none() {
            let message = format!(
                "expected the logged call's arguments to be an object, found {}; write the arguments as an object",
                node.kind_name()
            );
            self.report(Code::WrongType, node.span, message);
        }
        for key in json::duplicate_keys(node) {
            let message = format!(
                "the key {} stands twice in one object and the last one wins; keep one of the two",
                key.of(arguments)
            );
            self.push(Code::DuplicateKey, Severity::Warning, key, message);
        }
    }

    fn fault(&mut self, arguments: &str, fault: Fault) {
        let length = arguments[fault.at..].chars().next().map_or(0, char::len_utf8);
        self.report(
            Code::InvalidJson,
            Span::new(fault.at, fault.at + length),
            fault.message,
        );
        if let Some(finding) = self.findings.last_mut() {
            finding.detail = Some(fault.detail.into());
        }
    }

    fn report(&mut self, code: Code, span: Span, message: impl Into<String>) {
        self.push(code, code.info().severity, span, message.into());
    }

    fn push(&mut self, code: Code, severity: Severity, span: Span, message: String) {
        let severity = if self.strict { Severity::Error } else { severity };
        self.call.attach(code, severity);
        self.findings.push(Diagnostic {
            code,
            severity,
            syntax: Some(NATIVE),
            call_index: Some(self.call_index),
            detail: None,
            message,
            span,
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn name_and_arguments_are_judged() {
        // Name, arguments as logged, arguments as read, codes.
        type Case = (
            Option<&'static str>,
            Option<&'static str>,
            Option<&'static str>,
            &'static [&'static str],
        );
        let cases: &[Case] = &[
            (Some("ls"), Some("{}"), Some("{}"), &[]),
            (
                Some("ls"),
                Some(" { \"b\" : 1.50, \"a\": 12345678901234567890 } "),
                Some("{\"b\":1.50,\"a\":12345678901234567890}"),
                &[],
            ),
            (None, Some("{}"), Some("{}"), &["missing_name"]),
            (Some(""), Some("{}"), Some("{}"), &["empty_name"]),
            (Some("ls"), None, None, &["missing_args"]),
            (Some("ls"), Some(""), None, &["invalid_json"]),
            (Some("ls"), Some("{\"a\": 1,}"), None, &["invalid_json"]),
            (Some("ls"), Some("{\"a\": \"b"), None, &["invalid_json"]),
            (Some("ls"), Some("[1]"), Some("[1]"), &["wrong_type"]),
            (Some("ls"), Some("null"), Some("null"), &["wrong_type"]),
            (None, Some("é"), None, &["invalid_json", "missing_name"]),
        ];
        for &(name, logged, read, codes) in cases {
            let native = native_calls(
                [Logged {
                    name,
                    id: Some("call_1"),
                    arguments: logged,
                }],
                3,
                false,
            );
            let (call, findings) = (&native.calls[0], &native.findings);
            assert_eq!(call.arguments.as_deref(), read, "{name:?} {logged:?}");
            assert_eq!(call.raw_args.as_deref(), logged);
            assert_eq!(call.codes.names(), codes, "{name:?} {logged:?}");
            assert_eq!(call.is_valid(), codes.is_empty());
            assert_eq!(findings.len(), codes.len());
            assert!(
                findings
                    .iter()
                    .all(|finding| finding.call_index == Some(3) && finding.syntax == Some(NATIVE))
            );
        }
    }

    fn with_arguments(arguments: &str, strict: bool) -> Native<'_> {
        let logged = Logged {
            name: Some("ls"),
            id: None,
            arguments: Some(arguments),
        };
        native_calls([logged], 0, strict)
    }

    #[test]
    fn a_fault_says_which() {
        let native = with_arguments("{\"a\": 1,}", false);
        assert_eq!(native.findings[0].detail.as_deref(), Some("trailing_comma"));
    }

    #[test]
    fn a_key_twice_is_a_warning_as_in_a_batch() {
        for (strict, severity) in [(false, Severity::Warning), (true, Severity::Error)] {
            let native = with_arguments("{\"a\": 1, \"a\": 2}", strict);
            let (call, finding) = (&native.calls[0], &native.findings[0]);
            assert_eq!(call.arguments.as_deref(), Some("{\"a\":2}"));
            assert_eq!((finding.code, finding.severity), (Code::DuplicateKey, severity));
            assert_eq!(call.is_valid(), !strict);
        }
    }

    #[test]
    fn findings_of_one_code_are_capped() {
        let nameless = Logged {
            arguments: Some("{}"),
            ..Logged::default()
        };
        let native = native_calls(vec![nameless; 1500], 0, false);
        assert_eq!(native.calls.len(), 1500);
        assert_eq!(native.findings.len(), 1001);
        assert_eq!(native.overflow, [(Code::MissingName, 1500)]);
        assert!(native.findings[1000].message.starts_with("500 more"));
    }
}
