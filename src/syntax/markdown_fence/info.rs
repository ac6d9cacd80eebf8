//! The info string of a tool fence: a name and an id, by place or by key.

use crate::diagnostic::{Code, Finding};
use crate::shown::shown;
use crate::span::Span;
use crate::text::is_space;

/// What the info string behind `tool` gives.
#[derive(Debug, Default)]
pub(super) struct Info<'t> {
    pub(super) name: Option<Given<'t>>,
    pub(super) id: Option<Given<'t>>,
}

/// A name or an id that the info string gives.
#[derive(Clone, Copy, Debug)]
pub(super) struct Given<'t> {
    pub(super) value: &'t str,
    /// Where the value stands, without quotes.
    pub(super) span: Span,
    /// Whether its key is the long one (`toolName`, `toolCallId`), which wins over the short one.
    is_long: bool,
}

/// A word of the info string, or what is given under a key.
struct Word<'t> {
    span: Span,
    key: Option<&'t str>,
    /// What it says, quotes taken off.
    value: &'t str,
    value_span: Span,
}

impl<'t> Info<'t> {
    /// Reads the info string in `behind`, the rest of the opening line behind the word `tool`.
    pub(super) fn read(text: &'t str, behind: Span, findings: &mut Vec<Finding>) -> Self {
        let mut info = Self::default();
        let mut at = behind.start;
        while let Some(word) = Word::next(text, Span::new(at, behind.end)) {
            at = word.span.end;
            info.take(&word, findings);
        }
        info
    }

    fn take(&mut self, word: &Word<'t>, findings: &mut Vec<Finding>) {
        let (slot, field) = match word.key {
            Some("name" | "toolName") => (&mut self.name, "name"),
            Some("id" | "toolCallId") => (&mut self.id, "id"),
            None if self.name.is_none() => (&mut self.name, "name"),
            None if self.id.is_none() => (&mut self.id, "id"),
            _ => {
                let message = format!(
                    "the info string holds a name and an id, and `{}` is neither; move it into the body",
                    shown(word.value),
                );
                findings.push(Finding::new(Code::UnexpectedInfo, word.span, message));
                return;
            }
        };
        if word.value.is_empty() {
            return;
        }
        let given = Given {
            value: word.value,
            span: word.value_span,
            is_long: matches!(word.key, Some("toolName" | "toolCallId")),
        };
        let Some(earlier) = *slot else {
            *slot = Some(given);
            return;
        };
        if earlier.value != given.value {
            findings.push(conflict(field, word.span, earlier.value, given.value));
        }
        if given.is_long && !earlier.is_long {
            *slot = Some(given);
        }
    }
}

/// The finding that a field has two values.
pub(super) fn conflict(field: &str, span: Span, one: &str, other: &str) -> Finding {
    let message = format!(
        "the {field} is given as `{}` and as `{}`; give it once",
        shown(one),
        shown(other)
    );
    Finding::new(Code::ConflictingField, span, message)
}

impl<'t> Word<'t> {
    /// The first word in `part`. In quotes it may hold white space.
    fn next(text: &'t str, part: Span) -> Option<Self> {
        let rest = part.of(text).trim_start_matches(is_space);
        if rest.is_empty() {
            return None;
        }
        let key_length = rest
            .find(|character: char| !character.is_ascii_alphanumeric())
            .unwrap_or(0);
        let key = (key_length > 0 && rest[key_length..].starts_with('=')).then(|| &rest[..key_length]);
        let before = key.map_or(0, |key| key.len() + 1);
        let (value, length) = value(&rest[before..]);
        let start = part.end - rest.len();
        let span = Span::new(start, start + before + length);
        let quote = (length - value.len()) / 2;
        Some(Self {
            span,
            key,
            value,
            value_span: Span::new(span.start + before + quote, span.end - quote),
        })
    }
}

/// The value with which `rest` begins, and its length with quotes.
fn value(rest: &str) -> (&str, usize) {
    if let Some(quote) = rest
        .chars()
        .next()
        .filter(|character| matches!(character, '"' | '\''))
        && let Some((quoted, behind)) = rest[1..].split_once(quote)
        && (behind.is_empty() || behind.starts_with(is_space))
    {
        return (quoted, quoted.len() + 2);
    }
    let length = rest.find(is_space).unwrap_or(rest.len());
    (&rest[..length], length)
}
