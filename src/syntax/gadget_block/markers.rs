//! The markers of gadgets, which can be set, and what is nearly one of them.

use serde::Deserialize;

use crate::syntax::{Mark, Role};
use crate::text::is_space;

/// Kinds of marks.
pub(super) const START: u8 = 0;
pub(super) const END: u8 = 1;
pub(super) const ARG: u8 = 2;
const NEAR: u8 = 3;

/// Bytes of an anchor, at the least.
const ANCHOR_BYTES: usize = 3;

/// The markers of a gadget (seed 004, Configurable Markers).
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Markers {
    /// Opens a gadget; the header follows.
    pub start: String,
    /// Closes a gadget.
    pub end: String,
    /// Opens an argument; its pointer follows.
    pub arg: String,
}

impl Default for Markers {
    fn default() -> Self {
        Self {
            start: "!!!GADGET_START:".to_owned(),
            end: "!!!GADGET_END".to_owned(),
            arg: "!!!ARG:".to_owned(),
        }
    }
}

impl Markers {
    /// Why the markers cannot be told apart or found, if so.
    pub fn fault(&self) -> Option<String> {
        let all = [("start", &self.start), ("end", &self.end), ("arg", &self.arg)];
        for (name, marker) in all {
            if marker.trim_matches(is_space).is_empty() || marker.contains('\n') {
                return Some(format!("`{name}` is a word on one line, unlike {marker:?}"));
            }
        }
        let same = self.start == self.end || self.start == self.arg || self.end == self.arg;
        same.then(|| "`start`, `end` and `arg` have to differ from each other".to_owned())
    }
}

/// The markers and what is nearly one.
#[derive(Debug)]
pub(super) struct Forms {
    /// Longest first, so that a marker which begins with another one is seen.
    markers: Vec<Marker>,
}

/// One marker in parts: `!!!`, `GADGET_START`, `:`.
#[derive(Debug)]
struct Marker {
    kind: u8,
    role: Role,
    whole: String,
    /// Up to the first letter.
    sigil: String,
    word: String,
    /// What follows the word.
    tail: String,
}

impl Forms {
    pub(super) fn of(markers: &Markers) -> Self {
        let mut markers = vec![
            Marker::new(START, Role::Opener, &markers.start),
            Marker::new(END, Role::Closer, &markers.end),
            Marker::new(ARG, Role::Inner, &markers.arg),
        ];
        markers.sort_by_key(|marker| std::cmp::Reverse(marker.whole.len()));
        Self { markers }
    }

    pub(super) fn anchors(&self) -> Vec<Vec<u8>> {
        self.markers.iter().flat_map(Marker::anchors).collect()
    }

    pub(super) fn recognise(&self, text: &str, at: usize) -> Option<Mark> {
        let rest = &text[at..];
        if let Some(marker) = self.markers.iter().find(|marker| rest.starts_with(&marker.whole)) {
            return Some(Mark::new(marker.role, marker.kind, at..at + marker.whole.len()));
        }
        let before = text[..at].chars().next_back();
        let (form, length) = self
            .markers
            .iter()
            .find_map(|marker| marker.nearly(rest, before))?;
        Some(Mark::new(Role::NearMiss(form), NEAR, at..at + length))
    }
}

impl Marker {
    fn new(kind: u8, role: Role, whole: &str) -> Self {
        let start = whole.find(in_word).unwrap_or(whole.len());
        let end = whole[start..]
            .find(|character| !in_word(character))
            .map_or(whole.len(), |length| start + length);
        Self {
            kind,
            role,
            whole: whole.to_owned(),
            sigil: whole[..start].to_owned(),
            word: whole[start..end].to_owned(),
            tail: whole[end..].to_owned(),
        }
    }

    /// The sigil without its first character, if something is left of it.
    fn short_sigil(&self) -> Option<&str> {
        let first = self.sigil.chars().next()?;
        let short = &self.sigil[first.len_utf8()..];
        (!short.is_empty() && !self.word.is_empty()).then_some(short)
    }

    fn anchors(&self) -> Vec<Vec<u8>> {
        let whole = prefixes(&self.sigil, &self.whole[self.sigil.len()..]);
        let short = self.short_sigil().map(|short| prefixes(short, &self.word));
        whole.into_iter().chain(short.into_iter().flatten()).collect()
    }

    /// The form in which `rest` nearly begins with the marker, and its length. `before` stands before `rest`.
    fn nearly(&self, rest: &str, before: Option<char>) -> Option<(&'static str, usize)> {
        let (short, behind) = self.behind_sigil(rest, before)?;
        let start = behind.trim_start_matches(in_line_space);
        let word = start.get(..self.word.len()).filter(|word| !word.is_empty())?;
        if !word.eq_ignore_ascii_case(&self.word) {
            return None;
        }
        let behind_word = &start[word.len()..];
        let (tail, end) = self.tail(behind_word);
        if tail != Tail::Exact && behind_word.starts_with(in_word) {
            return None;
        }
        let form = match tail {
            _ if short => "short_sigil",
            Tail::Missing if start.len() < behind.len() => return None,
            Tail::Missing => "missing_colon",
            Tail::Spaced => "white_space",
            _ if start.len() < behind.len() => "white_space",
            _ if word != self.word => "wrong_case",
            _ => return None,
        };
        Some((form, rest.len() - end.len()))
    }

    /// What stands behind the sigil, and whether that lacks its first character.
    fn behind_sigil<'t>(&self, rest: &'t str, before: Option<char>) -> Option<(bool, &'t str)> {
        if let Some(behind) = rest.strip_prefix(&self.sigil) {
            return Some((false, behind));
        }
        let inside = before.is_some() && before == self.sigil.chars().next();
        let behind = rest.strip_prefix(self.short_sigil()?)?;
        (!inside).then_some((true, behind))
    }

    /// How the marker's tail stands behind the word, and the text behind it.
    fn tail<'t>(&self, behind_word: &'t str) -> (Tail, &'t str) {
        if self.tail.is_empty() {
            return (Tail::None, behind_word);
        }
        let text = behind_word.trim_start_matches(in_line_space);
        match text.strip_prefix(&self.tail) {
            Some(end) if text.len() < behind_word.len() => (Tail::Spaced, end),
            Some(end) => (Tail::Exact, end),
            None => (Tail::Missing, behind_word),
        }
    }
}

/// How a marker's tail is written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Tail {
    /// The marker has none.
    None,
    Exact,
    /// Behind white space.
    Spaced,
    Missing,
}

fn in_word(character: char) -> bool {
    character.is_alphanumeric() || character == '_'
}

/// The least that has to be looked for to find `sigil` and what follows it, in any case.
fn prefixes(sigil: &str, behind: &str) -> Vec<Vec<u8>> {
    let missing = ANCHOR_BYTES.saturating_sub(sigil.len());
    let mut length = missing.min(behind.len());
    while !behind.is_char_boundary(length) {
        length += 1;
    }
    let start = &behind[..length];
    let mut capital = start.to_ascii_lowercase();
    if let Some(first) = capital.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    let forms = [
        start.to_owned(),
        start.to_ascii_lowercase(),
        start.to_ascii_uppercase(),
        capital,
    ];
    let mut anchors: Vec<Vec<u8>> = forms
        .iter()
        .map(|form| format!("{sigil}{form}").into_bytes())
        .collect();
    anchors.sort();
    anchors.dedup();
    anchors
}

fn in_line_space(character: char) -> bool {
    character != '\n' && is_space(character)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mark(markers: &Markers, text: &str) -> Option<(Role, u8, usize)> {
        let forms = Forms::of(markers);
        let at = text.find(|first: char| !first.is_alphabetic()).unwrap_or(0);
        let bytes = &text.as_bytes()[at..];
        assert!(
            forms.anchors().iter().any(|anchor| bytes.starts_with(anchor)),
            "{text:?} has no anchor"
        );
        let mark = forms.recognise(text, at)?;
        assert_eq!(mark.span.start, at);
        Some((mark.role, mark.kind, mark.span.len()))
    }

    #[test]
    fn tells_the_markers_apart() {
        let usual = &Markers::default();
        assert_eq!(mark(usual, "!!!GADGET_START:G"), Some((Role::Opener, START, 16)));
        assert_eq!(mark(usual, "!!!GADGET_END:G"), Some((Role::Closer, END, 13)));
        assert_eq!(mark(usual, "!!!GADGET_ENDG"), Some((Role::Closer, END, 13)));
        assert_eq!(mark(usual, "!!!ARG:x"), Some((Role::Inner, ARG, 7)));
        for text in [
            "!!!",
            "!!! wow",
            "!!!ARGUMENT",
            "!!!GADGET_STARTER:",
            "!!!GADGET",
            "!!!gadget_ending",
            "!!!!GADGET_START:",
        ] {
            assert_eq!(mark(usual, text), None, "{text:?}");
        }
    }

    #[test]
    fn names_the_forms_that_are_nearly_markers() {
        let cases = [
            ("!!!gadget_start:", "wrong_case"),
            ("!!!Gadget_Start:", "wrong_case"),
            ("!!!gadget_end", "wrong_case"),
            ("!!!arg:", "wrong_case"),
            ("!!!GADGET_START :", "white_space"),
            ("!!! GADGET_START:", "white_space"),
            ("!!!ARG :", "white_space"),
            ("!!! GADGET_END", "white_space"),
            ("!!GADGET_START:", "short_sigil"),
            ("!!ARG:", "short_sigil"),
            ("!!GADGET_END", "short_sigil"),
            ("!!!GADGET_START", "missing_colon"),
            ("!!!ARG", "missing_colon"),
        ];
        for (text, form) in cases {
            let expected = Some((Role::NearMiss(form), NEAR, text.len()));
            assert_eq!(mark(&Markers::default(), text), expected, "{text:?}");
            assert_eq!(
                mark(&Markers::default(), &format!("{text} x")),
                expected,
                "{text:?}"
            );
        }
        let forms = Forms::of(&Markers::default());
        assert_eq!(
            forms.recognise("!!!GADGET_START:", 1),
            None,
            "what stands inside of a marker is none"
        );
    }

    /// Seed 004, Configurable Markers.
    #[test]
    fn markers_can_be_set() {
        let markers = Markers {
            start: "<<<TOOL:".to_owned(),
            end: "<<<END".to_owned(),
            arg: "@param:".to_owned(),
        };
        assert_eq!(markers.fault(), None);
        assert_eq!(mark(&markers, "<<<TOOL:x"), Some((Role::Opener, START, 8)));
        assert_eq!(mark(&markers, "<<<END"), Some((Role::Closer, END, 6)));
        assert_eq!(mark(&markers, "@param:x"), Some((Role::Inner, ARG, 7)));
        assert_eq!(
            mark(&markers, "@Param:x"),
            Some((Role::NearMiss("wrong_case"), NEAR, 7))
        );
        assert_eq!(
            mark(&markers, "<<<tool:"),
            Some((Role::NearMiss("wrong_case"), NEAR, 8))
        );
        assert_eq!(
            mark(&markers, "<<TOOL:"),
            Some((Role::NearMiss("short_sigil"), NEAR, 7))
        );
        assert_eq!(Forms::of(&markers).recognise("!!!GADGET_START:", 0), None);
    }

    #[test]
    fn the_longest_marker_wins() {
        let markers = Markers {
            start: "##T".to_owned(),
            end: "##T/".to_owned(),
            arg: "##T=".to_owned(),
        };
        assert_eq!(mark(&markers, "##T/"), Some((Role::Closer, END, 4)));
        assert_eq!(mark(&markers, "##T="), Some((Role::Inner, ARG, 4)));
        assert_eq!(mark(&markers, "##Tx"), Some((Role::Opener, START, 3)));
    }

    #[test]
    fn markers_that_cannot_be_told_apart_are_refused() {
        let with = |start: &str, end: &str| Markers {
            start: start.to_owned(),
            end: end.to_owned(),
            ..Markers::default()
        };
        assert!(with("", "x").fault().is_some());
        assert!(with("  ", "x").fault().is_some());
        assert!(with("a\nb", "x").fault().is_some());
        assert!(with("@@", "@@").fault().is_some());
        assert!(with("!!!ARG:", "x").fault().is_some());
        assert_eq!(with("@@", "@/").fault(), None);
    }
}
