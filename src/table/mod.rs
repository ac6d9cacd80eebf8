//! The four tables: what stands in their columns, and how rows are put into them.

use std::fmt::Write;
use std::sync::Arc;

use arrow_array::builder::{ArrayBuilder, Int32Builder, Int64Builder, ListBuilder, StringBuilder};
use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::{DataType, Field, Fields, Schema, SchemaRef};

mod calls;
mod completions;
mod counts;
#[cfg(test)]
mod crashes;
mod encode;
mod errors;
#[cfg(test)]
mod faults;
mod files;
mod finish_reason;
mod groups;
mod manifest;
mod paths;
mod place;
mod rows;
mod stats;
mod sums;
#[cfg(test)]
mod tests;
mod write;

pub use crate::statistics::wilson_interval;
pub use calls::CallsBuilder;
pub use completions::{CompletionRow, CompletionsBuilder};
pub use counts::Stats;
pub use errors::ErrorsBuilder;
pub use paths::OutputPaths;
pub use place::{Place, finish_killed_run};
pub use rows::{Batches, Rows};
pub use stats::StatsRow;
pub use sums::StatsSums;
pub use write::{Output, Writing};

/// Version of the tables' columns. It goes up when a column is added.
pub const SCHEMA_VERSION: &str = "3";

/// One of the four tables.
#[derive(Debug)]
pub struct Table {
    /// Its name, also in file names.
    pub name: &'static str,
    /// One line: what a row is.
    pub about: &'static str,
    /// Whether it begins with the key columns.
    keyed: bool,
    /// Its own columns, behind the keys.
    own: &'static [Column],
}

/// The tables, in the order in which the docs list them.
pub const TABLES: [&Table; 4] = [&calls::TABLE, &errors::TABLE, &completions::TABLE, &stats::TABLE];

/// A column of a table.
#[derive(Clone, Copy, Debug)]
pub struct Column {
    /// Its name.
    pub name: &'static str,
    /// One line: what stands in it.
    pub about: &'static str,
    kind: Kind,
}

/// What a column holds, from which its type and the way it is stored follow. Any column may hold nulls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// Text of few different values.
    Word,
    /// Short text, different in nearly every row.
    Id,
    /// Text of any length.
    LongText,
    /// A list of words.
    Words,
    /// A small number, counted from 0.
    Index,
    /// A byte offset or a size, or what else grows from row to row.
    Offset,
    /// A count.
    Count,
    Number,
    Flag,
    /// A list of structs of a word `code` and a count `count`.
    CodeCounts,
}

const fn column(name: &'static str, kind: Kind, about: &'static str) -> Column {
    Column { name, about, kind }
}

/// The columns with which `calls`, `errors` and `completions` begin.
const KEYS: &[Column] = &[
    column(
        "source",
        Kind::Word,
        "The file, as given on the command line; `-` for stdin.",
    ),
    column(
        "line",
        Kind::Offset,
        "Line in the source, from 1; the number of a record that is no line: an element of a JSON document, a row.",
    ),
    column(
        "completion_id",
        Kind::Id,
        "The record's own id, as text; null if it has none.",
    ),
    column(
        "choice",
        Kind::Index,
        "Which completion of the record, from 0, over choices and assistant turns alike; null for findings \
         about a whole record.",
    ),
    column("model", Kind::Word, "The model that wrote it; null if unknown."),
    column(
        "expected_syntax",
        Kind::Word,
        "The syntax that was asked for; null if unknown.",
    ),
];

/// Where a row comes from.
#[derive(Clone, Copy, Debug, Default)]
pub struct Keys<'k> {
    /// The source, as given.
    pub source: &'k str,
    /// Line in the source, from 1.
    pub line: i64,
    /// The record's own id.
    pub completion_id: Option<&'k str>,
    /// Which completion of the record; `None` for what is about the whole record.
    pub choice: Option<i32>,
    /// The model.
    pub model: Option<&'k str>,
    /// The syntax that was asked for.
    pub expected_syntax: Option<&'k str>,
}

impl Table {
    /// Its columns, in order.
    pub fn columns(&self) -> impl Iterator<Item = &'static Column> {
        let keys: &'static [Column] = if self.keyed { KEYS } else { &[] };
        keys.iter().chain(self.own)
    }

    /// Its Arrow schema: plain types only, which every reader takes without surprise.
    pub fn schema(&self) -> SchemaRef {
        let fields: Fields = self
            .columns()
            .map(|column| Field::new(column.name, column.kind.data_type(), true))
            .collect();
        Arc::new(Schema::new(fields))
    }

    fn batch(&self, columns: Vec<ArrayRef>) -> RecordBatch {
        RecordBatch::try_new(self.schema(), columns).expect("a builder's columns are those of its table")
    }
}

impl Kind {
    fn data_type(self) -> DataType {
        match self {
            Self::Word | Self::Id | Self::LongText => DataType::Utf8,
            Self::Words => DataType::List(element(DataType::Utf8)),
            Self::Index => DataType::Int32,
            Self::Offset | Self::Count => DataType::Int64,
            Self::Number => DataType::Float64,
            Self::Flag => DataType::Boolean,
            Self::CodeCounts => DataType::List(element(DataType::Struct(stats::code_count_fields()))),
        }
    }

    /// The type as the docs write it.
    fn type_name(self) -> &'static str {
        match self {
            Self::Word | Self::Id | Self::LongText => "String",
            Self::Words => "List<String>",
            Self::Index => "Int32",
            Self::Offset | Self::Count => "Int64",
            Self::Number => "Float64",
            Self::Flag => "Boolean",
            Self::CodeCounts => "List<Struct<code: String, count: Int64>>",
        }
    }
}

/// The field of a list's elements, named as the Parquet specification asks.
fn element(data_type: DataType) -> Arc<Field> {
    Arc::new(Field::new("element", data_type, true))
}

/// The page about the tables, in Markdown.
pub fn docs() -> String {
    let mut page = String::from(
        "# Tables\n\n\
         `--out calls.parquet` writes `calls.parquet`, `calls.errors.parquet`, `calls.completions.parquet` and\n\
         `calls.stats.parquet` side by side; `--out DIR/` writes `calls.parquet`, `errors.parquet`,\n\
         `completions.parquet` and `stats.parquet` into the directory. Spans and offsets are bytes, half open. JSON\n\
         is text. Every file carries `toolscan.version`, `toolscan.schema_version`, `toolscan.table` and\n\
         `toolscan.options` as key-value metadata, and those of a run with `--shard` also `toolscan.shard`.\n\n\
         `calls.manifest.json` stands beside them and says what they were made of: docs/reliability.md has its fields.\n",
    );
    for table in TABLES {
        let _ = write!(
            page,
            "\n## {}\n\n{}\n\n| column | type | meaning |\n|---|---|---|\n",
            table.name, table.about
        );
        for column in table.columns() {
            let _ = writeln!(
                page,
                "| `{}` | `{}` | {} |",
                column.name,
                column.kind.type_name(),
                column.about
            );
        }
    }
    page
}

/// Builds the key columns.
#[derive(Debug, Default)]
struct KeysBuilder {
    source: StringBuilder,
    line: Int64Builder,
    completion_id: StringBuilder,
    choice: Int32Builder,
    model: StringBuilder,
    expected_syntax: StringBuilder,
}

impl KeysBuilder {
    fn append(&mut self, keys: &Keys<'_>) {
        self.source.append_value(keys.source);
        self.line.append_value(keys.line);
        self.completion_id.append_option(keys.completion_id);
        self.choice.append_option(keys.choice);
        self.model.append_option(keys.model);
        self.expected_syntax.append_option(keys.expected_syntax);
    }

    fn finish(&mut self) -> Vec<ArrayRef> {
        finish([
            &mut self.source,
            &mut self.line,
            &mut self.completion_id,
            &mut self.choice,
            &mut self.model,
            &mut self.expected_syntax,
        ])
        .into()
    }
}

fn finish<const N: usize>(builders: [&mut dyn ArrayBuilder; N]) -> [ArrayRef; N] {
    builders.map(|builder| {
        let strings = builder.as_any().downcast_ref::<StringBuilder>();
        let size = strings.map(|strings| (strings.len(), strings.values_slice().len()));
        let column = builder.finish();
        // The next shard holds about as much, and text that grows bit by bit is copied again and again.
        if let (Some((rows, bytes)), Some(strings)) = (size, builder.as_any_mut().downcast_mut()) {
            *strings = StringBuilder::with_capacity(rows + rows / 8, bytes + bytes / 8);
        }
        column
    })
}

fn words_builder() -> ListBuilder<StringBuilder> {
    ListBuilder::new(StringBuilder::new()).with_field(element(DataType::Utf8))
}

/// Appends a list, or null.
fn append_words<T: AsRef<str>>(builder: &mut ListBuilder<StringBuilder>, words: Option<&[T]>) {
    for word in words.unwrap_or_default() {
        builder.values().append_value(word);
    }
    builder.append(words.is_some());
}

/// A number as the tables hold it. Offsets into texts and counts of what stands in them fit.
fn int(number: usize) -> i64 {
    number as i64
}

/// An ordinal as the tables hold it. No text within the limits holds two thousand million calls.
fn index(number: usize) -> i32 {
    number as i32
}
