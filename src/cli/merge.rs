//! The arguments of `toolscan merge`.

use std::path::PathBuf;

use clap::Args;

/// Put the tables of a run's parts together, as one run would have written them.
#[derive(Args)]
#[command(after_help = "\
Examples:
  toolscan ingest logs/ --shard 1/3 --out parts/1/
  toolscan ingest logs/ --shard 2/3 --out parts/2/
  toolscan ingest logs/ --shard 3/3 --out parts/3/
  toolscan merge parts/*/ --out calls.parquet

Every part is made by `toolscan ingest --shard i/n` with the same inputs and options, on any machine
and in any order. The merged tables are those of the one run over all inputs, byte for byte.")]
pub(crate) struct MergeArgs {
    /// The parts, all of them, in any order: what their `--out` named, or any file of theirs.
    #[arg(required = true, value_name = "PART")]
    pub(crate) parts: Vec<PathBuf>,
    /// Where the tables go: a file, such as calls.parquet, or a folder.
    #[arg(short, long, value_name = "PATH")]
    pub(crate) out: PathBuf,
    /// Replace files that toolscan did not write.
    #[arg(long)]
    pub(crate) force: bool,
    /// Print one JSON object about the result on stdout.
    #[arg(long)]
    pub(crate) json: bool,
    /// Print no summary.
    #[arg(short, long)]
    pub(crate) quiet: bool,
}
