//! The `calls` table: one row a call.

use arrow_array::RecordBatch;
use arrow_array::builder::{
    BooleanBuilder, Float64Builder, Int32Builder, Int64Builder, ListBuilder, StringBuilder,
};

use super::{
    Column, Keys, KeysBuilder, Kind, Table, append_words, column, finish, index, int, words_builder,
};
use crate::call::{Call, Termination};

pub(super) const TABLE: Table = Table {
    name: "calls",
    about: "One row for every call whose name or arguments could be read, valid or not.",
    keyed: true,
    own: COLUMNS,
};

const COLUMNS: &[Column] = &[
    column(
        "syntax",
        Kind::Word,
        "The syntax it is written in; `native` for a call that was logged as structure.",
    ),
    column(
        "block_index",
        Kind::Index,
        "Which block of the completion holds it, from 0; null for `native`.",
    ),
    column(
        "call_index",
        Kind::Index,
        "Which call of the completion it is, from 0.",
    ),
    column(
        "name",
        Kind::Word,
        "The tool's name, as written; null if there is none.",
    ),
    column(
        "call_id",
        Kind::Id,
        "The call's own id, or the one its format generates.",
    ),
    column(
        "call_id_generated",
        Kind::Flag,
        "Whether the format generated `call_id`.",
    ),
    column(
        "arguments",
        Kind::LongText,
        "The arguments as compact JSON; null where they cannot be read.",
    ),
    column(
        "raw_args",
        Kind::LongText,
        "The arguments as written; null where the syntax has no such thing.",
    ),
    column("body", Kind::LongText, "The free text that the call carries."),
    column(
        "dependencies",
        Kind::Words,
        "Ids of calls that run first; null where the syntax knows none.",
    ),
    column("state", Kind::Word, "State of the invocation, as written."),
    column("operation", Kind::Word, "What the call says it is for."),
    column("priority", Kind::Number, "Priority of execution."),
    column(
        "events",
        Kind::Words,
        "Streaming events that the call would emit; null where the syntax has none.",
    ),
    column(
        "result_status",
        Kind::Word,
        "Status of the result that stands behind the call.",
    ),
    column("output", Kind::LongText, "The tool's output as compact JSON."),
    column(
        "error_text",
        Kind::LongText,
        "What went wrong, as the text tells it.",
    ),
    column(
        "extra",
        Kind::LongText,
        "Fields that the format does not know, as a JSON object; null when there are none.",
    ),
    column(
        "termination",
        Kind::Word,
        "How its block ended: `explicit`, `implicit`, `end_of_text` or `self_closing`; null for `native`.",
    ),
    column(
        "span_start",
        Kind::Offset,
        "Offset of its first byte in the completion; null for `native`.",
    ),
    column(
        "span_end",
        Kind::Offset,
        "Offset behind its last byte; null for `native`.",
    ),
    column("valid", Kind::Flag, "Whether no error is attached to it."),
    column(
        "codes",
        Kind::Words,
        "Every code attached to it, sorted, each once.",
    ),
    column(
        "arguments_object",
        Kind::LongText,
        "Positional arguments and the body under the names of the tool's schema, as a JSON object; null without \
         `--tools`, and where `arguments` has names of its own.",
    ),
    column(
        "tool_known",
        Kind::Flag,
        "Whether a tool of this name was offered; null without `--tools`, and for a call without a name.",
    ),
    column(
        "schema_valid",
        Kind::Flag,
        "Whether the arguments fit the tool's schema; null where no schema is known, or the arguments cannot be read.",
    ),
    column(
        "parses",
        Kind::Flag,
        "Whether its text is well formed: no error but what the tools find (`unknown_tool`, `unknown_type`, \
         `missing_argument`, `unexpected_argument`, `invalid_argument`, `unsafe_path`, `lossy_coercion`).",
    ),
];

/// Builds the rows of `calls`.
#[derive(Debug)]
pub struct CallsBuilder {
    keys: KeysBuilder,
    syntax: StringBuilder,
    block_index: Int32Builder,
    call_index: Int32Builder,
    name: StringBuilder,
    call_id: StringBuilder,
    call_id_generated: BooleanBuilder,
    arguments: StringBuilder,
    raw_args: StringBuilder,
    body: StringBuilder,
    dependencies: ListBuilder<StringBuilder>,
    state: StringBuilder,
    operation: StringBuilder,
    priority: Float64Builder,
    events: ListBuilder<StringBuilder>,
    result_status: StringBuilder,
    output: StringBuilder,
    error_text: StringBuilder,
    extra: StringBuilder,
    termination: StringBuilder,
    span_start: Int64Builder,
    span_end: Int64Builder,
    valid: BooleanBuilder,
    codes: ListBuilder<StringBuilder>,
    arguments_object: StringBuilder,
    tool_known: BooleanBuilder,
    schema_valid: BooleanBuilder,
    parses: BooleanBuilder,
}

impl Default for CallsBuilder {
    fn default() -> Self {
        Self {
            keys: KeysBuilder::default(),
            syntax: StringBuilder::new(),
            block_index: Int32Builder::new(),
            call_index: Int32Builder::new(),
            name: StringBuilder::new(),
            call_id: StringBuilder::new(),
            call_id_generated: BooleanBuilder::new(),
            arguments: StringBuilder::new(),
            raw_args: StringBuilder::new(),
            body: StringBuilder::new(),
            dependencies: words_builder(),
            state: StringBuilder::new(),
            operation: StringBuilder::new(),
            priority: Float64Builder::new(),
            events: words_builder(),
            result_status: StringBuilder::new(),
            output: StringBuilder::new(),
            error_text: StringBuilder::new(),
            extra: StringBuilder::new(),
            termination: StringBuilder::new(),
            span_start: Int64Builder::new(),
            span_end: Int64Builder::new(),
            valid: BooleanBuilder::new(),
            codes: words_builder(),
            arguments_object: StringBuilder::new(),
            tool_known: BooleanBuilder::new(),
            schema_valid: BooleanBuilder::new(),
            parses: BooleanBuilder::new(),
        }
    }
}

impl CallsBuilder {
    /// Appends a call, the completion's `call_index`-th.
    pub fn append(&mut self, keys: &Keys<'_>, call_index: usize, call: &Call<'_>) {
        self.keys.append(keys);
        self.syntax.append_value(call.syntax);
        self.block_index
            .append_option(call.span.map(|_| index(call.block_index)));
        self.call_index.append_value(index(call_index));
        self.name.append_option(call.name.as_deref());
        self.call_id.append_option(call.call_id.as_deref());
        self.call_id_generated.append_value(call.call_id_generated);
        self.arguments.append_option(call.arguments.as_deref());
        self.raw_args.append_option(call.raw_args.as_deref());
        self.body.append_option(call.body.as_deref());
        append_words(&mut self.dependencies, call.dependencies.as_deref());
        self.state.append_option(call.state.as_deref());
        self.operation.append_option(call.operation.as_deref());
        self.priority.append_option(call.priority);
        append_words(&mut self.events, call.events.as_deref());
        self.result_status.append_option(call.result_status.as_deref());
        self.output.append_option(call.output.as_deref());
        self.error_text.append_option(call.error_text.as_deref());
        self.extra.append_option(call.extra.as_deref());
        self.termination
            .append_option(call.termination.map(Termination::name));
        self.span_start
            .append_option(call.span.map(|span| int(span.start)));
        self.span_end.append_option(call.span.map(|span| int(span.end)));
        self.valid.append_value(call.is_valid());
        append_words(&mut self.codes, Some(&call.codes.names()));
        self.arguments_object
            .append_option(call.arguments_object.as_deref());
        self.tool_known.append_option(call.tool_known);
        self.schema_valid.append_option(call.schema_valid);
        self.parses.append_value(call.parses());
    }

    /// The rows appended since the last time.
    pub fn finish(&mut self) -> RecordBatch {
        let mut columns = self.keys.finish();
        columns.extend(finish([
            &mut self.syntax,
            &mut self.block_index,
            &mut self.call_index,
            &mut self.name,
            &mut self.call_id,
            &mut self.call_id_generated,
            &mut self.arguments,
            &mut self.raw_args,
            &mut self.body,
            &mut self.dependencies,
            &mut self.state,
            &mut self.operation,
            &mut self.priority,
            &mut self.events,
            &mut self.result_status,
            &mut self.output,
            &mut self.error_text,
            &mut self.extra,
            &mut self.termination,
            &mut self.span_start,
            &mut self.span_end,
            &mut self.valid,
            &mut self.codes,
            &mut self.arguments_object,
            &mut self.tool_known,
            &mut self.schema_valid,
            &mut self.parses,
        ]));
        TABLE.batch(columns)
    }
}
