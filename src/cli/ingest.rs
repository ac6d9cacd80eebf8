//! The arguments of `toolscan ingest`.

use std::path::PathBuf;

use clap::Args;

use super::{ScanArgs, syntax_names};

/// Read logs and write four Parquet tables: calls, errors, completions and stats.
#[derive(Args)]
#[command(after_help = "\
Examples:
  toolscan ingest logs/*.jsonl --out calls.parquet
  toolscan ingest logs/ --out tables/ --syntax execute_block --expect execute_block
  zcat old.jsonl.gz | toolscan ingest - --out calls.parquet --text-field result.text
  toolscan ingest run.jsonl --out calls.parquet --quiet --json | jq .adherent_rate

`--out calls.parquet` writes calls.parquet, calls.errors.parquet, calls.completions.parquet and
calls.stats.parquet; `--out DIR/` writes calls.parquet, errors.parquet, completions.parquet and stats.parquet
into the folder. Tables appear whole or not at all.

A line that cannot be read never stops a run: it is a row in the errors table.")]
pub(crate) struct IngestArgs {
    /// Logs to read: JSONL files, folders of them, globs (quoted ones too), or `-` for stdin.
    #[arg(required = true, value_name = "INPUT")]
    pub(crate) inputs: Vec<PathBuf>,
    /// Where the tables go: a file name ending in .parquet, or a folder.
    #[arg(short, long, value_name = "PATH")]
    pub(crate) out: PathBuf,

    #[command(flatten)]
    pub(crate) scan: ScanArgs,

    /// The syntax that the model was asked to use, where neither the record nor the config says it.
    #[arg(long, value_name = "SYNTAX", value_parser = syntax_names(), help_heading = "Fields")]
    pub(crate) expect: Option<String>,
    /// Field with the syntax that was asked for, e.g. `meta.format` [default: expected_syntax].
    #[arg(long, value_name = "PATH", help_heading = "Fields")]
    pub(crate) expect_field: Option<String>,
    /// Field with the completion's text, e.g. `result.text` or `samples[].output` [default: found by itself].
    #[arg(long, value_name = "PATH", help_heading = "Fields")]
    pub(crate) text_field: Option<String>,
    /// Field with the record's id [default: found by itself].
    #[arg(long, value_name = "PATH", help_heading = "Fields")]
    pub(crate) id_field: Option<String>,
    /// Field with the model's name [default: found by itself].
    #[arg(long, value_name = "PATH", help_heading = "Fields")]
    pub(crate) model_field: Option<String>,
    /// The model of records that do not name one.
    #[arg(long, value_name = "NAME", help_heading = "Fields")]
    pub(crate) model: Option<String>,

    /// Check every whole line against the JSON standard, not only what toolscan reads of it.
    #[arg(long, help_heading = "Run")]
    pub(crate) validate_records: bool,
    /// Skip records larger than this, in bytes [default: 64 MiB].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..), help_heading = "Run")]
    pub(crate) max_record_bytes: Option<u64>,
    /// Threads to use [default: one a core].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..), help_heading = "Run")]
    pub(crate) threads: Option<u16>,
    /// Bytes of a log that one thread takes at a time. The tables do not depend on it.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..), hide = true)]
    pub(crate) shard_bytes: Option<u64>,
    /// Print one JSON object about the run on stdout.
    #[arg(long, help_heading = "Run")]
    pub(crate) json: bool,
    /// Print neither progress nor summary.
    #[arg(short, long, help_heading = "Run")]
    pub(crate) quiet: bool,
}
