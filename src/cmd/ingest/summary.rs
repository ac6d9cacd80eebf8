//! What a run has found, for people (a table) and for programs (JSON).

use std::fmt::Write;
use std::path::Path;

use comfy_table::{Cell, CellAlignment, ContentArrangement, LineStyle, Table, TableStyle};
use serde_json::{Map, Value, json};
use toolscan::pipeline::Summary;
use toolscan::record::Format;
use toolscan::table::{OutputPaths, StatsRow};

use crate::cmd::print::stderr_width;
use crate::cmd::visible;

/// Rows of the table that are shown before the rest is only counted.
const MOST_ROWS: usize = 25;
/// Codes that are shown in one row.
const MOST_CODES: usize = 3;
/// Codes that are shown apart from the table.
const MOST_CODES_APART: usize = 8;

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
            text += &format!(", {} not usable", grouped(unusable));
        }
        text.push('\n');
        text += &self.formats();
        for (code, count) in &summary.unusable_records {
            let info = code.info();
            text += &format!("  {:>9} {}: {}\n", grouped(*count), info.name, info.mend);
        }
        if let Some((number, name)) = &summary.unknown_expectations {
            let name = visible::line(&visible::shorten(name, 40));
            text += &format!(
                "{} expect a syntax that toolscan does not know, such as `{name}`: no call can be in it\n",
                count(*number, "record"),
            );
        }
        if let Some((number, reason)) = &summary.unusable_tools {
            let reason = visible::line(&visible::shorten(reason, 200));
            text += &format!(
                "{} with tools that cannot be used, such as: {reason}\n",
                count(*number, "record"),
            );
        }
        if let Some(config) = self.config {
            text += &format!("settings from {}\n", config.display());
        }
        text
    }

    /// How the records were understood, where that was guessed.
    fn formats(&self) -> String {
        let mut text = String::new();
        for (format, count) in self.guessed() {
            text += &format!("  {:>9} read as {format}", grouped(count));
            text += &match format.parse::<Format>() {
                Ok(format) => format!(": {}\n", format.about()),
                Err(_) => "\n".to_owned(),
            };
        }
        if !text.is_empty() {
            text += "            (`toolscan sniff` says why; --input-format or --map says otherwise)\n";
        }
        text
    }

    /// The formats of the records, where any of them is more than a field of its own, and the user named none.
    fn guessed(&self) -> Vec<(&'static str, u64)> {
        let formats = self.summary.formats.iter();
        let formats: Vec<_> = formats
            .filter_map(|(&format, &count)| Some((format?, count)))
            .collect();
        let is_plain = formats
            .iter()
            .all(|(format, _)| matches!(*format, "flat" | "named"));
        if is_plain { Vec::new() } else { formats }
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
        let formats = summary.formats.iter();
        let formats: Map<_, _> = formats
            .filter_map(|(format, count)| Some(((*format)?.to_owned(), json!(count))))
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
            "formats": formats,
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
        "tool_known_rate": row.tools.known_rate(),
        "schema_valid_rate": row.tools.schema_valid_rate(),
    });
    match value {
        Value::Object(fields) => fields,
        _ => unreachable!("it was written as an object"),
    }
}

/// The table by model and syntax, and behind it the commonest codes where the table has no room for them.
fn table(rows: &[StatsRow], width: u16) -> String {
    let layout = Layout::of(rows, width);
    let mut models: Vec<_> = rows.iter().filter(|row| row.level == "model").collect();
    models.sort_by_key(|model| std::cmp::Reverse(model.completions));
    let mut table = layout.table(width);
    let mut shown_models = 0;
    for model in &models {
        let lines = layout.model(model, rows);
        if shown_models > 0 && table.row_count() + lines.len() > MOST_ROWS {
            break;
        }
        shown_models += 1;
        table.add_rows(lines);
    }
    let mut text = format!("{}\n", table.trim_fmt());
    if shown_models < models.len() {
        let more = count((models.len() - shown_models) as u64, "more model");
        text += &format!("… and {more}: see the stats table\n");
    }
    let codes = commonest(rows.first().map_or(&[], |all| &all.code_counts), MOST_CODES_APART);
    if !layout.shows_codes && !codes.is_empty() {
        text += &format!("\ncommonest codes: {codes}\n");
    }
    text
}

/// Which columns there are, and how wide.
struct Layout {
    shows_model: bool,
    shows_expected: bool,
    shows_codes: bool,
    model_width: usize,
}

impl Layout {
    fn of(rows: &[StatsRow], width: u16) -> Self {
        let is_wide = width >= 110;
        Self {
            shows_model: rows.iter().any(|row| row.model.is_some()),
            shows_expected: rows.iter().any(|row| row.expected_syntax.is_some()),
            shows_codes: is_wide,
            model_width: if is_wide { 30 } else { 16 },
        }
    }

    fn table(&self, width: u16) -> Table {
        let right = |name| Cell::new(name).set_alignment(CellAlignment::Right);
        let line = LineStyle::none().fill('─').junction('─');
        let mut table = Table::new();
        table
            .load_style(TableStyle::new().header_separator(line))
            .set_content_arrangement(ContentArrangement::Dynamic)
            .set_width(width);
        let header = [
            self.shows_model.then(|| Cell::new("model")),
            Some(Cell::new(if self.shows_expected {
                "syntax\n(→ expected)"
            } else {
                "syntax"
            })),
            Some(right("completions")),
            Some(right("with\ncalls")),
            Some(right("adherent %\n(95 % interval)")),
            self.shows_codes.then(|| Cell::new("commonest codes")),
        ];
        table.set_header(header.into_iter().flatten());
        for column in table.column_iter_mut() {
            column.set_padding((0, 2));
        }
        table
    }

    /// The lines of one model: one for each expectation, and below it one for each syntax.
    fn model(&self, model: &StatsRow, rows: &[StatsRow]) -> Vec<Vec<Cell>> {
        let of_model = |level: &'static str| {
            let rows = rows.iter().filter(move |row| row.level == level);
            rows.filter(|row| row.model == model.model)
        };
        let mut name = self.name(model);
        let mut lines = Vec::new();
        for group in of_model("model_expected") {
            let parts =
                of_model("model_expected_syntax").filter(|row| row.expected_syntax == group.expected_syntax);
            let parts: Vec<_> = parts
                .filter_map(|row| Some((row, row.syntax.as_deref()?)))
                .collect();
            let title = match (group.expected_syntax.as_deref(), &parts[..]) {
                (Some(expected), _) => format!("→ {expected}"),
                (None, [(_, syntax)]) => (*syntax).to_owned(),
                (None, _) => "all".to_owned(),
            };
            let is_one = matches!(parts[..], [(_, syntax)] if group.expected_syntax.as_deref().is_none_or(|expected| expected == syntax));
            lines.push(self.line(&std::mem::take(&mut name), &title, group));
            if !is_one {
                lines.extend(
                    parts
                        .iter()
                        .map(|(part, syntax)| self.line("", &format!("  {syntax}"), part)),
                );
            }
        }
        lines
    }

    fn line(&self, name: &str, syntax: &str, row: &StatsRow) -> Vec<Cell> {
        let right = |text| Cell::new(text).set_alignment(CellAlignment::Right);
        let cells = [
            self.shows_model.then(|| Cell::new(name)),
            Some(Cell::new(syntax)),
            Some(right(grouped(row.completions as u64))),
            Some(right(grouped(row.with_calls as u64))),
            Some(right(rate(row))),
            self.shows_codes
                .then(|| Cell::new(commonest(&row.code_counts, MOST_CODES))),
        ];
        cells.into_iter().flatten().collect()
    }

    /// The model's name; of a long one its beginning and its end.
    fn name(&self, row: &StatsRow) -> String {
        let Some(model) = row.model.as_deref().map(visible::line) else {
            return "(not named)".to_owned();
        };
        let characters: Vec<char> = model.chars().collect();
        if characters.len() <= self.model_width {
            return model;
        }
        let half = self.model_width / 2;
        let (head, tail) = (&characters[..half], &characters[characters.len() - half + 1..]);
        format!("{}…{}", String::from_iter(head), String::from_iter(tail))
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

fn commonest(counts: &[(&'static str, usize)], most: usize) -> String {
    let mut counts = counts.to_vec();
    counts.sort_by_key(|&(_, count)| std::cmp::Reverse(count));
    let shown = counts.iter().take(most);
    let shown: Vec<_> = shown
        .map(|&(code, count)| format!("{code}×{}", grouped(count as u64)))
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
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
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
