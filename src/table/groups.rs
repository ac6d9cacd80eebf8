//! A stream of batches is cut into row groups, at places that depend on the rows alone.

use arrow_array::cast::AsArray;
use arrow_array::{Array, RecordBatch};
use arrow_schema::DataType;

/// How large a row group gets at most.
#[derive(Clone, Copy, Debug)]
pub(super) struct GroupLimits {
    pub(super) rows: usize,
    /// Bytes in memory. A row that is larger makes a group of its own.
    pub(super) bytes: usize,
}

impl Default for GroupLimits {
    /// Two groups are in memory for each table: one that fills and one that is encoded. Larger ones would compress
    /// better by one part in a hundred, and cost more: memory that is touched for the first time, and a last group
    /// that is encoded when nothing else is left to do.
    fn default() -> Self {
        Self {
            rows: 32_768,
            bytes: 8 << 20,
        }
    }
}

/// Cuts a stream of batches into row groups. A group takes all rows that fit, so that where it ends depends on the
/// rows and not on the batches in which they come.
#[derive(Debug, Default)]
pub(super) struct GroupCutter {
    limits: GroupLimits,
    pieces: Vec<RecordBatch>,
    rows: usize,
    bytes: usize,
}

impl GroupCutter {
    pub(super) fn new(limits: GroupLimits) -> Self {
        Self {
            limits,
            ..Self::default()
        }
    }

    /// Adds rows and returns the groups that are full: those that had no room for the row behind them.
    pub(super) fn push(&mut self, mut batch: RecordBatch) -> Vec<Vec<RecordBatch>> {
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
    pub(super) fn take(&mut self) -> Vec<RecordBatch> {
        std::mem::replace(self, Self::new(self.limits)).pieces
    }

    /// How many of the rows of `batch` the group has room for; at least one if it is empty.
    fn room(&self, batch: &RecordBatch) -> usize {
        let most = batch.num_rows().min(self.limits.rows - self.rows);
        let fits = |rows: usize| self.bytes + bytes_of_first(batch, rows) <= self.limits.bytes;
        if fits(most) {
            return most;
        }
        let (mut room, mut too_many) = (0, most);
        while too_many - room > 1 {
            let rows = usize::midpoint(room, too_many);
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
