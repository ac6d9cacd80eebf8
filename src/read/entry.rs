//! The tables of a run put together again: each completion with its calls and findings.
//!
//! All tables are in input order, so one walk over the three of them does, and no more than one completion's rows are
//! held at a time.

use super::rows::{Row, Rows};
use super::run::Run;
use crate::diagnostic::stands_for;
use crate::error::Error;
use crate::table::{TABLES, Table};

/// Which columns are read, by table. Those that hold the tables together are always read: `source`, `line`,
/// `choice`, the counts of `completions`, and `code` and `message` of `errors`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Columns {
    completions: Vec<&'static str>,
    calls: Vec<&'static str>,
    errors: Vec<&'static str>,
}

const PLACE: [&str; 3] = ["source", "line", "choice"];

impl Default for Columns {
    fn default() -> Self {
        Self::new(&[], &[], &[])
    }
}

impl Columns {
    /// These columns of `completions`, `calls` and `errors`.
    pub fn new(completions: &[&'static str], calls: &[&'static str], errors: &[&'static str]) -> Self {
        let with = |own: &[&'static str], more: &[&'static str]| {
            let mut all: Vec<&'static str> = [&PLACE, own].concat();
            all.extend(more);
            let mut seen = Vec::new();
            all.retain(|column| {
                !seen.contains(column) && {
                    seen.push(*column);
                    true
                }
            });
            all
        };
        Self {
            completions: with(&["channel", "n_calls", "n_errors", "n_warnings"], completions),
            calls: with(&[], calls),
            errors: with(&["code", "message"], errors),
        }
    }

    /// These and those of `other`.
    pub fn and(&self, other: &Columns) -> Self {
        Self::new(
            &[&self.completions[..], &other.completions].concat(),
            &[&self.calls[..], &other.calls].concat(),
            &[&self.errors[..], &other.errors].concat(),
        )
    }

    /// All columns of the three tables.
    pub fn all() -> Self {
        let names = |name: &str| -> Vec<&'static str> {
            let table: &Table = TABLES
                .iter()
                .find(|table| table.name == name)
                .expect("it is a table");
            table.columns().map(|column| column.name).collect()
        };
        Self::new(&names("completions"), &names("calls"), &names("errors"))
    }
}

/// What a run tells of, in input order.
#[derive(Clone, Debug)]
pub enum Entry {
    /// A completion.
    Completion(Completion),
    /// A finding about a whole record or a source: a row of `errors` alone.
    Problem(Row),
}

/// A completion with what was found in it.
#[derive(Clone, Debug)]
pub struct Completion {
    /// Its row of `completions`.
    pub row: Row,
    /// Its rows of `calls`.
    pub calls: Vec<Row>,
    /// Its rows of `errors`.
    pub findings: Vec<Finding>,
}

/// A row of `errors`.
#[derive(Clone, Debug)]
pub struct Finding {
    /// The row.
    pub row: Row,
    /// How many findings it stands for: one, or those of its code that are counted and not listed.
    pub times: usize,
}

impl Completion {
    /// Whether it is what the model thought, not what it said: no completion of its own in the counts.
    pub fn is_reasoning(&self) -> bool {
        self.row.text("channel") == Some("reasoning")
    }
}

/// The completions of a run, and what was found about whole records.
pub struct Entries {
    completions: Rows,
    calls: Rows,
    errors: Rows,
}

impl Entries {
    pub(super) fn open(run: &Run, columns: &Columns) -> Result<Self, Error> {
        Ok(Self {
            completions: run.rows("completions", &columns.completions)?,
            calls: run.rows("calls", &columns.calls)?,
            errors: run.rows("errors", &columns.errors)?,
        })
    }

    fn entry(&mut self) -> Result<Option<Entry>, Error> {
        if let Some(row) = self.errors.peek()?
            && row.int("choice").is_none()
        {
            self.errors.step();
            return Ok(Some(Entry::Problem(row)));
        }
        let Some(row) = self.completions.next().transpose()? else {
            return self.expect_end();
        };
        let calls = self.calls(&row)?;
        let findings = self.findings(&row)?;
        Ok(Some(Entry::Completion(Completion { row, calls, findings })))
    }

    fn calls(&mut self, completion: &Row) -> Result<Vec<Row>, Error> {
        let mut found = Vec::new();
        for _ in 0..completion.count("n_calls") {
            found.push(next_of(&mut self.calls, completion)?);
        }
        Ok(found)
    }

    fn findings(&mut self, completion: &Row) -> Result<Vec<Finding>, Error> {
        let mut found = Vec::new();
        let mut left = completion.count("n_errors") + completion.count("n_warnings");
        while left > 0 {
            let row = next_of(&mut self.errors, completion)?;
            let code = row.text("code").unwrap_or_default();
            let times = stands_for(code, row.text("message").unwrap_or_default());
            left = left.checked_sub(times).ok_or_else(|| apart(&self.errors))?;
            found.push(Finding { row, times });
        }
        Ok(found)
    }

    /// Nothing, if no table has rows left.
    fn expect_end(&mut self) -> Result<Option<Entry>, Error> {
        for rows in [&mut self.calls, &mut self.errors] {
            if rows.peek()?.is_some() {
                return Err(apart(rows));
            }
        }
        Ok(None)
    }
}

impl Iterator for Entries {
    type Item = Result<Entry, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        self.entry().transpose()
    }
}

/// The next row, which has to be about this completion.
fn next_of(rows: &mut Rows, completion: &Row) -> Result<Row, Error> {
    match rows.next().transpose()? {
        Some(row) if is_of(&row, completion) => Ok(row),
        _ => Err(apart(rows)),
    }
}

fn is_of(row: &Row, completion: &Row) -> bool {
    row.int("line") == completion.int("line")
        && row.int("choice") == completion.int("choice")
        && row.text("source") == completion.text("source")
}

fn apart(rows: &Rows) -> Error {
    let reason = "its rows do not fit those of `completions` beside it: they are of another run, or were filtered or \
                  sorted; make the tables again with `toolscan ingest`";
    Error::failed("read tables", rows.path().display(), reason)
}
