//! Which parts of a source are its records.

use std::sync::Arc;

use super::grammar::{Beginning, beginning};
use super::pass::{Passing, is_space};
use crate::record::{Fields, Format, Joiner, SNIFFED_RECORDS, Sniff};

/// Which parts of a source are its records.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::input) enum Layout {
    /// Every line.
    Lines,
    /// Every JSON value, on however many lines.
    Values,
    /// The elements of an array in one document.
    Elements {
        /// The keys that lead to the array; none where it is the document.
        path: Vec<String>,
        /// The model that the document names for all of them.
        model: Option<String>,
    },
}

/// What can be told from the beginning of a source; `None` if that takes more of it. `is_all` says that there is no more.
///
/// Lines it is wherever the first line is a whole value and others follow, or where no JSON stands that goes on over
/// lines. What remains is a document: it is one record where it can be read as one; else its records are the elements of
/// the first array in it, at most two keys deep, in which there are completions.
pub(in crate::input) fn layout(head: &[u8], is_all: bool, fields: &Arc<Fields>) -> Option<Layout> {
    let head = head
        .strip_prefix(b"\xef\xbb\xbf")
        .unwrap_or(head)
        .trim_ascii_start();
    match head.first() {
        None if !is_all => return None,
        Some(b'{' | b'[') => {}
        _ => return Some(Layout::Lines),
    }
    match beginning(head) {
        Beginning::Fault => Some(Layout::Lines),
        Beginning::Value { end, spans_lines } => match after(&head[end..]) {
            After::Nothing if !is_all => None,
            After::Nothing => {
                let one = whole(spans_lines);
                of_document(&head[..end], true, &one, fields).or(Some(one))
            }
            After::SameLine(b'{' | b'[') => Some(Layout::Values),
            After::SameLine(_) | After::NextLine => Some(whole(spans_lines)),
        },
        Beginning::Cut {
            spans_lines,
            closed,
            brackets,
        } if spans_lines || is_all => {
            let document = [&head[..closed], &brackets].concat();
            let one = whole(spans_lines);
            let found = of_document(&document, is_all, &one, fields);
            found.or(is_all.then_some(one))
        }
        Beginning::Cut { .. } => None,
    }
}

/// The layout where a document is one record.
fn whole(spans_lines: bool) -> Layout {
    if spans_lines {
        Layout::Values
    } else {
        Layout::Lines
    }
}

enum After {
    Nothing,
    /// Something on the same line.
    SameLine(u8),
    /// Something further down.
    NextLine,
}

fn after(rest: &[u8]) -> After {
    let spaces = rest.iter().position(|&byte| !is_space(byte));
    match spaces {
        None => After::Nothing,
        Some(spaces) if rest[..spaces].contains(&b'\n') => After::NextLine,
        Some(spaces) => After::SameLine(rest[spaces]),
    }
}

/// Where the records of a document are: `one` if it is a record itself, and `None` if that cannot be seen. Where more of
/// it may follow, its last element may be cut.
fn of_document(document: &[u8], is_all: bool, one: &Layout, fields: &Arc<Fields>) -> Option<Layout> {
    if document.first() == Some(&b'[') {
        let mut elements = elements(document);
        let first = elements.next()?;
        return match first.starts_with(b"{") && !is_part(first) {
            _ if !is_all && elements.next().is_none() => None,
            _ if Joiner::suits([first]) => Some(one.clone()),
            false => Some(one.clone()),
            true => Some(Layout::Elements {
                path: Vec::new(),
                model: None,
            }),
        };
    }
    let sniff = Sniff::of(fields, [document]);
    let is_record = sniff.lacks.is_none();
    let entries = sniff
        .format()
        .and_then(|(name, _)| name.parse::<Format>().ok()?.entries());
    if is_record && entries.is_none() {
        return Some(one.clone());
    }
    let (path, _) = arrays(document).find(|(path, array)| {
        entries.is_none_or(|entries| path[..] == [entries]) && have_completions(array, fields)
    })?;
    let model = sniff.named[1].clone().or_else(|| text_of(document, "model"));
    Some(Layout::Elements { path, model })
}

/// Whether the first elements of an array are records.
fn have_completions(array: &[u8], fields: &Arc<Fields>) -> bool {
    let mut first = elements(array).take(SNIFFED_RECORDS);
    first.any(|element| element.starts_with(b"{") && Sniff::of(fields, [element]).lacks.is_none())
}

/// Whether an array that begins with this element is one record: a conversation, a message's parts or a list of calls.
fn is_part(element: &[u8]) -> bool {
    let has = |key: &str| members(element).any(|(name, _)| name == key.as_bytes());
    !has("model")
        && (has("role") || has("function") || has("from") && has("value") || has("type") && has("text"))
}

/// The arrays of objects in a document, at most two keys deep, each with the keys that lead to it.
fn arrays(document: &[u8]) -> impl Iterator<Item = (Vec<String>, &[u8])> {
    members(document).flat_map(|(key, value)| {
        let outer = String::from_utf8_lossy(key).into_owned();
        let inner: Vec<_> = match value.first() {
            Some(b'{') => members(value)
                .map(|(key, value)| {
                    (
                        vec![outer.clone(), String::from_utf8_lossy(key).into_owned()],
                        value,
                    )
                })
                .collect(),
            _ => vec![(vec![outer], value)],
        };
        inner
            .into_iter()
            .filter(|(_, value)| value.first() == Some(&b'['))
    })
}

/// The text of a key in an object, where nothing in it is escaped.
fn text_of(object: &[u8], key: &str) -> Option<String> {
    let (_, value) = members(object).find(|(name, _)| *name == key.as_bytes())?;
    let text = value.strip_prefix(b"\"")?.strip_suffix(b"\"")?;
    let text = str::from_utf8(text).ok()?;
    (!text.contains('\\')).then(|| text.to_owned())
}

/// The elements of a whole array.
fn elements(array: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut rest = &array[1..];
    std::iter::from_fn(move || next_value(&mut rest))
}

/// The members of a whole object: what stands between the quotes of the key, and the value.
fn members(object: &[u8]) -> impl Iterator<Item = (&[u8], &[u8])> {
    let mut rest = object.get(1..).unwrap_or_default();
    std::iter::from_fn(move || {
        let key = next_value(&mut rest)?;
        let key = key.strip_prefix(b"\"")?.strip_suffix(b"\"")?;
        Some((key, next_value(&mut rest)?))
    })
}

/// The next value behind commas and colons; `None` at the end of what holds it.
fn next_value<'a>(rest: &mut &'a [u8]) -> Option<&'a [u8]> {
    let start = rest
        .iter()
        .position(|&byte| !is_space(byte) && !matches!(byte, b',' | b':'))?;
    let value = &rest[start..];
    if matches!(value[0], b']' | b'}') {
        return None;
    }
    let (value, behind) = value.split_at(Passing::default().pass(value)?);
    *rest = behind;
    Some(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn elements_of(path: &[&str], model: Option<&str>) -> Layout {
        Layout::Elements {
            path: path.iter().map(|&key| key.to_owned()).collect(),
            model: model.map(str::to_owned),
        }
    }

    /// Texts, and what they are. Wherever one of them is cut, nothing else is said of it as long as more may follow.
    #[test]
    fn records_are_lines_values_or_elements() {
        let chat = r#"{"choices": [{"message": {"content": "hi"}}]}"#;
        let turns = r#"[{"role": "user", "content": "hi"}, {"role": "assistant", "content": "ho"}]"#;
        let inspect = r#"{"version": 2, "status": "success", "eval": {"model": "m", "task": "t"}, "plan": {"steps": [{}]},
            "samples": [{"id": 1, "epoch": 1, "messages": [{"role": "assistant", "content": "hi"}], "output": {}}]}"#;
        let one_line = inspect.replace('\n', " ");
        let cases = [
            ("", Layout::Lines),
            ("plain text", Layout::Lines),
            ("data: {\"a\": 1}\n\ndata: [DONE]\n", Layout::Lines),
            ("{\"completion\": \"a\"}", Layout::Lines),
            (
                "\n{\"completion\": \"a\"}\n{\"completion\": \"b\"}",
                Layout::Lines,
            ),
            (
                "[{\"completion\": \"a\"}]\n[{\"completion\": \"b\"}]",
                Layout::Lines,
            ),
            ("{\"completion\": \"cut\n{\"completion\": \"b\"}", Layout::Lines),
            ("{\"completion\": \"cut", Layout::Lines),
            ("{\"completion\": \"a\"} trailing", Layout::Lines),
            ("{\"a\": 1}{\"a\": 2}", Layout::Values),
            ("{\n\"a\": 1\n}\n{\n\"a\": 2\n}", Layout::Values),
            ("{\n\"completion\": \"a\"\n}", Layout::Values),
            (chat, Layout::Lines),
            (turns, Layout::Lines),
            ("[\n{\"role\": \"user\", \"content\": \"hi\"}\n]", Layout::Values),
            ("[1, 2]", Layout::Lines),
            ("[{\"completion\": \"a\"}]", elements_of(&[], None)),
            (
                "\u{feff}[\n  {\n\"completion\": \"a\"}\n]\n",
                elements_of(&[], None),
            ),
            (
                "{\"model\": \"m\", \"scores\": [{\"a\": 1}], \"results\": [{\"completion\": null}, {\"completion\": \"a\"}]}",
                elements_of(&["results"], Some("m")),
            ),
            (
                "{\"results\": {\"version\": 3, \"results\":\n[{\"response\": \"a\"}]}}",
                elements_of(&["results", "results"], None),
            ),
            (
                "{\"completion\": \"a\", \"results\": [{\"completion\": \"b\"}]}",
                Layout::Lines,
            ),
            (inspect, elements_of(&["samples"], Some("m"))),
            (&one_line, elements_of(&["samples"], Some("m"))),
        ];
        let fields = Arc::new(Fields::default());
        for (text, expected) in cases {
            let bytes = text.as_bytes();
            assert_eq!(layout(bytes, true, &fields).as_ref(), Some(&expected), "{text}");
            // A byte order mark is never cut: far more is looked at.
            for length in 4..bytes.len() {
                if let Some(early) = layout(&bytes[..length], false, &fields) {
                    assert_eq!(early, expected, "{:?}", &text.get(..length));
                }
            }
        }
    }
}
