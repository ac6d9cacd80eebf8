//! Options that say what is looked for in a text.

use std::path::PathBuf;

use clap::Args;

use super::{ThinkArg, syntax_names};

/// What to look for.
#[derive(Args)]
pub(crate) struct ScanArgs {
    /// Look for these syntaxes alone [default: all of them, or those of the config file].
    #[arg(long, value_delimiter = ',', value_name = "A,B,…", value_parser = syntax_names())]
    pub(crate) syntax: Vec<String>,
    /// What to do with the text between `<think>` and `</think>`: hide it and report calls in it, or scan it.
    #[arg(
        long,
        value_enum,
        default_value = "hide",
        value_name = "hide|scan",
        hide_possible_values = true
    )]
    pub(crate) think: ThinkArg,
    /// Turn every warning into an error.
    #[arg(long)]
    pub(crate) strict: bool,
    /// Read settings from this file [default: the nearest toolscan.toml, from here upwards].
    #[arg(long, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,
}
