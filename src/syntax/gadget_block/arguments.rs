//! The parameter text of a gadget: pointers and values, read into a JSON object.

use std::collections::HashSet;

use super::tree::{Fault, Scalar, Tree};
use crate::diagnostic::{Code, Finding};
use crate::offer::Types;
use crate::shown::shown;
use crate::span::Span;
use crate::syntax::coercion::coerce;
use crate::text::is_space;

/// Tells which types a schema wants at the end of a path.
pub(super) type Wanted<'w> = &'w dyn Fn(&[&str]) -> Option<Types>;

/// Segments that a pointer may have.
const DEPTH: usize = 64;

/// Reads the arguments in `raw` as a JSON object; `None` where a pointer is wrong. `marker` stands before each
/// of them; `wanted` tells by a pointer's segments which types the tool's schema wants, if that is known. Findings
/// have their places in `raw`.
pub(super) fn read(
    raw: &str,
    marker: &str,
    wanted: Option<Wanted<'_>>,
    report: &mut dyn FnMut(Finding),
) -> Option<String> {
    let markers: Vec<usize> = raw.match_indices(marker).map(|(at, _)| at).collect();
    let end = read_preamble(raw, &markers, report);
    let mut reader = Reader {
        raw,
        wanted,
        report,
        tree: Tree::new(),
        seen: Seen::default(),
        sound: true,
    };
    for argument in Argument::all(raw, marker, &markers, end) {
        reader.argument(&argument);
    }
    reader.sound.then(|| reader.tree.to_json())
}

/// Where in `raw` the value at the end of `path` stands, or the pointer of its first part.
pub(super) fn locate(raw: &str, marker: &str, path: &[&str]) -> Option<Span> {
    let markers: Vec<usize> = raw.match_indices(marker).map(|(at, _)| at).collect();
    let mut arguments = Argument::all(raw, marker, &markers, raw.len());
    arguments.find_map(|argument| {
        let mut segments = argument.pointer.split('/');
        let leads_there = path
            .iter()
            .all(|step| segments.next().is_some_and(|segment| is_step(segment, step)));
        let is_value = segments.next().is_none() && !argument.value.is_empty();
        leads_there.then_some(if is_value {
            argument.value_span
        } else {
            argument.pointer_span
        })
    })
}

/// Whether a segment is this key or index.
fn is_step(segment: &str, step: &str) -> bool {
    let index = |text: &str| text.parse::<usize>().ok();
    segment == step || index(segment).is_some_and(|number| Some(number) == index(step))
}

/// An argument as it is written.
struct Argument<'t> {
    marker: Span,
    /// Trimmed.
    pointer: &'t str,
    pointer_span: Span,
    value: &'t str,
    value_span: Span,
}

impl<'t> Argument<'t> {
    /// The arguments behind `markers`, the last of which ends at `end`.
    fn all<'a>(
        raw: &'t str,
        marker: &'a str,
        markers: &'a [usize],
        end: usize,
    ) -> impl Iterator<Item = Self> + use<'a, 't> {
        let ends = markers.iter().copied().skip(1).chain([end]);
        markers.iter().zip(ends).map(move |(&start, end)| {
            let marker = Span::new(start, start + marker.len());
            Self::read(raw, marker, Span::new(marker.end, end))
        })
    }

    fn read(raw: &'t str, marker: Span, region: Span) -> Self {
        let text = region.of(raw);
        let (line, value) = text.split_once('\n').unwrap_or((text, ""));
        let left = line.trim_start_matches(is_space);
        let pointer = left.trim_end_matches(is_space);
        let start = region.start + line.len() - left.len();
        let value_start = region.end - value.len();
        let value = without_line_break(value);
        Self {
            marker,
            pointer,
            pointer_span: Span::new(start, start + pointer.len()),
            value,
            value_span: Span::new(value_start, value_start + value.len()),
        }
    }
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
    wanted: Option<Wanted<'r>>,
    report: &'r mut dyn FnMut(Finding),
    tree: Tree<'t>,
    seen: Seen<'t>,
    /// Whether every pointer so far is right.
    sound: bool,
}

/// Pointers that were seen, in a list as long as they are few.
#[derive(Default)]
struct Seen<'t> {
    few: Vec<&'t str>,
    many: HashSet<&'t str>,
}

impl<'t> Seen<'t> {
    const FEW: usize = 8;

    /// Whether `pointer` is new.
    fn insert(&mut self, pointer: &'t str) -> bool {
        if self.few.contains(&pointer) {
            return false;
        }
        if self.few.len() < Self::FEW {
            self.few.push(pointer);
            return true;
        }
        self.many.insert(pointer)
    }
}

impl<'t> Reader<'t, '_> {
    fn argument(&mut self, argument: &Argument<'t>) {
        let Argument { pointer, value, .. } = *argument;
        if pointer.is_empty() {
            let message = "a pointer is needed behind the marker, and none stands there; name the argument";
            (self.report)(Finding::new(Code::EmptyPointer, argument.marker, message));
            return;
        }
        if carries_value(pointer, value) {
            let message = format!(
                "a value goes on the line below its pointer, and `{}` seems to hold both; break the line",
                shown(pointer)
            );
            (self.report)(Finding::new(Code::InlineValue, argument.pointer_span, message));
        }
        self.place(argument);
    }

    /// Puts the value where the pointer says.
    fn place(&mut self, argument: &Argument<'t>) {
        let (pointer, span) = (argument.pointer, argument.pointer_span);
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
        let value = self.typed(&segments, argument);
        if let Err((depth, fault)) = self.tree.insert(&segments, value) {
            let offset: usize = segments[..depth].iter().map(|segment| segment.len() + 1).sum();
            let start = span.start + offset;
            let segment = Span::new(start, start + segments[depth].len());
            let span = if fault == Fault::Duplicate { span } else { segment };
            self.refuse(fault, pointer, span);
        }
    }

    /// The value with its type. What that loses is told where a schema is known.
    fn typed(&mut self, segments: &[&str], argument: &Argument<'t>) -> Scalar<'t> {
        let coerced = coerce(argument.value, self.wanted.and_then(|wanted| wanted(segments)));
        if let Some(loss) = coerced.loss.filter(|_| self.wanted.is_some()) {
            (self.report)(loss.finding(argument.value, argument.value_span));
        }
        coerced.json.map_or(Scalar::Text(argument.value), Scalar::Json)
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

#[cfg(test)]
mod tests {
    use super::*;

    const ARG: &str = "!!!ARG:";

    fn read_with_codes(raw: &str) -> (Option<String>, Vec<(&'static str, &str)>) {
        let mut found = Vec::new();
        let arguments = read(raw, ARG, None, &mut |finding| {
            found.push((finding.code.name(), finding.span.of(raw)));
        });
        (arguments, found)
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
        let wanted = |path: &[&str]| matches!(path, ["id"] | ["n", "1"]).then_some(Types::STRING);
        let arguments = read(raw, ARG, Some(&wanted), &mut |_| ());
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
        assert!(read(&format!("{ARG}{deep}\n1"), ARG, None, &mut |_| ()).is_some());
        let mut told = Vec::new();
        let raw = format!("{ARG}{deep}/a\n1");
        assert_eq!(read(&raw, ARG, None, &mut |finding| told.push(finding)), None);
        assert_eq!(told[0].code, Code::PointerConflict);
        assert!(told[0].message.contains("64"));
    }
}
