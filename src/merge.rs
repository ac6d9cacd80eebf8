//! The tables of all parts of a run, made with `--shard`, become those of the one run.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use arrow_array::RecordBatch;
use rayon::ThreadPool;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::error::Error;
use crate::input::{Share, Source, digest};
use crate::read::Run;
use crate::table::{Batches, Output, Place, StatsSums, TABLES, Writing};

/// The key under which the tables of a part say which part they are.
pub const NOTE: &str = "shard";

/// Which part of a run some tables are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PartNote {
    part: u32,
    of: u32,
    /// Of the names and sizes of all sources, of which the part had a share.
    inputs: u64,
}

impl PartNote {
    /// The note of this share of these sources.
    pub fn new(share: Share, all_sources: &[Source]) -> Self {
        Self {
            part: share.part(),
            of: share.of(),
            inputs: digest(all_sources),
        }
    }

    /// As it is kept with the tables.
    pub fn text(&self) -> String {
        serde_json::to_string(self).expect("numbers can be written")
    }
}

/// What was merged.
#[derive(Clone, Debug, Default)]
pub struct Merged {
    /// How many parts there were.
    pub parts: usize,
    /// Rows of `calls`, `errors` and `completions`.
    pub rows: [usize; 3],
}

/// The parts of one run, in order and checked: all of them are there, and they belong together.
pub struct Parts(Vec<Part>);

struct Part {
    note: PartNote,
    run: Run,
}

impl Parts {
    /// Opens the tables of these parts, named as [`Run::open`] takes them, in any order.
    ///
    /// # Errors
    ///
    /// When tables cannot be read; [`Error::Usage`] when they are no parts, or not all parts of one run.
    pub fn open(names: &[PathBuf]) -> Result<Self, Error> {
        let parts = Run::open_all(names)?.into_iter().map(Part::new);
        let mut parts = parts.collect::<Result<Vec<_>, _>>()?;
        parts.sort_by_key(|part| part.note.part);
        for pair in parts.windows(2) {
            pair[0].check_beside(&pair[1])?;
        }
        check_all_there(&parts)?;
        Ok(Self(parts))
    }

    /// Writes the tables that the one run over all sources would have written, byte for byte.
    ///
    /// # Errors
    ///
    /// When tables cannot be read or written; then nothing stands in the output's place.
    pub fn merge(&self, place: &Arc<Place>, force: bool, pool: &Arc<ThreadPool>) -> Result<Merged, Error> {
        self.spare_parts(&place.paths().calls)?;
        let options = self.0.first().map_or("", |part| &part.run.options);
        let mut output = Output::create(place, Writing { options, force }, pool)?;
        let mut merged = Merged {
            parts: self.0.len(),
            ..Merged::default()
        };
        let mut stats = StatsSums::default();
        for Part { run, .. } in &self.0 {
            append(run, &mut output, &mut merged.rows)?;
            for batch in run.batches(TABLES[3])? {
                if !stats.add(&batch?) {
                    let reason = "there are counts in it that no run writes; make the part again";
                    return Err(Error::failed("read", run.paths().stats.display(), reason));
                }
            }
        }
        output.commit(stats.batch(), self.manifest(options))?;
        Ok(merged)
    }

    /// What the manifest of the merged tables says.
    fn manifest(&self, options: &str) -> Map<String, Value> {
        let parts = self.0.iter().map(|part| Value::from(part.run.name()));
        let options = serde_json::from_str(options).unwrap_or_default();
        Map::from_iter([
            ("options".to_owned(), options),
            ("parts".to_owned(), parts.collect()),
        ])
    }

    /// Refuses to write a table over a part's.
    fn spare_parts(&self, calls: &Path) -> Result<(), Error> {
        let Ok(target) = calls.canonicalize() else {
            return Ok(());
        };
        let is_target = |part: &&Part| {
            part.run
                .paths()
                .calls
                .canonicalize()
                .is_ok_and(|path| path == target)
        };
        match self.0.iter().find(is_target) {
            Some(part) => Err(Error::Usage(format!(
                "cannot write the tables: {}: it is one of the parts; choose another --out",
                part.run.name()
            ))),
            None => Ok(()),
        }
    }
}

/// Appends the rows of a run's tables, and counts them.
fn append(run: &Run, output: &mut Output, rows: &mut [usize; 3]) -> Result<(), Error> {
    for (place, table) in TABLES.into_iter().take(3).enumerate() {
        for batch in run.batches(table)? {
            let batch = batch?;
            rows[place] += batch.num_rows();
            let mut batches = [0, 1, 2].map(|table| RecordBatch::new_empty(TABLES[table].schema()));
            batches[place] = batch;
            let [calls, errors, completions] = batches;
            output.write(Batches {
                calls,
                errors,
                completions,
            })?;
        }
    }
    Ok(())
}

impl Part {
    fn new(run: Run) -> Result<Self, Error> {
        let own = env!("CARGO_PKG_VERSION");
        if run.version != own {
            return Err(Error::Usage(format!(
                "cannot merge {}: toolscan {} wrote it, and this is {own}; merge with the version that wrote it",
                run.name(),
                run.version,
            )));
        }
        let note = run
            .shard
            .as_deref()
            .and_then(|note| serde_json::from_str(note).ok());
        match note {
            Some(note) => Ok(Self { note, run }),
            None => Err(Error::Usage(format!(
                "{} is no part of a run: only tables that `toolscan ingest --shard` wrote can be merged",
                run.name()
            ))),
        }
    }

    /// Sees whether the next part is another one of the same run.
    fn check_beside(&self, next: &Self) -> Result<(), Error> {
        let why = if self.note.of != next.note.of {
            format!("one is of {} parts, the other of {}", self.note.of, next.note.of)
        } else if self.note.inputs != next.note.inputs {
            "their inputs differ, in names or sizes; every part must be given the same, unchanged inputs"
                .to_owned()
        } else if let Some(option) = different_option([&self.run.options, &next.run.options]) {
            format!("they were made with different options: `{option}`")
        } else if self.note.part == next.note.part {
            format!("both are part {} of {}", self.note.part, self.note.of)
        } else {
            return Ok(());
        };
        let names = [self, next].map(|part| part.run.name()).join(" and ");
        Err(Error::Usage(format!("cannot merge {names}: {why}")))
    }
}

/// An option in which the two differ.
fn different_option(options: [&str; 2]) -> Option<String> {
    if options[0] == options[1] {
        return None;
    }
    let [own, other] =
        options.map(|text| serde_json::from_str::<Map<String, Value>>(text).unwrap_or_default());
    let mut names = own.keys().chain(other.keys());
    let different = names.find(|&name| own.get(name) != other.get(name));
    Some(different.cloned().unwrap_or_default())
}

/// Missing parts that are named.
const MOST_NAMED: usize = 10;

/// All parts must be there; they belong together and no two are the same.
fn check_all_there(parts: &[Part]) -> Result<(), Error> {
    let Some(of) = parts.first().map(|part| part.note.of) else {
        return Err(Error::Usage(
            "there is nothing to merge; name the parts".to_owned(),
        ));
    };
    let there: BTreeSet<_> = parts.iter().map(|part| part.note.part).collect();
    let missing = (1..=of).filter(|part| !there.contains(part));
    let missing: Vec<String> = missing.map(|part| part.to_string()).take(MOST_NAMED).collect();
    let Some(first) = missing.first() else {
        return Ok(());
    };
    let more = if missing.len() < MOST_NAMED { "" } else { ", …" };
    Err(Error::Usage(format!(
        "of {of} parts these are missing: {}{more}; make them with `toolscan ingest --shard {first}/{of}` and so on, or name them",
        missing.join(", "),
    )))
}
