//! The arguments of `toolscan stats`.

use std::path::PathBuf;

use clap::Args;
use toolscan::read::By;

use super::suggest::unknown;

/// Count the calls and findings of tables again, by model and syntax or by any columns.
#[derive(Args)]
#[command(after_help = "\
Examples:
  toolscan stats calls.parquet
  toolscan stats runs/*/calls.parquet --by model --md
  toolscan stats tables/ --by model,code,detail
  toolscan stats calls.parquet --by name,valid --csv > tools.csv

--by takes any columns of the tables completions, calls and errors (docs/tables.md). A completion
is in each group in which it has a call or a finding; one without either is in the group where the
columns of calls and findings are empty.")]
pub(crate) struct StatsArgs {
    /// Tables to read, of one run or several: what was given to `ingest --out`, or any of its files.
    #[arg(required = true, value_name = "TABLES")]
    pub(crate) tables: Vec<PathBuf>,
    /// Columns to group by, such as `model,syntax` or `source` or `code,detail` [default: the levels of the stats
    /// table].
    #[arg(long, value_name = "COLUMN,…", value_parser = by)]
    pub(crate) by: Option<By>,
    /// Print a Markdown table.
    #[arg(long, group = "format")]
    pub(crate) md: bool,
    /// Print a JSON array.
    #[arg(long, group = "format")]
    pub(crate) json: bool,
    /// Print comma-separated values.
    #[arg(long, group = "format")]
    pub(crate) csv: bool,
}

fn by(names: &str) -> Result<By, String> {
    let names = names.split(',').map(str::trim).filter(|name| !name.is_empty());
    By::new(names).map_err(|name| unknown("column", name, &By::known()))
}
