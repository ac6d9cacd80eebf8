//! Scanning completions: the pass that finds all marks, and the walk that says who claims which span.

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use toolscan::{ScanOptions, Scanner, syntax};

mod common;

use common::corpus::{Settings, completions};

fn scan(criterion: &mut Criterion) {
    let scanner = Scanner::new(syntax::all(), ScanOptions::default());
    let mut group = criterion.benchmark_group("scan");
    for (name, share) in [("no calls", 0.0), ("calls in 40 %", 0.4), ("calls in all", 1.0)] {
        let (texts, truth) = completions(Settings::with_calls(share), 4 << 20);
        let calls = || {
            texts
                .iter()
                .map(|text| scanner.scan(black_box(text)).calls.len())
                .sum()
        };
        let marks = || {
            texts
                .iter()
                .map(|text| scanner.marks(black_box(text)).len())
                .sum()
        };
        let (found, marked): (usize, usize) = (calls(), marks());
        assert_eq!(found, truth.calls(), "{name}");
        assert!(marked >= truth.completions_with_calls(), "{name}: {marked} marks");
        group.throughput(Throughput::Bytes(truth.bytes as u64));
        group.bench_function(name, |bencher| bencher.iter(calls));
        group.bench_function(format!("{name}, marks only"), |bencher| bencher.iter(marks));
    }
    group.finish();
}

criterion_group!(benches, scan);
criterion_main!(benches);
