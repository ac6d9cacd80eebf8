//! What is counted of completions, calls and findings, grouped by any columns.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};

use super::entry::{Columns, Completion, Entry, Finding};
use super::rows::Row;
use super::run::Run;
use crate::error::Error;
use crate::table::{StatsRow, TABLES};
use crate::validate::{NATIVE, ToolCounts};

/// What has a value in a column: the finest thing that the column tells apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// A completion; its calls and findings have the same value.
    Completion,
    /// A call or a finding.
    Item,
    /// A call; a finding has the value of the call that it is about.
    Call,
    /// A finding.
    Finding,
}

impl Unit {
    /// The unit of a column, and its name; `None` for an unknown column.
    fn of(column: &str) -> Option<(&'static str, Self)> {
        if column == "syntax" {
            return Some(("syntax", Self::Item));
        }
        let units = [
            ("completions", Self::Completion),
            ("calls", Self::Call),
            ("errors", Self::Finding),
        ];
        units.into_iter().find_map(|(name, unit)| {
            let table = TABLES.iter().find(|table| table.name == name)?;
            let found = table.columns().find(|found| found.name == column)?;
            Some((found.name, unit))
        })
    }
}

/// The columns that groups are told apart by.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct By(Vec<(&'static str, Unit)>);

impl By {
    /// These columns of `completions`, `calls` and `errors`; a name that several tables have is the first one's.
    ///
    /// # Errors
    ///
    /// The first name that is no column.
    pub fn new<'n>(names: impl IntoIterator<Item = &'n str>) -> Result<Self, &'n str> {
        let column = |name: &'n str| Unit::of(name).ok_or(name);
        names.into_iter().map(column).collect::<Result<_, _>>().map(Self)
    }

    /// All columns that there are.
    pub fn known() -> Vec<&'static str> {
        let mut names: Vec<_> = ["completions", "calls", "errors"]
            .into_iter()
            .filter_map(|name| TABLES.iter().find(|table| table.name == name))
            .flat_map(|table| table.columns().map(|column| column.name))
            .collect();
        let mut seen = Vec::new();
        names.retain(|name| {
            !seen.contains(name) && {
                seen.push(*name);
                true
            }
        });
        names
    }

    /// The columns' names.
    pub fn names(&self) -> impl Iterator<Item = &'static str> {
        self.0.iter().map(|&(name, _)| name)
    }

    /// Whether a column is of this unit.
    pub fn has(&self, unit: Unit) -> bool {
        self.0.iter().any(|&(_, own)| own == unit)
    }

    /// What has to be read to count.
    pub fn columns(&self) -> Columns {
        let of = |unit| -> Vec<&'static str> {
            let own = self.0.iter().filter(|&&(_, own)| own == unit);
            own.map(|&(name, _)| name).collect()
        };
        let problem = self.0.iter().filter(|(name, _)| OF_PROBLEMS.contains(name));
        let problem: Vec<_> = problem.map(|&(name, _)| name).collect();
        let columns = Columns::new(
            &["outcome"],
            &["syntax", "valid", "tool_known", "schema_valid"],
            &["syntax", "call_index", "severity"],
        );
        columns.and(&Columns::new(
            &of(Unit::Completion),
            &of(Unit::Call),
            &[of(Unit::Finding), problem].concat(),
        ))
    }

    /// Whether a completion may be in several groups.
    fn splits(&self) -> bool {
        self.0.iter().any(|&(_, unit)| unit != Unit::Completion)
    }
}

/// The columns of completions that a finding about a whole record has a value of.
const OF_PROBLEMS: [&str; 4] = ["source", "line", "completion_id", "model"];

/// The counts of one group, as the stats table has them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Counts {
    /// Completions with a call or finding in the group, or where there are none to tell apart, all.
    pub completions: usize,
    /// Those with calls in the group.
    pub with_calls: usize,
    /// Those whose text holds a call or an attempt at one: the denominator of the rate.
    pub attempted: usize,
    /// Those whose outcome is `adherent` and whose text holds a call in the group.
    pub adherent: usize,
    /// Calls.
    pub calls: usize,
    /// Calls without an error.
    pub valid_calls: usize,
    /// Findings of severity `error`.
    pub errors: usize,
    /// Findings of severity `warning`.
    pub warnings: usize,
    /// How often each code was found.
    pub codes: BTreeMap<String, usize>,
    /// How the calls fit the tools that were offered.
    pub tools: ToolCounts,
}

impl Counts {
    /// The row of the stats table.
    pub fn row(&self, level: &'static str, [model, expected, syntax]: [Option<&String>; 3]) -> StatsRow {
        let codes = self.codes.iter();
        StatsRow {
            level,
            model: model.cloned(),
            expected_syntax: expected.cloned(),
            syntax: syntax.cloned(),
            completions: self.completions,
            with_calls: self.with_calls,
            attempted: self.attempted,
            adherent: self.adherent,
            calls: self.calls,
            valid_calls: self.valid_calls,
            errors: self.errors,
            warnings: self.warnings,
            code_counts: codes.map(|(code, &count)| (code.clone().into(), count)).collect(),
            tools: self.tools,
        }
    }

    fn add_call(&mut self, call: &Row) {
        self.calls += 1;
        self.valid_calls += usize::from(call.flag("valid") == Some(true));
        let (known, fits) = (call.flag("tool_known"), call.flag("schema_valid"));
        self.tools.merge(ToolCounts {
            named: known.is_some().into(),
            known: (known == Some(true)).into(),
            judged: fits.is_some().into(),
            schema_valid: (fits == Some(true)).into(),
        });
    }

    fn add_finding(&mut self, finding: &Row, times: usize) {
        if is_error(finding) {
            self.errors += times;
        } else {
            self.warnings += times;
        }
        let code = finding.text("code").unwrap_or_default();
        match self.codes.get_mut(code) {
            Some(count) => *count += times,
            None => {
                self.codes.insert(code.to_owned(), times);
            }
        }
    }
}

/// The values of a group's columns.
pub type Key = Vec<Option<String>>;

/// Counts by group.
#[derive(Clone, Debug, Default)]
pub struct Groups {
    by: By,
    counts: Vec<Counts>,
    places: HashMap<Key, usize>,
    /// The key that is being looked up.
    key: Key,
    /// What the completion that is being counted left in each group.
    parts: Vec<Part>,
}

/// What one completion left in one group.
#[derive(Clone, Copy, Debug, Default)]
struct Part {
    group: usize,
    calls: usize,
    calls_in_text: usize,
    errors_in_text: usize,
}

impl Groups {
    /// No groups yet; where no columns tell them apart, the one group of everything.
    pub fn new(by: By) -> Self {
        let key = vec![None; by.0.len()];
        let mut groups = Self {
            by,
            key,
            ..Self::default()
        };
        if groups.by.0.is_empty() {
            groups.place();
        }
        groups
    }

    /// The columns that tell the groups apart.
    pub fn by(&self) -> &By {
        &self.by
    }

    /// The groups with the values of their columns, sorted by them, null first.
    pub fn rows(&self) -> Vec<(&Key, &Counts)> {
        let mut rows: Vec<_> = self
            .places
            .iter()
            .map(|(key, &place)| (key, &self.counts[place]))
            .collect();
        rows.sort_unstable_by_key(|&(key, _)| key);
        rows
    }

    /// Counts a completion, or a finding about a whole record.
    ///
    /// A finding about a whole record is in the groups of its own source, line, id and model, where it has them; it
    /// has no part in groups of anything else.
    pub fn add(&mut self, entry: &Entry) {
        match entry {
            Entry::Completion(completion) => self.add_completion(completion),
            Entry::Problem(row) => self.add_problem(row),
        }
    }

    fn add_completion(&mut self, completion: &Completion) {
        self.parts.clear();
        for call in &completion.calls {
            let part = self.part(completion, Some(call), None);
            self.parts[part].calls += 1;
            self.parts[part].calls_in_text += usize::from(is_in_text(call));
            self.counts[self.parts[part].group].add_call(call);
        }
        for Finding { row, times } in &completion.findings {
            let call = row
                .int("call_index")
                .and_then(|index| usize::try_from(index).ok());
            let call = call.and_then(|index| completion.calls.get(index));
            let part = self.part(completion, call, Some(row));
            self.parts[part].errors_in_text += usize::from(is_in_text(row) && is_error(row));
            self.counts[self.parts[part].group].add_finding(row, *times);
        }
        if self.parts.is_empty() && !(completion.is_reasoning() && self.by.splits()) {
            self.part(completion, None, None);
        }
        if completion.is_reasoning() {
            return;
        }
        let is_adherent = completion.row.text("outcome") == Some("adherent");
        for part in &self.parts {
            let counts = &mut self.counts[part.group];
            counts.completions += 1;
            counts.with_calls += usize::from(part.calls > 0);
            counts.attempted += usize::from(part.calls_in_text + part.errors_in_text > 0);
            counts.adherent += usize::from(is_adherent && part.calls_in_text > 0);
        }
    }

    fn add_problem(&mut self, problem: &Row) {
        for (value, &(name, unit)) in self.key.iter_mut().zip(&self.by.0) {
            let is_known =
                unit == Unit::Finding || OF_PROBLEMS.contains(&name) && problem.shown(name).is_some();
            if !is_known {
                return;
            }
            set(value, problem, name);
        }
        let place = self.place();
        self.counts[place].add_finding(problem, 1);
    }

    /// The part of a completion that this call, or this finding about it, belongs to.
    fn part(&mut self, completion: &Completion, call: Option<&Row>, finding: Option<&Row>) -> usize {
        for (value, &(name, unit)) in self.key.iter_mut().zip(&self.by.0) {
            let row = match unit {
                Unit::Completion => Some(&completion.row),
                Unit::Item => finding.or(call),
                Unit::Call => call,
                Unit::Finding => finding,
            };
            match row {
                Some(row) => set(value, row, name),
                None => *value = None,
            }
        }
        let group = self.place();
        let known = self.parts.iter().position(|part| part.group == group);
        known.unwrap_or_else(|| {
            self.parts.push(Part {
                group,
                ..Part::default()
            });
            self.parts.len() - 1
        })
    }

    /// The place of the group whose key is being looked up.
    fn place(&mut self) -> usize {
        if let Some(&place) = self.places.get(&self.key) {
            return place;
        }
        self.counts.push(Counts::default());
        self.places.insert(self.key.clone(), self.counts.len() - 1);
        self.counts.len() - 1
    }
}

/// The levels of the stats table, and their columns.
const LEVELS: [(&str, &[&str]); 4] = [
    ("all", &[]),
    ("model", &["model"]),
    ("model_expected", &["model", "expected_syntax"]),
    ("model_expected_syntax", &["model", "expected_syntax", "syntax"]),
];

/// The rows of the stats table, counted from the other tables of all these runs.
///
/// # Errors
///
/// When a table cannot be read.
pub fn levels(runs: &[Run]) -> Result<Vec<StatsRow>, Error> {
    let mut levels: Vec<(&'static str, Groups)> = LEVELS
        .iter()
        .map(|&(level, columns)| {
            let by = By::new(columns.iter().copied()).expect("the levels have columns of the tables");
            (level, Groups::new(by))
        })
        .collect();
    let columns = levels.iter().fold(Columns::default(), |columns, (_, groups)| {
        columns.and(&groups.by.columns())
    });
    for run in runs {
        for entry in run.entries(&columns)? {
            let entry = entry?;
            for (_, groups) in &mut levels {
                groups.add(&entry);
            }
        }
    }
    let row = |level, (key, counts): (&Key, &Counts)| {
        let name = |place: usize| key.get(place).and_then(Option::as_ref);
        counts.row(level, [name(0), name(1), name(2)])
    };
    let rows = levels.iter().flat_map(|(level, groups)| {
        let rows = groups.rows().into_iter();
        rows.map(|group| row(level, group))
    });
    Ok(rows.collect())
}

/// Puts what stands in a column into `value`, whose memory is used again.
fn set(value: &mut Option<String>, row: &Row, column: &str) {
    match (row.shown(column), value.as_mut()) {
        (Some(found), Some(value)) => {
            value.clear();
            value.push_str(&found);
        }
        (found, _) => *value = found.map(Cow::into_owned),
    }
}

/// Whether a call or a finding stands in the completion's text: calls that were logged as structure do not.
fn is_in_text(item: &Row) -> bool {
    item.text("syntax").is_some_and(|syntax| syntax != NATIVE)
}

fn is_error(finding: &Row) -> bool {
    finding.text("severity") == Some("error")
}
