//! What a run has found, for people (a table) and for programs (JSON).

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

use comfy_table::{Cell, CellAlignment, ContentArrangement, Table, presets};
use serde_json::{Map, Value, json};
use toolscan::pipeline::Summary;
use toolscan::table::{OutputPaths, StatsRow};

use crate::cmd::print::stderr_width;
use crate::cmd::visible;

/// Rows of the table that are shown before the rest is only counted.
const MOST_ROWS: usize = 25;
/// Codes that are shown in one row.
const MOST_CODES: usize = 3;
/// Bytes of a model's name that are shown.
const MODEL_BYTES: usize = 32;

/// Everything to say at the end of a run.
pub(super) struct Report<'r> {
    pub(super) summary: &'r Summary,
    pub(super) sources: usize,
    pub(super) paths: &'r OutputPaths,
    pub(super) config: Option<&'r Path>,
}

impl Report<'_> {
    /// The report for people.
    pub(super) fn text(&self) -> String {
        let rows = self.summary.stats.rows();
        let mut text = self.records();
        if self.summary.records_with_completions > 0 {
            write!(text, "\n{}\n", table(&rows, stderr_width())).expect("strings take everything");
        }
        text + &self.files()
    }

    fn records(&self) -> String {
        let summary = self.summary;
        let mut text = format!(
            "{} in {}: {} with completions",
            count(summary.records, "record"),
            count(self.sources as u64, "source"),
            grouped(summary.records_with_completions),
        );
        let unusable: u64 = summary.unusable_records.values().sum();
        if unusable > 0 {
            let reasons = summary.unusable_records.iter();
            let reasons: Vec<_> = reasons
                .map(|(code, count)| format!("{} {}", code.name(), grouped(*count)))
                .collect();
            text += &format!(", {} not usable ({})", grouped(unusable), reasons.join(", "));
        }
        text.push('\n');
        if let Some((number, name)) = &summary.unknown_expectations {
            let name = visible::line(&visible::shorten(name, MODEL_BYTES));
            text += &format!(
                "{} expect a syntax that toolscan does not know, such as `{name}`: taken as no expectation\n",
                count(*number, "record"),
            );
        }
        if let Some(config) = self.config {
            text += &format!("settings from {}\n", config.display());
        }
        text
    }

    fn files(&self) -> String {
        let mut text = String::new();
        for (name, path) in self.tables() {
            text += &format!("{name:12} {}\n", path.display());
        }
        let errors = self.paths.errors.display().to_string().replace('\'', "''");
        let query = format!(
            "FROM '{errors}' SELECT model, syntax, code, detail, count(*) AS n GROUP BY ALL ORDER BY n DESC LIMIT 20"
        );
        text + &format!("\nGo on with:\n  duckdb -c {}\n", in_shell(&query))
    }

    fn tables(&self) -> [(&'static str, &Path); 4] {
        [
            ("calls", &self.paths.calls),
            ("errors", &self.paths.errors),
            ("completions", &self.paths.completions),
            ("stats", &self.paths.stats),
        ]
    }

    /// The report for programs.
    pub(super) fn json(&self) -> Value {
        let summary = self.summary;
        let rows = summary.stats.rows();
        let unusable = summary.unusable_records.iter();
        let unusable: Map<_, _> = unusable
            .map(|(code, count)| (code.name().to_owned(), json!(count)))
            .collect();
        let tables = self
            .tables()
            .map(|(name, path)| (name.to_owned(), json!(path.display().to_string())));
        let mut object = json!({
            "toolscan": env!("CARGO_PKG_VERSION"),
            "sources": self.sources,
            "truncated_sources": summary.truncated_sources,
            "records": summary.records,
            "records_with_completions": summary.records_with_completions,
            "unusable_records": unusable,
        });
        let fields = object.as_object_mut().expect("it was made an object above");
        let (all, groups): (Vec<_>, Vec<_>) = rows.iter().partition(|row| row.level == "all");
        for row in all {
            fields.extend(counts(row));
        }
        fields.insert("groups".into(), groups.into_iter().map(group).collect());
        fields.insert("tables".into(), Value::Object(tables.into_iter().collect()));
        object
    }
}

fn group(row: &StatsRow) -> Value {
    let mut fields = Map::new();
    fields.insert("level".into(), json!(row.level));
    fields.insert("model".into(), json!(row.model));
    fields.insert("expected_syntax".into(), json!(row.expected_syntax));
    fields.insert("syntax".into(), json!(row.syntax));
    fields.extend(counts(row));
    Value::Object(fields)
}

/// The counts, named as the columns of the stats table.
fn counts(row: &StatsRow) -> Map<String, Value> {
    let interval = row.adherent_interval();
    let codes: Map<_, _> = row
        .code_counts
        .iter()
        .map(|&(code, count)| (code.to_owned(), json!(count)))
        .collect();
    let value = json!({
        "completions": row.completions,
        "with_calls": row.with_calls,
        "adherent": row.adherent,
        "adherent_rate": row.adherent_rate(),
        "adherent_low": interval.map(|(low, _)| low),
        "adherent_high": interval.map(|(_, high)| high),
        "calls": row.calls,
        "valid_calls": row.valid_calls,
        "errors": row.errors,
        "warnings": row.warnings,
        "code_counts": codes,
    });
    match value {
        Value::Object(fields) => fields,
        _ => unreachable!("it was written as an object"),
    }
}

/// The table by model and syntax.
fn table(rows: &[StatsRow], width: u16) -> String {
    let models = by_model(rows);
    let shows_model = models.len() > 1 || models.iter().any(|(total, _)| total.model.is_some());
    let shows_expected = rows.iter().any(|row| row.expected_syntax.is_some());
    let mut table = Table::new();
    table
        .load_style(presets::UTF8_HORIZONTAL_ONLY)
        .set_content_arrangement(ContentArrangement::Dynamic)
        .set_width(width);
    table.set_header(header(shows_model, shows_expected));
    let mut shown_models = 0;
    for (total, parts) in &models {
        if shown_models > 0 && table.row_count() + 1 + parts.len() > MOST_ROWS {
            break;
        }
        shown_models += 1;
        table.add_row(cells(total, "all", shows_model, shows_expected));
        for part in parts {
            table.add_row(cells(
                part,
                part.syntax.as_deref().unwrap_or("-"),
                shows_model,
                shows_expected,
            ));
        }
    }
    let mut text = format!("{table}\n");
    if shown_models < models.len() {
        let more = count((models.len() - shown_models) as u64, "more model");
        text += &format!("… and {more}: see the stats table\n");
    }
    text
}

/// The models, those with most completions first, each with its rows by expected syntax and syntax.
fn by_model(rows: &[StatsRow]) -> Vec<(&StatsRow, Vec<&StatsRow>)> {
    let mut parts: BTreeMap<Option<&str>, Vec<&StatsRow>> = BTreeMap::new();
    for row in rows
        .iter()
        .filter(|row| row.level == "model_expected_syntax" && row.syntax.is_some())
    {
        parts.entry(row.model.as_deref()).or_default().push(row);
    }
    let totals = rows.iter().filter(|row| row.level == "model");
    let mut models: Vec<_> = totals
        .map(|total| (total, parts.remove(&total.model.as_deref()).unwrap_or_default()))
        .collect();
    models.sort_by_key(|(total, _)| std::cmp::Reverse(total.completions));
    models
}

fn header(shows_model: bool, shows_expected: bool) -> Vec<Cell> {
    let mut header = Vec::new();
    if shows_model {
        header.push(Cell::new("model"));
    }
    if shows_expected {
        header.push(Cell::new("expected"));
    }
    header.push(Cell::new("syntax"));
    for name in ["completions", "with calls", "adherent % (95 %)"] {
        header.push(Cell::new(name).set_alignment(CellAlignment::Right));
    }
    header.push(Cell::new("commonest codes"));
    header
}

fn cells(row: &StatsRow, syntax: &str, shows_model: bool, shows_expected: bool) -> Vec<Cell> {
    let is_total = row.level == "model";
    let mut cells = Vec::new();
    if shows_model {
        let model = row.model.as_deref().filter(|_| is_total).map(model_name);
        cells.push(Cell::new(
            model.unwrap_or_else(|| if is_total { "(no model)" } else { "" }.into()),
        ));
    }
    if shows_expected {
        cells.push(Cell::new(row.expected_syntax.as_deref().unwrap_or("")));
    }
    cells.push(Cell::new(syntax));
    for text in [
        grouped(row.completions as u64),
        grouped(row.with_calls as u64),
        rate(row),
    ] {
        cells.push(Cell::new(text).set_alignment(CellAlignment::Right));
    }
    cells.push(Cell::new(commonest(&row.code_counts)));
    cells
}

fn model_name(model: &str) -> String {
    let shown = visible::line(model);
    match shown.char_indices().nth(MODEL_BYTES) {
        Some((end, _)) => format!("{}…", &shown[..end]),
        None => shown,
    }
}

fn rate(row: &StatsRow) -> String {
    match (row.adherent_rate(), row.adherent_interval()) {
        (Some(rate), Some((low, high))) => {
            format!("{:.1} ({:.1}–{:.1})", 100.0 * rate, 100.0 * low, 100.0 * high)
        }
        _ => "-".to_owned(),
    }
}

fn commonest(counts: &[(&'static str, usize)]) -> String {
    let mut counts = counts.to_vec();
    counts.sort_by_key(|&(_, count)| std::cmp::Reverse(count));
    let shown = counts.iter().take(MOST_CODES);
    let shown: Vec<_> = shown
        .map(|&(code, count)| format!("{code} {}", grouped(count as u64)))
        .collect();
    shown.join(", ")
}

fn count(number: u64, noun: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{} {noun}{plural}", grouped(number))
}

/// A number with its thousands apart.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut shown = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place) % 3 == 0 {
            shown.push(',');
        }
        shown.push(digit);
    }
    shown
}

/// `text` as one word for a shell.
fn in_shell(text: &str) -> String {
    let mut word = String::from("\"");
    for character in text.chars() {
        if matches!(character, '"' | '\\' | '$' | '`') {
            word.push('\\');
        }
        word.push(character);
    }
    word + "\""
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_grouped() {
        assert_eq!(grouped(0), "0");
        assert_eq!(grouped(999), "999");
        assert_eq!(grouped(1000), "1,000");
        assert_eq!(grouped(1_234_567), "1,234,567");
    }

    #[test]
    fn a_query_stays_one_word() {
        assert_eq!(
            in_shell("FROM 'a $b `c`.parquet'"),
            "\"FROM 'a \\$b \\`c\\`.parquet'\""
        );
    }
}
