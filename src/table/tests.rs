//! Promises of the tables as a whole: their columns, what is read back, bytes that depend on the rows alone.

use std::fmt::Write as _;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::{Float64Type, Int32Type, Int64Type};
use arrow_array::{Array, RecordBatch};
use arrow_select::concat::concat_batches;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use parquet::file::reader::{FileReader, SerializedFileReader};
use proptest::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};
use tempfile::TempDir;

use super::groups::GroupLimits;
use super::*;
use crate::call::{Call, Termination};
use crate::diagnostic::{Code, Diagnostic, Severity};
use crate::record::{Completion, NativeCall, Problem, Text};
use crate::scan::Scan;
use crate::span::Span;

const OPTIONS: &str = r#"{"strict":false}"#;

const WRITING: Writing<'_> = Writing {
    options: OPTIONS,
    force: false,
};

fn pool(threads: usize) -> Arc<ThreadPool> {
    let pool = ThreadPoolBuilder::new().num_threads(threads).build();
    Arc::new(pool.expect("a pool can be made"))
}

fn directory() -> TempDir {
    tempfile::tempdir().expect("a directory can be made")
}

fn paths_in(directory: &TempDir) -> OutputPaths {
    OutputPaths::from_arg(&directory.path().join("calls.parquet"))
}

/// What a file holds, without its key-value metadata.
fn read(path: &Path) -> RecordBatch {
    let file = File::open(path).expect("the file is there");
    let reader = ParquetRecordBatchReaderBuilder::try_new(file).expect("it is Parquet");
    let schema = Arc::new(Schema::new(reader.schema().fields().clone()));
    let batches: Result<Vec<_>, _> = reader.build().expect("it can be read").collect();
    concat_batches(&schema, &batches.expect("it can be read")).expect("its batches fit together")
}

/// What one completion left, with something in every column for some `seed`, and nothing for others.
fn scan(seed: usize, text: &str) -> Scan<'_> {
    let mut scan = Scan {
        call_bytes: seed,
        think_bytes: seed % 2,
        cut: seed.is_multiple_of(5),
        ..Scan::default()
    };
    let end = text.len();
    for index in 0..seed % 4 {
        let mut call = Call::new("execute_block", Span::new(0, end), Termination::Explicit);
        call.block_index = index;
        call.name = Some("ls".into());
        call.arguments = Some(format!("{{\"n\":{seed}}}").into());
        if seed.is_multiple_of(3) {
            call.call_id = Some(format!("id-{seed}").into());
            call.raw_args = Some(text.into());
            call.body = Some(text.repeat(seed % 17).into());
            call.dependencies = Some(vec!["a".into(); seed % 5]);
            call.state = Some("input-available".into());
            call.operation = Some("look".into());
            call.priority = Some(seed as f64 / 2.0);
            call.events = Some(vec!["tool-input-available"]);
            call.result_status = Some("success".into());
            call.output = Some("null".into());
            call.error_text = Some("no".into());
            call.extra = Some("{}".into());
            call.attach(Code::DuplicateKey, Severity::Error);
            call.attach(Code::BatchRejected, Severity::Error);
            scan.diagnostics.push(Diagnostic {
                code: Code::DuplicateKey,
                severity: Severity::Error,
                syntax: Some("execute_block"),
                call_index: Some(index),
                detail: Some("twice".into()),
                message: "a key twice".to_owned(),
                span: Span::new(end, end),
            });
        }
        scan.calls.push(call);
    }
    scan
}

/// Rows of `completions` completions, in batches of the sizes given in turn.
fn batches(completions: usize, sizes: &[usize]) -> (Vec<Batches>, Stats) {
    let mut rows = Rows::new(false);
    let mut sizes = sizes.iter().cycle();
    let mut left = *sizes.next().expect("there are sizes");
    let mut batches = Vec::new();
    for seed in 0..completions {
        let id = format!("record-{seed}");
        let keys = Keys {
            source: "a.jsonl",
            line: seed as i64 + 1,
            completion_id: (seed != 7).then_some(&id),
            choice: None,
            model: (seed % 7 > 0).then_some("model-a"),
            expected_syntax: (seed % 11 > 0).then_some("execute_block"),
        };
        let text = format!("completion {seed} – 🐱 {}", "x".repeat(seed % 83));
        let completion = Completion {
            choice: (seed % 3) as i32,
            text: Some(Text::Decoded(text.clone())),
            finish_reason: seed.is_multiple_of(4).then(|| "stop".to_owned()),
            ..Completion::default()
        };
        rows.completion(&keys, seed as u64 * 1000, &completion, scan(seed, &text), None);
        left -= 1;
        if left == 0 {
            left = *sizes.next().expect("they go round");
            batches.push(rows.finish());
        }
    }
    batches.push(rows.finish());
    (batches, rows.take_stats())
}

fn write(paths: &OutputPaths, limits: GroupLimits, threads: usize, batches: &[Batches], stats: &Stats) {
    let place = Arc::new(Place::new(paths.clone()));
    let output = Output::with_limits(&place, WRITING, limits, &pool(threads));
    let mut output = output.expect("it can be created");
    for batch in batches {
        output.write(batch.clone()).expect("it can be written");
    }
    output
        .commit(stats.batch(), serde_json::Map::new())
        .expect("it can be committed");
}

fn all(paths: &OutputPaths) -> [&PathBuf; 4] {
    [&paths.calls, &paths.errors, &paths.completions, &paths.stats]
}

#[test]
fn schemas() {
    let mut shown = String::new();
    for table in TABLES {
        let _ = writeln!(shown, "{}", table.name);
        for field in table.schema().fields() {
            let nullable = if field.is_nullable() { "" } else { " not null" };
            let _ = writeln!(shown, "  {}: {}{nullable}", field.name(), field.data_type());
        }
    }
    insta::assert_snapshot!(shown);
}

#[test]
fn the_page_names_every_column() {
    let page = docs();
    for table in TABLES {
        for column in table.columns() {
            assert!(
                page.contains(&format!("| `{}` |", column.name)),
                "{}",
                column.name
            );
            assert!(
                column.about.ends_with('.') && !column.about.contains('|'),
                "{}",
                column.name
            );
        }
    }
}

#[test]
fn out_names_four_files() {
    let name = |arg: &str| {
        let paths = OutputPaths::from_arg(Path::new(arg));
        all(&paths).map(|path| path.to_string_lossy().into_owned())
    };
    let beside = |names: [&str; 4]| names.map(str::to_owned);
    assert_eq!(
        name("calls.parquet"),
        beside([
            "calls.parquet",
            "calls.errors.parquet",
            "calls.completions.parquet",
            "calls.stats.parquet"
        ])
    );
    assert_eq!(
        name("no/such/v1.2.pq"),
        beside([
            "no/such/v1.2.pq",
            "no/such/v1.2.errors.pq",
            "no/such/v1.2.completions.pq",
            "no/such/v1.2.stats.pq"
        ])
    );
    let inside = [
        "calls.parquet",
        "errors.parquet",
        "completions.parquet",
        "stats.parquet",
    ];
    assert_eq!(name("no/such/"), inside.map(|file| format!("no/such/{file}")));
    assert_eq!(name("no/such"), inside.map(|file| format!("no/such/{file}")));
    let existing = directory();
    let arg = existing.path().to_string_lossy().into_owned();
    assert_eq!(name(&arg), inside.map(|file| format!("{arg}/{file}")));
}

#[test]
fn what_is_read_back_is_what_was_written() {
    let directory = directory();
    let paths = paths_in(&directory);
    let (batches, stats) = batches(500, &[40, 7]);
    let limits = GroupLimits {
        rows: 100,
        ..GroupLimits::default()
    };
    write(&paths, limits, 2, &batches, &stats);
    let written = |table: &Table, pick: fn(&Batches) -> &RecordBatch| {
        concat_batches(&table.schema(), batches.iter().map(pick)).expect("they fit together")
    };
    assert_eq!(read(&paths.calls), written(&calls::TABLE, |batch| &batch.calls));
    assert_eq!(
        read(&paths.errors),
        written(&errors::TABLE, |batch| &batch.errors)
    );
    assert_eq!(
        read(&paths.completions),
        written(&completions::TABLE, |batch| &batch.completions)
    );
    assert_eq!(read(&paths.stats), stats.batch());
}

#[test]
fn files_say_what_made_them_and_when_they_are_empty_too() {
    let directory = directory();
    let paths = OutputPaths::from_arg(&directory.path().join("new/run/"));
    write(&paths, GroupLimits::default(), 1, &[], &Stats::default());
    for (table, path) in TABLES.iter().zip(all(&paths)) {
        let batch = read(path);
        assert_eq!(batch.schema(), table.schema());
        assert_eq!(batch.num_rows(), usize::from(table.name == "stats"));
        let file = SerializedFileReader::new(File::open(path).expect("it is there")).expect("it is Parquet");
        let metadata = file.metadata().file_metadata();
        let entries: Vec<_> = metadata
            .key_value_metadata()
            .expect("there are entries")
            .iter()
            .map(|entry| (entry.key.as_str(), entry.value.as_deref().unwrap_or_default()))
            .collect();
        let version = env!("CARGO_PKG_VERSION");
        assert_eq!(
            entries,
            [
                ("toolscan.version", version),
                ("toolscan.schema_version", "3"),
                ("toolscan.table", table.name),
                ("toolscan.options", OPTIONS),
            ]
        );
        assert_eq!(
            metadata.created_by(),
            Some(format!("toolscan version {version}").as_str())
        );
    }
}

#[test]
fn a_run_given_up_leaves_earlier_output_and_no_half_file() {
    let directory = directory();
    let paths = paths_in(&directory);
    fs::write(&paths.calls, "earlier").expect("it can be written");
    let (batches, stats) = batches(50, &[10]);
    let place = Arc::new(Place::new(paths.clone()));
    let forced = Writing {
        force: true,
        ..WRITING
    };
    let mut output = Output::create(&place, forced, &pool(1)).expect("it can be created");
    output.write(batches[0].clone()).expect("it can be written");
    assert_eq!(fs::read(&paths.calls).expect("it is there"), b"earlier");
    drop(output);
    let names = |directory: &TempDir| {
        let entries = fs::read_dir(directory.path()).expect("it can be read");
        let mut names: Vec<_> = entries
            .map(|entry| entry.expect("it can be read").file_name())
            .collect();
        names.sort();
        names
    };
    assert_eq!(names(&directory), ["calls.parquet"]);
    assert_eq!(fs::read(&paths.calls).expect("it is there"), b"earlier");

    fs::remove_file(&paths.calls).expect("it can be removed");
    write(&paths, GroupLimits::default(), 1, &batches, &stats);
    assert_eq!(
        names(&directory),
        [
            "calls.completions.parquet",
            "calls.errors.parquet",
            "calls.manifest.json",
            "calls.parquet",
            "calls.stats.parquet"
        ]
    );
    assert_eq!(read(&paths.completions).num_rows(), 50);
}

#[test]
fn what_is_no_ordinary_file_is_not_replaced() {
    let directory = directory();
    let paths = paths_in(&directory);
    fs::create_dir(&paths.errors).expect("it can be made");
    let place = Arc::new(Place::new(paths));
    let refused = Output::create(&place, WRITING, &pool(1))
        .err()
        .expect("it is refused");
    assert_eq!(refused.exit_code(), 2);
    assert_eq!(fs::read_dir(directory.path()).expect("it can be read").count(), 1);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 6, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn bytes_depend_on_the_rows_alone(
        sizes in prop::collection::vec(1_usize..700, 1..12),
        threads in 1_usize..4,
        rows in 300_usize..2500,
        bytes in 20_000_usize..400_000,
    ) {
        let limits = GroupLimits { rows, bytes };
        let (whole, split) = (directory(), directory());
        let (one, stats) = batches(2000, &[usize::MAX]);
        write(&paths_in(&whole), limits, 1, &one, &stats);
        let (many, stats) = batches(2000, &sizes);
        write(&paths_in(&split), limits, threads, &many, &stats);
        for (whole, split) in all(&paths_in(&whole)).into_iter().zip(all(&paths_in(&split))) {
            prop_assert!(fs::read(whole).ok() == fs::read(split).ok(), "{} differs", split.display());
        }
    }
}

#[test]
fn pages_end_where_the_rows_say() {
    let (whole, split) = (directory(), directory());
    // Larger than a page; the second group has no null where the batch around it has one.
    let limits = GroupLimits {
        rows: 21_000,
        ..GroupLimits::default()
    };
    let (one, stats) = batches(42_000, &[usize::MAX]);
    write(&paths_in(&whole), limits, 2, &one, &stats);
    let (many, stats) = batches(42_000, &[1, 3000, 1700, 333]);
    write(&paths_in(&split), limits, 2, &many, &stats);
    for (whole, split) in all(&paths_in(&whole)).into_iter().zip(all(&paths_in(&split))) {
        assert!(
            fs::read(whole).ok() == fs::read(split).ok(),
            "{} differs",
            split.display()
        );
    }
}

#[test]
fn a_completion_becomes_rows() {
    let text = "🐱 <execute>[{\"name\": \"ls\"}]</execute>";
    let mut call = Call::new("execute_block", Span::new(14, 28), Termination::Explicit);
    call.name = Some("ls".into());
    call.attach(Code::MissingArgs, Severity::Error);
    let missing = Diagnostic {
        code: Code::MissingArgs,
        severity: Severity::Error,
        syntax: Some("execute_block"),
        call_index: Some(0),
        detail: None,
        message: "no args".to_owned(),
        span: Span::new(14, 28),
    };
    let scan = Scan {
        calls: vec![call],
        diagnostics: vec![missing],
        call_bytes: 34,
        ..Scan::default()
    };
    let completion = Completion {
        choice: 2,
        text: Some(Text::Decoded(text.to_owned())),
        finish_reason: Some("length".to_owned()),
        native_calls: vec![NativeCall {
            name: None,
            id: Some("call_1".to_owned()),
            arguments: Some("{\"path\": 1.50}".to_owned()),
        }],
        problems: vec![Problem {
            code: Code::LossyText,
            detail: None,
            message: "a lone surrogate".to_owned(),
            span: Span::new(0, 4),
            snippet: String::new(),
        }],
        ..Completion::default()
    };
    let keys = Keys {
        source: "a.jsonl",
        line: 7,
        model: Some("m"),
        ..Keys::default()
    };
    let mut rows = Rows::new(false);
    rows.completion(&keys, 99, &completion, scan, None);
    rows.problem(
        &keys,
        &Problem {
            code: Code::InvalidRecord,
            detail: None,
            message: "no JSON".to_owned(),
            span: Span::new(3, 4),
            snippet: "{x".to_owned(),
        },
    );
    let batches = rows.finish();

    let calls = &batches.calls;
    assert_eq!(texts(calls, "syntax"), [Some("execute_block"), Some("native")]);
    assert_eq!(ints(calls, "call_index"), [Some(0), Some(1)]);
    assert_eq!(ints(calls, "block_index"), [Some(0), None]);
    assert_eq!(ints(calls, "choice"), [Some(2), Some(2)]);
    assert_eq!(ints(calls, "span_start"), [Some(14), None]);
    assert_eq!(texts(calls, "termination"), [Some("explicit"), None]);
    assert_eq!(lists(calls, "codes"), ["missing_args", "missing_name"]);

    let errors = &batches.errors;
    let codes = [
        "lossy_text",
        "missing_args",
        "missing_name",
        "leaked_call",
        "invalid_record",
    ];
    assert_eq!(texts(errors, "code"), codes.map(Some));
    let severities = ["warning", "error", "error", "warning", "error"];
    assert_eq!(texts(errors, "severity"), severities.map(Some));
    assert_eq!(ints(errors, "call_index"), [None, Some(0), Some(1), None, None]);
    assert_eq!(ints(errors, "choice"), [Some(2), Some(2), Some(2), Some(2), None]);
    assert_eq!(
        ints(errors, "span_start"),
        [Some(0), Some(14), None, Some(14), Some(3)]
    );
    let syntaxes = [None, Some("execute_block"), Some("native"), None, None];
    assert_eq!(texts(errors, "syntax"), syntaxes);
    let snippets = [text, text, "{\"path\": 1.50}", text, "{x"];
    assert_eq!(texts(errors, "snippet"), snippets.map(Some));

    let completions = &batches.completions;
    assert_eq!(texts(completions, "outcome"), [Some("invalid")]);
    assert_eq!(lists(completions, "syntaxes"), ["execute_block"]);
    let counts = [
        ("record_offset", 99),
        ("n_calls", 2),
        ("n_valid_calls", 0),
        ("n_errors", 2),
        ("n_warnings", 2),
        ("text_bytes", text.len() as i64),
        ("call_bytes", 34),
        ("think_bytes", 0),
    ];
    for (column, count) in counts {
        assert_eq!(ints(completions, column), [Some(count)], "{column}");
    }
    let truncated = completions.column_by_name("truncated").expect("it is there");
    assert!(truncated.as_boolean().value(0));

    let stats = rows.take_stats().rows();
    assert_eq!((stats[0].errors, stats[0].warnings), (3, 2));
    assert_eq!(
        (stats[0].completions, stats[0].calls, stats[0].valid_calls),
        (1, 2, 0)
    );
}

#[test]
fn strict_raises_what_is_wrong_with_bytes() {
    let problem = Problem {
        code: Code::LossyText,
        detail: None,
        message: String::new(),
        span: Span::new(0, 0),
        snippet: String::new(),
    };
    let mut rows = Rows::new(true);
    rows.problem(&Keys::default(), &problem);
    assert_eq!(texts(&rows.finish().errors, "severity"), [Some("error")]);
}

fn texts<'b>(batch: &'b RecordBatch, column: &str) -> Vec<Option<&'b str>> {
    let column = batch.column_by_name(column).expect("it is a column");
    column.as_string::<i32>().iter().collect()
}

fn ints(batch: &RecordBatch, column: &str) -> Vec<Option<i64>> {
    let column = batch.column_by_name(column).expect("it is a column");
    if let Some(small) = column.as_primitive_opt::<Int32Type>() {
        return small.iter().map(|number| number.map(i64::from)).collect();
    }
    column.as_primitive::<Int64Type>().iter().collect()
}

/// Each row's list, its words joined.
fn lists(batch: &RecordBatch, column: &str) -> Vec<String> {
    let column = batch.column_by_name(column).expect("it is a column");
    let list = |list: Option<ArrayRef>| {
        let list = list.expect("it is not null");
        let words: Vec<_> = list.as_string::<i32>().iter().flatten().collect();
        words.join(" ")
    };
    column.as_list::<i32>().iter().map(list).collect()
}

#[test]
fn no_list_is_null_and_an_empty_list_is_empty() {
    let mut builder = CallsBuilder::default();
    let mut call = Call::new("gadget_block", Span::new(0, 1), Termination::Implicit);
    call.dependencies = Some(Vec::new());
    builder.append(&Keys::default(), 0, &call);
    let batch = builder.finish();
    let column = |name| batch.column_by_name(name).expect("it is a column");
    assert!(column("dependencies").is_valid(0) && column("codes").is_valid(0));
    assert!(column("events").is_null(0));
    assert!(column("priority").as_primitive_opt::<Float64Type>().is_some());
}
