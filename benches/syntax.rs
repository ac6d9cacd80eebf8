//! Each syntax's parser on the same calls, written in each syntax.
//!
//! Batches of one call each: all syntaxes get as many blocks. How many bytes and tokens the calls take in each syntax
//! is told by the package in `tokens/`.

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use toolscan::{ScanOptions, Scanner, syntax};

mod common;

use common::corpus::{Corpus, Settings};

/// Calls in a bench.
const CALLS: usize = 1_000;

fn syntaxes(criterion: &mut Criterion) {
    let drafts = Corpus::new(Settings::with_calls(1.0)).drafts(CALLS);
    let mut group = criterion.benchmark_group("syntax");
    for syntax in syntax::all() {
        let name = syntax.name();
        let scanner = Scanner::new(vec![syntax.clone()], ScanOptions::default());
        let write = |draft| {
            let mut text = String::new();
            let written = syntax.write(std::slice::from_ref(draft), &mut text);
            (text, written)
        };
        let (texts, written): (Vec<_>, Vec<_>) = drafts.iter().map(write).unzip();
        for (text, written) in texts.iter().zip(&written) {
            let scan = scanner.scan(text);
            assert_eq!(scan.calls.len(), written.len(), "{text}");
            for (call, written) in scan.calls.iter().zip(written) {
                assert!(call.is_valid(), "{text}");
                assert_eq!(call.name.as_deref(), Some(&*written.name), "{text}");
            }
        }
        group.throughput(Throughput::Elements(CALLS as u64));
        group.bench_function(name, |bencher| {
            bencher.iter(|| -> usize {
                let scans = texts.iter().map(|text| scanner.scan(black_box(text)));
                scans.map(|scan| scan.calls.len()).sum()
            });
        });
    }
    group.finish();
}

criterion_group!(benches, syntaxes);
criterion_main!(benches);
