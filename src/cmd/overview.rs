//! The counts of a run: the table by model and syntax for people, and all of them for programs.

use std::borrow::Cow;

use serde_json::{Map, Value, json};
use toolscan::table::StatsRow;

use super::grid::{Cells, Grid, Heading};
use super::visible;

/// Codes that are shown in one row.
const MOST_CODES: usize = 3;
/// Codes that are shown apart from the table.
const MOST_CODES_APART: usize = 8;

/// The table by model and syntax, of about so many rows, and behind it the commonest codes where the table has no room
/// for them.
pub(super) fn overview(rows: &[StatsRow], width: u16, most_rows: usize) -> String {
    let layout = Layout::of(rows, width);
    let (grid, left_out) = layout.grid(rows, most_rows);
    let mut text = grid.text(width);
    if left_out > 0 {
        text += &format!(
            "… and {}: see the stats table\n",
            count(left_out as u64, "more model")
        );
    }
    let codes = commonest(rows.first().map_or(&[], |all| &all.code_counts), MOST_CODES_APART);
    if !layout.shows_codes && !codes.is_empty() {
        text += &format!("\ncommonest codes: {codes}\n");
    }
    text
}

/// The same table, all of it, in Markdown.
pub(super) fn markdown(rows: &[StatsRow]) -> String {
    let layout = Layout {
        model_width: usize::MAX,
        ..Layout::of(rows, u16::MAX)
    };
    layout.grid(rows, usize::MAX).0.markdown()
}

/// Which columns there are, and how wide.
struct Layout {
    shows_model: bool,
    shows_expected: bool,
    /// Where calls were held against tools.
    shows_tools: bool,
    shows_codes: bool,
    model_width: usize,
}

impl Layout {
    fn of(rows: &[StatsRow], width: u16) -> Self {
        let is_wide = width >= 110;
        Self {
            shows_model: rows.iter().any(|row| row.model.is_some()),
            shows_expected: rows.iter().any(|row| row.expected_syntax.is_some()),
            shows_tools: rows.iter().any(|row| row.tools.named > 0),
            shows_codes: is_wide,
            model_width: if is_wide { 30 } else { 16 },
        }
    }

    /// The table, and how many models it leaves out.
    fn grid(&self, rows: &[StatsRow], most_rows: usize) -> (Grid, usize) {
        let mut models: Vec<_> = rows.iter().filter(|row| row.level == "model").collect();
        models.sort_by_key(|model| std::cmp::Reverse(model.completions));
        let mut grid = Grid {
            header: self.header(),
            rows: Vec::new(),
        };
        let mut shown = 0;
        for model in &models {
            let lines = self.model(model, rows);
            if shown > 0 && grid.rows.len() + lines.len() > most_rows {
                break;
            }
            shown += 1;
            grid.rows.extend(lines);
        }
        (grid, models.len() - shown)
    }

    fn header(&self) -> Vec<Heading> {
        let syntax = if self.shows_expected {
            "syntax\n(→ expected)"
        } else {
            "syntax"
        };
        let header = [
            self.shows_model.then_some(Heading::new("model", Cells::Words)),
            Some(Heading::new(syntax, Cells::Words)),
            Some(Heading::new("completions", Cells::Numbers)),
            Some(Heading::new("with\ncalls", Cells::Numbers)),
            Some(Heading::new(ADHERENT, Cells::Numbers)),
            self.shows_tools
                .then_some(Heading::new("tool\nknown %", Cells::Numbers)),
            self.shows_tools
                .then_some(Heading::new("schema\nvalid %", Cells::Numbers)),
            self.shows_codes
                .then_some(Heading::new("commonest codes", Cells::Words)),
        ];
        header.into_iter().flatten().collect()
    }

    /// The lines of one model: one for each expectation, and below it one for each syntax.
    fn model(&self, model: &StatsRow, rows: &[StatsRow]) -> Vec<Vec<String>> {
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

    fn line(&self, name: &str, syntax: &str, row: &StatsRow) -> Vec<String> {
        let cells = [
            self.shows_model.then(|| name.to_owned()),
            Some(syntax.to_owned()),
            Some(grouped(row.completions as u64)),
            Some(grouped(row.with_calls as u64)),
            Some(rate(row)),
            self.shows_tools.then(|| percent(row.tools.known_rate())),
            self.shows_tools.then(|| percent(row.tools.schema_valid_rate())),
            self.shows_codes.then(|| commonest(&row.code_counts, MOST_CODES)),
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

/// The head of the column that [`rate`] fills.
pub(super) const ADHERENT: &str = "adherent %\n(95 % interval)";

/// The adherent rate with its interval, in percent.
pub(super) fn rate(row: &StatsRow) -> String {
    match (row.adherent_rate(), row.adherent_interval()) {
        (Some(rate), Some((low, high))) => {
            format!("{:.1} ({:.1}–{:.1})", 100.0 * rate, 100.0 * low, 100.0 * high)
        }
        _ => "-".to_owned(),
    }
}

fn percent(rate: Option<f64>) -> String {
    rate.map_or_else(|| "-".to_owned(), |rate| format!("{:.1}", 100.0 * rate))
}

/// The commonest codes, with how often they were found.
pub(super) fn commonest(counts: &[(Cow<'static, str>, usize)], most: usize) -> String {
    let mut counts: Vec<_> = counts.iter().collect();
    counts.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    let shown = counts.iter().take(most);
    let shown: Vec<_> = shown
        .map(|(code, count)| format!("{code}×{}", grouped(*count as u64)))
        .collect();
    shown.join(", ")
}

/// The counts, named as the columns of the stats table.
pub(super) fn counts(row: &StatsRow) -> Map<String, Value> {
    let interval = row.adherent_interval();
    let codes: Map<_, _> = row
        .code_counts
        .iter()
        .map(|(code, count)| (code.to_string(), json!(count)))
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
        "attempted": row.attempted,
        "named_calls": row.tools.named,
        "known_calls": row.tools.known,
        "judged_calls": row.tools.judged,
        "schema_valid_calls": row.tools.schema_valid,
    });
    match value {
        Value::Object(fields) => fields,
        _ => unreachable!("it was written as an object"),
    }
}

/// A row of the stats table: what the group is, and its counts.
pub(super) fn group(row: &StatsRow) -> Value {
    let mut fields = Map::new();
    fields.insert("level".into(), json!(row.level));
    fields.insert("model".into(), json!(row.model));
    fields.insert("expected_syntax".into(), json!(row.expected_syntax));
    fields.insert("syntax".into(), json!(row.syntax));
    fields.extend(counts(row));
    Value::Object(fields)
}

/// A number of things.
pub(super) fn count(number: u64, noun: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{} {noun}{plural}", grouped(number))
}

/// A number with its thousands apart.
pub(super) fn grouped(number: u64) -> String {
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
}
