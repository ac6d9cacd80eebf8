//! Writing tables: from scans to rows, and from rows to Parquet.

use std::hint::black_box;

use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use toolscan::record::{Completion, Text};
use toolscan::table::{Batches, Keys, Rows};
use toolscan::{Scan, ScanOptions, Scanner, syntax};

mod common;
#[path = "common/run.rs"]
mod run;

use common::corpus::{Settings, completions};
use run::{directory, output, pool};

fn table(criterion: &mut Criterion) {
    let scanner = Scanner::new(syntax::all(), ScanOptions::default());
    let (texts, truth) = completions(Settings::with_calls(1.0), 4 << 20);
    let scans: Vec<_> = texts.iter().map(|text| scanner.scan(text)).collect();
    let completions: Vec<_> = texts.iter().map(|text| completion(text)).collect();
    let batches = rows(&completions, scans.clone());
    assert_eq!(batches.calls.num_rows(), truth.calls());
    assert_eq!(batches.completions.num_rows(), truth.records);

    let mut group = criterion.benchmark_group("table");
    group.throughput(Throughput::Elements(truth.calls() as u64));
    group.bench_function("scans to record batches", |bencher| {
        bencher.iter_batched(
            || scans.clone(),
            |scans| rows(black_box(&completions), scans),
            BatchSize::LargeInput,
        );
    });
    let (pool, directory) = (pool(1), directory());
    group.bench_function("record batches to Parquet", |bencher| {
        bencher.iter(|| {
            let mut output = output(&pool, directory.path());
            let batches = Batches {
                calls: batches.calls.clone(),
                errors: batches.errors.clone(),
                completions: batches.completions.clone(),
            };
            output.write(batches).expect("memory takes the tables");
            output
                .commit(Rows::new(false).take_stats().batch(), serde_json::Map::new())
                .expect("memory takes the tables");
        });
    });
    group.finish();
}

fn completion(text: &str) -> Completion {
    Completion {
        text: Some(Text::Decoded(text.to_owned())),
        ..Completion::default()
    }
}

fn rows(completions: &[Completion], scans: Vec<Scan<'_>>) -> Batches {
    let mut rows = Rows::new(false);
    for (place, (completion, scan)) in completions.iter().zip(scans).enumerate() {
        let id = format!("chatcmpl-{place:09}");
        let keys = Keys {
            source: "logs/part-0.jsonl",
            line: place as i64 + 1,
            completion_id: Some(&id),
            model: Some("model-1"),
            ..Keys::default()
        };
        rows.completion(&keys, 4_000 * place as u64, completion, scan, None);
    }
    rows.finish()
}

criterion_group!(benches, table);
criterion_main!(benches);
