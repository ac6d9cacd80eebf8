//! One shard → its rows. A worker keeps its buffers from shard to shard.

use std::io;
use std::sync::{Arc, OnceLock};

use super::{Line, Options, Summary};
use crate::diagnostic::Code;
use crate::input::{Entry, Shard, Source, What};
use crate::offer::Offer;
use crate::record::{Channel, Completion, Guess, Problem, Reader, Record, Text};
use crate::scan::{Scan, Turn};
use crate::span::Span;
use crate::table::{self, Batches, Keys};
use crate::validate::tools::{Judge, Toolset};

/// What came of a shard.
pub(super) struct Rows {
    pub(super) batches: Batches,
    pub(super) summary: Summary,
}

pub(super) struct Worker<'r> {
    options: &'r Options,
    sources: &'r [Source],
    guesses: &'r [OnceLock<Guess>],
    /// The source that the reader expects records of.
    source: Option<usize>,
    reader: Reader,
    record: Record,
    rows: table::Rows,
    summary: Summary,
    /// Ids of the calls in the turns before a completion.
    earlier_ids: Vec<String>,
}

impl<'r> Worker<'r> {
    pub(super) fn new(line: &Line<'r>) -> Self {
        let options = line.options;
        Self {
            options,
            sources: line.sources,
            guesses: line.guesses,
            source: None,
            reader: Reader::new(line.fields.clone())
                .prefilter(line.prefilter.clone())
                .validates(options.validate_records),
            record: Record::default(),
            rows: table::Rows::new(options.strict),
            summary: Summary::default(),
            earlier_ids: Vec::new(),
        }
    }

    pub(super) fn process(&mut self, shard: &Shard) -> Rows {
        for entry in shard.entries() {
            match entry.what {
                What::Record(line) => self.record(&entry, line, false),
                What::Fragment(line) => self.record(&entry, line, true),
                What::TooLarge { head, bytes } => {
                    self.summary.records += 1;
                    let problem = too_large(head, bytes, self.options.limits.record_bytes);
                    self.unusable(&entry, &Record::default(), &problem);
                }
                What::Truncated(reason) => self.truncated(&entry, reason),
            }
        }
        let mut summary = std::mem::take(&mut self.summary);
        summary.bytes = shard.bytes_read();
        summary.stats = self.rows.take_stats();
        Rows {
            batches: self.rows.finish(),
            summary,
        }
    }

    /// A record; or perhaps the beginning of one, which is none if it cannot be read.
    fn record(&mut self, entry: &Entry<'_>, line: &[u8], may_be_cut: bool) {
        if self.source != Some(entry.source) {
            self.source = Some(entry.source);
            let guess = self.guesses[entry.source].get().cloned();
            self.reader.expect(guess.unwrap_or_default());
        }
        let mut record = std::mem::take(&mut self.record);
        self.reader.read(line, &mut record);
        if may_be_cut && !record.problems.is_empty() {
            self.record = record;
            return;
        }
        self.summary.records += 1;
        for problem in &record.problems {
            self.unusable(entry, &record, problem);
        }
        if !record.completions.is_empty() {
            self.join_request(&mut record);
            self.summary.records_with_completions += 1;
            *self.summary.formats.entry(record.format).or_default() += 1;
            self.completions(entry, line, &record);
        }
        self.record = record;
    }

    /// Adds to the record what the request says that it answers.
    fn join_request(&mut self, record: &mut Record) {
        let Some(requests) = &self.options.requests else {
            return;
        };
        let Some(request) = record.id.as_deref().and_then(|id| requests.get(id)) else {
            self.summary.without_request += 1;
            return;
        };
        if record.model.is_none() {
            record.model.clone_from(&request.model);
        }
        if let Some(tools) = &request.tools {
            for completion in &mut record.completions {
                completion.tools_offered |= **tools != *"[]";
            }
            record.tools.get_or_insert_with(|| tools.to_string());
        }
    }

    fn completions(&mut self, entry: &Entry<'_>, line: &[u8], record: &Record) {
        if let Some(name) = &record.expected
            && self.options.expectation.known(name).is_none()
        {
            let none = (0, name.clone());
            self.summary.unknown_expectations.get_or_insert(none).0 += 1;
        }
        let options = self.options;
        let scanner = &options.scanner;
        let tools = self.tools(record);
        let offer = tools.as_deref().map(|tools| tools as &dyn Offer);
        let judge = tools
            .as_deref()
            .map(|tools| Judge::new(tools, scanner.syntaxes(), options.strict));
        let keys = self.keys(entry, record);
        for completion in &record.completions {
            let keys = self.own_keys(&keys, record, completion);
            if completion.channel == Channel::Reasoning {
                let scan = scanner.scan_reasoning(completion.text.as_ref().map_or("", Text::as_str));
                self.rows.completion(&keys, entry.offset, completion, scan, judge);
                continue;
            }
            if !completion.is_later_turn {
                self.earlier_ids.clear();
            }
            let text = completion.text.as_ref().map_or("", |text| text.as_str());
            let mut scan = scanner.scan_turn(text, self.turn(offer));
            if record.has_turns_before && misses_a_call(&scan) {
                self.remember_turns_before(line);
                scan = scanner.scan_turn(text, self.turn(offer));
            }
            let ids = call_ids(&scan);
            self.rows.completion(&keys, entry.offset, completion, scan, judge);
            self.earlier_ids.extend(ids);
        }
    }

    /// The tools that the record's completions were offered.
    fn tools(&mut self, record: &Record) -> Option<Arc<Toolset>> {
        self.summary.records_with_tools += u64::from(record.tools.is_some());
        self.options
            .offers
            .of(record.tools.as_deref())
            .unwrap_or_else(|(reason, instead)| {
                self.summary.unusable_tools.get_or_insert((0, reason)).0 += 1;
                instead
            })
    }

    /// What is known of the completion whose turn it is.
    fn turn<'t>(&'t self, offer: Option<&'t dyn Offer>) -> Turn<'t> {
        Turn {
            earlier_ids: &self.earlier_ids,
            offer,
        }
    }

    /// Learns the ids of the calls in the conversation before the record's completions. Few records need it.
    fn remember_turns_before(&mut self, line: &[u8]) {
        let options = self.options;
        for turn in self.reader.turns_before(line) {
            let ids = call_ids(&options.scanner.scan_turn(&turn, self.turn(None)));
            self.earlier_ids.extend(ids);
        }
    }

    /// A record that gives no completion.
    fn unusable(&mut self, entry: &Entry<'_>, record: &Record, problem: &Problem) {
        *self.summary.unusable_records.entry(problem.code).or_default() += 1;
        let keys = self.keys(entry, record);
        self.rows.problem(&keys, problem);
    }

    fn truncated(&mut self, entry: &Entry<'_>, reason: &io::Error) {
        let name = &self.sources[entry.source].name;
        self.summary.truncated_sources.push(format!("{name}: {reason}"));
        let problem = Problem {
            code: Code::SourceTruncated,
            detail: None,
            message: format!(
                "expected more of the source, found: {reason}; fetch it again and run once more"
            ),
            span: Span::new(0, 0),
            snippet: String::new(),
        };
        let record = Record::default();
        let keys = self.keys(entry, &record);
        self.rows.problem(&keys, &problem);
    }

    /// The keys of a completion that has an owner of its own.
    fn own_keys<'k>(&self, keys: &Keys<'k>, record: &'k Record, completion: &'k Completion) -> Keys<'k>
    where
        'r: 'k,
    {
        let Some(identity) = &completion.identity else {
            return *keys;
        };
        let model = identity.model.as_deref().or(self.options.model.as_deref());
        Keys {
            completion_id: identity.id.as_deref(),
            model,
            expected_syntax: self
                .options
                .expectation
                .resolve(record.expected.as_deref(), model),
            ..*keys
        }
    }

    fn keys<'k>(&self, entry: &Entry<'_>, record: &'k Record) -> Keys<'k>
    where
        'r: 'k,
    {
        let options = self.options;
        let name = &self.sources[entry.source].name;
        let guess = self.guesses[entry.source].get();
        let of_source = guess.and_then(|guess| guess.model.as_deref());
        let format = guess.and_then(|guess| guess.format);
        let of_file = || format.and_then(|format| format.model_of(name));
        let model = record
            .model
            .as_deref()
            .or(of_source)
            .or(options.model.as_deref())
            .or_else(of_file);
        Keys {
            source: &self.sources[entry.source].name,
            line: entry.line as i64,
            completion_id: record.id.as_deref(),
            choice: None,
            model,
            expected_syntax: options.expectation.resolve(record.expected.as_deref(), model),
        }
    }
}

/// The ids on which calls of later turns may depend: those of the syntaxes that know dependencies.
fn call_ids(scan: &Scan<'_>) -> Vec<String> {
    let calls = scan.calls.iter().filter(|call| call.dependencies.is_some());
    calls
        .filter_map(|call| call.call_id.as_deref().map(str::to_owned))
        .collect()
}

/// Whether a call depends on one that is nowhere in sight.
fn misses_a_call(scan: &Scan<'_>) -> bool {
    let mut codes = scan.diagnostics.iter().map(|found| found.code);
    codes.any(|code| code == Code::UnknownDependency)
}

fn too_large(head: &[u8], bytes: u64, limit: usize) -> Problem {
    let message = format!(
        "expected a record of at most {limit} bytes, found {bytes}; raise --max-record-bytes to read it"
    );
    Problem::of_record(Code::RecordTooLarge, message, Span::new(0, bytes as usize), head)
}
