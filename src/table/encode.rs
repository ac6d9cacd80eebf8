//! A row group of Arrow arrays becomes compressed Parquet columns, whose bytes depend on the rows alone.

use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::{Float64Type, Int32Type, Int64Type};
use arrow_array::{
    Array, ArrayRef, BooleanArray, Float64Array, Int32Array, Int64Array, ListArray, RecordBatch, StringArray,
};
use arrow_schema::{DataType, Field, Schema};
use arrow_select::concat::concat;
use parquet::arrow::arrow_writer::{ArrowColumnChunk, ArrowColumnWriter, compute_leaves};
use parquet::basic::{Compression, Encoding, ZstdLevel};
use parquet::file::metadata::KeyValue;
use parquet::file::properties::{EnabledStatistics, WriterProperties, WriterVersion};
use parquet::schema::types::ColumnPath;
use rayon::prelude::*;

use super::{Column, KEYS, Kind, SCHEMA_VERSION, Table};

/// The columns of a row group, or why they could not be encoded.
pub(super) type Encoded = parquet::errors::Result<Vec<ArrowColumnChunk>>;

/// Encodes and compresses a row group, its columns in parallel.
pub(super) fn encode(schema: &Schema, pieces: &[RecordBatch], writers: Vec<ArrowColumnWriter>) -> Encoded {
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

/// A text to be kept with a table.
pub(super) fn note(key: &str, text: &str) -> KeyValue {
    KeyValue::new(format!("toolscan.{key}"), text.to_owned())
}

/// How a table is stored: zstd level 1; dictionaries where values repeat; statistics where they could help to skip.
pub(super) fn properties(table: &Table, options: &str) -> WriterProperties {
    let metadata = vec![
        note("version", env!("CARGO_PKG_VERSION")),
        note("schema_version", SCHEMA_VERSION),
        note("table", table.name),
        note("options", options),
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
            // Of the words only those of the keys are the same for long stretches of rows.
            Kind::Word if !KEYS.iter().any(|key| key.name == column.name) => {
                builder.set_column_statistics_enabled(name(), EnabledStatistics::None)
            }
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
