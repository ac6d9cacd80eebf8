//! What is counted in a run, by model, expected syntax and syntax; parts of a run are merged.

use std::collections::{BTreeMap, HashMap};

use arrow_array::RecordBatch;

use super::Keys;
use super::stats::{StatsBuilder, StatsRow};
use crate::diagnostic::{Code, Severity};
use crate::validate::{CodeCounts, Outcome, Summary, SyntaxSummary, ToolCounts};

/// The counts of one group.
#[derive(Clone, Debug, Default, PartialEq)]
struct Counts {
    completions: usize,
    with_calls: usize,
    attempted: usize,
    adherent: usize,
    calls: usize,
    valid_calls: usize,
    errors: usize,
    warnings: usize,
    codes: CodeCounts,
    tools: ToolCounts,
}

impl Counts {
    /// The row of this group.
    fn row(&self, level: &'static str, [model, expected, syntax]: [Option<&str>; 3]) -> StatsRow {
        StatsRow {
            level,
            model: model.map(str::to_owned),
            expected_syntax: expected.map(str::to_owned),
            syntax: syntax.map(str::to_owned),
            completions: self.completions,
            with_calls: self.with_calls,
            attempted: self.attempted,
            adherent: self.adherent,
            calls: self.calls,
            valid_calls: self.valid_calls,
            errors: self.errors,
            warnings: self.warnings,
            code_counts: self
                .codes
                .by_name()
                .into_iter()
                .map(|(code, count)| (code.into(), count))
                .collect(),
            tools: self.tools,
        }
    }

    fn merge(&mut self, other: &Counts) {
        self.completions += other.completions;
        self.with_calls += other.with_calls;
        self.attempted += other.attempted;
        self.adherent += other.adherent;
        self.calls += other.calls;
        self.valid_calls += other.valid_calls;
        self.errors += other.errors;
        self.warnings += other.warnings;
        self.codes.merge(&other.codes);
        self.tools.merge(other.tools);
    }

    fn add_part(&mut self, part: &SyntaxSummary) {
        self.calls += part.calls;
        self.valid_calls += part.valid_calls;
        self.errors += part.errors;
        self.warnings += part.warnings;
        self.codes.merge(&part.codes);
        self.tools.merge(part.tools);
    }

    fn add_problem(&mut self, code: Code, severity: Severity) {
        self.codes.add(code, 1);
        match severity {
            Severity::Error => self.errors += 1,
            Severity::Warning => self.warnings += 1,
        }
    }
}

/// The completions of one model with one expectation.
#[derive(Clone, Debug, Default, PartialEq)]
struct Group {
    total: Counts,
    by_syntax: BTreeMap<Option<&'static str>, Counts>,
}

impl Group {
    fn merge(&mut self, other: &Group) {
        self.total.merge(&other.total);
        for (&syntax, counts) in &other.by_syntax {
            self.by_syntax.entry(syntax).or_default().merge(counts);
        }
    }

    /// Counts what was found in reasoning, which is no completion of its own.
    fn add_reasoning(&mut self, summary: &Summary) {
        for part in &summary.parts {
            self.total.add_part(part);
            self.by_syntax.entry(part.syntax).or_default().add_part(part);
        }
    }

    fn add(&mut self, summary: &Summary) {
        let is_adherent = summary.outcome == Outcome::Adherent;
        let has_calls = summary.total(|part| part.calls) > 0;
        self.total.completions += 1;
        self.total.with_calls += usize::from(has_calls);
        self.total.attempted += usize::from(summary.is_attempted());
        self.total.adherent += usize::from(is_adherent);
        for part in &summary.parts {
            self.total.add_part(part);
            let counts = self.by_syntax.entry(part.syntax).or_default();
            counts.add_part(part);
            counts.completions += 1;
            counts.with_calls += usize::from(part.calls > 0);
            counts.attempted += usize::from(part.is_attempted());
            counts.adherent += usize::from(is_adherent && part.is_in_text() && part.calls > 0);
        }
        if summary.parts.is_empty() {
            self.by_syntax.entry(None).or_default().completions += 1;
        }
    }
}

/// Whose completions a group holds.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
struct Owner {
    model: Option<String>,
    expected: Option<String>,
}

impl Owner {
    fn is(&self, keys: &Keys<'_>) -> bool {
        self.model.as_deref() == keys.model && self.expected.as_deref() == keys.expected_syntax
    }
}

/// Everything that is counted in a run, or in a part of it. Merging parts in any order gives the same.
#[derive(Clone, Debug, Default)]
pub struct Stats {
    groups: Vec<(Owner, Group)>,
    places: HashMap<Owner, usize>,
    /// The group that was added to last: the next completion is mostly of the same.
    last: usize,
    /// Findings about whole records, by model.
    problems: BTreeMap<Option<String>, Counts>,
}

impl Stats {
    /// Counts a completion.
    pub fn completion(&mut self, keys: &Keys<'_>, summary: &Summary) {
        self.group(keys).add(summary);
    }

    /// Counts what was found in the reasoning before a completion.
    pub fn reasoning(&mut self, keys: &Keys<'_>, summary: &Summary) {
        self.group(keys).add_reasoning(summary);
    }

    fn group(&mut self, keys: &Keys<'_>) -> &mut Group {
        // Most logs have few groups.
        const NEAR: usize = 8;
        let last = self
            .groups
            .get(self.last)
            .is_some_and(|(owner, _)| owner.is(keys));
        if !last {
            let near = self
                .groups
                .iter()
                .take(NEAR)
                .position(|(owner, _)| owner.is(keys));
            self.last = near.unwrap_or_else(|| {
                self.place(&Owner {
                    model: keys.model.map(str::to_owned),
                    expected: keys.expected_syntax.map(str::to_owned),
                })
            });
        }
        &mut self.groups[self.last].1
    }

    /// Counts a finding about a whole record.
    pub fn problem(&mut self, keys: &Keys<'_>, code: Code, severity: Severity) {
        let model = keys.model.map(str::to_owned);
        self.problems
            .entry(model)
            .or_default()
            .add_problem(code, severity);
    }

    /// Adds what another part of the run counted.
    pub fn merge(&mut self, other: &Stats) {
        for (owner, group) in &other.groups {
            let place = self.place(owner);
            self.groups[place].1.merge(group);
        }
        for (model, counts) in &other.problems {
            self.problems.entry(model.clone()).or_default().merge(counts);
        }
    }

    fn place(&mut self, owner: &Owner) -> usize {
        if let Some(&place) = self.places.get(owner) {
            return place;
        }
        self.groups.push((owner.clone(), Group::default()));
        self.places.insert(owner.clone(), self.groups.len() - 1);
        self.groups.len() - 1
    }

    /// The rows of the table: level by level, in each by model, expected syntax and syntax, unknown ones first.
    pub fn rows(&self) -> Vec<StatsRow> {
        let mut all = Counts::default();
        let mut models: BTreeMap<Option<&str>, Counts> = BTreeMap::new();
        let mut groups: Vec<_> = self.groups.iter().collect();
        groups.sort_by_key(|(owner, _)| (&owner.model, &owner.expected));
        for (owner, group) in &groups {
            all.merge(&group.total);
            models
                .entry(owner.model.as_deref())
                .or_default()
                .merge(&group.total);
        }
        for (model, counts) in &self.problems {
            all.merge(counts);
            if let Some(model) = model.as_deref() {
                models.entry(Some(model)).or_default().merge(counts);
            }
        }

        let mut rows = vec![all.row("all", [None; 3])];
        rows.extend(
            models
                .iter()
                .map(|(&model, counts)| counts.row("model", [model, None, None])),
        );
        rows.extend(groups.iter().map(|(owner, group)| {
            let keys = [owner.model.as_deref(), owner.expected.as_deref(), None];
            group.total.row("model_expected", keys)
        }));
        rows.extend(groups.iter().flat_map(|(owner, group)| {
            let (model, expected) = (owner.model.as_deref(), owner.expected.as_deref());
            group
                .by_syntax
                .iter()
                .map(move |(&syntax, counts)| counts.row("model_expected_syntax", [model, expected, syntax]))
        }));
        rows
    }

    /// The table.
    pub fn batch(&self) -> RecordBatch {
        let mut builder = StatsBuilder::default();
        for row in self.rows() {
            builder.append(&row);
        }
        builder.finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::call::Call;
    use crate::diagnostic::Diagnostic;
    use crate::span::Span;
    use crate::validate::Findings;

    fn call(syntax: &'static str) -> Call<'static> {
        Call::native(syntax)
    }

    fn finding(code: Code, syntax: Option<&'static str>) -> Diagnostic {
        Diagnostic {
            code,
            severity: code.info().severity,
            syntax,
            call_index: None,
            detail: None,
            message: String::new(),
            span: Span::new(0, 0),
        }
    }

    fn keys<'k>(model: Option<&'k str>, expected_syntax: Option<&'k str>) -> Keys<'k> {
        Keys {
            model,
            expected_syntax,
            ..Keys::default()
        }
    }

    fn add(stats: &mut Stats, keys: &Keys<'_>, calls: &[Call<'_>], findings: &[Diagnostic]) {
        let findings = Findings {
            kept: findings,
            overflow: &[],
        };
        stats.completion(keys, &Summary::new(keys.expected_syntax, calls, &[findings]));
    }

    /// Two models; the first with calls in two syntaxes, an attempt without a row, and a text without anything.
    fn parts() -> [Stats; 2] {
        let (execute, gadget) = ("execute_block", "gadget_block");
        let mut parts = [Stats::default(), Stats::default()];
        let a = keys(Some("a"), Some(execute));
        add(&mut parts[0], &a, &[call(execute), call(execute)], &[]);
        add(&mut parts[0], &a, &[call(execute), call(gadget)], &[]);
        add(
            &mut parts[1],
            &a,
            &[],
            &[finding(Code::InvalidJson, Some(execute))],
        );
        add(&mut parts[1], &a, &[], &[]);
        let b = keys(Some("b"), None);
        add(
            &mut parts[1],
            &b,
            &[call(gadget)],
            &[finding(Code::LossyText, None)],
        );
        parts[0].problem(&keys(None, None), Code::InvalidRecord, Severity::Error);
        parts[1].problem(&b, Code::MissingText, Severity::Error);
        parts
    }

    #[test]
    fn rows_count_by_level() {
        let [mut stats, other] = parts();
        stats.merge(&other);
        let shown: Vec<String> = stats.rows().iter().map(show).collect();
        let expected = [
            // level model expected syntax | completions with_calls attempted adherent | calls valid | errors warnings
            "all - - - | 5 3 4 2 | 5 5 | 3 1 | invalid_json=1 invalid_record=1 lossy_text=1 missing_text=1",
            "model a - - | 4 2 3 1 | 4 4 | 1 0 | invalid_json=1",
            "model b - - | 1 1 1 1 | 1 1 | 1 1 | lossy_text=1 missing_text=1",
            "model_expected a execute_block - | 4 2 3 1 | 4 4 | 1 0 | invalid_json=1",
            "model_expected b - - | 1 1 1 1 | 1 1 | 0 1 | lossy_text=1",
            "model_expected_syntax a execute_block - | 1 0 0 0 | 0 0 | 0 0 | ",
            "model_expected_syntax a execute_block execute_block | 3 2 3 1 | 3 3 | 1 0 | invalid_json=1",
            "model_expected_syntax a execute_block gadget_block | 1 1 1 0 | 1 1 | 0 0 | ",
            "model_expected_syntax b - - | 1 0 0 0 | 0 0 | 0 1 | lossy_text=1",
            "model_expected_syntax b - gadget_block | 1 1 1 1 | 1 1 | 0 0 | ",
        ];
        assert_eq!(shown, expected);
    }

    fn show(row: &StatsRow) -> String {
        let name = |name: &Option<String>| name.clone().unwrap_or("-".to_owned());
        let codes: Vec<String> = row
            .code_counts
            .iter()
            .map(|(code, count)| format!("{code}={count}"))
            .collect();
        format!(
            "{} {} {} {} | {} {} {} {} | {} {} | {} {} | {}",
            row.level,
            name(&row.model),
            name(&row.expected_syntax),
            name(&row.syntax),
            row.completions,
            row.with_calls,
            row.attempted,
            row.adherent,
            row.calls,
            row.valid_calls,
            row.errors,
            row.warnings,
            codes.join(" "),
        )
    }

    #[test]
    fn the_order_of_merging_does_not_show() {
        let [first, second] = parts();
        let (mut forward, mut backward) = (first.clone(), second.clone());
        forward.merge(&second);
        backward.merge(&first);
        assert_eq!(forward.batch(), backward.batch());
    }

    #[test]
    fn nothing_counted_is_one_row_without_a_rate() {
        let rows = Stats::default().rows();
        assert_eq!(rows.len(), 1);
        assert_eq!((rows[0].level, rows[0].adherent_rate()), ("all", None));
        assert_eq!(Stats::default().batch().num_rows(), 1);
    }

    #[test]
    fn native_calls_are_counted_and_no_more() {
        let mut stats = Stats::default();
        add(&mut stats, &keys(None, None), &[call("native")], &[]);
        let rows = stats.rows();
        let all = show(&rows[0]);
        assert_eq!(all, "all - - - | 1 1 0 0 | 1 1 | 0 0 | ");
        assert_eq!(
            show(&rows[3]),
            "model_expected_syntax - - native | 1 1 0 0 | 1 1 | 0 0 | "
        );
    }
}
