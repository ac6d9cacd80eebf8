//! Which tag comes next outside of JSON strings.
//!
//! A search from each opener would be quadratic on a text full of openers. Whether a tag stands in a string depends on
//! where the reading begins, but between two tags there are only two ways to read: from inside of a string or from
//! outside. So one pass from the last tag to the first one answers for all openers.

use super::TAGS;
use crate::scan::Context;
use crate::syntax::Mark;
use crate::text::first_special;

/// For each kind of tag the first one, as an index into the list of tags.
type First = [Option<u32>; TAGS];

/// The tags of a text, from the first opener on.
#[derive(Debug, Default)]
struct Tags {
    tags: Vec<Mark>,
    /// For each tag: what comes first behind it, if no string is open at it.
    behind: Vec<First>,
}

/// The first tag of `kind` behind `opener` that does not stand in a JSON string, if reading begins at the opener.
pub(super) fn outside_strings(kind: u8, opener: Mark, context: &mut Context<'_, '_>) -> Option<Mark> {
    let known = context.memo::<Tags>().find(opener);
    let place = match known {
        Some(place) => place,
        None => {
            *context.memo() = Tags::read(opener, context);
            context.memo::<Tags>().find(opener)?
        }
    };
    let tags = context.memo::<Tags>();
    let found = tags.behind[place][kind as usize]?;
    Some(tags.tags[found as usize])
}

impl Tags {
    fn find(&self, opener: Mark) -> Option<usize> {
        self.tags
            .binary_search_by_key(&opener.span.start, |tag| tag.span.start)
            .ok()
    }

    fn read(opener: Mark, context: &Context<'_, '_>) -> Self {
        let mut tags = Vec::new();
        let mut next = Some(opener);
        while let Some(mark) = next {
            if (mark.kind as usize) < TAGS {
                tags.push(mark);
            }
            next = context.next_any(mark.span.end);
        }
        let behind = first_behind(context.text().as_bytes(), &tags);
        Self { tags, behind }
    }
}

fn first_behind(text: &[u8], tags: &[Mark]) -> Vec<First> {
    let mut behind = vec![First::default(); tags.len()];
    // What comes first from the next tag on, itself included, read from outside of a string and from inside.
    let mut from_next = [First::default(); 2];
    let mut end = None;
    for (place, tag) in tags.iter().enumerate().rev() {
        let gap = &text[tag.span.end..end.unwrap_or(tag.span.end)];
        let [outside, inside] = [false, true].map(|inside| from_next[usize::from(reads_to(gap, inside))]);
        behind[place] = outside;
        from_next = [outside, inside];
        from_next[0][tag.kind as usize] = Some(place as u32);
        end = Some(tag.span.start);
    }
    behind
}

/// Whether a string is open at the end of `text`, if one is open at its start or not.
fn reads_to(text: &[u8], inside: bool) -> bool {
    let mut at = 0;
    let mut inside = inside;
    while let Some(behind) = behind_quote(text, at, inside) {
        at = behind;
        inside = !inside;
    }
    inside
}

/// The place of the string that is open at the end of `text`, if one is.
pub(super) fn open_string(text: &[u8]) -> Option<usize> {
    let mut opened = 0;
    let mut inside = false;
    while let Some(behind) = behind_quote(text, opened, inside) {
        opened = behind;
        inside = !inside;
    }
    inside.then(|| opened - 1)
}

/// The place behind the first quote from `at` on that opens a string or, from inside of one, closes it.
fn behind_quote(text: &[u8], at: usize, inside: bool) -> Option<usize> {
    let mut at = at;
    loop {
        at += first_special(text.get(at..)?);
        match text.get(at)? {
            b'"' => return Some(at + 1),
            b'\\' if inside => at += 2,
            _ => at += 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_open_close_and_escape() {
        for (text, outside, inside) in [
            ("", false, true),
            ("[{", false, true),
            ("[\"", true, false),
            ("\"a\"", false, true),
            // Outside of a string a backslash escapes nothing.
            ("\\\"", true, true),
            ("\\", false, true),
            ("\"\\\\\"", false, true),
        ] {
            let read = |start| reads_to(text.as_bytes(), start);
            assert_eq!((read(false), read(true)), (outside, inside), "{text}");
        }
    }

    #[test]
    fn the_open_string_is_found() {
        for (text, opened) in [
            ("[1", None),
            ("[\"a\", \"b\\\"", Some(6)),
            ("\"", Some(0)),
            ("\"a\"", None),
        ] {
            assert_eq!(open_string(text.as_bytes()), opened, "{text}");
        }
    }
}
