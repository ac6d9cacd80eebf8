//! Tables become Parquet files: row groups that depend on the rows alone, encoded on all threads; files that
//! appear whole or not at all.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, sync_channel};

use arrow_array::cast::AsArray;
use arrow_array::types::{Float64Type, Int32Type, Int64Type};
use arrow_array::{
    Array, ArrayRef, BooleanArray, Float64Array, Int32Array, Int64Array, ListArray, RecordBatch, StringArray,
};
use arrow_schema::{DataType, Field, Schema, SchemaRef};
use arrow_select::concat::concat;
use parquet::arrow::ArrowSchemaConverter;
use parquet::arrow::arrow_writer::{
    ArrowColumnChunk, ArrowColumnWriter, ArrowRowGroupWriterFactory, compute_leaves,
};
use parquet::basic::{Compression, Encoding, ZstdLevel};
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::{EnabledStatistics, WriterProperties, WriterVersion};
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::ColumnPath;
use rayon::ThreadPool;
use rayon::prelude::*;
use tempfile::NamedTempFile;

use super::{Batches, Column, Kind, SCHEMA_VERSION, Stats, Table, calls, completions, errors, stats};
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
    /// The paths that `--out` names. What ends in a slash, or is a directory, gets `calls.parquet`,
    /// `errors.parquet` and so on into it; else it is the file of `calls`, and the others stand beside it:
    /// `x.parquet`, `x.errors.parquet`, `x.completions.parquet`, `x.stats.parquet`.
    pub fn from_arg(arg: &Path) -> Self {
        let is_directory = arg
            .as_os_str()
            .to_string_lossy()
            .ends_with(std::path::is_separator)
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
            file.push(arg.extension().unwrap_or("parquet".as_ref()));
            arg.with_file_name(file)
        };
        Self {
            calls: arg.to_owned(),
            errors: file("errors"),
            completions: file("completions"),
            stats: file("stats"),
        }
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
        let create = |table, path| TableWriter::create(table, path, options, pool);
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

    /// Writes the counts, brings all files safely to the disk, and puts them into their places.
    pub fn commit(mut self, stats: &Stats) -> Result<(), Error> {
        self.stats.write(stats.batch())?;
        let mut writers = [self.calls, self.errors, self.completions, self.stats];
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
        sync_directory(&directory)
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

type Encoded = parquet::errors::Result<Vec<ArrowColumnChunk>>;

impl TableWriter {
    fn create(table: &Table, target: &Path, options: &str, pool: &Arc<ThreadPool>) -> Result<Self, Error> {
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
            groups: GroupCutter::default(),
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
        self.cut_last()?;
        self.receive()?;
        let closed = self.file.finish().and_then(|_| self.file.into_inner());
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

/// Brings the new names themselves to the disk.
fn sync_directory(directory: &Path) -> Result<(), Error> {
    if cfg!(not(unix)) {
        return Ok(());
    }
    File::open(directory)
        .and_then(|directory| directory.sync_all())
        .map_err(|cause| Error::io("sync", directory.display(), cause))
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

/// How a table is stored: zstd level 1; dictionaries where values repeat; statistics where they could help to skip.
fn properties(table: &Table, options: &str) -> WriterProperties {
    let entry = |key: &str, value: &str| KeyValue::new(format!("toolscan.{key}"), value.to_owned());
    let metadata = vec![
        entry("version", env!("CARGO_PKG_VERSION")),
        entry("schema_version", SCHEMA_VERSION),
        entry("table", table.name),
        entry("options", options),
    ];
    let mut builder = WriterProperties::builder()
        .set_writer_version(WriterVersion::PARQUET_1_0)
        .set_created_by(concat!("toolscan version ", env!("CARGO_PKG_VERSION")).to_owned())
        .set_compression(Compression::ZSTD(
            ZstdLevel::try_new(1).expect("zstd has a level 1"),
        ))
        .set_statistics_enabled(EnabledStatistics::Chunk)
        .set_key_value_metadata(Some(metadata));
    for column in table.columns() {
        let name = || ColumnPath::from(column.name);
        builder = match column.kind {
            Kind::Word | Kind::Index | Kind::Count | Kind::Number | Kind::Flag => builder,
            Kind::Id => builder.set_column_dictionary_enabled(name(), false),
            Kind::LongText => builder
                .set_column_dictionary_enabled(name(), false)
                .set_column_statistics_enabled(name(), EnabledStatistics::None),
            Kind::Offset => builder
                .set_column_dictionary_enabled(name(), false)
                .set_column_encoding(name(), Encoding::DELTA_BINARY_PACKED),
            Kind::Words => {
                builder.set_column_statistics_enabled(elements(column, &[]), EnabledStatistics::None)
            }
            Kind::CodeCounts => ["code", "count"].into_iter().fold(builder, |builder, field| {
                builder.set_column_statistics_enabled(elements(column, &[field]), EnabledStatistics::None)
            }),
        };
    }
    builder.build()
}

/// The path of what the elements of a list column hold.
fn elements(column: &Column, fields: &[&str]) -> ColumnPath {
    let list = [column.name, "list", "element"];
    ColumnPath::new(list.iter().chain(fields).map(|&part| part.to_owned()).collect())
}

/// Rows of a row group, at most.
const GROUP_ROWS: usize = 131_072;
/// Bytes in memory of a row group, at most, if it has more than one row. Two of them are held for each table: one
/// that fills and one that is encoded.
const GROUP_BYTES: usize = 32 << 20;

/// Cuts a stream of batches into row groups. A group takes all rows that fit, so that where it ends depends on the
/// rows and not on the batches in which they come.
#[derive(Default)]
struct GroupCutter {
    pieces: Vec<RecordBatch>,
    rows: usize,
    bytes: usize,
}

impl GroupCutter {
    /// Adds rows and returns the groups that are full: those that had no room for the row behind them.
    fn push(&mut self, mut batch: RecordBatch) -> Vec<Vec<RecordBatch>> {
        let mut full = Vec::new();
        while batch.num_rows() > 0 {
            let room = self.room(&batch);
            if room == 0 {
                full.push(self.take());
                continue;
            }
            let piece = batch.slice(0, room);
            batch = batch.slice(room, batch.num_rows() - room);
            self.rows += room;
            self.bytes += bytes_of_first(&piece, room);
            self.pieces.push(piece);
        }
        full
    }

    /// The rows that wait for their group to fill.
    fn take(&mut self) -> Vec<RecordBatch> {
        std::mem::take(self).pieces
    }

    /// How many of the rows of `batch` the group has room for; at least one if it is empty.
    fn room(&self, batch: &RecordBatch) -> usize {
        let most = batch.num_rows().min(GROUP_ROWS - self.rows);
        let fits = |rows: usize| self.bytes + bytes_of_first(batch, rows) <= GROUP_BYTES;
        let (mut room, mut too_many) = (0, most + 1);
        if fits(most) {
            room = most;
        }
        while room + 1 < too_many && room < most {
            let rows = room + (too_many - room) / 2;
            if fits(rows) {
                room = rows;
            } else {
                too_many = rows;
            }
        }
        room.max(usize::from(self.rows == 0))
    }
}

/// Bytes that the first `rows` rows take in memory, counted alike however the rows are cut into batches.
fn bytes_of_first(batch: &RecordBatch, rows: usize) -> usize {
    batch.columns().iter().map(|column| bytes_of(column, rows)).sum()
}

fn bytes_of(array: &dyn Array, rows: usize) -> usize {
    match array.data_type() {
        DataType::Utf8 => {
            let offsets = array.as_string::<i32>().value_offsets();
            4 * rows + (offsets[rows] - offsets[0]) as usize
        }
        DataType::List(_) => {
            let list = array.as_list::<i32>();
            let (start, end) = (
                list.value_offsets()[0] as usize,
                list.value_offsets()[rows] as usize,
            );
            4 * rows + bytes_of(&list.values().slice(start, end - start), end - start)
        }
        DataType::Struct(_) => {
            let fields = array.as_struct().columns();
            fields.iter().map(|field| bytes_of(field, rows)).sum()
        }
        other => rows * other.primitive_width().unwrap_or(1),
    }
}

/// Encodes and compresses a row group, its columns in parallel.
fn encode(schema: &Schema, pieces: &[RecordBatch], writers: Vec<ArrowColumnWriter>) -> Encoded {
    let mut writers = writers.into_iter();
    let columns: Vec<_> = schema
        .fields()
        .iter()
        .map(|field| writers.by_ref().take(leaves(field.data_type())).collect())
        .collect();
    let chunks: parquet::errors::Result<Vec<_>> = columns
        .into_par_iter()
        .enumerate()
        .map(|(index, writers)| encode_column(schema.field(index), index, pieces, writers))
        .collect();
    Ok(chunks?.into_iter().flatten().collect())
}

fn encode_column(
    field: &Field,
    index: usize,
    pieces: &[RecordBatch],
    writers: Vec<ArrowColumnWriter>,
) -> Encoded {
    let arrays: Vec<&dyn Array> = pieces.iter().map(|piece| piece.column(index).as_ref()).collect();
    // One array, so that pages end where the rows say and not where the pieces do.
    let array = without_idle_nulls(concat(&arrays)?);
    let leaves = compute_leaves(field, &array)?;
    let encode = |(mut writer, leaf): (ArrowColumnWriter, _)| {
        writer.write(&leaf)?;
        writer.close()
    };
    writers.into_iter().zip(leaves).map(encode).collect()
}

/// The same array without a null buffer that marks no null: whether there is one depends on how rows were cut into
/// batches, and the writer ends pages elsewhere where it sees one.
fn without_idle_nulls(array: ArrayRef) -> ArrayRef {
    if array.nulls().is_none() || array.null_count() > 0 {
        return array;
    }
    match array.data_type() {
        DataType::Utf8 => {
            let strings = array.as_string::<i32>();
            Arc::new(StringArray::new(
                strings.offsets().clone(),
                strings.values().clone(),
                None,
            ))
        }
        DataType::Int32 => Arc::new(Int32Array::new(
            array.as_primitive::<Int32Type>().values().clone(),
            None,
        )),
        DataType::Int64 => Arc::new(Int64Array::new(
            array.as_primitive::<Int64Type>().values().clone(),
            None,
        )),
        DataType::Float64 => {
            let numbers = array.as_primitive::<Float64Type>().values().clone();
            Arc::new(Float64Array::new(numbers, None))
        }
        DataType::Boolean => Arc::new(BooleanArray::new(array.as_boolean().values().clone(), None)),
        DataType::List(field) => {
            let list = array.as_list::<i32>();
            let (offsets, values) = (list.offsets().clone(), Arc::clone(list.values()));
            Arc::new(ListArray::new(Arc::clone(field), offsets, values, None))
        }
        other => unreachable!("no column holds {other}"),
    }
}

/// How many Parquet columns a column becomes.
fn leaves(data_type: &DataType) -> usize {
    match data_type {
        DataType::List(element) => leaves(element.data_type()),
        DataType::Struct(fields) => fields.iter().map(|field| leaves(field.data_type())).sum(),
        _ => 1,
    }
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
