//! Inline code: the runs of backticks on one line, and which of them belong together.

use std::collections::HashMap;

use memchr::memchr;

use crate::span::Span;

/// The inline code of one line, known up to where the scan stands.
///
/// A run of backticks opens inline code where a later run of the line is exactly as long; the first such run
/// closes it. A run that nothing closes is text. The runs of a line are put into an index by length when the
/// first of them is met, so that a line of any number of runs is read once.
#[derive(Debug, Default)]
pub(super) struct Backticks {
    /// Everything before it is decided.
    passed: usize,
    /// The part of the line that is read now: all of it, or what stands behind the last claim.
    part: Span,
    /// Inline code that begins before `passed` and was not left yet.
    open: Option<Span>,
    /// Where the runs of the line start, by their length; those before `indexed` alone.
    runs: HashMap<usize, Vec<usize>>,
    indexed: usize,
    /// Runs that are text as long as the line does not go on behind a claim, in order, and their places in that
    /// list by length.
    text_runs: Vec<(usize, usize)>,
    text_lengths: HashMap<usize, usize>,
}

impl Backticks {
    /// Begins a line.
    pub(super) fn start(&mut self, line: Span) {
        self.passed = line.start;
        self.part = line;
        self.indexed = line.start;
        self.open = None;
        if !self.runs.is_empty() {
            self.runs.clear();
            self.text_runs.clear();
            self.text_lengths.clear();
        }
    }

    /// Leaves out what stands before `end`: a claim.
    pub(super) fn pass(&mut self, end: usize) {
        if self.open.is_some_and(|code| code.end < end) {
            self.open = None;
        }
        self.passed = self.passed.max(end);
        self.part.start = self.part.start.max(end).min(self.part.end);
    }

    /// The line goes on with `part`. A run before the claim may now be closed.
    pub(super) fn go_on(&mut self, text: &str, part: Span) {
        self.part = part;
        self.passed = part.start;
        self.indexed = part.start;
        self.open = None;
        if self.text_runs.is_empty() {
            return;
        }
        let mut first: Option<(usize, usize)> = None;
        for (at, length) in runs(text, part) {
            if let Some(&place) = self.text_lengths.get(&length)
                && first.is_none_or(|(other, _)| place < other)
            {
                first = Some((place, at + length));
            }
        }
        if let Some((place, end)) = first {
            self.open = Some(Span::new(self.text_runs[place].0, end));
            for (_, length) in self.text_runs.drain(place..) {
                self.text_lengths.remove(&length);
            }
        }
    }

    /// The inline code around `at`.
    pub(super) fn around(&mut self, text: &str, at: usize) -> Option<Span> {
        loop {
            if let Some(code) = self.open {
                if at < code.end {
                    return (code.start <= at).then_some(code);
                }
                self.open = None;
                self.passed = self.passed.max(code.end);
            }
            let behind = (at + 1).min(self.part.end);
            if behind <= self.passed {
                return None;
            }
            let Some(offset) = memchr(b'`', &text.as_bytes()[self.passed..behind]) else {
                self.passed = behind;
                return None;
            };
            self.meet_run(text, self.passed + offset);
        }
    }

    /// Decides what the run at `start` is.
    fn meet_run(&mut self, text: &str, start: usize) {
        self.index(text, start);
        let escaped = usize::from(self.is_escaped(text, start));
        let start = start + escaped;
        let length = run_length(text, start, self.part.end);
        self.passed = start + length;
        if length == 0 {
            return;
        }
        if let Some(closer) = self.run_behind(length, self.passed) {
            self.open = Some(Span::new(start, closer + length));
        } else if !self.text_lengths.contains_key(&length) {
            self.text_lengths.insert(length, self.text_runs.len());
            self.text_runs.push((start, length));
        }
    }

    /// Puts the runs from `from` to the end of the part into the index.
    fn index(&mut self, text: &str, from: usize) {
        if self.indexed >= self.part.end {
            return;
        }
        for (at, length) in runs(text, Span::new(from, self.part.end)) {
            self.runs.entry(length).or_default().push(at);
        }
        self.indexed = self.part.end;
    }

    fn run_behind(&self, length: usize, from: usize) -> Option<usize> {
        let places = self.runs.get(&length)?;
        places.get(places.partition_point(|&at| at < from)).copied()
    }

    /// Whether a backslash takes the first backtick of the run at `start`.
    fn is_escaped(&self, text: &str, start: usize) -> bool {
        let before = &text.as_bytes()[self.part.start.min(start)..start];
        before.iter().rev().take_while(|&&byte| byte == b'\\').count() % 2 == 1
    }
}

/// The runs of backticks in `part`, with their lengths.
fn runs(text: &str, part: Span) -> impl Iterator<Item = (usize, usize)> {
    let mut from = part.start;
    std::iter::from_fn(move || {
        let at = from + memchr(b'`', &text.as_bytes()[from..part.end])?;
        let length = run_length(text, at, part.end);
        from = at + length;
        Some((at, length))
    })
}

fn run_length(text: &str, from: usize, end: usize) -> usize {
    text.as_bytes()[from..end]
        .iter()
        .take_while(|&&byte| byte == b'`')
        .count()
}
