//! One stage on fixed input, for counting its instructions: `scripts/instructions` runs it under callgrind, which counts
//! in [`measured`] alone.
//!
//! ```text
//! instructions STAGE      (without a stage: their names)
//! ```

use std::hint::black_box;
use std::sync::Arc;

use toolscan::record::{Fields, Prefilter, Reader, Record};
use toolscan::validate::{Findings, Summary};
use toolscan::{Scan, ScanOptions, Scanner, syntax};

#[path = "../../../common/mod.rs"]
mod common;

use common::corpus::{Corpus, Settings, completions, records};

/// Bytes of the logs and texts.
const BYTES: usize = 1 << 20;

fn main() {
    let stage = std::env::args().nth(1);
    let Some(stage) = stage else {
        return stages().iter().for_each(|name| println!("{name}"));
    };
    match stage.split_once(' ') {
        Some(("record", share)) => record(share),
        Some(("scan", share)) => scan(share),
        Some(("syntax", name)) => one_syntax(name),
        Some(("validate", _)) => validate(),
        _ => panic!("unknown stage `{stage}`; the stages are {:?}", stages()),
    }
}

fn stages() -> Vec<String> {
    let mut stages: Vec<_> = [
        "record 0.0",
        "record 0.4",
        "record 1.0",
        "scan 0.0",
        "scan 0.4",
        "scan 1.0",
    ]
    .map(str::to_owned)
    .into();
    stages.extend(
        syntax::all()
            .iter()
            .map(|syntax| format!("syntax {}", syntax.name())),
    );
    stages.push("validate outcomes".into());
    stages
}

/// The work that is counted. Callgrind finds it by its name.
#[inline(never)]
fn measured(work: &mut dyn FnMut() -> usize) -> usize {
    black_box(work())
}

fn settings(share: &str) -> Settings {
    Settings::with_calls(share.parse().expect("a share is a number"))
}

fn scanner() -> Scanner {
    Scanner::new(syntax::all(), ScanOptions::default())
}

fn record(share: &str) {
    let (log, truth) = records(settings(share), BYTES);
    let prefilter = Arc::new(Prefilter::new(scanner().anchors()));
    let mut reader = Reader::new(Arc::new(Fields::default())).prefilter(prefilter);
    let mut record = Record::default();
    let found = measured(&mut || {
        let lines = log.split(|&byte| byte == b'\n').filter(|line| !line.is_empty());
        let read = lines.map(|line| {
            reader.read(line, &mut record);
            record.completions.len()
        });
        read.sum()
    });
    assert_eq!(found, truth.records);
}

fn scan(share: &str) {
    let (texts, truth) = completions(settings(share), BYTES);
    let scanner = scanner();
    let found = measured(&mut || texts.iter().map(|text| scanner.scan(text).calls.len()).sum());
    assert_eq!(found, truth.calls());
}

fn one_syntax(name: &str) {
    let all = syntax::all();
    let syntax = all
        .iter()
        .find(|syntax| syntax.name() == name)
        .expect("a syntax's name");
    let drafts = Corpus::new(Settings::with_calls(1.0)).drafts(1_000);
    let write = |draft| {
        let mut text = String::new();
        syntax.write(std::slice::from_ref(draft), &mut text);
        text
    };
    let texts: Vec<_> = drafts.iter().map(write).collect();
    let scanner = Scanner::new(vec![syntax.clone()], ScanOptions::default());
    let found = measured(&mut || texts.iter().map(|text| scanner.scan(text).calls.len()).sum());
    assert_eq!(found, drafts.len());
}

fn validate() {
    let (texts, truth) = completions(Settings::with_calls(1.0), BYTES);
    let scanner = scanner();
    let scans: Vec<_> = texts.iter().map(|text| scanner.scan(text)).collect();
    let valid = |scan: &Scan<'_>| {
        let findings = Findings {
            kept: &scan.diagnostics,
            overflow: &scan.overflow,
        };
        Summary::new(Some("execute_block"), &scan.calls, &[findings]).total(|part| part.valid_calls)
    };
    let found = measured(&mut || scans.iter().map(valid).sum());
    assert_eq!(found, truth.calls());
}
