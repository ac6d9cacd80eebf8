//! `toolscan merge`: the tables of a run's parts become one run's.

use std::process::ExitCode;
use std::sync::Arc;

use serde_json::{Map, Value, json};
use toolscan::Error;
use toolscan::merge::{Merged, Parts};
use toolscan::table::{OutputPaths, Place};

use super::interrupt::clean_up_on_signals;
use super::pool;
use super::print::{print_json, say};
use crate::cli::MergeArgs;

pub(crate) fn run(args: &MergeArgs) -> Result<ExitCode, Error> {
    let parts = Parts::open(&args.parts)?;
    let place = Arc::new(Place::new(OutputPaths::from_arg(&args.out)));
    clean_up_on_signals(&place)?;
    let merged = parts.merge(&place, args.force, &Arc::new(pool(None)?))?;
    let paths = place.paths();
    if !args.quiet {
        say(&text(&merged, paths));
    }
    if args.json {
        print_json(&report(&merged, paths))?;
    }
    Ok(ExitCode::SUCCESS)
}

fn text(merged: &Merged, paths: &OutputPaths) -> String {
    let [calls, errors, completions] = merged.rows;
    let plural = if merged.parts == 1 { "" } else { "s" };
    let mut text = format!(
        "{} part{plural}: rows of calls {calls}, errors {errors}, completions {completions}\n",
        merged.parts,
    );
    for (name, path) in paths.named() {
        text += &format!("{name:12} {}\n", path.display());
    }
    text
}

fn report(merged: &Merged, paths: &OutputPaths) -> Value {
    let [calls, errors, completions] = merged.rows;
    let tables = paths
        .named()
        .map(|(name, path)| (name.to_owned(), json!(path.display().to_string())));
    json!({
        "toolscan": env!("CARGO_PKG_VERSION"),
        "parts": merged.parts,
        "rows": {"calls": calls, "errors": errors, "completions": completions},
        "tables": Map::from_iter(tables),
    })
}
