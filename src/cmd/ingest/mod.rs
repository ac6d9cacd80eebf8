//! `toolscan ingest`: logs in, tables out.

use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;

use indicatif::{ProgressBar, ProgressStyle};
use rayon::prelude::*;
use toolscan::Error;
use toolscan::input::{self, Identity, Source, Stand};
use toolscan::merge::{self, PartNote};
use toolscan::pipeline::{self, Requests, Summary};
use toolscan::table::{Output, OutputPaths, Place, Writing};

use super::interrupt::clean_up_on_signals;
use super::pool;
use super::print::{print_json, say};
use crate::cli::{IngestArgs, Settings};

mod summary;

use summary::Report;

pub(crate) fn run(args: &IngestArgs) -> Result<ExitCode, Error> {
    let settings = Settings::resolve(&args.scan)?;
    let tools = args.tools.read(&settings.config)?;
    let requests = args.join_requests.as_deref().map(Requests::read).transpose()?;
    let description = args.describe(&settings, tools.as_ref(), requests.as_ref());
    let options = args.options(&settings, tools, requests)?;
    let sources = input::expand(&args.inputs)?;
    let place = Arc::new(Place::new(OutputPaths::from_arg(&args.out)));
    spare_inputs(&sources, place.paths())?;
    let part = args.shard.map(|share| PartNote::new(share, &sources));
    let sources = match args.shard {
        Some(share) => share.of_sources(sources)?,
        None => sources,
    };

    clean_up_on_signals(&place)?;
    let pool = Arc::new(pool(args.threads)?);
    let writing = Writing {
        options: &description,
        force: args.force,
    };
    let mut output = Output::create(&place, writing, &pool)?;
    if let Some(part) = part {
        output.note(merge::NOTE, &part.text());
    }
    let stands: Vec<_> = sources.iter().map(Stand::of).collect();
    let bar = progress(&sources, args.quiet);
    let summary = pipeline::run(&options, &sources, &pool, &mut output, &|bytes| bar.inc(bytes))?;
    let inputs = pool.install(|| identities(&sources, stands));

    let report = Report {
        summary: &summary,
        inputs: &inputs,
        shard: args.shard,
        paths: place.paths(),
        tools_field: options.fields.tools.as_ref().map(ToString::to_string),
        config: settings.config.path.as_deref(),
    };
    output.commit(summary.stats.batch(), report.manifest(&description))?;
    bar.finish_and_clear();
    if !args.quiet {
        say(&report.text());
    }
    if args.json {
        print_json(&report.json())?;
    }
    Ok(exit_code(&summary))
}

/// What the sources are known by, which `stands` had before they were read.
fn identities(sources: &[Source], stands: Vec<Option<Stand>>) -> Vec<Identity> {
    let sources = sources.par_iter().zip(stands);
    sources
        .map(|(source, stand)| Identity::of(source, stand))
        .collect()
}

/// Refuses to write a table over a log that is to be read.
fn spare_inputs(sources: &[Source], paths: &OutputPaths) -> Result<(), Error> {
    let tables = paths.named().map(|(_, path)| path.to_owned());
    let targets: Vec<_> = tables
        .iter()
        .chain([&paths.manifest()])
        .filter_map(|path| path.canonicalize().ok())
        .collect();
    let is_target = |path: &Path| path.canonicalize().is_ok_and(|path| targets.contains(&path));
    match sources
        .iter()
        .find(|source| source.path.as_deref().is_some_and(is_target))
    {
        Some(source) => Err(Error::Usage(format!(
            "cannot write the tables: {}: it is one of the inputs; choose another --out",
            source.name
        ))),
        None => Ok(()),
    }
}

/// A progress line on stderr, drawn only where that is a terminal.
fn progress(sources: &[Source], quiet: bool) -> ProgressBar {
    if quiet {
        return ProgressBar::hidden();
    }
    let total: Option<u64> = sources.iter().map(|source| source.size).sum();
    let (bar, template) = match total {
        Some(total) => (
            ProgressBar::new(total),
            "{bar:30} {percent:>3} %  {bytes} of {total_bytes}  {bytes_per_sec}  {eta} left",
        ),
        None => (ProgressBar::no_length(), "{spinner} {bytes}  {bytes_per_sec}"),
    };
    let style = ProgressStyle::with_template(template).expect("the template is well formed");
    bar.with_style(style)
}

fn exit_code(summary: &Summary) -> ExitCode {
    for source in &summary.truncated_sources {
        let source = super::visible::line(source);
        say(&format!(
            "toolscan: cannot read to the end: {source}; what was read is in the tables
"
        ));
    }
    ExitCode::from(u8::from(!summary.truncated_sources.is_empty()))
}
