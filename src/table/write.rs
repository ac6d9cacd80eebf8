//! Tables become Parquet files, encoded on all threads, that appear whole or not at all.

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
use serde_json::{Map, Value};

use super::encode::{Encoded, encode, note, properties};
use super::files::Scratch;
use super::groups::{GroupCutter, GroupLimits};
use super::place::{Complete, Place};
use super::{Batches, Table, calls, completions, errors, stats};
use crate::error::Error;

/// The four files while they are written, beside the places where they will be.
///
/// Rows come in input order from one caller, cut into batches anyhow: the bytes of the files depend on the rows
/// alone. Dropped before [`Output::commit`], it leaves nothing behind and earlier files as they were.
pub struct Output {
    calls: TableWriter,
    errors: TableWriter,
    completions: TableWriter,
    stats: TableWriter,
    claim: Claim,
}

/// How to write.
#[derive(Clone, Copy, Debug, Default)]
pub struct Writing<'w> {
    /// JSON text that is kept with every table as `toolscan.options`.
    pub options: &'w str,
    /// Whether files that toolscan did not write are replaced.
    pub force: bool,
}

impl Output {
    /// Takes the place, with the directories that are missing, and creates scratch files there. Row groups are encoded
    /// in `pool`; the caller must not be one of its threads, for it waits for them.
    ///
    /// # Errors
    ///
    /// When another run is writing there, or the place cannot be written; [`Error::Usage`] when something stands there
    /// that is not to be replaced.
    pub fn create(place: &Arc<Place>, writing: Writing<'_>, pool: &Arc<ThreadPool>) -> Result<Self, Error> {
        Self::with_limits(place, writing, GroupLimits::default(), pool)
    }

    pub(super) fn with_limits(
        place: &Arc<Place>,
        writing: Writing<'_>,
        limits: GroupLimits,
        pool: &Arc<ThreadPool>,
    ) -> Result<Self, Error> {
        place.claim(writing.force)?;
        let claim = Claim(Arc::clone(place));
        let create = |table: &'static Table, target: &Path| {
            let scratch = place.scratch(table.name)?;
            TableWriter::create(table, target, scratch, writing.options, limits, pool)
        };
        let paths = place.paths();
        Ok(Self {
            calls: create(&calls::TABLE, &paths.calls)?,
            errors: create(&errors::TABLE, &paths.errors)?,
            completions: create(&completions::TABLE, &paths.completions)?,
            stats: create(&stats::TABLE, &paths.stats)?,
            claim,
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

    /// Writes the rows of `stats`, brings all files safely to the disk, and puts them into their places. `about` is
    /// what the manifest says of the run.
    ///
    /// # Errors
    ///
    /// When the disk refuses; then earlier files are as they were, or the new ones are whole and the next command
    /// that reads or writes them puts them into their places.
    pub fn commit(mut self, stats: RecordBatch, about: Map<String, Value>) -> Result<(), Error> {
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
        self.claim.0.publish(&complete, about)
    }
}

/// A place that is held; given up when dropped.
struct Claim(Arc<Place>);

impl Drop for Claim {
    fn drop(&mut self) {
        self.0.abandon();
    }
}

/// One file while it is written.
struct TableWriter {
    table: &'static str,
    target: PathBuf,
    file: SerializedFileWriter<Scratch>,
    schema: SchemaRef,
    factory: ArrowRowGroupWriterFactory,
    groups: GroupCutter,
    rows: usize,
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
        scratch: Scratch,
        options: &str,
        limits: GroupLimits,
        pool: &Arc<ThreadPool>,
    ) -> Result<Self, Error> {
        let schema = table.schema();
        let parquet_schema = ArrowSchemaConverter::new()
            .convert(&schema)
            .expect("the tables hold only types that Parquet has");
        let properties = Arc::new(properties(table, options));
        let file = SerializedFileWriter::new(scratch, parquet_schema.root_schema_ptr(), properties)
            .map_err(|error| failed(target, error))?;
        Ok(Self {
            table: table.name,
            target: target.to_owned(),
            factory: ArrowRowGroupWriterFactory::new(&file, Arc::clone(&schema)),
            file,
            schema,
            groups: GroupCutter::new(limits),
            rows: 0,
            sent: 0,
            in_flight: None,
            pool: Arc::clone(pool),
        })
    }

    fn write(&mut self, batch: RecordBatch) -> Result<(), Error> {
        self.rows += batch.num_rows();
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

    /// Finishes the file.
    fn complete(mut self) -> Result<Complete, Error> {
        self.receive()?;
        let closed = self.file.into_inner();
        Ok(Complete {
            table: self.table,
            scratch: closed.map_err(|error| failed(&self.target, error))?,
            rows: self.rows as u64,
        })
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
    file: &mut SerializedFileWriter<Scratch>,
    chunks: Vec<ArrowColumnChunk>,
) -> parquet::errors::Result<()> {
    let mut group = file.next_row_group()?;
    for chunk in chunks {
        chunk.append_to_row_group(&mut group)?;
    }
    group.close()?;
    Ok(())
}
