//! Reading records: from a line's bytes to its fields and the text of its completion.

use std::hint::black_box;
use std::sync::Arc;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use toolscan::record::{Fields, Prefilter, Reader, Record, Text};
use toolscan::{ScanOptions, Scanner, syntax};

mod common;

use common::corpus::{Settings, records};

fn skim(criterion: &mut Criterion) {
    let scanner = Scanner::new(syntax::all(), ScanOptions::default());
    let prefilter = Arc::new(Prefilter::new(scanner.anchors()));
    let mut group = criterion.benchmark_group("skim");
    for (name, share) in [("no calls", 0.0), ("calls in 40 %", 0.4), ("calls in all", 1.0)] {
        let (log, truth) = records(Settings::with_calls(share), 4 << 20);
        let fields = Arc::new(Fields::default());
        let mut everything = Reader::new(fields.clone());
        let mut filtered = Reader::new(fields).prefilter(prefilter.clone());
        assert_eq!(read(&mut everything, &log), [truth.records, 0], "{name}");
        // The filter may let texts through that hold nothing, and never the other way round.
        let [decoded, plain] = read(&mut filtered, &log);
        assert!(
            decoded >= truth.completions_with_calls(),
            "{name}: {decoded} decoded"
        );
        assert_eq!(decoded + plain, truth.records, "{name}");
        group.throughput(Throughput::Bytes(log.len() as u64));
        group.bench_function(name, |bencher| {
            bencher.iter(|| read(&mut filtered, black_box(&log)));
        });
        group.bench_function(format!("{name}, decoding all"), |bencher| {
            bencher.iter(|| read(&mut everything, black_box(&log)));
        });
    }
    group.finish();
}

/// How many completions were decoded, and how many were found to hold nothing.
fn read(reader: &mut Reader, log: &[u8]) -> [usize; 2] {
    let mut record = Record::default();
    let mut counts = [0, 0];
    for line in log.split(|&byte| byte == b'\n').filter(|line| !line.is_empty()) {
        reader.read(line, &mut record);
        for completion in &record.completions {
            let plain = matches!(completion.text, Some(Text::Plain { .. }));
            counts[usize::from(plain)] += 1;
        }
    }
    counts
}

criterion_group!(benches, skim);
criterion_main!(benches);
