//! The `completions` table: one row a completion, also those without a call.

use arrow_array::RecordBatch;
use arrow_array::builder::{BooleanBuilder, Int64Builder, ListBuilder, StringBuilder};

use super::{Column, Keys, KeysBuilder, Kind, Table, append_words, column, finish, int, words_builder};
use crate::record::Channel;
use crate::validate::Summary;

pub(super) const TABLE: Table = Table {
    name: "completions",
    about: "One row for every completion, also those without a call. A record without text has none.",
    keyed: true,
    own: COLUMNS,
};

const COLUMNS: &[Column] = &[
    column(
        "record_offset",
        Kind::Offset,
        "Byte offset of the record in the decompressed source.",
    ),
    column(
        "outcome",
        Kind::Word,
        "`invalid`: an invalid call, or an error without a row, in the expected syntax; else `no_call`: none in any \
         syntax; `wrong_syntax`: calls, but only in others; `mixed`: calls in the expected syntax and in others; \
         `adherent`: all calls valid and in the expected syntax. With no expectation every syntax counts as expected; \
         native calls and warnings change nothing.",
    ),
    column(
        "syntaxes",
        Kind::Words,
        "The syntaxes in which the text calls, sorted.",
    ),
    column("n_calls", Kind::Count, "Calls, native ones included."),
    column(
        "n_valid_calls",
        Kind::Count,
        "Calls without an error, native ones included.",
    ),
    column(
        "n_errors",
        Kind::Count,
        "Findings of severity `error`, also those beyond the 1,000 of a code that are listed.",
    ),
    column(
        "n_warnings",
        Kind::Count,
        "Findings of severity `warning`, also those that are not listed.",
    ),
    column(
        "text_bytes",
        Kind::Offset,
        "Length of the text in bytes of UTF-8.",
    ),
    column("call_bytes", Kind::Offset, "Bytes inside blocks that hold calls."),
    column("think_bytes", Kind::Offset, "Bytes hidden as reasoning."),
    column(
        "finish_reason",
        Kind::Word,
        "Why the model stopped, as logged; null if unknown.",
    ),
    column(
        "truncated",
        Kind::Flag,
        "Whether `finish_reason` says that the text was cut, or a block is cut at its end.",
    ),
    column(
        "channel",
        Kind::Word,
        "`text`: what the model said; `reasoning`: what it thought, logged apart from that text, with the `choice` of it. \
         Reasoning holds no calls: those in it are `call_in_think`. The stats count `text` alone as completions.",
    ),
    column(
        "n_schema_valid",
        Kind::Count,
        "Calls whose arguments fit their tool's schema, native ones included; null without `--tools`.",
    ),
];

/// What stands in a row of `completions`, beside its keys.
#[derive(Clone, Copy, Debug)]
pub struct CompletionRow<'r> {
    /// Byte offset of the record in the decompressed source.
    pub record_offset: u64,
    /// What was counted.
    pub summary: &'r Summary,
    /// Length of the text.
    pub text_bytes: usize,
    /// Bytes inside blocks that hold calls.
    pub call_bytes: usize,
    /// Bytes hidden as reasoning.
    pub think_bytes: usize,
    /// Why the model stopped, as logged.
    pub finish_reason: Option<&'r str>,
    /// Whether the text was cut.
    pub truncated: bool,
    /// Whether it was said or thought.
    pub channel: Channel,
    /// Whether it is known which tools were offered.
    pub has_tools: bool,
}

/// Builds the rows of `completions`.
#[derive(Debug)]
pub struct CompletionsBuilder {
    keys: KeysBuilder,
    record_offset: Int64Builder,
    outcome: StringBuilder,
    syntaxes: ListBuilder<StringBuilder>,
    n_calls: Int64Builder,
    n_valid_calls: Int64Builder,
    n_errors: Int64Builder,
    n_warnings: Int64Builder,
    text_bytes: Int64Builder,
    call_bytes: Int64Builder,
    think_bytes: Int64Builder,
    finish_reason: StringBuilder,
    truncated: BooleanBuilder,
    channel: StringBuilder,
    n_schema_valid: Int64Builder,
}

impl Default for CompletionsBuilder {
    fn default() -> Self {
        Self {
            keys: KeysBuilder::default(),
            record_offset: Int64Builder::new(),
            outcome: StringBuilder::new(),
            syntaxes: words_builder(),
            n_calls: Int64Builder::new(),
            n_valid_calls: Int64Builder::new(),
            n_errors: Int64Builder::new(),
            n_warnings: Int64Builder::new(),
            text_bytes: Int64Builder::new(),
            call_bytes: Int64Builder::new(),
            think_bytes: Int64Builder::new(),
            finish_reason: StringBuilder::new(),
            truncated: BooleanBuilder::new(),
            channel: StringBuilder::new(),
            n_schema_valid: Int64Builder::new(),
        }
    }
}

impl CompletionsBuilder {
    /// Appends a completion.
    pub fn append(&mut self, keys: &Keys<'_>, row: &CompletionRow<'_>) {
        let summary = row.summary;
        self.keys.append(keys);
        self.record_offset.append_value(row.record_offset as i64);
        self.outcome.append_value(summary.outcome.name());
        append_words(&mut self.syntaxes, Some(&summary.syntaxes()));
        self.n_calls.append_value(int(summary.total(|part| part.calls)));
        self.n_valid_calls
            .append_value(int(summary.total(|part| part.valid_calls)));
        self.n_errors.append_value(int(summary.total(|part| part.errors)));
        self.n_warnings
            .append_value(int(summary.total(|part| part.warnings)));
        self.text_bytes.append_value(int(row.text_bytes));
        self.call_bytes.append_value(int(row.call_bytes));
        self.think_bytes.append_value(int(row.think_bytes));
        self.finish_reason.append_option(row.finish_reason);
        self.truncated.append_value(row.truncated);
        self.channel.append_value(row.channel.name());
        let schema_valid = row
            .has_tools
            .then(|| int(summary.total(|part| part.tools.schema_valid)));
        self.n_schema_valid.append_option(schema_valid);
    }

    /// The rows appended since the last time.
    pub fn finish(&mut self) -> RecordBatch {
        let mut columns = self.keys.finish();
        columns.extend(finish([
            &mut self.record_offset,
            &mut self.outcome,
            &mut self.syntaxes,
            &mut self.n_calls,
            &mut self.n_valid_calls,
            &mut self.n_errors,
            &mut self.n_warnings,
            &mut self.text_bytes,
            &mut self.call_bytes,
            &mut self.think_bytes,
            &mut self.finish_reason,
            &mut self.truncated,
            &mut self.channel,
            &mut self.n_schema_valid,
        ]));
        TABLE.batch(columns)
    }
}
