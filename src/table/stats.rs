//! The `stats` table: one row a group of completions.

use std::borrow::Cow;

use arrow_array::RecordBatch;
use arrow_array::builder::{Float64Builder, Int64Builder, ListBuilder, StringBuilder, StructBuilder};
use arrow_schema::{DataType, Field, Fields};

use super::{Column, Kind, Table, column, element, finish, int};
use crate::statistics::wilson_interval;
use crate::validate::ToolCounts;

pub(super) const TABLE: Table = Table {
    name: "stats",
    about: "One row for every group of completions. Rows of one `level` do not overlap, but for a completion with \
            several syntaxes, which is in `model_expected_syntax` once for each. Findings about whole records count \
            in `all`, and in `model` where the model is known; they are not in the other levels.",
    keyed: false,
    own: COLUMNS,
};

const COLUMNS: &[Column] = &[
    column(
        "level",
        Kind::Word,
        "What the group is: `all`, `model`, `model_expected` or `model_expected_syntax`.",
    ),
    column(
        "model",
        Kind::Word,
        "The model; null in `all` and where it is unknown.",
    ),
    column(
        "expected_syntax",
        Kind::Word,
        "The syntax that was asked for; null in `all` and `model`, and where it is unknown.",
    ),
    column(
        "syntax",
        Kind::Word,
        "The syntax, in `model_expected_syntax` only. Null there for what belongs to no syntax: completions in \
         which nothing was found, and findings about the bytes of a text.",
    ),
    column(
        "completions",
        Kind::Count,
        "Completions; with a `syntax`, those in which it left a call or a finding.",
    ),
    column(
        "with_calls",
        Kind::Count,
        "Completions with a call; with a `syntax`, with a call in it.",
    ),
    column(
        "adherent",
        Kind::Count,
        "Completions whose outcome is `adherent`; with a `syntax`, those with a call in it.",
    ),
    column(
        "adherent_rate",
        Kind::Number,
        "`adherent` over the completions whose text holds a call or an attempt at one, which is an error without a \
         row; with a `syntax`, a call or an attempt in it. Null if there is none.",
    ),
    column(
        "adherent_low",
        Kind::Number,
        "Lower bound of the rate's 95 % Wilson interval.",
    ),
    column(
        "adherent_high",
        Kind::Number,
        "Upper bound of the rate's 95 % Wilson interval.",
    ),
    column("calls", Kind::Count, "Calls, native ones included."),
    column(
        "valid_calls",
        Kind::Count,
        "Calls without an error, native ones included.",
    ),
    column("errors", Kind::Count, "Findings of severity `error`."),
    column("warnings", Kind::Count, "Findings of severity `warning`."),
    column(
        "code_counts",
        Kind::CodeCounts,
        "How often each code was found, sorted by code; codes not found are left out.",
    ),
    column(
        "tool_known_rate",
        Kind::Number,
        "The share of the calls with a name whose tool was offered; null without `--tools`.",
    ),
    column(
        "schema_valid_rate",
        Kind::Number,
        "The share of the calls held against a schema that fit it; null if there are none.",
    ),
    column(
        "attempted",
        Kind::Count,
        "What `adherent` is a share of: completions whose text holds a call or an attempt at one.",
    ),
    column(
        "named_calls",
        Kind::Count,
        "What `tool_known_rate` is a share of: calls with a name, where it is known which tools were offered.",
    ),
    column(
        "known_calls",
        Kind::Count,
        "Those of them whose tool was offered.",
    ),
    column(
        "judged_calls",
        Kind::Count,
        "What `schema_valid_rate` is a share of: calls held against a schema.",
    ),
    column("schema_valid_calls", Kind::Count, "Those of them that fit it."),
];

pub(super) fn code_count_fields() -> Fields {
    Fields::from(vec![
        Field::new("code", DataType::Utf8, true),
        Field::new("count", DataType::Int64, true),
    ])
}

/// A row of `stats`.
#[derive(Clone, Debug, PartialEq)]
pub struct StatsRow {
    /// `all`, `model`, `model_expected` or `model_expected_syntax`.
    pub level: &'static str,
    /// The model, at the levels that have one.
    pub model: Option<String>,
    /// The syntax that was asked for, at the levels that have one.
    pub expected_syntax: Option<String>,
    /// The syntax, at the last level.
    pub syntax: Option<String>,
    /// Completions in the group.
    pub completions: usize,
    /// Those with calls.
    pub with_calls: usize,
    /// Those whose text holds a call or an attempt at one: the denominator of the rate.
    pub attempted: usize,
    /// Those whose outcome is `adherent`.
    pub adherent: usize,
    /// Calls.
    pub calls: usize,
    /// Calls without an error.
    pub valid_calls: usize,
    /// Findings of severity `error`.
    pub errors: usize,
    /// Findings of severity `warning`.
    pub warnings: usize,
    /// How often each code was found, sorted by code.
    pub code_counts: Vec<(Cow<'static, str>, usize)>,
    /// How the calls fit the tools that were offered.
    pub tools: ToolCounts,
}

impl StatsRow {
    /// The share of adherent completions among those that call or try to; `None` if there are none.
    pub fn adherent_rate(&self) -> Option<f64> {
        (self.attempted > 0).then(|| self.adherent as f64 / self.attempted as f64)
    }

    /// The rate's 95 % Wilson interval.
    pub fn adherent_interval(&self) -> Option<(f64, f64)> {
        wilson_interval(self.adherent, self.attempted)
    }
}

/// Builds the table.
#[derive(Debug)]
pub(super) struct StatsBuilder {
    /// `level`, `model`, `expected_syntax`, `syntax`.
    names: [StringBuilder; 4],
    /// `completions`, `with_calls`, `adherent`.
    completions: [Int64Builder; 3],
    /// `adherent_rate`, `adherent_low`, `adherent_high`.
    rates: [Float64Builder; 3],
    /// `calls`, `valid_calls`, `errors`, `warnings`.
    found: [Int64Builder; 4],
    code_counts: ListBuilder<StructBuilder>,
    /// `tool_known_rate`, `schema_valid_rate`.
    tool_rates: [Float64Builder; 2],
    /// `attempted`, `named_calls`, `known_calls`, `judged_calls`, `schema_valid_calls`.
    shares_of: [Int64Builder; 5],
}

impl Default for StatsBuilder {
    fn default() -> Self {
        let fields = code_count_fields();
        let counts = StructBuilder::from_fields(fields.clone(), 0);
        Self {
            names: Default::default(),
            completions: Default::default(),
            rates: Default::default(),
            found: Default::default(),
            code_counts: ListBuilder::new(counts).with_field(element(DataType::Struct(fields))),
            tool_rates: Default::default(),
            shares_of: Default::default(),
        }
    }
}

impl StatsBuilder {
    pub(super) fn append(&mut self, row: &StatsRow) {
        let names = [
            Some(row.level),
            row.model.as_deref(),
            row.expected_syntax.as_deref(),
            row.syntax.as_deref(),
        ];
        for (builder, name) in self.names.iter_mut().zip(names) {
            builder.append_option(name);
        }
        let completions = [row.completions, row.with_calls, row.adherent];
        for (builder, count) in self.completions.iter_mut().zip(completions) {
            builder.append_value(int(count));
        }
        let (low, high) = row.adherent_interval().unzip();
        for (builder, rate) in self.rates.iter_mut().zip([row.adherent_rate(), low, high]) {
            builder.append_option(rate);
        }
        let found = [row.calls, row.valid_calls, row.errors, row.warnings];
        for (builder, count) in self.found.iter_mut().zip(found) {
            builder.append_value(int(count));
        }
        self.append_code_counts(&row.code_counts);
        let rates = [row.tools.known_rate(), row.tools.schema_valid_rate()];
        for (builder, rate) in self.tool_rates.iter_mut().zip(rates) {
            builder.append_option(rate);
        }
        let tools = row.tools;
        let shares_of = [
            row.attempted,
            tools.named,
            tools.known,
            tools.judged,
            tools.schema_valid,
        ];
        for (builder, count) in self.shares_of.iter_mut().zip(shares_of) {
            builder.append_value(int(count));
        }
    }

    fn append_code_counts(&mut self, counts: &[(Cow<'static, str>, usize)]) {
        const MADE_SO: &str = "the builder was made with these fields";
        let structs = self.code_counts.values();
        for (code, count) in counts {
            structs
                .field_builder::<StringBuilder>(0)
                .expect(MADE_SO)
                .append_value(code);
            structs
                .field_builder::<Int64Builder>(1)
                .expect(MADE_SO)
                .append_value(int(*count));
            structs.append(true);
        }
        self.code_counts.append(true);
    }

    pub(super) fn finish(mut self) -> RecordBatch {
        let mut columns = finish(self.names.each_mut().map(|builder| builder as _)).to_vec();
        columns.extend(finish(self.completions.each_mut().map(|builder| builder as _)));
        columns.extend(finish(self.rates.each_mut().map(|builder| builder as _)));
        columns.extend(finish(self.found.each_mut().map(|builder| builder as _)));
        columns.extend(finish([&mut self.code_counts]));
        columns.extend(finish(self.tool_rates.each_mut().map(|builder| builder as _)));
        columns.extend(finish(self.shares_of.each_mut().map(|builder| builder as _)));
        TABLE.batch(columns)
    }
}
