//! A shard's rows: what was found in each completion, put into the tables that it belongs to.

use arrow_array::RecordBatch;

use super::{CallsBuilder, CompletionRow, CompletionsBuilder, ErrorsBuilder, Keys, Stats};
use crate::diagnostic::{Code, Diagnostic, Severity};
use crate::record::{Completion, Problem, Text};
use crate::scan::Scan;
use crate::validate::{Summary, native_call, says_truncated};

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

    /// Appends a completion that was scanned. Its choice takes the place of the one in `keys`.
    pub fn completion(
        &mut self,
        keys: &Keys<'_>,
        record_offset: u64,
        completion: &Completion,
        scan: Scan<'_>,
    ) {
        let keys = &Keys {
            choice: Some(completion.choice),
            ..*keys
        };
        let text = completion.text.as_ref();
        let text_bytes = text.map_or(0, Text::bytes);
        let text = text.map_or("", Text::as_str);
        let Scan {
            mut calls,
            diagnostics,
            ..
        } = scan;

        let problems = completion.problems.iter().map(|problem| self.finding(problem));
        let mut findings: Vec<Diagnostic> = problems.chain(diagnostics).collect();
        for finding in &findings {
            self.errors.append(keys, finding, text);
        }
        for native in &completion.native_calls {
            let arguments = native.arguments.as_deref();
            let (call, faults) = native_call(
                native.name.as_deref(),
                native.id.as_deref(),
                arguments,
                calls.len(),
            );
            for fault in &faults {
                self.errors
                    .append_native(keys, fault, arguments.unwrap_or_default());
            }
            findings.extend(faults);
            calls.push(call);
        }
        for (call_index, call) in calls.iter().enumerate() {
            self.calls.append(keys, call_index, call);
        }

        let summary = Summary::new(keys.expected_syntax, &calls, &findings, &scan.overflow);
        let finish_reason = completion.finish_reason.as_deref();
        let row = CompletionRow {
            record_offset,
            summary: &summary,
            text_bytes,
            call_bytes: scan.call_bytes,
            think_bytes: scan.think_bytes,
            finish_reason,
            truncated: scan.cut || finish_reason.is_some_and(says_truncated),
        };
        self.completions.append(keys, &row);
        self.stats.completion(keys, &summary);
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
