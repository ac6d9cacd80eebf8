//! `toolscan stats`: the counts of one or several runs, by any columns.

use std::process::ExitCode;

use serde_json::{Map, Value, json};
use toolscan::Error;
use toolscan::read::{By, Groups, Run, Unit, levels};
use toolscan::table::StatsRow;

use super::grid::{Cells, Grid, Heading};
use super::overview::{self, ADHERENT, commonest, grouped, rate};
use super::print::{print, print_data, print_json, stdout_width};
use crate::cli::StatsArgs;

/// Codes that are shown in one row.
const MOST_CODES: usize = 3;

pub(crate) fn run(args: &StatsArgs) -> Result<ExitCode, Error> {
    let runs = Run::open_all(&args.tables)?;
    match &args.by {
        Some(by) => by_columns(args, &runs, by)?,
        None => by_level(args, &runs)?,
    }
    Ok(ExitCode::SUCCESS)
}

/// The rows of the stats table.
fn by_level(args: &StatsArgs, runs: &[Run]) -> Result<(), Error> {
    let rows = levels(runs)?;
    if args.json {
        return print_json(&rows.iter().map(overview::group).collect());
    }
    if args.csv {
        return print_data(&csv(&rows.iter().map(overview::group).collect::<Vec<_>>()));
    }
    if args.md {
        return print(&overview::markdown(&rows));
    }
    let width = u16::try_from(stdout_width()).unwrap_or(u16::MAX);
    print(&overview::overview(&rows, width, usize::MAX))
}

/// A row for each group of other columns.
fn by_columns(args: &StatsArgs, runs: &[Run], by: &By) -> Result<(), Error> {
    let mut groups = Groups::new(by.clone());
    for run in runs {
        for entry in run.entries(&by.columns())? {
            groups.add(&entry?);
        }
    }
    let rows: Vec<Group> = groups
        .rows()
        .into_iter()
        .map(|(key, counts)| Group {
            key: by.names().zip(key.clone()).collect(),
            counts: counts.row("", [None; 3]),
        })
        .collect();
    if args.json {
        return print_json(&rows.iter().map(Group::json).collect());
    }
    if args.csv {
        return print_data(&csv(&rows.iter().map(Group::json).collect::<Vec<_>>()));
    }
    let grid = grid(by, &rows);
    if args.md {
        return print(&grid.markdown());
    }
    print(&grid.text(u16::try_from(stdout_width()).unwrap_or(u16::MAX)))
}

struct Group {
    key: Vec<(&'static str, Option<String>)>,
    counts: StatsRow,
}

impl Group {
    fn json(&self) -> Value {
        let key = self
            .key
            .iter()
            .map(|(name, value)| ((*name).to_owned(), json!(value)));
        let mut fields: Map<String, Value> = key.collect();
        // A column that is also a count, `calls` say, is the column.
        for (name, count) in overview::counts(&self.counts) {
            fields.entry(name).or_insert(count);
        }
        Value::Object(fields)
    }
}

/// The table for people. Groups of findings have no adherence: that is a matter of completions and their calls.
fn grid(by: &By, rows: &[Group]) -> Grid {
    let of_findings = by.has(Unit::Finding);
    let mut header: Vec<_> = by.names().map(|name| Heading::new(name, Cells::Words)).collect();
    header.push(Heading::new("completions", Cells::Numbers));
    if of_findings {
        header.extend(["errors", "warnings"].map(|name| Heading::new(name, Cells::Numbers)));
    } else {
        header.extend(
            ["with\ncalls", ADHERENT, "calls", "valid"].map(|name| Heading::new(name, Cells::Numbers)),
        );
        header.push(Heading::new("commonest codes", Cells::Words));
    }
    let line = |Group { key, counts }: &Group| {
        let number = |count: usize| grouped(count as u64);
        let mut line: Vec<_> = key
            .iter()
            .map(|(_, value)| value.clone().unwrap_or_default())
            .collect();
        line.push(number(counts.completions));
        if of_findings {
            line.extend([number(counts.errors), number(counts.warnings)]);
        } else {
            line.extend([
                number(counts.with_calls),
                rate(counts),
                number(counts.calls),
                number(counts.valid_calls),
            ]);
            line.push(commonest(&counts.code_counts, MOST_CODES));
        }
        line
    };
    let shown = rows
        .iter()
        .filter(|row| !of_findings || row.counts.errors + row.counts.warnings > 0);
    Grid {
        rows: shown.map(line).collect(),
        header,
    }
}

/// Objects of the same keys as comma-separated values after RFC 4180, with a header.
fn csv(rows: &[Value]) -> String {
    let objects: Vec<_> = rows.iter().filter_map(Value::as_object).collect();
    let mut text = String::new();
    let mut line = |cells: Vec<String>| text += &(cells.join(",") + "\r\n");
    if let Some(first) = objects.first() {
        line(first.keys().map(|name| cell(name)).collect());
    }
    for object in objects {
        line(object.values().map(csv_value).collect());
    }
    text
}

fn csv_value(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => cell(text),
        other => cell(&other.to_string()),
    }
}

fn cell(text: &str) -> String {
    if text.contains([',', '"', '\r', '\n']) {
        return format!("\"{}\"", text.replace('"', "\"\""));
    }
    text.to_owned()
}
