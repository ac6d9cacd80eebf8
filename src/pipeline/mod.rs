//! Joins the floors: shards go out to the workers, their rows come back in input order and into the tables.
//!
//! ```text
//! reader thread ──shards──▶ pool: records, scans, rows ──▶ this thread: input order ──▶ tables
//!       ▲                                                        │
//!       └──────────────── a ticket for each shard ◀──────────────┘
//! ```
//!
//! A shard is read only when a ticket is free, and its ticket comes back when its rows are written, so that the
//! memory in use does not grow with the input. Workers never wait for anything.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, OnceLock};

use rayon::{ScopeFifo, ThreadPool};

use crate::diagnostic::Code;
use crate::error::Error;
use crate::input::{Head, Limits, Shard, Shards, Source};
use crate::record::{Fields, Guess, Prefilter, Sniff};
use crate::scan::Scanner;
use crate::table::{Output, Stats};

mod expectation;
mod offers;
mod requests;
mod worker;

pub use expectation::Expectation;
pub use offers::{Offered, Offers};
pub use requests::{Request, Requests};
use worker::{Rows, Worker};

/// What the run needs to know.
pub struct Options {
    /// Finds the calls.
    pub scanner: Scanner,
    /// Whether every warning is an error. The scanner was told as well.
    pub strict: bool,
    /// Where in a record the fields are.
    pub fields: Fields,
    /// Which syntax was asked for.
    pub expectation: Expectation,
    /// Which tools were offered.
    pub offers: Offers,
    /// The requests that the records answer.
    pub requests: Option<Requests>,
    /// The model of records that name none.
    pub model: Option<String>,
    /// Whether whole records are held against the JSON standard.
    pub validate_records: bool,
    /// Sizes of shards and records.
    pub limits: Limits,
}

/// What a run, or a part of it, has read.
#[derive(Clone, Debug, Default)]
pub struct Summary {
    /// Bytes of the sources, packed as they lie there.
    pub bytes: u64,
    /// Records, readable or not.
    pub records: u64,
    /// Records with at least one completion.
    pub records_with_completions: u64,
    /// What the records with completions were taken for, by the names of the formats.
    pub formats: BTreeMap<Option<&'static str>, u64>,
    /// Records that could not be used, by reason. With those that have completions they are all records.
    pub unusable_records: BTreeMap<Code, u64>,
    /// Records that expect a syntax that toolscan does not know, and one such syntax.
    pub unknown_expectations: Option<(u64, String)>,
    /// Records that have tools of their own, usable or not.
    pub records_with_tools: u64,
    /// Records whose own tools cannot be used, and the reason of one of them.
    pub unusable_tools: Option<(u64, String)>,
    /// Records with completions that answer none of the requests, where there are some.
    pub without_request: u64,
    /// Sources that broke off in the middle, with the reason.
    pub truncated_sources: Vec<String>,
    /// What was found in the completions.
    pub stats: Stats,
}

impl Summary {
    fn merge(&mut self, other: Self) {
        self.bytes += other.bytes;
        self.records += other.records;
        self.records_with_completions += other.records_with_completions;
        for (format, count) in other.formats {
            *self.formats.entry(format).or_default() += count;
        }
        for (code, count) in other.unusable_records {
            *self.unusable_records.entry(code).or_default() += count;
        }
        if let Some((count, name)) = other.unknown_expectations {
            self.unknown_expectations.get_or_insert((0, name)).0 += count;
        }
        self.records_with_tools += other.records_with_tools;
        if let Some((count, reason)) = other.unusable_tools {
            self.unusable_tools.get_or_insert((0, reason)).0 += count;
        }
        self.without_request += other.without_request;
        self.truncated_sources.extend(other.truncated_sources);
        self.stats.merge(&other.stats);
    }
}

/// Reads the sources in order and writes what they hold. The output is complete but not yet in its place: that is
/// for the caller to decide, with [`Output::commit`]. `progress` is told of the bytes that were dealt with.
///
/// The result, and every byte of the output, is the same for any number of threads and any size of shards. The
/// caller must not be a thread of the pool.
///
/// # Errors
///
/// When the output cannot be written. What cannot be read is part of the result.
pub fn run(
    options: &Options,
    sources: &[Source],
    pool: &ThreadPool,
    output: &mut Output,
    progress: &dyn Fn(u64),
) -> Result<Summary, Error> {
    let guesses: Vec<_> = sources.iter().map(|_| OnceLock::new()).collect();
    let line = &Line {
        options,
        sources,
        prefilter: Arc::new(Prefilter::new(options.scanner.anchors())),
        fields: Arc::new(options.fields.clone()),
        guesses: &guesses,
        workers: Mutex::default(),
    };
    let (tickets, free_tickets) = channel();
    let (done, results) = channel();
    for _ in 0..spare_shards(pool.current_num_threads()) {
        tickets.send(()).expect("the receiver is held below");
    }
    pool.in_place_scope_fifo(|jobs| {
        std::thread::scope(|threads| {
            threads.spawn(move || line.read(jobs, free_tickets, done));
            write(&results, tickets, output, progress)
        })
    })
}

/// How many shards may be on their way: one for each thread, some that wait for one of them, and some whose rows
/// wait for an earlier shard.
fn spare_shards(threads: usize) -> usize {
    threads + threads / 2 + 2
}

/// The rows of one shard with its place among the shards, or the panic of its worker.
type Done = (usize, std::thread::Result<Rows>);

/// What all workers share.
struct Line<'r> {
    options: &'r Options,
    sources: &'r [Source],
    prefilter: Arc<Prefilter>,
    fields: Arc<Fields>,
    /// What the records of each source are likely to be, known before its first shard is handed out.
    guesses: &'r [OnceLock<Guess>],
    /// Workers that have nothing to do: each keeps its buffers for the next shard.
    workers: Mutex<Vec<Worker<'r>>>,
}

impl<'r> Line<'r> {
    /// Reads shard after shard and hands each to the pool, until there are no more or nobody takes them.
    fn read<'scope>(&'scope self, jobs: &ScopeFifo<'scope>, tickets: Receiver<()>, done: Sender<Done>) {
        let shards = Shards::new(
            self.sources.to_vec(),
            self.options.limits,
            Arc::clone(&self.fields),
        );
        let mut shards = shards.watch(|source, head| self.guess(source, head)).enumerate();
        while tickets.recv().is_ok() {
            let Some((place, shard)) = shards.next() else {
                return;
            };
            let done = done.clone();
            jobs.spawn_fifo(move |_| {
                let rows = catch_unwind(AssertUnwindSafe(|| self.process(shard)));
                // Nobody listens when the output has failed.
                let _ = done.send((place, rows));
            });
        }
    }

    /// Settles what the records of a source are, from the beginning of its bytes.
    fn guess(&self, source: usize, head: &Head<'_>) {
        let mut guess = Guess::default();
        if self.fields.text.is_empty() {
            guess = Sniff::of(&self.fields, head.records.iter().copied()).guess;
        }
        guess.model = head.model.map(str::to_owned);
        self.guesses[source].get_or_init(|| guess);
    }

    fn process(&self, shard: Shard) -> Rows {
        let idle = self.workers.lock().expect("no thread panics with the lock").pop();
        let mut worker = idle.unwrap_or_else(|| Worker::new(self));
        let rows = worker.process(&shard);
        self.workers
            .lock()
            .expect("no thread panics with the lock")
            .push(worker);
        rows
    }
}

/// Puts the shards' rows into input order and writes them.
fn write(
    results: &Receiver<Done>,
    tickets: Sender<()>,
    output: &mut Output,
    progress: &dyn Fn(u64),
) -> Result<Summary, Error> {
    let mut summary = Summary::default();
    let mut waiting = BTreeMap::new();
    let mut next = 0;
    for (place, rows) in results {
        waiting.insert(place, rows.unwrap_or_else(|panic| resume_unwind(panic)));
        while let Some(rows) = waiting.remove(&next) {
            next += 1;
            output.write(rows.batches)?;
            progress(rows.summary.bytes);
            summary.merge(rows.summary);
            // The reader has left when everything is read.
            let _ = tickets.send(());
        }
    }
    Ok(summary)
}
