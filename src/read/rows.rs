//! The rows of a table, read batch by batch; values are asked for by the names of their columns.

use std::borrow::Cow;
use std::path::PathBuf;
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::{Float64Type, Int32Type, Int64Type};
use arrow_array::{
    Array, ArrayRef, BooleanArray, Float64Array, Int32Array, Int64Array, ListArray, RecordBatch, StringArray,
};
use arrow_schema::DataType;
use parquet::arrow::arrow_reader::ParquetRecordBatchReader;
use parquet::errors::ParquetError;

use super::run::failed;
use crate::error::Error;

/// The rows of a table, in order.
pub struct Rows {
    path: PathBuf,
    reader: ParquetRecordBatchReader,
    names: Arc<[&'static str]>,
    batch: Arc<Batch>,
    next: usize,
}

impl Rows {
    pub(super) fn new(path: PathBuf, reader: ParquetRecordBatchReader, names: &[&'static str]) -> Self {
        Self {
            path,
            reader,
            names: names.into(),
            batch: Arc::default(),
            next: 0,
        }
    }

    /// Where they come from.
    pub(super) fn path(&self) -> &PathBuf {
        &self.path
    }

    /// The next batch, if this one is through; `None` behind the last.
    fn advance(&mut self) -> Result<Option<()>, Error> {
        while self.next == self.batch.rows {
            let Some(batch) = self.reader.next() else {
                return Ok(None);
            };
            let batch =
                batch.map_err(|error| failed(&self.path, ParquetError::General(error.to_string())))?;
            self.batch = Arc::new(
                Batch::new(&batch, &self.names)
                    .map_err(|reason| Error::failed("read", self.path.display(), reason))?,
            );
            self.next = 0;
        }
        Ok(Some(()))
    }

    /// The row that comes next, which stays the next.
    ///
    /// # Errors
    ///
    /// When the file cannot be read.
    pub fn peek(&mut self) -> Result<Option<Row>, Error> {
        let found = self.advance()?;
        Ok(found.map(|()| Row {
            batch: Arc::clone(&self.batch),
            row: self.next,
        }))
    }

    /// Goes on to the row behind the one that was peeked at.
    pub fn step(&mut self) {
        self.next = (self.next + 1).min(self.batch.rows);
    }
}

impl Iterator for Rows {
    type Item = Result<Row, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        let row = self.peek().transpose()?;
        self.step();
        Some(row)
    }
}

/// A row of a table. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Row {
    batch: Arc<Batch>,
    row: usize,
}

impl Row {
    /// The text in a column of text; `None` for null, and where there is no such column.
    pub fn text(&self, column: &str) -> Option<&str> {
        match self.batch.column(column)? {
            Values::Text(array) => array.is_valid(self.row).then(|| array.value(self.row)),
            _ => None,
        }
    }

    /// The number in a column of whole numbers.
    pub fn int(&self, column: &str) -> Option<i64> {
        match self.batch.column(column)? {
            Values::Int32(array) => array.is_valid(self.row).then(|| array.value(self.row).into()),
            Values::Int64(array) => array.is_valid(self.row).then(|| array.value(self.row)),
            _ => None,
        }
    }

    /// A count, which no table has below zero.
    pub fn count(&self, column: &str) -> usize {
        let count = self.int(column).unwrap_or_default();
        usize::try_from(count).unwrap_or_default()
    }

    /// The number in a column of any numbers.
    pub fn number(&self, column: &str) -> Option<f64> {
        match self.batch.column(column)? {
            Values::Number(array) => array.is_valid(self.row).then(|| array.value(self.row)),
            _ => self.int(column).map(|number| number as f64),
        }
    }

    /// The flag in a column of flags.
    pub fn flag(&self, column: &str) -> Option<bool> {
        match self.batch.column(column)? {
            Values::Flag(array) => array.is_valid(self.row).then(|| array.value(self.row)),
            _ => None,
        }
    }

    /// The words in a column of lists; none for null.
    pub fn words(&self, column: &str) -> Vec<String> {
        let Some(Values::Words(array)) = self.batch.column(column) else {
            return Vec::new();
        };
        if array.is_null(self.row) {
            return Vec::new();
        }
        let words = array.value(self.row);
        let words = words.as_string::<i32>().iter().flatten();
        words.map(str::to_owned).collect()
    }

    /// Any value as text, lists with commas between their words; `None` for null.
    pub fn shown(&self, column: &str) -> Option<Cow<'_, str>> {
        match self.batch.column(column)? {
            Values::Text(_) => self.text(column).map(Cow::Borrowed),
            Values::Int32(_) | Values::Int64(_) => self.int(column).map(|number| number.to_string().into()),
            Values::Number(_) => self.number(column).map(|number| number.to_string().into()),
            Values::Flag(_) => self.flag(column).map(|flag| flag.to_string().into()),
            Values::Words(array) => array
                .is_valid(self.row)
                .then(|| self.words(column).join(", ").into()),
        }
    }
}

/// A batch of rows, its columns of known types.
#[derive(Debug, Default)]
struct Batch {
    columns: Vec<(&'static str, Values)>,
    rows: usize,
}

#[derive(Debug)]
enum Values {
    Text(StringArray),
    Int32(Int32Array),
    Int64(Int64Array),
    Number(Float64Array),
    Flag(BooleanArray),
    Words(ListArray),
}

impl Batch {
    /// The named columns of a batch, or what is wrong with one of them.
    fn new(batch: &RecordBatch, names: &[&'static str]) -> Result<Self, String> {
        let mut columns = Vec::with_capacity(names.len());
        for &name in names {
            let array = batch
                .column_by_name(name)
                .ok_or_else(|| format!("it has no column `{name}`"))?;
            let values = Values::new(array)
                .ok_or_else(|| format!("its column `{name}` holds {}", array.data_type()))?;
            columns.push((name, values));
        }
        Ok(Self {
            columns,
            rows: batch.num_rows(),
        })
    }

    fn column(&self, name: &str) -> Option<&Values> {
        let mut columns = self.columns.iter();
        columns
            .find(|(known, _)| *known == name)
            .map(|(_, values)| values)
    }
}

impl Values {
    fn new(array: &ArrayRef) -> Option<Self> {
        Some(match array.data_type() {
            DataType::Utf8 => Self::Text(array.as_string::<i32>().clone()),
            DataType::Int32 => Self::Int32(array.as_primitive::<Int32Type>().clone()),
            DataType::Int64 => Self::Int64(array.as_primitive::<Int64Type>().clone()),
            DataType::Float64 => Self::Number(array.as_primitive::<Float64Type>().clone()),
            DataType::Boolean => Self::Flag(array.as_boolean().clone()),
            DataType::List(element) if *element.data_type() == DataType::Utf8 => {
                Self::Words(array.as_list::<i32>().clone())
            }
            _ => return None,
        })
    }
}
