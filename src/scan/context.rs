//! What a syntax sees of a scan while it parses a block, and where it puts what it finds.

use std::any::Any;

use memchr::memchr;

use super::Turn;
use super::marks::Marks;
use crate::call::Call;
use crate::diagnostic::{About, CODES, Code, Diagnostic, FINDINGS_OF_ONE_CODE, Finding, Severity};
use crate::offer::Offer;
use crate::scan::markdown::Markdown;
use crate::span::Span;
use crate::syntax::Mark;

/// The scan of one completion, as the syntax sees it whose turn it is.
pub struct Context<'s, 't> {
    pub(super) text: &'t str,
    pub(super) limit: usize,
    pub(super) syntax: &'static str,
    pub(super) syntax_index: usize,
    pub(super) strict: bool,
    pub(super) turn: Turn<'s>,
    pub(super) marks: &'s Marks,
    pub(super) markdown: Markdown<'t>,
    pub(super) inline: Option<Span>,
    pub(super) states: Vec<Option<Box<dyn Any>>>,
    pub(super) memos: Vec<Option<Box<dyn Any>>>,
    pub(super) bytes: ByteMemos,
    pub(super) found: Found<'t>,
    pub(super) block: usize,
    pub(super) block_calls: usize,
    pub(super) block_findings: usize,
    pub(super) tally_before: Option<Tally>,
    pub(super) thought: bool,
    pub(super) cut: bool,
}

/// What the scan has found so far.
#[derive(Debug, Default)]
pub(super) struct Found<'t> {
    pub(super) calls: Vec<Call<'t>>,
    pub(super) findings: Vec<Diagnostic>,
    pub(super) block_codes: Vec<(Code, Severity)>,
    pub(super) tally: Tally,
}

/// How often each code was found, the findings that were not kept included. Empty as long as there are none.
#[derive(Clone, Debug, Default)]
pub(super) struct Tally(Vec<u32>);

impl Tally {
    /// Counts one more of `code` and returns how many there are.
    pub(super) fn add(&mut self, code: Code) -> usize {
        self.0.resize(CODES.len(), 0);
        self.0[code as usize] += 1;
        self.0[code as usize] as usize
    }

    /// Whether as many findings of `code` are kept as ever will be.
    pub(super) fn is_full(&self, code: Code) -> bool {
        self.0
            .get(code as usize)
            .is_some_and(|&count| count as usize >= FINDINGS_OF_ONE_CODE)
    }

    /// The codes that were found more often than findings are kept, with the number found.
    pub(super) fn overflown(&self) -> impl Iterator<Item = (Code, usize)> {
        let any = self.0.iter().any(|&count| count as usize > FINDINGS_OF_ONE_CODE);
        let codes = if any { CODES } else { &[] };
        codes
            .iter()
            .filter_map(|info| Some((info.code, *self.0.get(info.code as usize)? as usize)))
            .filter(|&(_, count)| count > FINDINGS_OF_ONE_CODE)
    }
}

/// The next places of some bytes, remembered so that asking again and again stays linear.
#[derive(Debug, Default)]
pub(super) struct ByteMemos(Vec<ByteMemo>);

#[derive(Debug)]
struct ByteMemo {
    byte: u8,
    from: usize,
    found: usize,
}

impl ByteMemos {
    /// The first place of `byte` at or behind `from`, or the end of `text`, which is the same at every call.
    fn next(&mut self, byte: u8, text: &[u8], from: usize) -> usize {
        let place = self.0.iter().position(|memo| memo.byte == byte);
        if let Some(memo) = place.map(|place| &self.0[place])
            && (memo.from..=memo.found).contains(&from)
        {
            return memo.found;
        }
        let found = memchr(byte, &text[from..]).map_or(text.len(), |offset| from + offset);
        let memo = ByteMemo { byte, from, found };
        match place {
            Some(place) => self.0[place] = memo,
            None => self.0.push(memo),
        }
        found
    }
}

impl<'s, 't> Context<'s, 't> {
    /// The whole text of the completion.
    pub fn text(&self) -> &'t str {
        self.text
    }

    /// Where the text ends for the block being parsed: the end of the text, or of the reasoning around it.
    /// Nothing behind it may be read.
    pub fn limit(&self) -> usize {
        self.limit
    }

    /// Whether warnings count as errors.
    pub fn is_strict(&self) -> bool {
        self.strict
    }

    /// Ids of the calls in the turns before this completion.
    pub fn earlier_ids(&self) -> &'s [String] {
        self.turn.earlier_ids
    }

    /// The tools that the completion was offered, where that is known.
    pub fn offer(&self) -> Option<&'s dyn Offer> {
        self.turn.offer
    }

    /// The content of the inline code that the opener stands in, without its backticks. A block that does not
    /// end inside of it is taken back and becomes a mention, so a parser may return early when it sees that
    /// coming.
    pub fn inline_code(&self) -> Option<Span> {
        self.inline
    }

    /// The Markdown structure up to the block.
    pub fn markdown(&mut self) -> &mut Markdown<'t> {
        &mut self.markdown
    }

    /// The first mark of this syntax and `kind` that begins at or behind `from` and ends before the limit.
    pub fn next_mark(&self, kind: u8, from: usize) -> Option<Mark> {
        self.marks
            .next(self.syntax_index, kind, from)
            .filter(|mark| mark.span.end <= self.limit)
    }

    /// The first mark of this syntax, of any kind and role, at or behind `from`.
    pub fn next_any(&self, from: usize) -> Option<Mark> {
        self.marks
            .next_of(self.syntax_index, from)
            .filter(|mark| mark.span.end <= self.limit)
    }

    /// Where a block that opens at `opened` and has no end marker ends at the latest: at the next think tag
    /// that is not text, or at the limit.
    pub fn open_end(&self, opened: usize) -> usize {
        self.marks
            .next_think(opened, !self.thought)
            .map_or(self.limit, |at| at.min(self.limit))
    }

    /// The place of the first line feed at or behind `from`, or the limit. Any number of calls with ascending
    /// `from` cost one pass over the text.
    pub fn line_end(&mut self, from: usize) -> usize {
        self.next_byte(b'\n', from)
    }

    /// As [`Context::line_end`] for any ASCII byte.
    pub fn next_byte(&mut self, byte: u8, from: usize) -> usize {
        self.bytes.next(byte, &self.text.as_bytes()[..self.limit], from)
    }

    /// What this syntax remembers from block to block of one completion, made on first use. Blocks inside of
    /// hidden reasoning have a memory of their own.
    pub fn state<T: Default + 'static>(&mut self) -> &mut T {
        self.states[self.syntax_index]
            .get_or_insert_with(|| Box::<T>::default())
            .downcast_mut()
            .expect("a syntax keeps one type of state")
    }

    /// What this syntax remembers of the text alone, made on first use. It holds whatever becomes of a block, also
    /// where one is tried out and taken back.
    pub fn memo<T: Default + 'static>(&mut self) -> &mut T {
        self.memos[self.syntax_index]
            .get_or_insert_with(|| Box::<T>::default())
            .downcast_mut()
            .expect("a syntax keeps one type of memo")
    }

    /// Adds a call and returns its index in the completion.
    pub fn add_call(&mut self, mut call: Call<'t>) -> usize {
        call.block_index = self.block;
        self.found.calls.push(call);
        self.found.calls.len() - 1
    }

    /// Every call found so far, of all syntaxes.
    pub fn calls(&self) -> &[Call<'t>] {
        &self.found.calls
    }

    /// A call found earlier, to be completed (by its result, say).
    pub fn call_mut(&mut self, index: usize) -> &mut Call<'t> {
        &mut self.found.calls[index]
    }

    /// Reports a finding of this syntax and returns the severity that it has here.
    pub fn report(&mut self, finding: Finding) -> Severity {
        let syntax = self.syntax;
        self.report_for(Some(syntax), finding)
    }

    /// Whether more findings of `code` are only counted, so that nobody reads their messages.
    pub fn is_full(&self, code: Code) -> bool {
        self.found.tally.is_full(code)
    }

    /// Says that the block being parsed is cut off by the end of the text.
    pub fn cut_at_end(&mut self) {
        self.cut = true;
    }

    pub(super) fn report_for(&mut self, syntax: Option<&'static str>, finding: Finding) -> Severity {
        let severity = if self.strict {
            Severity::Error
        } else {
            finding.severity
        };
        let call_index = match finding.about {
            About::Call(index) => {
                self.found.calls[index].attach(finding.code, severity);
                Some(index)
            }
            About::Block => {
                self.found.block_codes.push((finding.code, severity));
                None
            }
            About::Apart => None,
        };
        if self.found.tally.add(finding.code) > FINDINGS_OF_ONE_CODE {
            return severity;
        }
        self.found.findings.push(Diagnostic {
            code: finding.code,
            severity,
            syntax,
            call_index,
            detail: finding.detail,
            message: finding.message,
            span: finding.span,
        });
        severity
    }

    /// Begins a block: from here on findings about the block are about this one.
    pub(super) fn begin(&mut self, syntax: &'static str, syntax_index: usize) {
        self.syntax = syntax;
        self.syntax_index = syntax_index;
        self.block_calls = self.found.calls.len();
        self.block_findings = self.found.findings.len();
        self.found.block_codes.clear();
        self.tally_before = self.inline.map(|_| self.found.tally.clone());
    }

    /// Ends a block: its codes go to all its calls.
    pub(super) fn end(&mut self) {
        let Found {
            calls, block_codes, ..
        } = &mut self.found;
        for call in &mut calls[self.block_calls..] {
            for &(code, severity) in block_codes.iter() {
                call.attach(code, severity);
            }
        }
        block_codes.clear();
    }

    /// Takes back what was found since `begin`, which was told of the inline code around the block.
    pub(super) fn undo(&mut self) {
        if let Some(tally) = self.tally_before.take() {
            self.found.tally = tally;
        }
        self.found.calls.truncate(self.block_calls);
        self.found.findings.truncate(self.block_findings);
        self.found.block_codes.clear();
    }
}
