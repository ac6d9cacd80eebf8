//! `toolscan explain`: one text, its calls, and each finding drawn under the bytes that it is about.

use std::io::{IsTerminal, Read};
use std::path::Path;
use std::process::ExitCode;

use annotate_snippets::{AnnotationKind, Group, Level, Origin, Renderer, Snippet, Title};
use toolscan::validate::tools::{Judge, Judged, Place, Toolset};
use toolscan::{Call, Diagnostic, Error, Offer, Scan, Severity, Span, Turn};

use super::print::{print, say, stdout_width};
use super::visible;
use crate::cli::{ExplainArgs, Settings};

/// Bytes of an argument, a body or another long field that are shown.
const FIELD_BYTES: usize = 400;

pub(crate) fn run(args: &ExplainArgs) -> Result<ExitCode, Error> {
    let settings = Settings::resolve(&args.scan)?;
    let (name, text) = read(&args.file)?;
    let tools = args.tools.read(&settings.config)?;
    let scanner = settings.scanner();
    let turn = Turn {
        offer: tools.as_ref().map(|tools| tools as &dyn Offer),
        ..Turn::default()
    };
    let mut scan = scanner.scan_turn(&text, turn);
    let judged = tools.as_ref().map(|tools| {
        let judge = Judge::new(tools, scanner.syntaxes(), settings.options.strict);
        judge.judge(&text, &mut scan.calls)
    });
    let findings = all(&scan, judged.unwrap_or_default());
    print(&summary(&scan, &findings))?;
    let mut lines = Lines::default();
    for (index, call) in scan.calls.iter().enumerate() {
        print(&show(index, call, &text, &mut lines))?;
    }
    let renderer = Renderer::styled().term_width(stdout_width());
    let mut lines = Lines::default();
    for (found, schema) in &findings {
        let picture = Picture::new(&name, &text, found.span, &mut lines);
        let rule = tools.as_ref().zip(*schema);
        let rule = rule.and_then(|(tools, place)| Picture::of_schema(tools, place));
        print(&draw(found, rule.as_ref(), &picture, &renderer))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// The findings in the order of their places, each with the place of the schema that it is about.
fn all(scan: &Scan<'_>, judged: Judged) -> Vec<(Diagnostic, Option<Place>)> {
    let of_scan = scan.diagnostics.iter().map(|found| (found.clone(), None));
    let mut findings: Vec<_> = of_scan
        .chain(judged.findings.into_iter().zip(judged.schemas))
        .collect();
    findings.sort_by_key(|(found, _)| found.span.start);
    findings
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

fn summary(scan: &Scan<'_>, findings: &[(Diagnostic, Option<Place>)]) -> String {
    let valid = scan.calls.iter().filter(|call| call.is_valid()).count();
    let errors = findings
        .iter()
        .filter(|(found, _)| found.severity == Severity::Error)
        .count();
    let warnings = findings.len() - errors;
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
        ("named", call.arguments_object.as_deref()),
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

/// A finding with a caret under its bytes, and below it what the schema says, if it is about one.
fn draw(
    found: &Diagnostic,
    rule: Option<&Picture<'_>>,
    picture: &Picture<'_>,
    renderer: &Renderer,
) -> String {
    let level = match found.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    };
    let title = level
        .primary_title(visible::line(&found.message))
        .id(found.code.name());
    let label = found.detail.as_deref().map(visible::line);
    let group = picture.below(title, label);
    let mut report = vec![group.element(Level::HELP.message(found.code.info().mend))];
    report.extend(rule.map(|rule| rule.below(Level::NOTE.secondary_title("the schema says"), None)));
    format!("{}\n\n", renderer.render(&report))
}

/// A part of a text, to be drawn with a caret under a span.
struct Picture<'t> {
    name: String,
    excerpt: Excerpt<'t>,
    /// Number of the line that the span starts on.
    line: usize,
    column: usize,
}

impl<'t> Picture<'t> {
    fn new(name: &str, text: &'t str, span: Span, lines: &mut Lines) -> Self {
        let excerpt = Excerpt::around(span, text, lines);
        Self {
            name: visible::line(name),
            line: lines.number(text, span.start),
            column: if excerpt.is_cut {
                column(text, span.start)
            } else {
                1
            },
            excerpt,
        }
    }

    /// The part of a tool's schema at a place.
    fn of_schema(tools: &'t Toolset, place: Place) -> Option<Self> {
        let (name, text) = tools.registry(place)?;
        Some(Self::new(name, text, place.span, &mut Lines::default()))
    }

    fn below<'p>(&'p self, title: Title<'p>, label: Option<String>) -> Group<'p> {
        let excerpt = &self.excerpt;
        let snippet = Snippet::source(visible::source(excerpt.text))
            .line_start(excerpt.line)
            .annotation(
                AnnotationKind::Primary
                    .span(excerpt.span.start..excerpt.span.end)
                    .label(label),
            );
        if !excerpt.is_cut {
            return title.element(snippet.path(&self.name));
        }
        let origin = Origin::path(&self.name).line(self.line).char_column(self.column);
        title.element(origin).element(snippet)
    }
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
