//! A row → its JSON text.

use std::io::{self, Write};

use arrow_array::cast::AsArray;
use arrow_array::types::{
    Date32Type, Date64Type, Decimal128Type, Decimal256Type, DurationMicrosecondType, DurationMillisecondType,
    DurationNanosecondType, DurationSecondType, Float16Type, Float32Type, Float64Type, Int8Type, Int16Type,
    Int32Type, Int64Type, TimestampMicrosecondType, TimestampMillisecondType, TimestampNanosecondType,
    TimestampSecondType, UInt8Type, UInt16Type, UInt32Type, UInt64Type,
};
use arrow_array::{Array, RecordBatch};
use arrow_schema::{DataType, TimeUnit};

/// Adds a row as a JSON object on one line.
///
/// Members of structs that are null are left out: all structs of a column have the same members, so that those which the
/// log did not have are null. Times are the numbers that the table keeps; what JSON has no name for is null.
pub(super) fn write_row(batch: &RecordBatch, row: usize, out: &mut Vec<u8>) -> io::Result<()> {
    out.push(b'{');
    for (place, (field, column)) in batch
        .schema_ref()
        .fields()
        .iter()
        .zip(batch.columns())
        .enumerate()
    {
        write_key(field.name(), place > 0, out)?;
        write_value(column, row, out)?;
    }
    out.push(b'}');
    Ok(())
}

fn write_key(key: &str, is_later: bool, out: &mut Vec<u8>) -> io::Result<()> {
    if is_later {
        out.push(b',');
    }
    write_text(key, out)?;
    out.push(b':');
    Ok(())
}

fn write_text(text: &str, out: &mut Vec<u8>) -> io::Result<()> {
    Ok(serde_json::to_writer(out, text)?)
}

fn write_value(array: &dyn Array, row: usize, out: &mut Vec<u8>) -> io::Result<()> {
    macro_rules! number {
        ($kind:ty) => {
            write!(out, "{}", array.as_primitive::<$kind>().value(row))
        };
    }
    if array.is_null(row) {
        return out.write_all(b"null");
    }
    match array.data_type() {
        DataType::Boolean => write!(out, "{}", array.as_boolean().value(row)),
        DataType::Int8 => number!(Int8Type),
        DataType::Int16 => number!(Int16Type),
        DataType::Int32 => number!(Int32Type),
        DataType::Int64 => number!(Int64Type),
        DataType::UInt8 => number!(UInt8Type),
        DataType::UInt16 => number!(UInt16Type),
        DataType::UInt32 => number!(UInt32Type),
        DataType::UInt64 => number!(UInt64Type),
        DataType::Float16 => number!(Float16Type),
        DataType::Float32 => number!(Float32Type),
        DataType::Float64 => number!(Float64Type),
        DataType::Date32 => number!(Date32Type),
        DataType::Date64 => number!(Date64Type),
        DataType::Timestamp(TimeUnit::Second, _) => number!(TimestampSecondType),
        DataType::Timestamp(TimeUnit::Millisecond, _) => number!(TimestampMillisecondType),
        DataType::Timestamp(TimeUnit::Microsecond, _) => number!(TimestampMicrosecondType),
        DataType::Timestamp(TimeUnit::Nanosecond, _) => number!(TimestampNanosecondType),
        DataType::Duration(TimeUnit::Second) => number!(DurationSecondType),
        DataType::Duration(TimeUnit::Millisecond) => number!(DurationMillisecondType),
        DataType::Duration(TimeUnit::Microsecond) => number!(DurationMicrosecondType),
        DataType::Duration(TimeUnit::Nanosecond) => number!(DurationNanosecondType),
        DataType::Decimal128(..) => write!(
            out,
            "{}",
            array.as_primitive::<Decimal128Type>().value_as_string(row)
        ),
        DataType::Decimal256(..) => write!(
            out,
            "{}",
            array.as_primitive::<Decimal256Type>().value_as_string(row)
        ),
        DataType::Utf8 => write_text(array.as_string::<i32>().value(row), out),
        DataType::LargeUtf8 => write_text(array.as_string::<i64>().value(row), out),
        DataType::Utf8View => write_text(array.as_string_view().value(row), out),
        DataType::Binary => write_bytes(array.as_binary::<i32>().value(row), out),
        DataType::LargeBinary => write_bytes(array.as_binary::<i64>().value(row), out),
        DataType::BinaryView => write_bytes(array.as_binary_view().value(row), out),
        DataType::List(_) => write_list(&array.as_list::<i32>().value(row), out),
        DataType::LargeList(_) => write_list(&array.as_list::<i64>().value(row), out),
        DataType::FixedSizeList(..) => write_list(&array.as_fixed_size_list().value(row), out),
        DataType::Struct(_) => write_struct(array, row, out),
        DataType::Map(..) => write_map(array, row, out),
        DataType::Dictionary(..) => {
            let dictionary = array.as_any_dictionary();
            write_value(dictionary.values(), index(dictionary.keys(), row), out)
        }
        _ => out.write_all(b"null"),
    }
}

/// Text that was kept as bytes.
fn write_bytes(bytes: &[u8], out: &mut Vec<u8>) -> io::Result<()> {
    write_text(&String::from_utf8_lossy(bytes), out)
}

fn write_list(list: &dyn Array, out: &mut Vec<u8>) -> io::Result<()> {
    out.push(b'[');
    for row in 0..list.len() {
        if row > 0 {
            out.push(b',');
        }
        write_value(list, row, out)?;
    }
    out.push(b']');
    Ok(())
}

fn write_struct(array: &dyn Array, row: usize, out: &mut Vec<u8>) -> io::Result<()> {
    let array = array.as_struct();
    let members = array.fields().iter().zip(array.columns());
    let there = members.filter(|(_, column)| !column.is_null(row) && *column.data_type() != DataType::Null);
    out.push(b'{');
    for (place, (field, column)) in there.enumerate() {
        write_key(field.name(), place > 0, out)?;
        write_value(column, row, out)?;
    }
    out.push(b'}');
    Ok(())
}

fn write_map(array: &dyn Array, row: usize, out: &mut Vec<u8>) -> io::Result<()> {
    let entries = array.as_map().value(row);
    let (keys, values) = (entries.column(0), entries.column(1));
    out.push(b'{');
    for entry in 0..entries.len() {
        let mut key = Vec::new();
        write_value(keys, entry, &mut key)?;
        let key = String::from_utf8_lossy(&key);
        write_key(key.trim_matches('"'), entry > 0, out)?;
        write_value(values, entry, out)?;
    }
    out.push(b'}');
    Ok(())
}

/// The value of a dictionary's key.
fn index(keys: &dyn Array, row: usize) -> usize {
    macro_rules! key {
        ($kind:ty) => {
            usize::try_from(keys.as_primitive::<$kind>().value(row)).unwrap_or(usize::MAX)
        };
    }
    match keys.data_type() {
        DataType::Int8 => key!(Int8Type),
        DataType::Int16 => key!(Int16Type),
        DataType::Int32 => key!(Int32Type),
        DataType::Int64 => key!(Int64Type),
        DataType::UInt8 => key!(UInt8Type),
        DataType::UInt16 => key!(UInt16Type),
        DataType::UInt32 => key!(UInt32Type),
        _ => key!(UInt64Type),
    }
}
