//! The arguments of `toolscan generate`.

use std::path::PathBuf;

use clap::Args;

use super::syntax_names;

/// Write a synthetic log with a known truth, the same for the same seed.
///
/// Beside the log (`demo.jsonl`) stands its truth (`demo.truth.jsonl`): for each record every sound call that was
/// written, and the fault that was injected with the codes that it earns.
#[derive(Args)]
#[command(after_help = "\
Examples:
  toolscan generate --records 1000 --out demo.jsonl
  toolscan generate --seed 7 --syntax execute_block --fault-rate 0.2 --ascii --out faulty.jsonl
  toolscan generate --records 100000 | toolscan ingest - --out calls.parquet")]
pub(crate) struct GenerateArgs {
    /// Where to write the log; `-` is stdout, without a truth.
    #[arg(short, long, value_name = "FILE", default_value = "-")]
    pub(crate) out: PathBuf,
    /// Where the random numbers begin.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) seed: u64,
    /// How many records to write.
    #[arg(long, value_name = "N", default_value_t = 1000)]
    pub(crate) records: u64,
    /// Syntaxes to write, all of them if not given; one that is named twice comes twice as often.
    #[arg(long, value_name = "NAME,…", value_delimiter = ',', value_parser = syntax_names())]
    pub(crate) syntax: Vec<String>,
    /// Share of the completions with calls that hold a fault, 0 to 1.
    #[arg(long, value_name = "SHARE", default_value_t = 0.1, value_parser = share)]
    pub(crate) fault_rate: f64,
    /// Share of the completions that hold no call, 0 to 1.
    #[arg(long, value_name = "SHARE", default_value_t = 0.2, value_parser = share)]
    pub(crate) no_call_rate: f64,
    /// Number of models, each asked for one of the syntaxes.
    #[arg(long, value_name = "N", default_value_t = 5)]
    pub(crate) model_count: usize,
    /// Largest number of paragraphs of prose in one place.
    #[arg(long, value_name = "N", default_value_t = 3)]
    pub(crate) paragraphs: usize,
    /// Escape everything that is not ASCII, as Python's json does by default.
    #[arg(long)]
    pub(crate) ascii: bool,
}

fn share(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(share) if (0.0..=1.0).contains(&share) => Ok(share),
        _ => Err("a share is a number from 0 to 1".to_owned()),
    }
}
