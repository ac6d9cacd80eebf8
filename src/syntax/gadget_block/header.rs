//! The header of a gadget: `name:id:dependency,dependency`.

use std::collections::HashSet;

use crate::diagnostic::{Code, Finding};
use crate::scan::Context;
use crate::span::Span;
use crate::syntax::shown::shown;
use crate::text::is_space;

/// A name, id or dependency, trimmed, at its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Part<'t> {
    pub(super) text: &'t str,
    pub(super) span: Span,
}

/// What the header says.
#[derive(Debug, Default)]
pub(super) struct Header<'t> {
    /// `None` where it is empty.
    pub(super) name: Option<Part<'t>>,
    /// `None` where it is empty or absent.
    pub(super) id: Option<Part<'t>>,
    /// Each once.
    pub(super) dependencies: Vec<Part<'t>>,
    /// The colon behind which the id is empty.
    empty_id: Option<Span>,
    /// The first colon that separates dependencies.
    separator: Option<Span>,
}

impl<'t> Header<'t> {
    /// Reads the header that `line` holds.
    pub(super) fn read(text: &'t str, line: Span) -> Self {
        let mut header = Self::default();
        let mut known = HashSet::new();
        for (place, (colon, part)) in pieces(text, line, ':').enumerate() {
            match place {
                0 => header.name = part.not_empty(),
                1 => {
                    header.id = part.not_empty();
                    header.empty_id = header.id.is_none().then_some(colon);
                }
                _ => {
                    if place == 3 {
                        header.separator = Some(colon);
                    }
                    let dependencies = pieces(text, part.span, ',').filter_map(|(_, part)| part.not_empty());
                    let fresh = dependencies.filter(|part| known.insert(part.text));
                    header.dependencies.extend(fresh);
                }
            }
        }
        header
    }

    /// Reports what is wrong with it; `marker` is the start marker before it.
    pub(super) fn report(&self, marker: Span, call: usize, context: &mut Context<'_, 't>) {
        let mut report =
            |code, span, message: &str| context.report(Finding::new(code, span, message).call(call));
        if self.name.is_none() {
            report(
                Code::MissingName,
                marker,
                "a name is needed behind the marker, and none stands there; name the tool",
            );
        }
        if let Some(colon) = self.empty_id {
            report(
                Code::EmptyCallId,
                colon,
                "an id is expected behind the colon, and none stands there; write it or leave the colon out",
            );
        }
        if let Some(colon) = self.separator {
            report(
                Code::DependencySeparator,
                colon,
                "dependencies are separated by commas, and a colon stands here; write a comma",
            );
        }
        let parts = self.name.iter().chain(&self.id).chain(&self.dependencies);
        for part in parts.filter(|part| !is_identifier(part.text)) {
            let message = format!(
                "an identifier is letters, digits and `_`, no digit first; found `{}`",
                shown(part.text)
            );
            report(Code::InvalidIdentifier, part.span, &message);
        }
    }
}

impl<'t> Part<'t> {
    fn trimmed(text: &'t str, span: Span) -> Self {
        let whole = span.of(text);
        let left = whole.trim_start_matches(is_space);
        let start = span.end - left.len();
        let text = left.trim_end_matches(is_space);
        Self {
            text,
            span: Span::new(start, start + text.len()),
        }
    }

    fn not_empty(self) -> Option<Self> {
        (!self.text.is_empty()).then_some(self)
    }
}

/// The parts of `span` between the separators, each with the separator before it.
fn pieces<'t>(text: &'t str, span: Span, separator: char) -> impl Iterator<Item = (Span, Part<'t>)> {
    let mut start = span.start;
    span.of(text).split(separator).map(move |piece| {
        let before = Span::new(start.saturating_sub(1), start);
        let part = Part::trimmed(text, Span::new(start, start + piece.len()));
        start += piece.len() + 1;
        (before, part)
    })
}

/// Seed 004, `identifier`.
fn is_identifier(text: &str) -> bool {
    let fits = |character: char| character.is_ascii_alphanumeric() || character == '_';
    text.chars().all(fits) && !text.starts_with(|first: char| first.is_ascii_digit())
}
