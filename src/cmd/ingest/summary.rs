//! What a run has found, for people (a table) and for programs (JSON).

use std::fmt::Write;
use std::path::Path;

use serde_json::{Map, Value, json};
use toolscan::input::{Identity, Share};
use toolscan::pipeline::Summary;
use toolscan::record::Format;
use toolscan::table::OutputPaths;

use crate::cmd::overview::{count, counts, group, grouped, overview};
use crate::cmd::print::stderr_width;
use crate::cmd::visible;

/// Rows of the table that are shown before the rest is only counted.
const MOST_ROWS: usize = 25;

/// Everything to say at the end of a run.
pub(super) struct Report<'r> {
    pub(super) summary: &'r Summary,
    pub(super) inputs: &'r [Identity],
    pub(super) shard: Option<Share>,
    pub(super) paths: &'r OutputPaths,
    /// Where the user says that records have their tools.
    pub(super) tools_field: Option<String>,
    pub(super) config: Option<&'r Path>,
}

impl Report<'_> {
    /// The report for people.
    pub(super) fn text(&self) -> String {
        let rows = self.summary.stats.rows();
        let mut text = self.records();
        if self.summary.records_with_completions > 0 {
            write!(text, "\n{}\n", overview(&rows, stderr_width(), MOST_ROWS))
                .expect("strings take everything");
        }
        text + &self.files()
    }

    fn records(&self) -> String {
        let summary = self.summary;
        let mut text = match self.shard {
            Some(share) => format!("part {share}: "),
            None => String::new(),
        };
        text += &format!(
            "{} in {}: {} with completions",
            count(summary.records, "record"),
            count(self.inputs.len() as u64, "source"),
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
        if summary.without_request > 0 {
            text += &format!(
                "{} without a request of the same `custom_id`: their tools are not known\n",
                count(summary.without_request, "record"),
            );
        }
        if let Some((number, reason)) = &summary.unusable_tools {
            let reason = visible::line(&visible::shorten(reason, 200));
            text += &format!(
                "{} with tools that cannot be used, such as: {reason}\n",
                count(*number, "record"),
            );
        }
        if let Some(path) = &self.tools_field
            && summary.records_with_tools == 0
        {
            let path = visible::line(path);
            text += &format!("no record has tools at `{path}`, where --tools-field says that they are\n");
        }
        if let Some(changed) = self.inputs.iter().find(|input| input.changed) {
            let number = self.inputs.iter().filter(|input| input.changed).count();
            text += &format!(
                "{} changed or vanished while the run went on, such as {}: its tables may hold parts of both\n",
                count(number as u64, "source"),
                visible::line(&changed.name),
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
        for (name, path) in self.paths.named() {
            text += &format!("{name:12} {}\n", path.display());
        }
        let errors = self.paths.errors.display().to_string().replace('\'', "''");
        let query = format!(
            "FROM '{errors}' SELECT model, syntax, code, detail, count(*) AS n GROUP BY ALL ORDER BY n DESC LIMIT 20"
        );
        text += &format!("{:12} {}\n", "manifest", self.paths.manifest().display());
        text + &format!("\nGo on with:\n  duckdb -c {}\n", in_shell(&query))
    }

    /// The report for programs.
    pub(super) fn json(&self) -> Value {
        let rows = self.summary.stats.rows();
        let groups = rows.iter().filter(|row| row.level != "all").map(group);
        let tables = self
            .paths
            .named()
            .map(|(name, path)| (name.to_owned(), json!(path.display().to_string())));
        let mut fields = self.counts();
        fields.insert("groups".into(), groups.collect());
        fields.insert("tables".into(), Value::Object(tables.into_iter().collect()));
        let manifest = self.paths.manifest().display().to_string();
        fields.insert("manifest".into(), json!(manifest));
        Value::Object(fields)
    }

    /// What the manifest says of the run. `options` are those that bear on the result, as JSON text.
    pub(super) fn manifest(&self, options: &str) -> Map<String, Value> {
        let options: Value = serde_json::from_str(options).expect("it was written as JSON");
        let mut fields = Map::from_iter([("options".to_owned(), options)]);
        fields.extend(self.counts());
        fields.insert("inputs".into(), json!(self.inputs));
        fields
    }

    /// The counts of the whole run.
    fn counts(&self) -> Map<String, Value> {
        let summary = self.summary;
        let unusable = summary.unusable_records.iter();
        let unusable: Map<_, _> = unusable
            .map(|(code, count)| (code.name().to_owned(), json!(count)))
            .collect();
        let formats = summary.formats.iter();
        let formats: Map<_, _> = formats
            .filter_map(|(format, count)| Some(((*format)?.to_owned(), json!(count))))
            .collect();
        let unusable_tools = summary.unusable_tools.as_ref();
        let read = json!({
            "toolscan": env!("CARGO_PKG_VERSION"),
            "sources": self.inputs.len(),
            "shard": self.shard.map(|share| share.to_string()),
            "truncated_sources": summary.truncated_sources,
            "bytes": summary.bytes,
            "records": summary.records,
            "records_with_completions": summary.records_with_completions,
            "unusable_records": unusable,
            "records_with_tools": summary.records_with_tools,
            "records_with_unusable_tools": unusable_tools.map_or(0, |(number, _)| *number),
            "records_without_request": summary.without_request,
            "formats": formats,
        });
        let Value::Object(mut fields) = read else {
            unreachable!("it was written as an object")
        };
        for row in summary.stats.rows().iter().filter(|row| row.level == "all") {
            fields.extend(counts(row));
        }
        fields
    }
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
    fn a_query_stays_one_word() {
        assert_eq!(
            in_shell("FROM 'a $b `c`.parquet'"),
            "\"FROM 'a \\$b \\`c\\`.parquet'\""
        );
    }
}
