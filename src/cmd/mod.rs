//! One file per subcommand, each with one `run`.

use std::process::ExitCode;

use rayon::{ThreadPool, ThreadPoolBuilder};
use toolscan::Error;

use crate::cli::Command;

mod codes;
mod completions;
mod docs;
mod explain;
mod generate;
mod grid;
mod ingest;
mod interrupt;
mod merge;
mod overview;
mod print;
mod sniff;
mod stats;
mod syntaxes;
mod visible;

pub(crate) use print::complain;
use print::say;

/// Carries out a command.
///
/// # Errors
///
/// Whatever stopped it; nothing was left half done.
pub(crate) fn run(command: Command) -> Result<ExitCode, Error> {
    match command {
        Command::Ingest(args) => ingest::run(&args),
        Command::Merge(args) => merge::run(&args),
        Command::Stats(args) => stats::run(&args),
        Command::Explain(args) => explain::run(&args),
        Command::Generate(args) => generate::run(&args),
        Command::Sniff(args) => sniff::run(&args),
        Command::Syntaxes(args) => syntaxes::run(&args),
        Command::Codes(args) => codes::run(&args),
        Command::Completions(args) => completions::run(&args),
        Command::Docs(args) => docs::run(&args),
    }
}

/// Threads to work on; by default one a core.
fn pool(threads: Option<u16>) -> Result<ThreadPool, Error> {
    ThreadPoolBuilder::new()
        .num_threads(threads.map_or(0, usize::from))
        .thread_name(|number| format!("worker-{number}"))
        .build()
        .map_err(|error| Error::failed("start threads", "this machine", error))
}
