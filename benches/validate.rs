//! Judging completions: calls that were logged as structure, and the outcome of each completion.

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use toolscan::validate::{Findings, Logged, Summary, native_calls};
use toolscan::{Scan, ScanOptions, Scanner, syntax};

mod common;

use common::corpus::{Corpus, Settings, completions};

fn native(criterion: &mut Criterion) {
    let drafts = Corpus::new(Settings::with_calls(1.0)).drafts(1_000);
    let calls: Vec<_> = drafts
        .iter()
        .map(|draft| (&*draft.name, draft.arguments_json()))
        .collect();
    let judge = || {
        let logged = calls.iter().map(|(name, arguments)| Logged {
            name: Some(name),
            id: None,
            arguments: Some(arguments),
        });
        native_calls(black_box(logged), 0, false)
    };
    let native = judge();
    assert_eq!(native.calls.len(), 1_000);
    assert!(native.findings.is_empty(), "{:?}", native.findings);
    let mut group = criterion.benchmark_group("validate");
    group.throughput(Throughput::Elements(1_000));
    group.bench_function("logged calls", |bencher| bencher.iter(|| judge().calls.len()));
    group.finish();
}

fn outcome(criterion: &mut Criterion) {
    let scanner = Scanner::new(syntax::all(), ScanOptions::default());
    let (texts, truth) = completions(Settings::with_calls(1.0), 2 << 20);
    let scans: Vec<_> = texts.iter().map(|text| scanner.scan(text)).collect();
    let valid = || -> usize { scans.iter().map(|scan| valid_calls(black_box(scan))).sum() };
    assert_eq!(valid(), truth.calls());
    let mut group = criterion.benchmark_group("validate");
    group.throughput(Throughput::Elements(truth.records as u64));
    group.bench_function("outcomes", |bencher| bencher.iter(valid));
    group.finish();
}

fn valid_calls(scan: &Scan<'_>) -> usize {
    let findings = Findings {
        kept: &scan.diagnostics,
        overflow: &scan.overflow,
    };
    let summary = Summary::new(Some("execute_block"), &scan.calls, &[findings]);
    summary.total(|part| part.valid_calls)
}

criterion_group!(benches, native, outcome);
criterion_main!(benches);
