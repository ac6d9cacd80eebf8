//! The tables of one run: found from whatever of them the user names, and opened.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::{
    ArrowReaderMetadata, ArrowReaderOptions, ParquetRecordBatchReaderBuilder,
};
use parquet::errors::ParquetError;
use parquet::file::metadata::ParquetMetaData;

use super::entry::{Columns, Entries};
use super::rows::Rows;
use crate::error::Error;
use crate::table::{OutputPaths, SCHEMA_VERSION, TABLES, finish_killed_run};

/// The four tables that one `ingest` wrote.
#[derive(Clone, Debug)]
pub struct Run {
    paths: OutputPaths,
    /// The options that bear on the result, as JSON text.
    pub options: String,
    /// The version of toolscan that wrote the tables.
    pub version: String,
    /// Which part of a run they are, as JSON text, where `--shard` made them.
    pub shard: Option<String>,
}

impl Run {
    /// Opens the tables that `arg` names: the `--out` of a run, the folder of its tables, or any one of them.
    ///
    /// # Errors
    ///
    /// What cannot be opened, is no table of toolscan, is of an older schema, or lacks one of the four.
    pub fn open(arg: &Path) -> Result<Self, Error> {
        // Named by what was given to `--out`, or found from one of the tables.
        finish_killed_run(&OutputPaths::from_arg(arg))?;
        let paths = paths(arg)?;
        finish_killed_run(&paths)?;
        let calls = metadata(&paths.calls, "calls")?;
        for (path, table) in [
            (&paths.errors, "errors"),
            (&paths.completions, "completions"),
            (&paths.stats, "stats"),
        ] {
            let found = metadata(path, table)?;
            let differs = |key: &&str| value(&found, key) != value(&calls, key);
            if ["options", "shard"].iter().any(differs) {
                let reason = format!(
                    "it is of another run than {}; keep the four tables of a run together",
                    paths.calls.display()
                );
                return Err(Error::failed("read tables", path.display(), reason));
            }
        }
        Ok(Self {
            options: value(&calls, "options").unwrap_or_default().to_owned(),
            version: value(&calls, "version").unwrap_or_default().to_owned(),
            shard: value(&calls, "shard").map(str::to_owned),
            paths,
        })
    }

    /// Opens the tables of several runs, each run once, however many of its files are named.
    ///
    /// # Errors
    ///
    /// As [`Run::open`], for the first that fails.
    pub fn open_all(args: &[PathBuf]) -> Result<Vec<Self>, Error> {
        let mut runs: Vec<Self> = Vec::new();
        let mut seen = Vec::new();
        for arg in args {
            let run = Self::open(arg)?;
            let place = run.paths.calls.canonicalize().ok();
            if place.is_none() || !seen.contains(&place) {
                seen.push(place);
                runs.push(run);
            }
        }
        Ok(runs)
    }

    /// The file of `calls`, by which people know the run.
    pub fn name(&self) -> String {
        self.paths.calls.display().to_string()
    }

    /// The files of the tables.
    pub fn paths(&self) -> &OutputPaths {
        &self.paths
    }

    /// The rows of one of the tables, with these columns alone.
    ///
    /// # Errors
    ///
    /// When the file cannot be opened or read, or has no such column.
    pub fn rows(&self, table: &str, columns: &[&'static str]) -> Result<Rows, Error> {
        let path = self.path(table);
        let builder = builder(path)?;
        let schema = builder.parquet_schema();
        let missing = |column: &&&str| {
            schema
                .root_schema()
                .get_fields()
                .iter()
                .all(|field| field.name() != **column)
        };
        if let Some(column) = columns.iter().find(missing) {
            let reason = format!("it has no column `{column}`; make it again with `toolscan ingest`");
            return Err(Error::failed("read", path.display(), reason));
        }
        let mask = ProjectionMask::columns(schema, columns.iter().copied());
        let reader = builder
            .with_projection(mask)
            .build()
            .map_err(|error| failed(path, error))?;
        Ok(Rows::new(path.clone(), reader, columns))
    }

    /// The file of a table.
    pub(super) fn path(&self, table: &str) -> &PathBuf {
        match table {
            "calls" => &self.paths.calls,
            "errors" => &self.paths.errors,
            "completions" => &self.paths.completions,
            _ => &self.paths.stats,
        }
    }

    /// The completions in order, each with its calls and findings, and between them what was found about whole
    /// records.
    ///
    /// # Errors
    ///
    /// As [`Run::rows`].
    pub fn entries(&self, columns: &Columns) -> Result<Entries, Error> {
        Entries::open(self, columns)
    }
}

/// The files of the run that `arg` is, or is a part of.
fn paths(arg: &Path) -> Result<OutputPaths, Error> {
    if !arg.exists() {
        return Err(Error::io("open", arg.display(), io::ErrorKind::NotFound.into()));
    }
    if arg.is_dir() {
        let paths = OutputPaths::from_arg(arg);
        if !paths.calls.exists() {
            let reason = "there is no calls.parquet in this folder; name the file of a run's calls";
            return Err(Error::failed("read tables", arg.display(), reason));
        }
        return Ok(paths);
    }
    let found = open_metadata(arg)?;
    let table = value(&found, "table").ok_or_else(|| not_ours(arg))?;
    let calls = calls_beside(arg, table).ok_or_else(|| {
        let reason = format!("it is a table of {table}, and the calls of its run are not beside it");
        Error::failed("read tables", arg.display(), reason)
    })?;
    let beside = OutputPaths::from_arg(&calls);
    let in_folder = OutputPaths::from_arg(&calls.parent().unwrap_or(Path::new("")).join(""));
    let is_folder =
        !beside.completions.exists() && in_folder.calls == calls && in_folder.completions.exists();
    Ok(if is_folder { in_folder } else { beside })
}

/// The file of calls that stands beside this table of its run.
fn calls_beside(file: &Path, table: &str) -> Option<PathBuf> {
    if table == "calls" {
        return Some(file.to_owned());
    }
    let name = file.file_name()?.to_str()?;
    let extension = file.extension()?.to_str()?;
    let calls = match name.strip_suffix(&format!("{table}.{extension}"))? {
        "" => format!("calls.{extension}"),
        stem => format!("{stem}{extension}"),
    };
    let calls = file.with_file_name(calls);
    calls.exists().then_some(calls)
}

/// The metadata of a file that has to be this table, of a schema that can be read.
fn metadata(path: &Path, table: &str) -> Result<ArrowReaderMetadata, Error> {
    let found = open_metadata(path)?;
    match value(&found, "table") {
        None => return Err(not_ours(path)),
        Some(other) if other != table => {
            let reason = format!("expected the table of {table}, found that of {other}");
            return Err(Error::failed("read tables", path.display(), reason));
        }
        Some(_) => {}
    }
    let number = |version: &str| version.parse::<u32>().unwrap_or_default();
    let version = value(&found, "schema_version").unwrap_or("0");
    // Newer schemas only add columns.
    if number(version) < number(SCHEMA_VERSION) {
        let reason = format!(
            "its schema version is {version}, and this toolscan reads {SCHEMA_VERSION}; make it again with \
             `toolscan ingest`"
        );
        return Err(Error::failed("read tables", path.display(), reason));
    }
    Ok(found)
}

fn not_ours(path: &Path) -> Error {
    let names: Vec<_> = TABLES.iter().map(|table| table.name).collect();
    let reason = format!(
        "it is no table of toolscan ({}); name one that `toolscan ingest --out` wrote",
        names.join(", ")
    );
    Error::failed("read tables", path.display(), reason)
}

fn open_metadata(path: &Path) -> Result<ArrowReaderMetadata, Error> {
    let file = open(path)?;
    ArrowReaderMetadata::load(&file, options()).map_err(|error| failed(path, error))
}

pub(super) fn builder(path: &Path) -> Result<ParquetRecordBatchReaderBuilder<File>, Error> {
    let file = open(path)?;
    ParquetRecordBatchReaderBuilder::try_new_with_options(file, options())
        .map_err(|error| failed(path, error))
}

/// Types come from the columns themselves, whatever wrote them last.
fn options() -> ArrowReaderOptions {
    ArrowReaderOptions::new().with_skip_arrow_metadata(true)
}

fn open(path: &Path) -> Result<File, Error> {
    File::open(path).map_err(|cause| Error::io("open", path.display(), cause))
}

/// A value of the key-value metadata.
fn value<'m>(metadata: &'m ArrowReaderMetadata, key: &str) -> Option<&'m str> {
    let found: &ParquetMetaData = metadata.metadata();
    let entries = found.file_metadata().key_value_metadata()?;
    let entry = entries
        .iter()
        .find(|entry| entry.key.strip_prefix("toolscan.") == Some(key))?;
    entry.value.as_deref()
}

/// What the Parquet reader says.
pub(super) fn failed(path: &Path, error: ParquetError) -> Error {
    let reason = match error {
        ParquetError::General(reason) => reason,
        other => other.to_string(),
    };
    let reason = format!("{reason}; is it whole, and a Parquet file?");
    Error::failed("read", path.display(), reason)
}
