//! Whether a completion did what was asked of it: its outcome, and what is counted about it.

use std::collections::BTreeMap;

use super::NATIVE;
use crate::call::Call;
use crate::diagnostic::{Code, Diagnostic, Severity};

/// What became of a completion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It calls no tool.
    NoCall,
    /// Every call is valid, and in the expected syntax where one is known.
    Adherent,
    /// A call in the expected syntax is invalid, or went so wrong that there is none.
    Invalid,
    /// It calls, but only in other syntaxes than the expected one.
    WrongSyntax,
    /// It calls in the expected syntax and in others.
    Mixed,
}

impl Outcome {
    /// The value of the `outcome` column.
    pub const fn name(self) -> &'static str {
        match self {
            Self::NoCall => "no_call",
            Self::Adherent => "adherent",
            Self::Invalid => "invalid",
            Self::WrongSyntax => "wrong_syntax",
            Self::Mixed => "mixed",
        }
    }
}

/// How often each code was found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CodeCounts(BTreeMap<Code, usize>);

impl CodeCounts {
    /// Counts `code` `times` more.
    pub fn add(&mut self, code: Code, times: usize) {
        *self.0.entry(code).or_default() += times;
    }

    /// Adds the counts of `other`.
    pub fn merge(&mut self, other: &CodeCounts) {
        for (&code, &times) in &other.0 {
            self.add(code, times);
        }
    }

    /// The codes found and how often, sorted by the code's name.
    pub fn by_name(&self) -> Vec<(&'static str, usize)> {
        let mut counts: Vec<_> = self.0.iter().map(|(code, &times)| (code.name(), times)).collect();
        counts.sort_unstable();
        counts
    }
}

/// What one syntax left in one completion.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SyntaxSummary {
    /// The syntax; `None` for findings that belong to none.
    pub syntax: Option<&'static str>,
    /// Calls.
    pub calls: usize,
    /// Calls without an error.
    pub valid_calls: usize,
    /// Findings of severity `error`.
    pub errors: usize,
    /// Findings of severity `warning`.
    pub warnings: usize,
    /// The same findings by code.
    pub codes: CodeCounts,
    /// What is known of the calls' tools.
    pub tools: ToolCounts,
}

/// How calls fit the tools that were offered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ToolCounts {
    /// Calls with a name, where the tools are known.
    pub named: usize,
    /// Those whose tool was offered.
    pub known: usize,
    /// Calls whose arguments were held against a schema.
    pub judged: usize,
    /// Those that fit it.
    pub schema_valid: usize,
}

impl ToolCounts {
    /// Adds the counts of `other`.
    pub fn merge(&mut self, other: Self) {
        self.named += other.named;
        self.known += other.known;
        self.judged += other.judged;
        self.schema_valid += other.schema_valid;
    }

    /// The share of calls whose tool was offered; `None` where that is not known of any.
    pub fn known_rate(self) -> Option<f64> {
        (self.named > 0).then(|| self.known as f64 / self.named as f64)
    }

    /// The share of calls that fit their tool's schema among those held against one; `None` if there are none.
    pub fn schema_valid_rate(self) -> Option<f64> {
        (self.judged > 0).then(|| self.schema_valid as f64 / self.judged as f64)
    }

    fn add(&mut self, call: &Call<'_>) {
        self.named += usize::from(call.tool_known.is_some());
        self.known += usize::from(call.tool_known == Some(true));
        self.judged += usize::from(call.schema_valid.is_some());
        self.schema_valid += usize::from(call.schema_valid == Some(true));
    }
}

impl SyntaxSummary {
    /// Whether it stands in the completion's text: calls that were logged as structure do not.
    pub fn is_in_text(&self) -> bool {
        self.syntax.is_some_and(|syntax| syntax != NATIVE)
    }

    /// Whether the text holds a call in this syntax, or an attempt at one: an error without a row.
    pub fn is_attempted(&self) -> bool {
        self.is_in_text() && self.calls + self.errors > 0
    }

    fn count(&mut self, code: Code, severity: Severity, times: usize) {
        self.codes.add(code, times);
        match severity {
            Severity::Error => self.errors += times,
            Severity::Warning => self.warnings += times,
        }
    }
}

/// Findings of which not all may have been kept.
#[derive(Clone, Copy, Debug, Default)]
pub struct Findings<'f> {
    /// Those that were kept.
    pub kept: &'f [Diagnostic],
    /// The codes of which not all were, with their true counts.
    pub overflow: &'f [(Code, usize)],
}

impl Findings<'_> {
    fn count(&self, parts: &mut Vec<SyntaxSummary>) {
        for finding in self.kept {
            part_of(parts, finding.syntax).count(finding.code, finding.severity, 1);
        }
        for &(code, count) in self.overflow {
            self.count_left_out(parts, code, count);
        }
    }

    /// Counts the findings of `code` that were not kept. The last one kept stands for them: it says how many they
    /// are, so its syntax and severity are taken to be theirs, and it is one of them itself.
    fn count_left_out(&self, parts: &mut Vec<SyntaxSummary>, code: Code, count: usize) {
        let kept = self.kept.iter().filter(|finding| finding.code == code);
        let Some(last) = kept.clone().next_back() else {
            return;
        };
        let left_out = count.saturating_sub(kept.count());
        part_of(parts, last.syntax).count(code, last.severity, left_out);
    }
}

/// What is counted about one completion.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Summary {
    /// What became of it.
    pub outcome: Outcome,
    /// What each syntax left in it, in no order.
    pub parts: Vec<SyntaxSummary>,
}

impl Summary {
    /// Counts a completion's calls and findings, those of native calls included.
    pub fn new(expected: Option<&str>, calls: &[Call<'_>], findings: &[Findings<'_>]) -> Self {
        let mut parts = Vec::new();
        for call in calls {
            let part = part_of(&mut parts, Some(call.syntax));
            part.calls += 1;
            part.valid_calls += usize::from(call.is_valid());
            part.tools.add(call);
        }
        for findings in findings {
            findings.count(&mut parts);
        }
        Self {
            outcome: outcome(expected, &parts),
            parts,
        }
    }

    /// The syntaxes in which the text calls, sorted.
    pub fn syntaxes(&self) -> Vec<&'static str> {
        let in_text = self.parts.iter().filter(|part| part.is_in_text());
        let mut syntaxes: Vec<_> = in_text
            .filter(|part| part.calls > 0)
            .filter_map(|part| part.syntax)
            .collect();
        syntaxes.sort_unstable();
        syntaxes
    }

    /// Whether the text holds a call or an attempt at one, in any syntax.
    pub fn is_attempted(&self) -> bool {
        self.parts.iter().any(SyntaxSummary::is_attempted)
    }

    /// The sum of one count over all syntaxes.
    pub fn total(&self, count: impl Fn(&SyntaxSummary) -> usize) -> usize {
        self.parts.iter().map(count).sum()
    }
}

fn part_of<'p>(parts: &'p mut Vec<SyntaxSummary>, syntax: Option<&'static str>) -> &'p mut SyntaxSummary {
    let place = parts.iter().position(|part| part.syntax == syntax);
    let place = place.unwrap_or_else(|| {
        parts.push(SyntaxSummary {
            syntax,
            ..SyntaxSummary::default()
        });
        parts.len() - 1
    });
    &mut parts[place]
}

/// What became of a completion, from what the syntaxes left in it.
///
/// With no expectation every syntax counts as expected. The first of these that is true decides:
///
/// 1. `invalid`: the expected syntax has an error. Every error does: it makes a call invalid, or stands where
///    no call could be read (a double-encoded marker too). Calls in other syntaxes do not make up for it.
/// 2. `no_call`: no syntax has a call. Failed attempts in other syntaxes than the expected one change nothing.
/// 3. `wrong_syntax`: only others have calls, valid or not.
/// 4. `mixed`: the expected syntax has calls, all of them valid, and others have calls, valid or not.
/// 5. `adherent`: all calls are valid and in the expected syntax.
///
/// Findings that belong to no syntax (bytes that are not UTF-8), warnings, and calls that were logged as
/// structure change nothing.
fn outcome(expected: Option<&str>, parts: &[SyntaxSummary]) -> Outcome {
    let (mut wanted_calls, mut other_calls, mut faults) = (0, 0, 0);
    for part in parts.iter().filter(|part| part.is_in_text()) {
        if expected.is_none() || part.syntax == expected {
            wanted_calls += part.calls;
            faults += part.errors + (part.calls - part.valid_calls);
        } else {
            other_calls += part.calls;
        }
    }
    match (wanted_calls, other_calls) {
        _ if faults > 0 => Outcome::Invalid,
        (0, 0) => Outcome::NoCall,
        (0, _) => Outcome::WrongSyntax,
        (_, 0) => Outcome::Adherent,
        _ => Outcome::Mixed,
    }
}

/// Whether a logged finish reason says that the text was cut: by a limit on tokens, length or context, as the
/// providers write it. Case and a prefix such as `FinishReason.` do not matter.
pub fn says_truncated(finish_reason: &str) -> bool {
    let reason = finish_reason.rsplit('.').next().unwrap_or_default().trim();
    TRUNCATING_REASONS
        .iter()
        .any(|truncating| reason.eq_ignore_ascii_case(truncating))
}

/// Whether this reason to finish says that the model came to its own end, and called no tool.
pub fn says_stopped(finish_reason: &str) -> bool {
    let reason = finish_reason.rsplit('.').next().unwrap_or_default().trim();
    STOPPING_REASONS
        .iter()
        .any(|stopping| reason.eq_ignore_ascii_case(stopping))
}

const STOPPING_REASONS: [&str; 8] = [
    "stop",
    "end_turn",
    "stop_sequence",
    "eos",
    "eos_token",
    "completed",
    "complete",
    "end",
];

const TRUNCATING_REASONS: [&str; 11] = [
    "length",
    "limit",
    "max_tokens",
    "max_output_tokens",
    "max_new_tokens",
    "max_length",
    "token_limit",
    "truncated",
    "model_length",
    "model_context_window_exceeded",
    "context_length_exceeded",
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::span::Span;

    const CALL: (&str, bool) = ("gadget_block", true);
    const BAD: (&str, bool) = ("gadget_block", false);
    const OTHER: (&str, bool) = ("execute_block", true);
    const BAD_OTHER: (&str, bool) = ("execute_block", false);
    const LOGGED: (&str, bool) = (NATIVE, true);
    const BAD_LOGGED: (&str, bool) = (NATIVE, false);

    fn finding(code: Code, syntax: Option<&'static str>, call_index: Option<usize>) -> Diagnostic {
        Diagnostic {
            code,
            severity: code.info().severity,
            syntax,
            call_index,
            detail: None,
            message: String::new(),
            span: Span::new(0, 0),
        }
    }

    /// The summary of a completion with these calls, each invalid one with its error, and these findings.
    fn summary(
        expected: Option<&str>,
        calls: &[(&'static str, bool)],
        apart: &[(Code, Option<&'static str>)],
    ) -> Summary {
        let mut found = Vec::new();
        let mut findings = Vec::new();
        for (index, &(syntax, valid)) in calls.iter().enumerate() {
            let mut call = Call::native(syntax);
            if !valid {
                call.attach(Code::MissingName, Severity::Error);
                findings.push(finding(Code::MissingName, Some(syntax), Some(index)));
            }
            found.push(call);
        }
        findings.extend(apart.iter().map(|&(code, syntax)| finding(code, syntax, None)));
        let findings = Findings {
            kept: &findings,
            overflow: &[],
        };
        Summary::new(expected, &found, &[findings])
    }

    #[test]
    fn outcomes() {
        use Outcome::*;
        let gadget = Some("gadget_block");
        let execute = Some("execute_block");
        let lost = (Code::InvalidJson, execute);
        let lost_gadget = (Code::UnclosedHeader, gadget);
        let mojibake = (Code::MojibakeMarker, gadget);
        let warning = (Code::NearMiss, gadget);
        let bytes = (Code::InvalidUtf8, None);
        type Case<'c> = (
            Option<&'c str>,
            &'c [(&'static str, bool)],
            &'c [(Code, Option<&'static str>)],
            Outcome,
        );
        let cases: &[Case<'_>] = &[
            // Nothing is expected: every syntax is.
            (None, &[], &[], NoCall),
            (None, &[], &[warning], NoCall),
            (None, &[], &[bytes], NoCall),
            (None, &[], &[lost], Invalid),
            (None, &[], &[mojibake], Invalid),
            (None, &[CALL], &[], Adherent),
            (None, &[CALL, OTHER], &[warning, bytes], Adherent),
            (None, &[CALL, BAD], &[], Invalid),
            (None, &[CALL, BAD_OTHER], &[], Invalid),
            (None, &[CALL], &[lost], Invalid),
            // One is expected.
            (gadget, &[], &[], NoCall),
            (gadget, &[], &[lost], NoCall),
            (gadget, &[], &[lost_gadget], Invalid),
            (gadget, &[], &[mojibake], Invalid),
            (gadget, &[CALL], &[warning], Adherent),
            (gadget, &[CALL], &[lost], Adherent),
            (gadget, &[CALL, BAD], &[], Invalid),
            (gadget, &[BAD, OTHER], &[], Invalid),
            (gadget, &[OTHER], &[], WrongSyntax),
            (gadget, &[BAD_OTHER], &[], WrongSyntax),
            (gadget, &[OTHER], &[lost_gadget], Invalid),
            (gadget, &[CALL, OTHER], &[], Mixed),
            (gadget, &[CALL, BAD_OTHER], &[lost], Mixed),
            (Some("unheard_of"), &[CALL], &[], WrongSyntax),
            // Calls that were logged as structure are no part of it.
            (None, &[LOGGED], &[], NoCall),
            (None, &[BAD_LOGGED], &[], NoCall),
            (None, &[CALL, BAD_LOGGED], &[], Adherent),
            (gadget, &[CALL, LOGGED], &[], Adherent),
            (Some(NATIVE), &[LOGGED], &[], NoCall),
        ];
        for &(expected, calls, apart, outcome) in cases {
            let summary = summary(expected, calls, apart);
            assert_eq!(summary.outcome, outcome, "{expected:?} {calls:?} {apart:?}");
        }
    }

    #[test]
    fn counts_calls_and_findings() {
        let summary = summary(None, &[OTHER, BAD, CALL, BAD_LOGGED], &[(Code::NearMiss, None)]);
        assert_eq!(summary.syntaxes(), ["execute_block", "gadget_block"]);
        assert_eq!(summary.total(|part| part.calls), 4);
        assert_eq!(summary.total(|part| part.valid_calls), 2);
        assert_eq!(summary.total(|part| part.errors), 2);
        assert_eq!(summary.total(|part| part.warnings), 1);
        assert!(summary.is_attempted());
    }

    #[test]
    fn an_attempt_is_an_error_in_a_syntax() {
        let gadget = Some("gadget_block");
        assert!(!summary(None, &[], &[(Code::NearMiss, gadget), (Code::InvalidUtf8, None)]).is_attempted());
        assert!(summary(None, &[], &[(Code::UnclosedHeader, gadget)]).is_attempted());
        assert!(!summary(None, &[BAD_LOGGED], &[]).is_attempted());
    }

    #[test]
    fn findings_left_out_are_counted() {
        let stray = finding(Code::StrayMarker, Some("gadget_block"), None);
        let kept = vec![stray; 1001];
        let findings = Findings {
            kept: &kept,
            overflow: &[(Code::StrayMarker, 1234)],
        };
        let more = Findings {
            kept: &kept[..3],
            overflow: &[],
        };
        let summary = Summary::new(None, &[], &[findings, more]);
        assert_eq!(summary.total(|part| part.warnings), 1237);
        assert_eq!(summary.parts[0].codes.by_name(), [("stray_marker", 1237)]);
    }

    #[test]
    fn finish_reasons() {
        for reason in ["length", "LENGTH", "max_tokens", "FinishReason.MAX_TOKENS"] {
            assert!(says_truncated(reason), "{reason}");
        }
        for reason in ["stop", "end_turn", "tool_calls", "", "content_filter"] {
            assert!(!says_truncated(reason), "{reason}");
        }
    }
}
