//! The `stats` table: counts by model, expected syntax and syntax, mergeable over shards.

use std::collections::{BTreeMap, HashMap};

use arrow_array::RecordBatch;
use arrow_array::builder::{Float64Builder, Int64Builder, ListBuilder, StringBuilder, StructBuilder};
use arrow_schema::{DataType, Field, Fields};

use super::{Column, Keys, Kind, Table, column, element, finish, int};
use crate::diagnostic::{Code, Severity};
use crate::validate::{CodeCounts, Outcome, Summary, SyntaxSummary};

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
];

pub(super) fn code_count_fields() -> Fields {
    Fields::from(vec![
        Field::new("code", DataType::Utf8, true),
        Field::new("count", DataType::Int64, true),
    ])
}

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
}

impl Counts {
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
    }

    fn add_part(&mut self, part: &SyntaxSummary) {
        self.calls += part.calls;
        self.valid_calls += part.valid_calls;
        self.errors += part.errors;
        self.warnings += part.warnings;
        self.codes.merge(&part.codes);
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
        if !self
            .groups
            .get(self.last)
            .is_some_and(|(owner, _)| owner.is(keys))
        {
            self.last = self.place(&Owner {
                model: keys.model.map(str::to_owned),
                expected: keys.expected_syntax.map(str::to_owned),
            });
        }
        self.groups[self.last].1.add(summary);
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

        let mut rows = vec![StatsRow::new("all", [None; 3], &all)];
        rows.extend(
            models
                .iter()
                .map(|(&model, counts)| StatsRow::new("model", [model, None, None], counts)),
        );
        rows.extend(groups.iter().map(|(owner, group)| {
            let keys = [owner.model.as_deref(), owner.expected.as_deref(), None];
            StatsRow::new("model_expected", keys, &group.total)
        }));
        rows.extend(groups.iter().flat_map(|(owner, group)| {
            let (model, expected) = (owner.model.as_deref(), owner.expected.as_deref());
            group.by_syntax.iter().map(move |(&syntax, counts)| {
                StatsRow::new("model_expected_syntax", [model, expected, syntax], counts)
            })
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
    pub code_counts: Vec<(&'static str, usize)>,
}

impl StatsRow {
    fn new(level: &'static str, [model, expected, syntax]: [Option<&str>; 3], counts: &Counts) -> Self {
        Self {
            level,
            model: model.map(str::to_owned),
            expected_syntax: expected.map(str::to_owned),
            syntax: syntax.map(str::to_owned),
            completions: counts.completions,
            with_calls: counts.with_calls,
            attempted: counts.attempted,
            adherent: counts.adherent,
            calls: counts.calls,
            valid_calls: counts.valid_calls,
            errors: counts.errors,
            warnings: counts.warnings,
            code_counts: counts.codes.by_name(),
        }
    }

    /// The share of adherent completions among those that call or try to; `None` if there are none.
    pub fn adherent_rate(&self) -> Option<f64> {
        (self.attempted > 0).then(|| self.adherent as f64 / self.attempted as f64)
    }

    /// The rate's 95 % Wilson interval.
    pub fn adherent_interval(&self) -> Option<(f64, f64)> {
        wilson_interval(self.adherent, self.attempted)
    }
}

/// The 95 % quantile of the normal distribution, two-sided.
const Z: f64 = 1.959_963_984_540_054;

/// The 95 % score interval of Wilson (1927) for a share of `successes` in `trials`, without continuity
/// correction:
///
/// ```text
/// (p + z²/2n ± z·√(p(1-p)/n + z²/4n²)) / (1 + z²/n)
/// ```
///
/// `None` for no trials. The bounds are exactly 0 and 1 where no or every trial succeeds.
pub fn wilson_interval(successes: usize, trials: usize) -> Option<(f64, f64)> {
    if trials == 0 {
        return None;
    }
    let n = trials as f64;
    let p = successes as f64 / n;
    let z2 = Z * Z;
    let center = p + z2 / (2.0 * n);
    let margin = Z * (p * (1.0 - p) / n + z2 / (4.0 * n * n)).sqrt();
    let scale = 1.0 + z2 / n;
    let low = if successes == 0 {
        0.0
    } else {
        (center - margin) / scale
    };
    let high = if successes == trials {
        1.0
    } else {
        (center + margin) / scale
    };
    Some((low, high))
}

/// Builds the table.
#[derive(Debug)]
struct StatsBuilder {
    /// `level`, `model`, `expected_syntax`, `syntax`.
    names: [StringBuilder; 4],
    /// `completions`, `with_calls`, `adherent`.
    completions: [Int64Builder; 3],
    /// `adherent_rate`, `adherent_low`, `adherent_high`.
    rates: [Float64Builder; 3],
    /// `calls`, `valid_calls`, `errors`, `warnings`.
    found: [Int64Builder; 4],
    code_counts: ListBuilder<StructBuilder>,
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
        }
    }
}

impl StatsBuilder {
    fn append(&mut self, row: &StatsRow) {
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
    }

    fn append_code_counts(&mut self, counts: &[(&str, usize)]) {
        const MADE_SO: &str = "the builder was made with these fields";
        let structs = self.code_counts.values();
        for &(code, count) in counts {
            structs
                .field_builder::<StringBuilder>(0)
                .expect(MADE_SO)
                .append_value(code);
            structs
                .field_builder::<Int64Builder>(1)
                .expect(MADE_SO)
                .append_value(int(count));
            structs.append(true);
        }
        self.code_counts.append(true);
    }

    fn finish(mut self) -> RecordBatch {
        let mut columns = finish(self.names.each_mut().map(|builder| builder as _)).to_vec();
        columns.extend(finish(self.completions.each_mut().map(|builder| builder as _)));
        columns.extend(finish(self.rates.each_mut().map(|builder| builder as _)));
        columns.extend(finish(self.found.each_mut().map(|builder| builder as _)));
        columns.extend(finish([&mut self.code_counts]));
        TABLE.batch(columns)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::call::Call;
    use crate::diagnostic::Diagnostic;
    use crate::span::Span;
    use crate::validate::Findings;

    fn close(found: Option<(f64, f64)>, low: f64, high: f64) {
        let (found_low, found_high) = found.expect("there are trials");
        assert!((found_low - low).abs() < 5e-5, "{found_low} {low}");
        assert!((found_high - high).abs() < 5e-5, "{found_high} {high}");
    }

    #[test]
    fn wilson_intervals() {
        assert_eq!(wilson_interval(0, 0), None);
        // Newcombe (1998), Statistics in Medicine 17:857, table I, method 3.
        close(wilson_interval(81, 263), 0.2553, 0.3662);
        close(wilson_interval(15, 148), 0.0624, 0.1605);
        close(wilson_interval(0, 20), 0.0, 0.1611);
        close(wilson_interval(1, 29), 0.0061, 0.1718);
        // With no or only successes the bounds are z²/(n+z²) and n/(n+z²).
        let z2 = 3.841_458_820_694_124;
        close(wilson_interval(0, 10), 0.0, z2 / (10.0 + z2));
        close(wilson_interval(10, 10), 10.0 / (10.0 + z2), 1.0);
        assert_eq!(wilson_interval(7, 7).map(|(_, high)| high), Some(1.0));
    }

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
