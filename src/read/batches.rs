//! Whole tables, row group by row group, as they were written.

use arrow_array::RecordBatch;
use parquet::errors::ParquetError;

use super::Run;
use super::run::{builder, failed};
use crate::error::Error;
use crate::table::Table;

impl Run {
    /// The rows of a table with all columns: a batch for each row group.
    ///
    /// # Errors
    ///
    /// When the file cannot be read; that of an element also where its columns are not those of the table.
    pub fn batches(
        &self,
        table: &'static Table,
    ) -> Result<impl Iterator<Item = Result<RecordBatch, Error>>, Error> {
        let path = self.path(table.name).to_owned();
        let groups = 0..builder(&path)?.metadata().num_row_groups();
        Ok(groups.map(move |group| {
            let builder = builder(&path)?;
            let rows = builder.metadata().row_group(group).num_rows() as usize;
            let reader = builder.with_row_groups(vec![group]).with_batch_size(rows).build();
            let batch = reader.and_then(|mut reader| Ok(reader.next().transpose()?));
            let batch: Option<RecordBatch> = batch.map_err(|error| failed(&path, error))?;
            let columns = batch.map_or(Vec::new(), |batch| batch.columns().to_vec());
            RecordBatch::try_new(table.schema(), columns)
                .map_err(|error| failed(&path, ParquetError::General(error.to_string())))
        }))
    }
}
