//! The arguments of `toolscan sniff`.

use std::ffi::OsString;

use clap::Args;

/// Say how logs would be read: their format and why, where things are found in it, the first completion.
#[derive(Args)]
#[command(after_help = "\
Examples:
  toolscan sniff logs/*.jsonl
  toolscan sniff run.jsonl --json | jq -r '.[].format'

What is guessed wrongly is said with `toolscan ingest --input-format NAME`, what is not known at all with
`--map 'text=turns[role=assistant].content, id=run.id'`.")]
pub(crate) struct SniffArgs {
    /// Logs to look at: files, folders of them, globs, or `-` for stdin.
    #[arg(required = true, value_name = "FILE")]
    pub(crate) inputs: Vec<OsString>,
    /// Print a JSON array instead.
    #[arg(long)]
    pub(crate) json: bool,
}
