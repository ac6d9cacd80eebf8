//! Whole runs within the process: from a log file to four Parquet files.

use std::fs;
use std::time::Duration;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use toolscan::{ScanOptions, Scanner, syntax};

mod common;
#[path = "common/run.rs"]
mod run;

use common::corpus::{Settings, records};
use run::{calls, directory, options, pool, run, sources};

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn whole(criterion: &mut Criterion) {
    let options = options(Scanner::new(syntax::all(), ScanOptions::default()));
    let directory = directory();
    let mut group = criterion.benchmark_group("whole");
    group.sample_size(20).measurement_time(Duration::from_secs(5));
    for (name, share) in [("no calls", 0.0), ("calls in 40 %", 0.4), ("calls in all", 1.0)] {
        let (log, truth) = records(Settings::with_calls(share), 32 << 20);
        let path = directory.path().join("log.jsonl");
        fs::write(&path, &log).expect("memory takes the log");
        let sources = sources(&[path]);
        group.throughput(Throughput::Bytes(log.len() as u64));
        for threads in [1, 2] {
            let pool = pool(threads);
            let summary = run(&options, &sources, &pool, directory.path());
            assert_eq!(summary.records, truth.records as u64, "{name}");
            assert_eq!(calls(&summary), truth.calls(), "{name}");
            group.bench_function(format!("{name}, threads: {threads}"), |bencher| {
                bencher.iter(|| run(&options, &sources, &pool, directory.path()));
            });
        }
    }
    group.finish();
}

criterion_group!(benches, whole);
criterion_main!(benches);
