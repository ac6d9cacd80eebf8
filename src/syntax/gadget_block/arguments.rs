//! The parameter text of a gadget: pointers and values, read into a JSON object.

use std::borrow::Cow;
use std::collections::HashSet;

use super::tree::{Fault, Scalar, Tree};
use crate::diagnostic::{Code, Finding};
use crate::span::Span;
use crate::syntax::shown::shown;
use crate::text::is_space;

/// Segments that a pointer may have.
const DEPTH: usize = 64;

/// Reads the arguments in `raw` as a JSON object; `None` where a pointer is wrong. `marker` stands before each
/// of them; `is_string` tells by a pointer's segments whether its value stays a string. Findings have their
/// places in `raw`.
pub(super) fn read<'t>(
    raw: &'t str,
    marker: &str,
    is_string: &dyn Fn(&[&str]) -> bool,
    report: &mut dyn FnMut(Finding),
) -> Option<String> {
    let markers: Vec<usize> = raw.match_indices(marker).map(|(at, _)| at).collect();
    let end = read_preamble(raw, &markers, report);
    let mut reader = Reader {
        raw,
        is_string,
        report,
        tree: Tree::new(),
        seen: HashSet::new(),
        sound: true,
    };
    let ends = markers.iter().copied().skip(1).chain([end]);
    for (&start, end) in markers.iter().zip(ends) {
        let marker = Span::new(start, start + marker.len());
        reader.argument(marker, Span::new(marker.end, end));
    }
    reader.sound.then(|| reader.tree.to_json())
}

/// Looks at what stands before the first argument, and returns where the last one ends.
fn read_preamble(raw: &str, markers: &[usize], report: &mut dyn FnMut(Finding)) -> usize {
    let before = markers.first().map_or(raw, |&first| &raw[..first]);
    let fence = markers
        .last()
        .and_then(|&last| Some((last, Fence::left_open(before)?)));
    let Some((last, fence)) = fence else {
        report_text(before, 0, report);
        return raw.len();
    };
    let message = "the arguments stand in a Markdown fence; write them without it";
    report(Finding::new(Code::FencedArguments, fence.line, message));
    if !report_text(&before[..fence.line.start], 0, report) {
        report_text(&before[fence.line.end..], fence.line.end, report);
    }
    fence.closing_line(raw, last).unwrap_or(raw.len())
}

/// Reports text that stands before the arguments; `start` is its place.
fn report_text(text: &str, start: usize, report: &mut dyn FnMut(Finding)) -> bool {
    let left = text.trim_start_matches(is_space);
    let trimmed = left.trim_end_matches(is_space);
    if trimmed.is_empty() {
        return false;
    }
    let start = start + text.len() - left.len();
    let message = format!(
        "an argument is expected behind the header, and `{}` stands there; move it before the gadget",
        shown(trimmed)
    );
    report(Finding::new(
        Code::TextBeforeArguments,
        start..start + trimmed.len(),
        message,
    ));
    true
}

/// The opening line of a Markdown fence.
struct Fence {
    line: Span,
    character: char,
    length: usize,
}

impl Fence {
    /// The fence that is open at the end of `text`.
    fn left_open(text: &str) -> Option<Self> {
        let mut open: Option<Self> = None;
        let mut start = 0;
        for line in text.split_inclusive('\n') {
            open = match open {
                Some(fence) if fence.closes(line) => None,
                Some(fence) => Some(fence),
                None => Self::opening(line, start),
            };
            start += line.len();
        }
        open
    }

    fn opening(line: &str, start: usize) -> Option<Self> {
        let left = line.trim_start_matches(is_space);
        let trimmed = left.trim_end_matches(is_space);
        let character = trimmed
            .chars()
            .next()
            .filter(|first| matches!(first, '`' | '~'))?;
        let info = trimmed.trim_start_matches(character);
        let length = trimmed.len() - info.len();
        let start = start + line.len() - left.len();
        (length >= 3 && (character == '~' || !info.contains('`'))).then(|| Self {
            line: Span::new(start, start + trimmed.len()),
            character,
            length,
        })
    }

    fn closes(&self, line: &str) -> bool {
        let line = line.trim_matches(is_space);
        line.len() >= self.length && line.chars().all(|character| character == self.character)
    }

    /// Where the line begins that closes the fence, if it is the last one of `raw` that is not blank and stands
    /// below the argument at `last`.
    fn closing_line(&self, raw: &str, last: usize) -> Option<usize> {
        let text = raw.trim_end_matches(is_space);
        let start = text.rfind('\n')? + 1;
        (start > last && self.closes(&text[start..])).then_some(start)
    }
}

/// The reading of the arguments.
struct Reader<'t, 'r> {
    raw: &'t str,
    is_string: &'r dyn Fn(&[&str]) -> bool,
    report: &'r mut dyn FnMut(Finding),
    tree: Tree<'t>,
    seen: HashSet<&'t str>,
    /// Whether every pointer so far is right.
    sound: bool,
}

impl<'t> Reader<'t, '_> {
    /// Reads the argument behind `marker`.
    fn argument(&mut self, marker: Span, argument: Span) {
        let text = argument.of(self.raw);
        let (line, value) = text.split_once('\n').unwrap_or((text, ""));
        let value = without_line_break(value);
        let left = line.trim_start_matches(is_space);
        let pointer = left.trim_end_matches(is_space);
        let start = argument.start + line.len() - left.len();
        let span = Span::new(start, start + pointer.len());
        if pointer.is_empty() {
            let message = "a pointer is needed behind the marker, and none stands there; name the argument";
            (self.report)(Finding::new(Code::EmptyPointer, marker, message));
            return;
        }
        if carries_value(pointer, value) {
            let message = format!(
                "a value goes on the line below its pointer, and `{}` seems to hold both; break the line",
                shown(pointer)
            );
            (self.report)(Finding::new(Code::InlineValue, span, message));
        }
        self.place(pointer, span, value);
    }

    /// Puts the value where the pointer says.
    fn place(&mut self, pointer: &'t str, span: Span, value: &'t str) {
        if !self.seen.insert(pointer) {
            return self.refuse(Fault::Duplicate, pointer, span);
        }
        let segments: Vec<&str> = pointer.split('/').take(DEPTH + 1).collect();
        if segments.len() > DEPTH {
            let message = format!(
                "a pointer has at most {DEPTH} segments, and this one has more; make the arguments flatter"
            );
            self.sound = false;
            return (self.report)(Finding::new(Code::PointerConflict, span, message));
        }
        let value = if (self.is_string)(&segments) {
            Scalar::Text(value)
        } else {
            coerce(value)
        };
        if let Err((depth, fault)) = self.tree.insert(&segments, value) {
            let offset: usize = segments[..depth].iter().map(|segment| segment.len() + 1).sum();
            let start = span.start + offset;
            let segment = Span::new(start, start + segments[depth].len());
            let span = if fault == Fault::Duplicate { span } else { segment };
            self.refuse(fault, pointer, span);
        }
    }

    fn refuse(&mut self, fault: Fault, pointer: &str, span: Span) {
        let pointer = shown(pointer);
        let segment = shown(span.of(self.raw));
        let (code, message) = match fault {
            Fault::Duplicate => (
                Code::DuplicatePointer,
                format!("each pointer may stand once, and `{pointer}` stands again; keep one of the two"),
            ),
            Fault::Gap { expected } => (
                Code::ArrayIndexGap,
                format!(
                    "the next index of the array is {expected}, and `{segment}` was found; number without gaps"
                ),
            ),
            Fault::NoIndex => (
                Code::InvalidArrayIndex,
                format!("an array index is 0, 1, 2 and so on, and `{segment}` was found; write a number"),
            ),
            Fault::ScalarAsContainer => (
                Code::PointerConflict,
                format!(
                    "`{segment}` of `{pointer}` has a plain value already and holds no others; choose one of the two"
                ),
            ),
            Fault::ScalarOverContainer => (
                Code::PointerConflict,
                format!(
                    "`{segment}` of `{pointer}` holds other values and cannot have a plain one; choose one of the two"
                ),
            ),
        };
        self.sound = false;
        (self.report)(Finding::new(code, span, message));
    }
}

/// A value ends before the line break of its last line.
fn without_line_break(value: &str) -> &str {
    let line_break = value.strip_suffix("\r\n").or_else(|| value.strip_suffix('\n'));
    line_break.unwrap_or(value)
}

/// Whether the pointer's line seems to hold the value too.
fn carries_value(pointer: &str, value: &str) -> bool {
    let ends_word = |character: char| is_space(character) || matches!(character, ':' | '=');
    let Some(word) = pointer.find(ends_word) else {
        return false;
    };
    let behind = pointer[word..].trim_start_matches(is_space);
    let separated = word > 0 && behind.starts_with([':', '=']);
    separated || (value.is_empty() && pointer.contains(is_space))
}

/// Gives a value of one line the type that it looks like (seed 004, Value Coercion).
fn coerce(value: &str) -> Scalar<'_> {
    if value.contains('\n') {
        return Scalar::Text(value);
    }
    match value.trim_matches(is_space) {
        word @ ("true" | "false") => Scalar::Json(word.into()),
        word => number(word).map_or(Scalar::Text(value), Scalar::Json),
    }
}

/// `word` as a JSON number with its digits, if it is `-?\d+(\.\d+)?`.
fn number(word: &str) -> Option<Cow<'_, str>> {
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let unsigned = word.strip_prefix('-').unwrap_or(word);
    let whole = unsigned.split_once('.').map_or(unsigned, |(whole, _)| whole);
    let fraction = &unsigned[whole.len()..];
    if !digits(whole) || !(fraction.is_empty() || digits(&fraction[1..])) {
        return None;
    }
    let zeros = whole.len() - whole.trim_start_matches('0').len();
    let leading = zeros.min(whole.len() - 1);
    if leading == 0 {
        return Some(word.into());
    }
    let sign = &word[..word.len() - unsigned.len()];
    Some(format!("{sign}{}", &unsigned[leading..]).into())
}

#[cfg(test)]
mod tests {
    use super::*;

    const ARG: &str = "!!!ARG:";

    fn read_with_codes(raw: &str) -> (Option<String>, Vec<(&'static str, &str)>) {
        let mut found = Vec::new();
        let arguments = read(raw, ARG, &|_| false, &mut |finding| {
            found.push((finding.code.name(), finding.span.of(raw)));
        });
        (arguments, found)
    }

    /// The regex of the contract, digit by digit.
    #[test]
    fn numbers_keep_their_digits_without_leading_zeros() {
        let numbers = [
            ("42", "42"),
            ("-5", "-5"),
            ("3.14", "3.14"),
            ("007", "7"),
            ("1.50", "1.50"),
            ("-0", "-0"),
            ("00", "0"),
            ("-007.50", "-7.50"),
            ("00.5", "0.5"),
            ("12345678901234567890123", "12345678901234567890123"),
        ];
        for (word, expected) in numbers {
            assert_eq!(number(word).as_deref(), Some(expected));
        }
        for word in [
            "", "-", ".5", "5.", "1e5", "+5", "1_000", "0x10", "1.2.3", "--1", "١", "1 2", "Infinity",
        ] {
            assert_eq!(number(word), None, "{word:?}");
        }
    }

    #[test]
    fn values_of_one_line_get_a_type() {
        let cases = [
            ("true\n", "true"),
            (" false ", "false"),
            ("True\n", r#""True""#),
            ("null\n", r#""null""#),
            (" 42 \n", "42"),
            ("42\r\n", "42"),
            ("42\n\n", r#""42\n""#),
            ("\n42\n", r#""\n42""#),
            (" hi \n", r#"" hi ""#),
            ("a\r\nb\r\n", r#""a\r\nb""#),
            ("", r#""""#),
        ];
        for (value, expected) in cases {
            let raw = format!("{ARG}x\n{value}");
            assert_eq!(
                read_with_codes(&raw),
                (Some(format!(r#"{{"x":{expected}}}"#)), vec![]),
                "{value:?}"
            );
        }
    }

    #[test]
    fn a_schema_keeps_strings() {
        let raw = "!!!ARG:id\n007\n!!!ARG:n/0\n1\n!!!ARG:n/1\ntrue\n";
        let is_string = |path: &[&str]| matches!(path, ["id"] | ["n", "1"]);
        let arguments = read(raw, ARG, &is_string, &mut |_| ());
        assert_eq!(arguments.as_deref(), Some(r#"{"id":"007","n":[1,"true"]}"#));
    }

    #[test]
    fn a_pointer_line_that_carries_the_value_is_told() {
        for (pointer, value) in [
            ("x: hello", ""),
            ("x=1", "y"),
            ("x = 1", ""),
            ("x hello", ""),
            ("x:", "y"),
            ("a/b:c", ""),
        ] {
            assert!(carries_value(pointer, value), "{pointer:?} {value:?}");
        }
        for (pointer, value) in [
            ("x", ""),
            ("x hello", "y"),
            ("a/b", ""),
            (":x", "y"),
            ("x y: z", "w"),
        ] {
            assert!(!carries_value(pointer, value), "{pointer:?} {value:?}");
        }
    }

    #[test]
    fn a_fence_around_all_arguments_is_stripped() {
        let cases: &[(&str, &str, &[&str])] = &[
            ("```\n!!!ARG:x\n1\n```\n", r#"{"x":1}"#, &["fenced_arguments"]),
            (
                "~~~toml\n!!!ARG:x\n1\n~~~\n\n",
                r#"{"x":1}"#,
                &["fenced_arguments"],
            ),
            (
                "```\n!!!ARG:x\n```py\na\n```\n```",
                r#"{"x":"```py\na\n```"}"#,
                &["fenced_arguments"],
            ),
            ("```\n!!!ARG:x\n1\n", r#"{"x":1}"#, &["fenced_arguments"]),
            (
                "````\n!!!ARG:x\na\n```\n",
                r#"{"x":"a\n```"}"#,
                &["fenced_arguments"],
            ),
            (
                "Now:\n```\n!!!ARG:x\n1\n```",
                r#"{"x":1}"#,
                &["fenced_arguments", "text_before_arguments"],
            ),
            (
                "```\nx\n```\n!!!ARG:x\n1\n",
                r#"{"x":1}"#,
                &["text_before_arguments"],
            ),
            ("!!!ARG:x\n```py\na\n```\n", r#"{"x":"```py\na\n```"}"#, &[]),
            ("!!!ARG:x\n1\n```\n", r#"{"x":"1\n```"}"#, &[]),
            ("```\n```\n", "{}", &["text_before_arguments"]),
            ("\n \n", "{}", &[]),
        ];
        for (raw, arguments, codes) in cases {
            let (found, findings) = read_with_codes(raw);
            assert_eq!(found.as_deref(), Some(*arguments), "{raw:?}");
            let found: Vec<_> = findings.iter().map(|finding| finding.0).collect();
            assert_eq!(found, *codes, "{raw:?}");
        }
    }

    #[test]
    fn findings_point_at_the_wrong_segment() {
        let cases: &[(&str, (&str, &str))] = &[
            ("!!!ARG:\nx", ("empty_pointer", "!!!ARG:")),
            ("!!!ARG: a/5/b \n1\n", ("array_index_gap", "5")),
            ("!!!ARG:a/0\n1\n!!!ARG:a/x\n1", ("invalid_array_index", "x")),
            ("!!!ARG:a\n1\n!!!ARG:a/x\n1", ("pointer_conflict", "a")),
            ("!!!ARG:a!!!ARG: a ", ("duplicate_pointer", "a")),
            (" hi \n!!!ARG:a\n1", ("text_before_arguments", "hi")),
            ("!!!ARG: x hello\n", ("inline_value", "x hello")),
        ];
        for (raw, expected) in cases {
            assert_eq!(read_with_codes(raw).1, [*expected], "{raw:?}");
        }
    }

    #[test]
    fn the_depth_of_pointers_is_bounded() {
        let deep = vec!["a"; DEPTH].join("/");
        assert!(read(&format!("{ARG}{deep}\n1"), ARG, &|_| false, &mut |_| ()).is_some());
        let mut told = Vec::new();
        let raw = format!("{ARG}{deep}/a\n1");
        assert_eq!(
            read(&raw, ARG, &|_| false, &mut |finding| told.push(finding)),
            None
        );
        assert_eq!(told[0].code, Code::PointerConflict);
        assert!(told[0].message.contains("64"));
    }
}
