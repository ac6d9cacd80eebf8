//! The header of a gadget: `name:id:dependency,dependency`.

use std::collections::HashSet;

use crate::diagnostic::{Code, Finding};
use crate::scan::Context;
use crate::shown::shown;
use crate::span::Span;
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

#[cfg(test)]
mod tests {
    use super::*;

    fn texts<'t>(parts: &[Part<'t>]) -> Vec<&'t str> {
        parts.iter().map(|part| part.text).collect()
    }

    fn read(line: &str) -> (Option<&str>, Option<&str>, Vec<&str>) {
        let header = Header::read(line, Span::new(0, line.len()));
        for part in header.name.iter().chain(&header.id).chain(&header.dependencies) {
            assert_eq!(part.span.of(line), part.text);
        }
        (
            header.name.map(|part| part.text),
            header.id.map(|part| part.text),
            texts(&header.dependencies),
        )
    }

    /// Seed 004, Header Line Formats; the reference's tests of dependencies.
    #[test]
    fn reads_name_id_and_dependencies() {
        assert_eq!(read("Calculator"), (Some("Calculator"), None, vec![]));
        assert_eq!(
            read(" Calculator : calc_1\r"),
            (Some("Calculator"), Some("calc_1"), vec![])
        );
        assert_eq!(read("S:s_1:a, b ,,a"), (Some("S"), Some("s_1"), vec!["a", "b"]));
        assert_eq!(
            read("S:s_1:a:b,a:c"),
            (Some("S"), Some("s_1"), vec!["a", "b", "c"])
        );
        assert_eq!(read("S:s_1:"), (Some("S"), Some("s_1"), vec![]));
        assert_eq!(read("S::a"), (Some("S"), None, vec!["a"]));
        assert_eq!(read(""), (None, None, vec![]));
        assert_eq!(read(":x"), (None, Some("x"), vec![]));
    }

    #[test]
    fn remembers_the_colons_that_are_wrong() {
        let header = Header::read("S: :a:b", Span::new(0, 7));
        assert_eq!(header.empty_id, Some(Span::new(1, 2)));
        assert_eq!(header.separator, Some(Span::new(5, 6)));
        let header = Header::read("S:i:a,b", Span::new(0, 7));
        assert_eq!((header.empty_id, header.separator), (None, None));
    }

    #[test]
    fn identifiers_are_those_of_the_grammar() {
        for good in ["a", "_", "A9_", "__init__"] {
            assert!(is_identifier(good), "{good}");
        }
        for bad in ["9a", "a-b", "a b", "é", "a.b"] {
            assert!(!is_identifier(bad), "{bad}");
        }
    }
}
