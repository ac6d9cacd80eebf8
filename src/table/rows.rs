//! A shard's rows: what was found in each completion, put into the tables that it belongs to.

use arrow_array::RecordBatch;

use super::{
    CallsBuilder, CompletionRow, CompletionsBuilder, ErrorsBuilder, Keys, Stats, finish_reason as finish,
};
use crate::diagnostic::{Code, Diagnostic, Severity};
use crate::record::{Channel, Completion, NativeCall, Problem, Text};
use crate::scan::Scan;
use crate::validate::tools::Judge;
use crate::validate::{Findings, Logged, Summary, native_calls, says_truncated};

/// Rows of `calls`, `errors` and `completions`, in input order.
#[derive(Clone, Debug)]
pub struct Batches {
    /// Rows of `calls`.
    pub calls: RecordBatch,
    /// Rows of `errors`.
    pub errors: RecordBatch,
    /// Rows of `completions`.
    pub completions: RecordBatch,
}

/// Puts together the rows of a shard, and counts them.
#[derive(Debug, Default)]
pub struct Rows {
    strict: bool,
    calls: CallsBuilder,
    errors: ErrorsBuilder,
    completions: CompletionsBuilder,
    stats: Stats,
}

impl Rows {
    /// No rows yet. With `strict` every warning about a record or the bytes of a text is an error, as the scan's
    /// findings already are.
    pub fn new(strict: bool) -> Self {
        Self {
            strict,
            ..Self::default()
        }
    }

    /// Appends a completion that was scanned, and has its calls judged if it is known which tools it was offered.
    /// Its choice takes the place of the one in `keys`.
    pub fn completion(
        &mut self,
        keys: &Keys<'_>,
        record_offset: u64,
        completion: &Completion,
        scan: Scan<'_>,
        judge: Option<Judge<'_>>,
    ) {
        let keys = &Keys {
            choice: Some(completion.choice),
            ..*keys
        };
        let text = completion.text.as_ref();
        let text_bytes = text.map_or(0, Text::bytes);
        let text = text.map_or("", Text::as_str);
        let finish_reason = completion.finish_reason.as_deref();
        let is_truncated = finish_reason.is_some_and(says_truncated);
        let think_bytes = match completion.channel {
            Channel::Text => scan.think_bytes,
            Channel::Reasoning => text_bytes,
        };
        let logged: Vec<Logged<'_>> = completion.native_calls.iter().map(as_logged).collect();
        let native = native_calls(logged.iter().copied(), scan.calls.len(), self.strict);
        let problems: Vec<Diagnostic> = completion
            .problems
            .iter()
            .map(|problem| self.finding(problem))
            .collect();
        let at_the_end = finish::check(completion, &scan, &native);
        let at_the_end: Vec<Diagnostic> = at_the_end.map(|problem| self.finding(&problem)).collect();
        for finding in problems.iter().chain(&scan.diagnostics) {
            self.errors.append(keys, finding, text);
        }
        let mut calls = scan.calls;
        for finding in &native.findings {
            let place = finding.call_index.map(|index| index - calls.len());
            let arguments = place.and_then(|place| logged[place].arguments);
            self.errors
                .append_native(keys, finding, arguments.unwrap_or_default());
        }
        for finding in &at_the_end {
            self.errors.append(keys, finding, text);
        }
        let calls_in_text = calls.len();
        calls.extend(native.calls);
        let judged = judge.map(|judge| judge.judge(text, &mut calls));
        let has_tools = judged.is_some();
        let judged = judged.unwrap_or_default();
        for finding in &judged.findings {
            let place = finding
                .call_index
                .and_then(|index| index.checked_sub(calls_in_text));
            match place {
                Some(place) => {
                    let arguments = logged[place].arguments.unwrap_or_default();
                    self.errors.append_native(keys, finding, arguments);
                }
                None => self.errors.append(keys, finding, text),
            }
        }
        for (call_index, call) in calls.iter().enumerate() {
            self.calls.append(keys, call_index, call);
        }

        let findings = [
            Findings {
                kept: &problems,
                overflow: &[],
            },
            Findings {
                kept: &at_the_end,
                overflow: &[],
            },
            Findings {
                kept: &scan.diagnostics,
                overflow: &scan.overflow,
            },
            Findings {
                kept: &native.findings,
                overflow: &native.overflow,
            },
            Findings {
                kept: &judged.findings,
                overflow: &judged.overflow,
            },
        ];
        let summary = Summary::new(keys.expected_syntax, &calls, &findings);
        let row = CompletionRow {
            record_offset,
            summary: &summary,
            text_bytes,
            call_bytes: scan.call_bytes,
            think_bytes,
            finish_reason,
            truncated: scan.cut || is_truncated,
            channel: completion.channel,
            has_tools,
        };
        self.completions.append(keys, &row);
        match completion.channel {
            Channel::Text => self.stats.completion(keys, &summary),
            Channel::Reasoning => self.stats.reasoning(keys, &summary),
        }
    }

    /// Appends what is wrong with a record as a whole, or with a source.
    pub fn problem(&mut self, keys: &Keys<'_>, problem: &Problem) {
        let keys = &Keys {
            choice: None,
            ..*keys
        };
        let severity = self.severity(problem.code);
        self.errors.append_problem(keys, problem, severity);
        self.stats.problem(keys, problem.code, severity);
    }

    /// The rows since the last time.
    pub fn finish(&mut self) -> Batches {
        Batches {
            calls: self.calls.finish(),
            errors: self.errors.finish(),
            completions: self.completions.finish(),
        }
    }

    /// What was counted since the last time.
    pub fn take_stats(&mut self) -> Stats {
        std::mem::take(&mut self.stats)
    }

    fn severity(&self, code: Code) -> Severity {
        if self.strict {
            Severity::Error
        } else {
            code.info().severity
        }
    }

    /// A problem of a completion's text as a finding of no syntax.
    fn finding(&self, problem: &Problem) -> Diagnostic {
        Diagnostic {
            code: problem.code,
            severity: self.severity(problem.code),
            syntax: None,
            call_index: None,
            detail: problem.detail.clone().map(Into::into),
            message: problem.message.clone(),
            span: problem.span,
        }
    }
}

fn as_logged(native: &NativeCall) -> Logged<'_> {
    Logged {
        name: native.name.as_deref(),
        id: native.id.as_deref(),
        arguments: native.arguments.as_deref(),
    }
}
