//! Counts of several runs, read back from their `stats` tables and added.

use std::borrow::Cow;
use std::collections::BTreeMap;

use arrow_array::cast::AsArray;
use arrow_array::types::Int64Type;
use arrow_array::{Array, RecordBatch, StringArray};

use super::stats::{StatsBuilder, StatsRow};
use crate::validate::ToolCounts;

/// The levels, in the order of their rows.
const LEVELS: [&str; 4] = ["all", "model", "model_expected", "model_expected_syntax"];

/// Level, model, expected syntax and syntax of a group.
type Key = (usize, [Option<String>; 3]);

/// Rows of `stats`, added up by group. Adding tables in any order gives the same.
#[derive(Clone, Debug, Default)]
pub struct StatsSums {
    rows: BTreeMap<Key, StatsRow>,
}

impl StatsSums {
    /// Adds the rows of a table. False, with nothing added, where it holds what no table of this version does.
    pub fn add(&mut self, table: &RecordBatch) -> bool {
        let rows: Option<Vec<_>> = (0..table.num_rows()).map(|row| read(table, row)).collect();
        for (key, row) in rows.iter().flatten() {
            match self.rows.get_mut(key) {
                Some(sum) => sum.add(row),
                None => drop(self.rows.insert(key.clone(), row.clone())),
            }
        }
        rows.is_some()
    }

    /// The table.
    pub fn batch(&self) -> RecordBatch {
        let mut builder = StatsBuilder::default();
        for row in self.rows.values() {
            builder.append(row);
        }
        builder.finish()
    }
}

impl StatsRow {
    /// Adds the counts of another row of the same group.
    fn add(&mut self, other: &Self) {
        self.completions += other.completions;
        self.with_calls += other.with_calls;
        self.attempted += other.attempted;
        self.adherent += other.adherent;
        self.calls += other.calls;
        self.valid_calls += other.valid_calls;
        self.errors += other.errors;
        self.warnings += other.warnings;
        self.tools.merge(other.tools);
        let mut codes: BTreeMap<_, _> = self.code_counts.drain(..).collect();
        for (code, count) in &other.code_counts {
            *codes.entry(code.clone()).or_default() += count;
        }
        self.code_counts = codes.into_iter().collect();
    }
}

/// A row, and whose counts it holds.
fn read(table: &RecordBatch, row: usize) -> Option<(Key, StatsRow)> {
    let word = |name: &str| {
        let column: &StringArray = table.column_by_name(name)?.as_string_opt()?;
        column.is_valid(row).then(|| column.value(row))
    };
    let count = |name: &str| {
        let column = table.column_by_name(name)?.as_primitive_opt::<Int64Type>()?;
        usize::try_from(column.value(row)).ok()
    };
    let level = LEVELS.iter().position(|level| Some(*level) == word("level"))?;
    let [model, expected_syntax, syntax] =
        ["model", "expected_syntax", "syntax"].map(|name| word(name).map(str::to_owned));
    let key = (level, [model.clone(), expected_syntax.clone(), syntax.clone()]);
    let counts = StatsRow {
        level: LEVELS[level],
        model,
        expected_syntax,
        syntax,
        completions: count("completions")?,
        with_calls: count("with_calls")?,
        attempted: count("attempted")?,
        adherent: count("adherent")?,
        calls: count("calls")?,
        valid_calls: count("valid_calls")?,
        errors: count("errors")?,
        warnings: count("warnings")?,
        code_counts: code_counts(table, row)?,
        tools: ToolCounts {
            named: count("named_calls")?,
            known: count("known_calls")?,
            judged: count("judged_calls")?,
            schema_valid: count("schema_valid_calls")?,
        },
    };
    Some((key, counts))
}

fn code_counts(table: &RecordBatch, row: usize) -> Option<Vec<(Cow<'static, str>, usize)>> {
    let lists = table.column_by_name("code_counts")?.as_list_opt::<i32>()?;
    let list = lists.value(row);
    let fields = list.as_struct_opt()?;
    let codes = fields.column_by_name("code")?.as_string_opt::<i32>()?;
    let counts = fields.column_by_name("count")?.as_primitive_opt::<Int64Type>()?;
    let pairs = codes.iter().zip(counts.iter());
    pairs
        .map(|(code, count)| Some((Cow::Owned(code?.to_owned()), usize::try_from(count?).ok()?)))
        .collect()
}
