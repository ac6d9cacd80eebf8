//! Tables become Parquet files, encoded on all threads, that appear whole or not at all.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, sync_channel};

use arrow_array::RecordBatch;
use arrow_schema::SchemaRef;
use parquet::arrow::ArrowSchemaConverter;
use parquet::arrow::arrow_writer::{ArrowColumnChunk, ArrowRowGroupWriterFactory};
use parquet::errors::ParquetError;
use parquet::file::writer::SerializedFileWriter;
use rayon::ThreadPool;
use tempfile::NamedTempFile;

use super::encode::{Encoded, encode, note, properties};
use super::groups::{GroupCutter, GroupLimits};
use super::{Batches, Table, calls, completions, errors, stats};
use crate::error::Error;

/// Where the four tables go.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutputPaths {
    /// File of `calls`.
    pub calls: PathBuf,
    /// File of `errors`.
    pub errors: PathBuf,
    /// File of `completions`.
    pub completions: PathBuf,
    /// File of `stats`.
    pub stats: PathBuf,
}

impl OutputPaths {
    /// The paths that `--out` names. What ends in a slash, has no extension, or is a directory, gets
    /// `calls.parquet`, `errors.parquet` and so on into it; else it is the file of `calls`, and the others stand
    /// beside it: `x.parquet`, `x.errors.parquet`, `x.completions.parquet`, `x.stats.parquet`.
    pub fn from_arg(arg: &Path) -> Self {
        let is_directory = arg
            .as_os_str()
            .to_string_lossy()
            .ends_with(std::path::is_separator)
            || arg.extension().is_none()
            || arg.is_dir();
        if is_directory {
            let file = |name: &str| arg.join(format!("{name}.parquet"));
            return Self {
                calls: file("calls"),
                errors: file("errors"),
                completions: file("completions"),
                stats: file("stats"),
            };
        }
        let file = |name: &str| {
            let mut file = OsString::from(arg.file_stem().unwrap_or_default());
            file.push(format!(".{name}."));
            file.push(arg.extension().unwrap_or_default());
            arg.with_file_name(file)
        };
        Self {
            calls: arg.to_owned(),
            errors: file("errors"),
            completions: file("completions"),
            stats: file("stats"),
        }
    }

    /// The files with the names of their tables.
    pub fn named(&self) -> [(&'static str, &Path); 4] {
        [
            ("calls", &self.calls),
            ("errors", &self.errors),
            ("completions", &self.completions),
            ("stats", &self.stats),
        ]
    }
}

/// The four files while they are written, beside the places where they will be.
///
/// Rows come in input order from one caller, cut into batches anyhow: the bytes of the files depend on the rows
/// alone. Dropped before [`Output::commit`], it leaves nothing behind and earlier files as they were.
pub struct Output {
    calls: TableWriter,
    errors: TableWriter,
    completions: TableWriter,
    stats: TableWriter,
}

impl Output {
    /// Creates the temporary files, and the directories they stand in where there are none. `options` is the JSON
    /// text that is kept with every table as `toolscan.options`. Row groups are encoded in `pool`; the caller
    /// must not be one of its threads, for it waits for them.
    pub fn create(paths: &OutputPaths, options: &str, pool: &Arc<ThreadPool>) -> Result<Self, Error> {
        Self::with_limits(paths, options, GroupLimits::default(), pool)
    }

    pub(super) fn with_limits(
        paths: &OutputPaths,
        options: &str,
        limits: GroupLimits,
        pool: &Arc<ThreadPool>,
    ) -> Result<Self, Error> {
        let create = |table, path| TableWriter::create(table, path, options, limits, pool);
        Ok(Self {
            calls: create(&calls::TABLE, &paths.calls)?,
            errors: create(&errors::TABLE, &paths.errors)?,
            completions: create(&completions::TABLE, &paths.completions)?,
            stats: create(&stats::TABLE, &paths.stats)?,
        })
    }

    /// Appends rows. Returns when they are on their way, or first waits for earlier ones if too many are.
    pub fn write(&mut self, batches: Batches) -> Result<(), Error> {
        self.calls.write(batches.calls)?;
        self.errors.write(batches.errors)?;
        self.completions.write(batches.completions)
    }

    /// Keeps a text with every table, as `toolscan.` and this key.
    pub fn note(&mut self, key: &str, text: &str) {
        for table in [
            &mut self.calls,
            &mut self.errors,
            &mut self.completions,
            &mut self.stats,
        ] {
            table.file.append_key_value_metadata(note(key, text));
        }
    }

    /// Writes the rows of `stats`, brings all files safely to the disk, and puts them into their places.
    pub fn commit(mut self, stats: RecordBatch) -> Result<(), Error> {
        self.stats.write(stats)?;
        // `calls` last: where a new one stands, the others do too.
        let mut writers = [self.errors, self.completions, self.stats, self.calls];
        for writer in &mut writers {
            writer.cut_last()?;
        }
        let mut complete = Vec::new();
        for writer in writers {
            complete.push(writer.complete()?);
        }
        let directory = directory_of(&complete[0].target).to_owned();
        for file in complete {
            file.put_in_place()?;
        }
        sync_directory(&directory);
        Ok(())
    }
}

/// One file while it is written.
struct TableWriter {
    target: PathBuf,
    file: SerializedFileWriter<NamedTempFile>,
    schema: SchemaRef,
    factory: ArrowRowGroupWriterFactory,
    groups: GroupCutter,
    /// How many row groups were sent to be encoded.
    sent: usize,
    /// The last of them, until it is in the file.
    in_flight: Option<Receiver<Encoded>>,
    pool: Arc<ThreadPool>,
}

impl TableWriter {
    fn create(
        table: &Table,
        target: &Path,
        options: &str,
        limits: GroupLimits,
        pool: &Arc<ThreadPool>,
    ) -> Result<Self, Error> {
        let temporary = temporary_beside(target)?;
        let schema = table.schema();
        let parquet_schema = ArrowSchemaConverter::new()
            .convert(&schema)
            .expect("the tables hold only types that Parquet has");
        let properties = Arc::new(properties(table, options));
        let file = SerializedFileWriter::new(temporary, parquet_schema.root_schema_ptr(), properties)
            .map_err(|error| failed(target, error))?;
        Ok(Self {
            target: target.to_owned(),
            factory: ArrowRowGroupWriterFactory::new(&file, Arc::clone(&schema)),
            file,
            schema,
            groups: GroupCutter::new(limits),
            sent: 0,
            in_flight: None,
            pool: Arc::clone(pool),
        })
    }

    fn write(&mut self, batch: RecordBatch) -> Result<(), Error> {
        for group in self.groups.push(batch) {
            self.send(group)?;
        }
        Ok(())
    }

    /// Sends off the rows that did not fill a row group.
    fn cut_last(&mut self) -> Result<(), Error> {
        match self.groups.take() {
            group if group.is_empty() => Ok(()),
            group => self.send(group),
        }
    }

    /// Has a row group encoded, once the one before it is in the file.
    fn send(&mut self, group: Vec<RecordBatch>) -> Result<(), Error> {
        self.receive()?;
        let writers = self.factory.create_column_writers(self.sent);
        let writers = writers.map_err(|error| failed(&self.target, error))?;
        let schema = Arc::clone(&self.schema);
        let (sender, receiver) = sync_channel(1);
        self.pool.spawn(move || {
            // Nobody listens any more when the run has been given up.
            let _ = sender.send(encode(&schema, &group, writers));
        });
        self.sent += 1;
        self.in_flight = Some(receiver);
        Ok(())
    }

    /// Waits for the row group in flight and appends it to the file.
    fn receive(&mut self) -> Result<(), Error> {
        let Some(receiver) = self.in_flight.take() else {
            return Ok(());
        };
        debug_assert!(
            self.pool.current_thread_index().is_none(),
            "a thread of the pool would wait for itself"
        );
        let Ok(encoded) = receiver.recv() else {
            let reason = "a thread broke down while it encoded a row group";
            return Err(Error::failed("write", self.target.display(), reason));
        };
        encoded
            .and_then(|chunks| append(&mut self.file, chunks))
            .map_err(|error| failed(&self.target, error))
    }

    /// Finishes the file, and waits until it is on the disk.
    fn complete(mut self) -> Result<CompleteFile, Error> {
        self.receive()?;
        let closed = self.file.into_inner();
        let temporary = closed.map_err(|error| failed(&self.target, error))?;
        temporary
            .as_file()
            .sync_all()
            .map_err(|cause| Error::io("sync", self.target.display(), cause))?;
        Ok(CompleteFile {
            target: self.target,
            temporary,
        })
    }
}

/// A whole file that is on the disk, beside its place.
struct CompleteFile {
    target: PathBuf,
    temporary: NamedTempFile,
}

impl CompleteFile {
    fn put_in_place(self) -> Result<(), Error> {
        self.temporary
            .persist(&self.target)
            .map_err(|refused| Error::io("rename into place", self.target.display(), refused.error))?;
        Ok(())
    }
}

/// A new file in the directory of `target`, with a name that listings hide; gone when dropped.
fn temporary_beside(target: &Path) -> Result<NamedTempFile, Error> {
    if target.exists() && !target.is_file() {
        let message = format!(
            "--out: {} is no ordinary file; name another output",
            target.display()
        );
        return Err(Error::Usage(message));
    }
    let directory = directory_of(target);
    fs::create_dir_all(directory)
        .map_err(|cause| Error::io("create directory", directory.display(), cause))?;
    let mut builder = tempfile::Builder::new();
    builder.prefix(".toolscan-").suffix(".tmp");
    // Readable for whom the user's umask lets read, not only for the user as scratch files are.
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    builder
        .tempfile_in(directory)
        .map_err(|cause| Error::io("create a file in", directory.display(), cause))
}

fn directory_of(file: &Path) -> &Path {
    match file.parent() {
        Some(directory) if !directory.as_os_str().is_empty() => directory,
        _ => Path::new("."),
    }
}

/// Brings the new names themselves to the disk, as far as the system can: some file systems cannot, and by now the
/// files stand in their places.
fn sync_directory(directory: &Path) {
    if cfg!(unix) {
        let _ = File::open(directory).and_then(|directory| directory.sync_all());
    }
}

/// What the Parquet writer says, with the system's own reason where there is one.
fn failed(target: &Path, error: ParquetError) -> Error {
    let reason = match error {
        ParquetError::External(cause) => match cause.downcast::<io::Error>() {
            Ok(cause) => return Error::io("write", target.display(), *cause),
            Err(other) => other.to_string(),
        },
        other => other.to_string(),
    };
    Error::failed("write", target.display(), reason)
}

fn append(
    file: &mut SerializedFileWriter<NamedTempFile>,
    chunks: Vec<ArrowColumnChunk>,
) -> parquet::errors::Result<()> {
    let mut group = file.next_row_group()?;
    for chunk in chunks {
        chunk.append_to_row_group(&mut group)?;
    }
    group.close()?;
    Ok(())
}
