//! `toolscan explain`: one text, its calls, and each finding drawn under the bytes that it is about.

use std::io::{IsTerminal, Read};
use std::path::Path;
use std::process::ExitCode;

use annotate_snippets::{AnnotationKind, Level, Origin, Renderer, Snippet};
use toolscan::{Call, Diagnostic, Error, Scan, Severity, Span};

use super::print::{print, say, stdout_width};
use super::visible;
use crate::cli::{ExplainArgs, Settings};

/// Bytes of an argument, a body or another long field that are shown.
const FIELD_BYTES: usize = 400;

pub(crate) fn run(args: &ExplainArgs) -> Result<ExitCode, Error> {
    let settings = Settings::resolve(&args.scan)?;
    let (name, text) = read(&args.file)?;
    let scan = settings.scanner().scan(&text);
    print(&summary(&scan))?;
    let mut lines = Lines::default();
    for (index, call) in scan.calls.iter().enumerate() {
        print(&show(index, call, &text, &mut lines))?;
    }
    let name = visible::line(&name);
    let renderer = Renderer::styled().term_width(stdout_width());
    let mut lines = Lines::default();
    for diagnostic in &scan.diagnostics {
        print(&draw(diagnostic, &name, &text, &mut lines, &renderer))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// The file's name as shown, and its text; bytes that are not UTF-8 become U+FFFD.
fn read(file: &Path) -> Result<(String, String), Error> {
    let mut bytes = Vec::new();
    let (name, read) = if file == Path::new("-") {
        let mut stdin = std::io::stdin().lock();
        if stdin.is_terminal() {
            say("Write or paste the text of one completion, and end it with Ctrl-D.\n");
        }
        ("stdin".to_owned(), stdin.read_to_end(&mut bytes).map(|_| ()))
    } else {
        (
            file.display().to_string(),
            std::fs::read(file).map(|read| bytes = read),
        )
    };
    read.map_err(|cause| Error::io("read", &name, cause))?;
    Ok((name, String::from_utf8_lossy(&bytes).into_owned()))
}

fn summary(scan: &Scan<'_>) -> String {
    let valid = scan.calls.iter().filter(|call| call.is_valid()).count();
    let errors = scan
        .diagnostics
        .iter()
        .filter(|found| found.severity == Severity::Error)
        .count();
    let warnings = scan.diagnostics.len() - errors;
    format!(
        "{} ({valid} valid), {}, {}\n\n",
        count(scan.calls.len(), "call"),
        count(errors, "error"),
        count(warnings, "warning"),
    )
}

fn count(number: usize, noun: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{number} {noun}{plural}")
}

/// A call, one field a line.
fn show(index: usize, call: &Call<'_>, text: &str, lines: &mut Lines) -> String {
    let verdict = if call.is_valid() { "valid" } else { "invalid" };
    let place = call.span.map_or(String::new(), |span| {
        let line = lines.number(text, span.start);
        format!(", line {line}, bytes {}..{}", span.start, span.end)
    });
    let name = call.name.as_deref().map_or("(no name)".into(), visible::line);
    let mut shown = format!("call {index}: {name} ({}, {verdict}{place})\n", call.syntax);
    let generated = if call.call_id_generated {
        " (generated)"
    } else {
        ""
    };
    let id = call.call_id.as_deref().map(|id| format!("{id}{generated}"));
    let fields = [
        ("id", id.as_deref()),
        ("arguments", call.arguments.as_deref()),
        (
            "raw_args",
            call.raw_args.as_deref().filter(|_| call.arguments.is_none()),
        ),
        ("body", call.body.as_deref()),
        ("state", call.state.as_deref()),
        ("operation", call.operation.as_deref()),
        ("result", call.result_status.as_deref()),
        ("output", call.output.as_deref()),
        ("error_text", call.error_text.as_deref()),
        ("extra", call.extra.as_deref()),
    ];
    for (field, value) in fields {
        if let Some(value) = value {
            shown += &format!(
                "  {field:11}{}\n",
                visible::line(&visible::shorten(value, FIELD_BYTES))
            );
        }
    }
    if let Some(dependencies) = call.dependencies.as_ref().filter(|list| !list.is_empty()) {
        shown += &format!(
            "  {:11}{}\n",
            "waits for",
            visible::line(&dependencies.join(", "))
        );
    }
    if !call.codes.is_empty() {
        shown += &format!("  {:11}{}\n", "codes", call.codes.names().join(", "));
    }
    shown + "\n"
}

/// A finding with a caret under its bytes.
fn draw(found: &Diagnostic, name: &str, text: &str, lines: &mut Lines, renderer: &Renderer) -> String {
    let level = match found.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    };
    let excerpt = Excerpt::around(found.span, text, lines);
    let source = visible::source(excerpt.text);
    let label = found.detail.as_deref().map(visible::line);
    let snippet = Snippet::source(source).line_start(excerpt.line).annotation(
        AnnotationKind::Primary
            .span(excerpt.span.start..excerpt.span.end)
            .label(label),
    );
    let title = level
        .primary_title(visible::line(&found.message))
        .id(found.code.name());
    let group = if excerpt.is_cut {
        let line = lines.number(text, found.span.start);
        let origin = Origin::path(name)
            .line(line)
            .char_column(column(text, found.span.start));
        title.element(origin).element(snippet)
    } else {
        title.element(snippet.path(name))
    };
    let report = group.element(Level::HELP.message(found.code.info().mend));
    format!("{}\n\n", renderer.render(&[report]))
}

/// Longest text around a span that is drawn, in bytes, on either side.
const AROUND: usize = 100;
/// Longest span that is drawn whole, in bytes.
const DRAWN: usize = 2000;

/// The part of a text that is drawn.
struct Excerpt<'t> {
    text: &'t str,
    /// Number of its first line.
    line: usize,
    /// Whether it begins in the middle of a line.
    is_cut: bool,
    /// The span, within the excerpt.
    span: Span,
}

impl<'t> Excerpt<'t> {
    /// The lines of `span`, cut where they are long: a log's texts may be one line of a megabyte.
    fn around(span: Span, text: &'t str, lines: &mut Lines) -> Self {
        let drawn_end = boundary_behind(text, span.end.min(span.start + DRAWN));
        let far_left = boundary_behind(text, span.start.saturating_sub(AROUND));
        let far_right = boundary_behind(text, (drawn_end + AROUND).min(text.len()));
        let start = text[far_left..span.start]
            .rfind('\n')
            .map_or(far_left, |at| far_left + at + 1);
        let end = text[drawn_end..far_right]
            .find('\n')
            .map_or(far_right, |at| drawn_end + at);
        let end = drawn_end + text[drawn_end..end].trim_end_matches('\r').len();
        Self {
            text: &text[start..end],
            line: lines.number(text, start),
            is_cut: start > 0 && text.as_bytes()[start - 1] != b'\n',
            span: Span::new(span.start - start, drawn_end - start),
        }
    }
}

/// The first character boundary at or behind `at`.
fn boundary_behind(text: &str, at: usize) -> usize {
    (at..text.len())
        .find(|&at| text.is_char_boundary(at))
        .unwrap_or(text.len())
}

/// The number, from 1, of the character at `at` in its line.
fn column(text: &str, at: usize) -> usize {
    let line = text[..at].rfind('\n').map_or(0, |line_break| line_break + 1);
    text[line..at].chars().count() + 1
}

/// Line numbers of places that lie close together, counted on from the last one.
#[derive(Default)]
struct Lines {
    at: usize,
    before: usize,
}

impl Lines {
    /// The number, from 1, of the line that the byte at `at` is on.
    fn number(&mut self, text: &str, at: usize) -> usize {
        let breaks = |from: usize, to: usize| text[from..to].matches('\n').count();
        if at < self.at {
            self.before -= breaks(at, self.at);
        } else {
            self.before += breaks(self.at, at);
        }
        self.at = at;
        self.before + 1
    }
}
