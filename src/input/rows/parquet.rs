//! Parquet files: row group by row group.

use std::fs::File;
use std::io;
use std::path::Path;

use arrow_array::RecordBatch;
use parquet::arrow::arrow_reader::{
    ArrowReaderMetadata, ArrowReaderOptions, ParquetRecordBatchReader, ParquetRecordBatchReaderBuilder,
};

use super::{Batches, damaged};
use crate::input::open::Taken;

/// Bytes of rows, unpacked, that are decoded at once, more or less.
const BATCH_BYTES: i64 = 4 << 20;

/// The most rows that are decoded at once.
const BATCH_ROWS: i64 = 4096;

/// Whether a Parquet file begins so.
pub(in crate::input) fn is_parquet(head: &[u8]) -> bool {
    head.starts_with(b"PAR1")
}

/// Whether toolscan wrote the file: a table about logs is no log.
pub(in crate::input) fn is_own_table(path: &Path) -> bool {
    let is_own = |metadata: ArrowReaderMetadata| {
        let pairs = metadata.metadata().file_metadata().key_value_metadata();
        pairs.is_some_and(|pairs| pairs.iter().any(|pair| pair.key == "toolscan.table"))
    };
    metadata(path).is_ok_and(|(_, metadata)| is_own(metadata))
}

/// Sees whether a Parquet file can be read, and is a log.
pub(in crate::input) fn check(path: &Path) -> io::Result<()> {
    metadata(path)?;
    match is_own_table(path) {
        true => Err(io::Error::other(
            "it is a table that toolscan wrote; name the logs that it is about",
        )),
        false => Ok(()),
    }
}

fn metadata(path: &Path) -> io::Result<(File, ArrowReaderMetadata)> {
    let file = File::open(path)?;
    let metadata = ArrowReaderMetadata::load(&file, ArrowReaderOptions::new());
    Ok((file, metadata.map_err(|error| damaged("Parquet file", error))?))
}

/// The rows of a file, some of a row group at a time.
pub(in crate::input) struct RowGroups {
    file: File,
    metadata: ArrowReaderMetadata,
    /// The row group that follows.
    group: usize,
    reader: Option<ParquetRecordBatchReader>,
    taken: Taken,
    /// Bytes of the file that were not counted yet.
    left: u64,
}

impl RowGroups {
    pub(in crate::input) fn open(path: &Path, taken: Taken) -> io::Result<Self> {
        let (file, metadata) = metadata(path)?;
        let left = file.metadata()?.len();
        // What was looked at to know the file is counted with the rest.
        taken.take();
        Ok(Self {
            file,
            metadata,
            group: 0,
            reader: None,
            taken,
            left,
        })
    }

    /// Goes to the next row group. False behind the last.
    fn advance(&mut self) -> io::Result<bool> {
        let groups = self.metadata.metadata().row_groups();
        if let Some(before) = self.group.checked_sub(1).and_then(|before| groups.get(before)) {
            let packed = u64::try_from(before.compressed_size())
                .unwrap_or(0)
                .min(self.left);
            self.left -= packed;
            self.taken.add(packed);
        }
        let Some(group) = groups.get(self.group) else {
            self.taken.add(std::mem::take(&mut self.left));
            return Ok(false);
        };
        let row_bytes = group.total_byte_size() / group.num_rows().max(1);
        let rows = (BATCH_BYTES / row_bytes.max(1)).clamp(1, BATCH_ROWS);
        let builder =
            ParquetRecordBatchReaderBuilder::new_with_metadata(self.file.try_clone()?, self.metadata.clone());
        let reader = builder
            .with_row_groups(vec![self.group])
            .with_batch_size(rows as usize)
            .build();
        self.reader = Some(reader.map_err(|error| damaged("Parquet file", error))?);
        self.group += 1;
        Ok(true)
    }
}

impl Batches for RowGroups {
    fn next(&mut self) -> io::Result<Option<RecordBatch>> {
        loop {
            if let Some(batch) = self.reader.as_mut().and_then(Iterator::next) {
                return batch.map(Some).map_err(|error| damaged("Parquet file", error));
            }
            self.reader = None;
            if !self.advance()? {
                return Ok(None);
            }
        }
    }
}
