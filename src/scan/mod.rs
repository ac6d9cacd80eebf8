//! One completion's text in, its calls and findings out: all markers in one pass, then who claims which span.

use std::any::Any;

use crate::call::Call;
use crate::diagnostic::{Code, Diagnostic, Finding};
use crate::offer::Offer;
use crate::span::Span;
use crate::syntax::{AtStart, Claim, Mark, Role, SharedSyntax, Syntax};

mod context;
pub mod markdown;
mod marks;
mod stream;

pub use crate::diagnostic::FINDINGS_OF_ONE_CODE;
pub use crate::text::is_space;
pub use context::Context;
use context::{ByteMemos, Found};
use markdown::Markdown;
use marks::{Hit, MarkFinder, Marks, ThinkTag};
pub use stream::Stream;

/// What to do with `<think>…</think>`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Think {
    /// What is inside is hidden from every syntax; calls in it are reported as `call_in_think`.
    #[default]
    Hide,
    /// The tags are plain text.
    Scan,
}

/// Settings of a [`Scanner`].
#[derive(Clone, Copy, Debug, Default)]
pub struct ScanOptions {
    /// What to do with reasoning.
    pub think: Think,
    /// Whether every warning is an error.
    pub strict: bool,
}

/// What is known of a completion beside its text.
#[derive(Clone, Copy, Default)]
pub struct Turn<'a> {
    /// Ids of the calls in the turns before it, on which a call may depend.
    pub earlier_ids: &'a [String],
    /// The tools that it was offered, where that is known.
    pub offer: Option<&'a dyn Offer>,
}

/// What a text holds.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Scan<'t> {
    /// The calls, in the order of their places.
    pub calls: Vec<Call<'t>>,
    /// The findings, in the order of their places. At most [`FINDINGS_OF_ONE_CODE`] of one code, and behind
    /// them one more that says how many were left out.
    pub diagnostics: Vec<Diagnostic>,
    /// How often each overflown code was really found, for those codes alone.
    pub overflow: Vec<(Code, usize)>,
    /// Bytes in blocks that hold calls.
    pub call_bytes: usize,
    /// Bytes hidden as reasoning.
    pub think_bytes: usize,
    /// Whether a block is cut off by the text's end.
    pub cut: bool,
}

/// Finds the calls in texts. Built once, shared between threads.
///
/// ```
/// use toolscan::{ScanOptions, Scanner, syntax};
///
/// let scanner = Scanner::new(syntax::all(), ScanOptions::default());
/// let scan = scanner.scan("Let me look.\n<execute>[{\"name\": \"ls\", \"args\": {\"path\": \".\"}}]</execute>");
/// assert_eq!(scan.calls[0].name.as_deref(), Some("ls"));
/// assert_eq!(scan.calls[0].arguments.as_deref(), Some("{\"path\":\".\"}"));
/// assert!(scan.calls[0].is_valid() && scan.diagnostics.is_empty());
/// ```
pub struct Scanner {
    syntaxes: Vec<SharedSyntax>,
    finder: MarkFinder,
    options: ScanOptions,
}

impl Scanner {
    /// A scanner for these syntaxes. Where two could claim the same marker, the first in the list is asked
    /// first.
    pub fn new(syntaxes: Vec<SharedSyntax>, options: ScanOptions) -> Self {
        let finder = MarkFinder::new(&syntaxes, options.think == Think::Hide);
        Self {
            syntaxes,
            finder,
            options,
        }
    }

    /// The syntaxes that it looks for.
    pub fn syntaxes(&self) -> &[SharedSyntax] {
        &self.syntaxes
    }

    /// The byte strings, one of which every text has that holds anything to report. For filters that run
    /// before the text is decoded.
    pub fn anchors(&self) -> &[Vec<u8>] {
        self.finder.anchors()
    }

    /// The marks that one pass over `text` finds, each with the index of its syntax. For tests that hold them
    /// against a slower search.
    #[doc(hidden)]
    pub fn marks(&self, text: &str) -> Vec<(usize, Mark)> {
        let marks = self.finder.find(text, &self.syntaxes);
        let of_syntax = |hit: &Hit| match *hit {
            Hit::Syntax(index, mark) => Some((index, mark)),
            Hit::Think(..) => None,
        };
        marks.hits.iter().filter_map(of_syntax).collect()
    }

    /// Finds everything in one completion's text.
    pub fn scan<'t>(&self, text: &'t str) -> Scan<'t> {
        self.scan_turn(text, Turn::default())
    }

    /// As [`Scanner::scan`], for a completion of which more is known: turns before it, tools that it was offered.
    pub fn scan_turn<'t>(&self, text: &'t str, turn: Turn<'_>) -> Scan<'t> {
        // What was not decoded, because it holds nothing, comes as an empty text.
        if text.is_empty() {
            return Scan::default();
        }
        let marks = self.finder.find(text, &self.syntaxes);
        if marks.hits.is_empty() && !self.may_begin_with_calls(text) {
            return Scan::default();
        }
        let whole = Span::new(0, text.len());
        let mut run = Run::new(self, text, whole, &marks, turn);
        if let Passed::StrayThinkCloser(span) = run.pass() {
            // The template had opened the reasoning: everything before the closer is hidden.
            run = Run::new(self, text, whole, &marks, turn);
            run.hide(Span::new(0, span.start), Span::new(0, span.end));
            run.pass();
        }
        run.finish()
    }

    /// Reports the calls in a text that is reasoning as a whole, as if it stood between think tags.
    pub fn scan_reasoning<'t>(&self, text: &'t str) -> Scan<'t> {
        let marks = self.finder.find(text, &self.syntaxes);
        if marks.hits.is_empty() && !self.may_begin_with_calls(text) {
            return Scan {
                think_bytes: text.len(),
                ..Scan::default()
            };
        }
        let whole = Span::new(0, text.len());
        let mut run = Run::new(self, text, whole, &marks, Turn::default());
        run.hide(whole, whole);
        run.finish()
    }

    /// Begins a completion that arrives in chunks.
    pub fn stream(&self) -> Stream<'_> {
        Stream::new(self)
    }

    /// Whether a text without any anchor could still begin with calls (JSON without a delimiter).
    fn may_begin_with_calls(&self, text: &str) -> bool {
        text.trim_start_matches(is_space).starts_with(['[', '{'])
    }
}

/// How a pass over the text ended.
enum Passed {
    Whole,
    StrayThinkCloser(Span),
}

/// The scan of one text.
struct Run<'s, 't> {
    scanner: &'s Scanner,
    context: Context<'s, 't>,
    /// Everything before it is claimed, hidden or passed.
    position: usize,
    blocks: usize,
    call_bytes: usize,
    think_bytes: usize,
}

impl<'s, 't> Run<'s, 't> {
    /// Begins at the start of `region`, behind which it reads nothing.
    fn new(scanner: &'s Scanner, text: &'t str, region: Span, marks: &'s Marks, turn: Turn<'s>) -> Self {
        Self {
            scanner,
            context: Context {
                text,
                limit: region.end,
                syntax: "",
                syntax_index: 0,
                strict: scanner.options.strict,
                turn,
                marks,
                markdown: Markdown::new(text, region),
                inline: None,
                states: no_states(scanner),
                memos: no_states(scanner),
                bytes: ByteMemos::default(),
                found: Found::default(),
                block: 0,
                block_calls: 0,
                block_findings: 0,
                tally_before: None,
                thought: false,
                cut: false,
            },
            position: region.start,
            blocks: 0,
            call_bytes: 0,
            think_bytes: 0,
        }
    }

    /// Goes once from the position to the text's end.
    fn pass(&mut self) -> Passed {
        let marks = self.context.marks;
        self.hide_leading();
        let mut later = self.at_start();
        let mut place = marks.place_from(self.position);
        loop {
            let hit = marks.hits.get(place).copied();
            if let Some((syntax, mark)) = later
                && hit.is_none_or(|hit| mark.span.start <= hit.span().start)
            {
                later = None;
                if mark.span.start >= self.position {
                    self.open(syntax, mark);
                }
                continue;
            }
            let Some(hit) = hit else { return Passed::Whole };
            place += 1;
            if hit.span().start < self.position {
                continue;
            }
            match hit {
                Hit::Think(tag, span) => {
                    if let Some(stray) = self.think(tag, span) {
                        return Passed::StrayThinkCloser(stray);
                    }
                }
                Hit::Syntax(syntax, mark) => self.meet(syntax, mark),
            }
            if self.position > hit.span().end {
                place = marks.place_from(self.position).max(place);
            }
        }
    }

    /// Hides reasoning with which the text begins.
    fn hide_leading(&mut self) {
        loop {
            let start = self.skip_space(self.position);
            let marks = self.context.marks;
            match marks.hits.get(marks.place_from(start)) {
                Some(&Hit::Think(tag, span)) if span.start == start && tag.opens => {
                    self.think(tag, span);
                }
                _ => return,
            }
        }
    }

    fn skip_space(&self, from: usize) -> usize {
        let rest = &self.context.text[from..];
        from + rest.len() - rest.trim_start_matches(is_space).len()
    }

    /// Asks every syntax whether it takes the text's start.
    fn at_start(&mut self) -> Option<(usize, Mark)> {
        let at = self.skip_space(self.position);
        for index in 0..self.scanner.syntaxes.len() {
            let syntax = self.begin(index);
            match syntax.at_start(at, &mut self.context) {
                AtStart::Nothing => self.context.end(),
                AtStart::Claim(claim) => {
                    self.take(claim, at);
                    return None;
                }
                AtStart::Later(mark) => return Some((index, mark)),
            }
        }
        None
    }

    /// A think tag outside of every claimed span. Returns it if it closes what the text never opened.
    fn think(&mut self, tag: ThinkTag, span: Span) -> Option<Span> {
        let markdown = &mut self.context.markdown;
        if markdown.in_fence(span.start) || markdown.inline_code(span.start).is_some() {
            return None;
        }
        if !tag.opens {
            return (!self.context.thought).then_some(span);
        }
        let closer = self.context.marks.think_closer(tag.name, span.end);
        let end = self.context.text.len();
        let (inner, outer) = match closer {
            Some(closer) => (
                Span::new(span.end, closer.start),
                Span::new(span.start, closer.end),
            ),
            None => (Span::new(span.end, end), Span::new(span.start, end)),
        };
        self.hide(inner, outer);
        None
    }

    /// Hides `inner`, reports the calls in it, and goes on behind `outer`.
    fn hide(&mut self, inner: Span, outer: Span) {
        self.context.thought = true;
        self.think_bytes += inner.len();
        for call in self.calls_within(inner) {
            let span = call
                .span
                .expect("a call that was found in a text has its place there");
            let message = format!(
                "a call of {} stands inside hidden reasoning and is not one; write it behind the reasoning",
                call.name.as_deref().unwrap_or("a tool without a name"),
            );
            self.context.report_for(
                Some(call.syntax),
                Finding::new(Code::CallInThink, span, message).apart(),
            );
        }
        self.context.markdown.hide(outer);
        self.position = outer.end;
    }

    /// The calls that `region` would hold if it were a text of its own.
    fn calls_within(&mut self, region: Span) -> Vec<Call<'t>> {
        let marks = self.context.marks;
        let first = marks.place_from(region.start);
        let hits = marks.hits[first..].iter();
        let mut hits = hits.take_while(|hit| hit.span().end <= region.end).peekable();
        let text = self.context.text;
        if hits.peek().is_none() && !self.scanner.may_begin_with_calls(region.of(text)) {
            return Vec::new();
        }
        let mut inner = Run::new(self.scanner, text, region, marks, self.context.turn);
        let mut later = inner.at_start();
        for hit in hits {
            let span = hit.span();
            if let Some((syntax, mark)) = later.take_if(|(_, mark)| mark.span.start <= span.start)
                && mark.span.start >= inner.position
            {
                inner.open(syntax, mark);
            }
            if let Hit::Syntax(syntax, mark) = *hit
                && span.start >= inner.position
                && mark.role == Role::Opener
            {
                inner.open(syntax, mark);
            }
        }
        inner.context.found.calls
    }

    /// A mark outside of every claimed span.
    fn meet(&mut self, index: usize, mark: Mark) {
        match mark.role {
            Role::Opener => self.open(index, mark),
            Role::Closer => self.stray(index, mark, Code::StrayEndMarker),
            Role::Inner => self.stray(index, mark, Code::StrayMarker),
            Role::NearMiss(form) => self.near_miss(index, mark, form),
            Role::Mojibake(encoding) => self.mojibake(index, mark, encoding),
        }
    }

    fn open(&mut self, index: usize, mark: Mark) {
        let start = mark.span.start;
        let in_fence = self.context.markdown.in_fence(start);
        self.context.inline = if in_fence {
            None
        } else {
            let code = self.context.markdown.inline_code(start);
            code.map(|code| between_backticks(code, self.context.text))
        };
        if let Some(code) = self.context.inline
            && !self.fits(index, mark, code)
        {
            self.context.inline = None;
            self.stray(index, mark, Code::StrayMarker);
            self.position = mark.span.end;
            return;
        }
        let syntax = self.begin(index);
        let claim = syntax.parse(mark, &mut self.context);
        if matches!(claim, Claim::Block { .. }) && syntax.sees_through_fences() {
            if self.context.inline.is_some() {
                let message = "the call stands in inline code; write it without backticks around it";
                self.report_place(Finding::new(Code::InInlineCode, mark.span, message));
            } else if in_fence {
                let message = "the call stands in a Markdown code fence; write it outside of fences";
                self.report_place(Finding::new(Code::InsideCodeFence, mark.span, message));
            }
        }
        self.context.inline = None;
        self.take(claim, start);
    }

    /// Reports where the block just parsed stands: about its call, where the call is the whole block and not one of a
    /// batch.
    fn report_place(&mut self, finding: Finding) {
        let first = self.context.block_calls;
        let is_whole = |call: &Call<'_>| call.span.is_some_and(|span| span.start == finding.span.start);
        let finding = match &self.context.found.calls[first..] {
            [call] if is_whole(call) => finding.call(first),
            _ => finding,
        };
        self.context.report(finding);
    }

    /// Whether what `mark` opens ends inside `code`, the content of the inline code around it. Tries it out and
    /// leaves no trace. A syntax that looks at Markdown itself is not held up.
    fn fits(&mut self, index: usize, mark: Mark, code: Span) -> bool {
        let syntax = self.begin(index);
        if !syntax.sees_through_fences() {
            return true;
        }
        let states = std::mem::replace(&mut self.context.states, no_states(self.scanner));
        let cut = self.context.cut;
        let claim = syntax.parse(mark, &mut self.context);
        self.context.undo();
        self.context.cut = cut;
        self.context.states = states;
        matches!(claim, Claim::Block { end } | Claim::Annex { end } if end <= code.end)
    }

    fn begin(&mut self, index: usize) -> &'s dyn Syntax {
        let syntax: &'s dyn Syntax = &*self.scanner.syntaxes[index];
        self.context.block = self.blocks;
        self.context.begin(syntax.name(), index);
        syntax
    }

    /// Carries out what the syntax decided about the block that begins at `start`.
    fn take(&mut self, claim: Claim, start: usize) {
        let holds_calls = self.context.found.calls.len() > self.context.block_calls;
        self.context.end();
        match claim {
            Claim::Block { end } | Claim::Annex { end } => {
                debug_assert!(
                    end > start && end <= self.context.limit,
                    "a claim moves forward, within the text"
                );
                if matches!(claim, Claim::Block { .. }) {
                    self.blocks += 1;
                }
                if holds_calls {
                    self.call_bytes += end - start;
                }
                self.context.markdown.claim(Span::new(start, end));
                self.position = end;
            }
            Claim::Text { resume } => {
                debug_assert!(resume > start, "a scan moves forward");
                self.position = resume;
            }
        }
    }

    fn stray(&mut self, index: usize, mark: Mark, code: Code) {
        // What is counted only needs no words: a text may hold half a million of these.
        if self.context.found.tally.is_full(code) {
            self.context.found.tally.add(code);
            return;
        }
        let marker = mark.span.of(self.context.text);
        let message = match code {
            Code::StrayEndMarker => format!("`{marker}` closes nothing: no block is open here"),
            _ => format!("`{marker}` is a mention in plain text and opens nothing"),
        };
        let name = self.scanner.syntaxes[index].name();
        self.context
            .report_for(Some(name), Finding::new(code, mark.span, message).apart());
    }

    fn near_miss(&mut self, index: usize, mark: Mark, form: &'static str) {
        if !self.stands_out(mark) {
            return;
        }
        let syntax = &self.scanner.syntaxes[index];
        let message = format!(
            "`{}` is nearly a marker of {}, but no parser takes it for one; write it exactly",
            mark.span.of(self.context.text),
            syntax.name(),
        );
        let finding = Finding::new(Code::NearMiss, mark.span, message)
            .apart()
            .detail(form);
        self.context.report_for(Some(syntax.name()), finding);
    }

    fn mojibake(&mut self, index: usize, mark: Mark, encoding: &'static str) {
        if !self.stands_out(mark) {
            return;
        }
        let syntax = &self.scanner.syntaxes[index];
        let message = format!(
            "`{}` is a marker of {} that was read as {encoding} and written again; keep the log in UTF-8",
            mark.span.of(self.context.text),
            syntax.name(),
        );
        let finding = Finding::new(Code::MojibakeMarker, mark.span, message)
            .apart()
            .detail(encoding);
        self.context.report_for(Some(syntax.name()), finding);
    }

    /// Whether something that is no marker is worth reporting: at the start of a line, not in code.
    fn stands_out(&mut self, mark: Mark) -> bool {
        let start = mark.span.start;
        let markdown = &mut self.context.markdown;
        !markdown.in_fence(start) && markdown.inline_code(start).is_none() && markdown.at_line_start(start)
    }

    fn finish(mut self) -> Scan<'t> {
        for index in 0..self.scanner.syntaxes.len() {
            let syntax = self.begin(index);
            syntax.finish(&mut self.context);
            self.context.end();
        }
        let Found {
            calls,
            mut findings,
            tally,
            ..
        } = self.context.found;
        findings.sort_by_key(|finding| finding.span.start);
        let overflow: Vec<_> = tally.overflown().collect();
        for &(code, count) in &overflow {
            let last = findings.iter().rfind(|finding| finding.code == code);
            let left_out = last.map(|last| last.left_out(count - FINDINGS_OF_ONE_CODE));
            findings.extend(left_out);
        }
        Scan {
            calls,
            diagnostics: findings,
            overflow,
            call_bytes: self.call_bytes,
            think_bytes: self.think_bytes,
            cut: self.context.cut,
        }
    }
}

/// What stands between the backticks of inline code.
fn between_backticks(code: Span, text: &str) -> Span {
    let backticks = code.len() - code.of(text).trim_start_matches('`').len();
    Span::new(code.start + backticks, code.end - backticks)
}

fn no_states(scanner: &Scanner) -> Vec<Option<Box<dyn Any>>> {
    std::iter::repeat_with(|| None)
        .take(scanner.syntaxes.len())
        .collect()
}
