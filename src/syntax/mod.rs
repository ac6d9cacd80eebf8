//! The syntaxes: everything that is known about one format stands behind one trait, in one file.

use std::sync::Arc;

use crate::call::Call;
use crate::offer::Offer;
use crate::scan::Context;
use crate::span::Span;

pub use draft::{Draft, Value, Written};
pub use gadget_block::Markers;

mod coercion;
mod draft;
pub mod emoji_bracket;
pub mod execute_block;
pub mod gadget_block;
pub mod markdown_fence;
mod mojibake;
pub mod scissors_cat;

/// What a marker does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// May open a block; [`Syntax::parse`] decides.
    Opener,
    /// Closes a block; outside of one it is a `stray_end_marker`.
    Closer,
    /// Means something inside a block only; outside of one it is a `stray_marker`.
    Inner,
    /// Is nearly a marker. The word names the form (the `detail` of the `near_miss`).
    NearMiss(&'static str),
    /// Is a marker that was encoded twice. The word names the encoding (the `detail`).
    Mojibake(&'static str),
}

/// A marker, or what nearly is one, at its place in the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mark {
    /// The marker's bytes.
    pub span: Span,
    /// What it does.
    pub role: Role,
    /// The syntax's own number for the marker, by which [`Context::next_mark`] finds it.
    pub kind: u8,
    /// Whether it is written in an accepted variant (without its variation selector).
    pub variant: bool,
}

impl Mark {
    /// A marker written as it should be.
    pub fn new(role: Role, kind: u8, span: impl Into<Span>) -> Self {
        Self {
            span: span.into(),
            role,
            kind,
            variant: false,
        }
    }
}

/// What became of an opening marker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Claim {
    /// It opened a block that owns the text up to `end`. The calls were added to the context.
    Block {
        /// Offset behind the block's last byte; behind the opener's start.
        end: usize,
    },
    /// As `Block`, but it does not count in `block_index` (results of earlier calls).
    Annex {
        /// Offset behind the annex's last byte.
        end: usize,
    },
    /// It is plain text. The scan goes on at `resume`, behind the opener's start.
    Text {
        /// Where to go on.
        resume: usize,
    },
}

/// How a syntax takes the start of a text, for formats that need no opening marker there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AtStart {
    /// Nothing begins here.
    Nothing,
    /// A block begins here; its calls were added.
    Claim(Claim),
    /// A block may begin later, at this place, where no marker stands: [`Syntax::parse`] is called with this
    /// mark when the scan gets there and nothing else has claimed the place.
    Later(Mark),
}

/// A part of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part<'p> {
    /// The tool's name.
    Name,
    /// The value at the end of a path of keys and indices in the arguments; all of them where it is empty.
    Argument(&'p [&'p str]),
}

/// One format of tool calls.
///
/// Adding one: `docs/adding-a-syntax.md`.
pub trait Syntax: Send + Sync {
    /// The name used in flags, columns, docs and file names.
    fn name(&self) -> &'static str;

    /// One line for `toolscan syntaxes`.
    fn description(&self) -> &'static str;

    /// What a call looks like, in one minimal well-formed text.
    fn example(&self) -> &'static str;

    /// The byte strings that lead to this syntax's markers, near misses included: each a fixed prefix, three
    /// bytes or longer, of the forms that [`Syntax::recognise`] tells apart.
    fn anchors(&self) -> Vec<Vec<u8>>;

    /// The marker that the anchor at `at` belongs to, if it is one. It may begin before `at`.
    fn recognise(&self, text: &str, at: usize) -> Option<Mark>;

    /// Called once, at the first byte behind leading white space and reasoning.
    fn at_start(&self, at: usize, context: &mut Context<'_, '_>) -> AtStart {
        let _ = (at, context);
        AtStart::Nothing
    }

    /// Parses what `mark`, an [`Role::Opener`] outside of every claimed span, opens. Adds calls and findings
    /// to the context. Always moves forward: the claim ends, or the scan resumes, behind `mark.span.start`.
    fn parse(&self, mark: Mark, context: &mut Context<'_, '_>) -> Claim;

    /// Where in the text a part of one of its calls stands, for findings that are made behind the scan; `offer` is
    /// what the call was read with. `None` where the part has no place of its own.
    fn locate(&self, text: &str, call: &Call<'_>, part: Part<'_>, offer: &dyn Offer) -> Option<Span> {
        let _ = (text, call, part, offer);
        None
    }

    /// Whether `arguments` is a list of values without names, which a tool's schema says nothing about.
    fn is_positional(&self) -> bool {
        false
    }

    /// Renders calls as a model that follows the format would: one block where the format has batches, else one
    /// block each, ending with a line break. Returns what a reader of them has to find.
    fn write(&self, drafts: &[Draft], out: &mut String) -> Vec<Written>;

    /// Whether calls can stand at the start of a text only.
    fn needs_text_start(&self) -> bool {
        false
    }

    /// Whether a call inside a foreign Markdown code fence is still a call (`inside_code_fence`). A syntax
    /// that says no looks at the fences itself.
    fn sees_through_fences(&self) -> bool {
        true
    }

    /// Whether two of its calls may have one id.
    fn shares_ids(&self) -> bool {
        false
    }

    /// Called once behind the last block, for findings that need the whole completion.
    fn finish(&self, context: &mut Context<'_, '_>) {
        let _ = context;
    }
}

/// A syntax that the scanner can share between threads.
pub type SharedSyntax = Arc<dyn Syntax>;

/// Every syntax, in the order in which they are asked.
pub fn all() -> Vec<SharedSyntax> {
    configured(&Markers::default())
}

/// Every syntax, gadget_block with these markers.
pub fn configured(markers: &Markers) -> Vec<SharedSyntax> {
    vec![
        Arc::new(emoji_bracket::EmojiBracket::new()),
        Arc::new(markdown_fence::MarkdownFence),
        Arc::new(execute_block::ExecuteBlock),
        Arc::new(scissors_cat::ScissorsCat::new()),
        Arc::new(gadget_block::GadgetBlock::new(markers)),
    ]
}
