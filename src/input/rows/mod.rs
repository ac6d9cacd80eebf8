//! Tables as logs: each row is a record, written as JSON.

use std::io;

use arrow_array::RecordBatch;

use super::apart::{Found, HEAD_BYTES, Records};

mod ipc;
mod json;
mod parquet;

pub(super) use ipc::{Stream, is_arrow};
pub(super) use parquet::{RowGroups, check, is_own_table, is_parquet};

/// Where the rows come from.
pub(super) trait Batches: Send {
    /// The next rows; `None` behind the last.
    fn next(&mut self) -> io::Result<Option<RecordBatch>>;
}

/// The rows of a table. `record_offset` is the row's number from 0: it has no bytes of its own.
pub(super) struct Rows<B> {
    batches: B,
    batch: Option<RecordBatch>,
    /// The next row of the batch, and of the table.
    row: usize,
    number: u64,
    /// Bytes of a record that are kept.
    record_bytes: usize,
}

impl<B: Batches> Rows<B> {
    pub(super) fn new(batches: B, record_bytes: usize) -> Self {
        Self {
            batches,
            batch: None,
            row: 0,
            number: 0,
            record_bytes,
        }
    }
}

impl<B: Batches> Records for Rows<B> {
    fn next(&mut self, bytes: &mut Vec<u8>) -> io::Result<Option<Found>> {
        loop {
            let Some(batch) = self.batch.as_ref().filter(|batch| self.row < batch.num_rows()) else {
                self.row = 0;
                self.batch = self.batches.next()?;
                if self.batch.is_none() {
                    return Ok(None);
                }
                continue;
            };
            let start = bytes.len();
            json::write_row(batch, self.row, bytes)?;
            let length = bytes.len() - start;
            if length > self.record_bytes {
                bytes.truncate(start + HEAD_BYTES.min(length));
            }
            let offset = self.number;
            self.row += 1;
            self.number += 1;
            return Ok(Some(Found {
                line: None,
                offset,
                bytes: start..bytes.len(),
                length: length as u64,
                is_whole: true,
            }));
        }
    }
}

fn damaged(what: &str, error: impl std::fmt::Display) -> io::Error {
    io::Error::new(
        io::ErrorKind::InvalidData,
        format!("the {what} cannot be read: {error}"),
    )
}
