//! A whole run within the process, as `toolscan ingest` does it.
#![allow(dead_code, unreachable_pub, missing_docs)]

use std::path::{Path, PathBuf};
use std::sync::Arc;

use rayon::{ThreadPool, ThreadPoolBuilder};
use tempfile::TempDir;
use toolscan::Scanner;
use toolscan::input::{Limits, Source};
use toolscan::pipeline::{self, Expectation, Offers, Options, Summary};
use toolscan::record::Fields;
use toolscan::table::{Output, OutputPaths, Place, Writing};
use toolscan::validate::tools::Dialect;

/// Settings of an ordinary run.
pub fn options(scanner: Scanner) -> Options {
    let names = scanner.syntaxes().iter().map(|syntax| syntax.name()).collect();
    Options {
        scanner,
        strict: false,
        fields: Fields::default(),
        expectation: Expectation::new(names),
        offers: Offers::new(None, Dialect::default()),
        requests: None,
        model: None,
        validate_records: false,
        limits: Limits::default(),
    }
}

/// A pool of this many threads.
pub fn pool(threads: usize) -> Arc<ThreadPool> {
    let pool = ThreadPoolBuilder::new().num_threads(threads).build();
    Arc::new(pool.expect("the machine gives a few threads"))
}

/// The sources of these files.
pub fn sources(paths: &[PathBuf]) -> Vec<Source> {
    let paths = paths.iter().cloned();
    paths.map(|path| Source::file(path, None)).collect()
}

/// Reads the sources and writes the tables.
pub fn run(options: &Options, sources: &[Source], pool: &Arc<ThreadPool>, directory: &Path) -> Summary {
    let mut output = output(pool, directory);
    let summary = pipeline::run(options, sources, pool, &mut output, &|_| {});
    let summary = summary.expect("the tables can be written");
    output
        .commit(summary.stats.batch(), serde_json::Map::new())
        .expect("the tables can be written");
    summary
}

/// Tables about to be written to a directory.
pub fn output(pool: &Arc<ThreadPool>, directory: &Path) -> Output {
    let place = Arc::new(Place::new(OutputPaths::from_arg(&directory.join("tables/"))));
    Output::create(&place, Writing::default(), pool).expect("the tables can be created")
}

/// Calls that a run found.
pub fn calls(summary: &Summary) -> usize {
    let rows = summary.stats.rows();
    let all = rows.iter().find(|row| row.level == "all");
    all.map_or(0, |row| row.calls)
}

/// A directory in memory where the system has one, so that no disk is measured.
pub fn directory() -> TempDir {
    let memory = Path::new("/dev/shm");
    let directory = if memory.is_dir() {
        TempDir::new_in(memory)
    } else {
        TempDir::new()
    };
    directory.expect("a temporary directory can be made")
}
