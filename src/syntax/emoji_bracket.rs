//! `🛠️[name arguments]`, a body, `🛠️[/end]` (seed 000).
//!
//! Models also write the later form that closes itself: `🛠️[name arguments /]`.

use super::mojibake::Mojibake;
use super::{Claim, Draft, Mark, Part, Role, Syntax, Value, Written};
use crate::body::json;
use crate::call::{Call, Termination};
use crate::diagnostic::{Code, Finding};
use crate::offer::Offer;
use crate::scan::Context;
use crate::shown::shown;
use crate::span::Span;
use crate::text::is_space;
use arguments::{Assigned, Piece};

mod arguments;

const NAME: &str = "emoji_bracket";

const OPENER: &str = "🛠\u{fe0f}[";
const CLOSER: &str = "🛠\u{fe0f}[/end]";
const TOOL: char = '🛠';
const SELECTOR: char = '\u{fe0f}';
const TEXT_SELECTOR: char = '\u{fe0e}';
const SHORTCODE: &str = ":hammer_and_wrench:";

/// Emoji that models write for the tool.
const OTHER_EMOJI: [char; 9] = ['🔧', '🔨', '🧰', '⚙', '⚒', '🪛', '🔩', '🪚', '⛏'];

/// Kinds of marks.
const OPEN: u8 = 0;
const CLOSE: u8 = 1;
/// Nearly an opener.
const NEAR_OPEN: u8 = 2;
/// Nearly an end marker.
const NEAR_CLOSE: u8 = 3;
/// `🛠️[end]`: nearly an end marker, or the header of a call.
const BARE_END: u8 = 4;
const DAMAGED: u8 = 5;

/// Bytes between which the `]` of a nearly right end marker is looked for.
const NEAR_BYTES: usize = 80;

/// The syntax of seed 000.
#[derive(Debug)]
pub struct EmojiBracket {
    mojibake: Mojibake,
}

impl Default for EmojiBracket {
    fn default() -> Self {
        Self::new()
    }
}

impl EmojiBracket {
    /// The syntax; it has no settings.
    pub fn new() -> Self {
        Self {
            mojibake: Mojibake::of(&[OPENER, CLOSER]),
        }
    }
}

impl Syntax for EmojiBracket {
    fn name(&self) -> &'static str {
        NAME
    }

    fn description(&self) -> &'static str {
        "An emoji and a header in brackets, a free body, an end marker"
    }

    fn example(&self) -> &'static str {
        "🛠\u{fe0f}[create-file script.py]\nprint(\"Hello World\")\n🛠\u{fe0f}[/end]\n"
    }

    fn anchors(&self) -> Vec<Vec<u8>> {
        let emoji = std::iter::once(TOOL).chain(OTHER_EMOJI);
        let mut anchors: Vec<_> = emoji.map(|emoji| emoji.to_string().into_bytes()).collect();
        anchors.push(SHORTCODE.as_bytes().to_vec());
        anchors.extend(self.mojibake.anchors());
        anchors
    }

    fn recognise(&self, text: &str, at: usize) -> Option<Mark> {
        if let Some((span, encoding)) = self.mojibake.at(text, at) {
            return Some(Mark::new(Role::Mojibake(encoding), DAMAGED, span));
        }
        let rest = &text[at..];
        let bracket = Bracket::read(rest)?;
        let end = End::read(&rest[bracket.length..]);
        let whole = |length: usize| Span::new(at, at + bracket.length + length);
        let mark = match (bracket.form, end) {
            (Form::Exact | Form::Variant, None) => Mark::new(Role::Opener, OPEN, whole(0)),
            (Form::Exact | Form::Variant, Some(End::Exact)) => {
                Mark::new(Role::Closer, CLOSE, whole(End::EXACT.len()))
            }
            (Form::Exact | Form::Variant, Some(End::Near(form, length))) => {
                Mark::new(Role::NearMiss(form), NEAR_CLOSE, whole(length))
            }
            (Form::Exact | Form::Variant, Some(End::Bare(length))) => {
                Mark::new(Role::NearMiss("missing_slash"), BARE_END, whole(length))
            }
            (Form::Near(form), None | Some(End::Bare(_))) => {
                Mark::new(Role::NearMiss(form), NEAR_OPEN, whole(0))
            }
            (Form::Near(form), Some(End::Exact)) => {
                Mark::new(Role::NearMiss(form), NEAR_CLOSE, whole(End::EXACT.len()))
            }
            (Form::Near(form), Some(End::Near(_, length))) => {
                Mark::new(Role::NearMiss(form), NEAR_CLOSE, whole(length))
            }
        };
        Some(Mark {
            variant: bracket.form == Form::Variant,
            ..mark
        })
    }

    fn locate(&self, text: &str, call: &Call<'_>, part: Part<'_>, offer: &dyn Offer) -> Option<Span> {
        let start = call.span?.start;
        let opener = start + opener_length(&text[start..])?;
        let header = Header::read(text, opener, opener + text[opener..].find(']')?);
        match part {
            Part::Name => Some(header.name_span),
            Part::Argument([]) => Some(Span::new(start, header.end)),
            Part::Argument(path) => {
                let body = call.body.as_deref().map(|body| {
                    let start = header.end + line_break_length(&text[header.end..]);
                    let span = Span::new(start, start + body.len());
                    Piece {
                        text: span.of(text),
                        span,
                    }
                });
                Assigned::new(&header, body, offer)?.locate(path)
            }
        }
    }

    fn is_positional(&self) -> bool {
        true
    }

    fn write(&self, drafts: &[Draft], out: &mut String) -> Vec<Written> {
        drafts.iter().map(|draft| write_call(draft, out)).collect()
    }

    fn parse(&self, mark: Mark, context: &mut Context<'_, '_>) -> Claim {
        let text = context.text();
        let plain = Claim::Text {
            resume: mark.span.end,
        };
        let Some(bracket) = closing_bracket(mark, context) else {
            let message =
                "the header needs a `]` before its line ends, and none stands there; close the header";
            context.report(Finding::new(Code::UnclosedHeader, mark.span, message));
            return plain;
        };
        let header = Header::read(text, mark.span.end, bracket);
        if header.name.is_empty() {
            let span = Span::new(mark.span.start, header.end);
            let message = "the header holds no tool name; write one between the brackets";
            context.report(Finding::new(Code::EmptyHeader, span, message));
            return Claim::Text { resume: header.end };
        }
        let block = if header.self_closing {
            Block::without_body(header.end, Termination::SelfClosing)
        } else {
            Block::find(header.end, context)
        };
        if context.inline_code().is_some_and(|code| block.end > code.end) {
            return plain;
        }
        let call = add_call(mark, &header, &block, context);
        name_arguments(&header, &block, call, context);
        report_header(mark, &header, call, context);
        report_block(mark, &block, call, context);
        Claim::Block { end: block.end }
    }
}

/// How the part before the header is written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    Exact,
    /// Without U+FE0F.
    Variant,
    Near(&'static str),
}

/// The part before the header: emoji and bracket.
struct Bracket {
    form: Form,
    /// Bytes up to behind the bracket.
    length: usize,
}

impl Bracket {
    /// Reads what `rest` begins with: an emoji, or its name.
    fn read(rest: &str) -> Option<Self> {
        let (first, behind) = match rest.strip_prefix(SHORTCODE) {
            Some(behind) => (None, behind),
            None => {
                let emoji = rest.chars().next()?;
                (Some(emoji), &rest[emoji.len_utf8()..])
            }
        };
        let (form, behind) = match first {
            None => (Form::Near("shortcode"), behind),
            Some(TOOL) => tool_form(behind),
            Some(_) => (
                Form::Near("other_emoji"),
                behind.strip_prefix(SELECTOR).unwrap_or(behind),
            ),
        };
        let behind = behind.strip_prefix('[')?;
        Some(Self {
            form,
            length: rest.len() - behind.len(),
        })
    }
}

/// The form of a marker by what stands behind its 🛠, and the rest from the bracket on.
fn tool_form(behind: &str) -> (Form, &str) {
    let (exact, behind) = match behind.strip_prefix(SELECTOR) {
        Some(behind) => (Form::Exact, behind),
        None => (Form::Variant, behind),
    };
    if behind.starts_with('[') {
        return (exact, behind);
    }
    let bare = behind.trim_start_matches([SELECTOR, TEXT_SELECTOR]);
    if bare.starts_with('[') {
        return (Form::Near("other_selector"), bare);
    }
    let bare = behind.trim_start_matches(in_line_space);
    if bare.len() < behind.len() {
        return (Form::Near("white_space"), bare);
    }
    match behind.strip_prefix('\\') {
        Some(bare) => (Form::Near("escaped_bracket"), bare),
        None => (exact, behind),
    }
}

fn in_line_space(character: char) -> bool {
    character != '\n' && is_space(character)
}

/// What stands behind the bracket of an end marker.
enum End {
    Exact,
    /// Nearly right: the form, and the bytes up to behind the `]`.
    Near(&'static str, usize),
    /// The word without its slash, and the bytes up to behind the `]`.
    Bare(usize),
}

impl End {
    const EXACT: &'static str = "/end]";
    const WORD: &'static str = "end";

    fn read(inner: &str) -> Option<Self> {
        if inner.starts_with(Self::EXACT) {
            return Some(Self::Exact);
        }
        let start = inner.trim_start_matches(in_line_space);
        let slashed = start.strip_prefix(['/', '\\']);
        let word = slashed.map_or(start, |word| word.trim_start_matches(in_line_space));
        let found = word.get(..Self::WORD.len())?;
        if !found.eq_ignore_ascii_case(Self::WORD) {
            return None;
        }
        let behind = &word[Self::WORD.len()..];
        let closed = behind.trim_start_matches(in_line_space).strip_prefix(']');
        match (closed, slashed) {
            (Some(rest), None) => Some(Self::Bare(inner.len() - rest.len())),
            (None, None) => None,
            (Some(rest), Some(_)) => {
                let form = if found != Self::WORD {
                    "wrong_case"
                } else if start.starts_with('\\') {
                    "backslash"
                } else {
                    "white_space"
                };
                Some(Self::Near(form, inner.len() - rest.len()))
            }
            (None, Some(_)) if behind.starts_with(is_name_character) => None,
            (None, Some(_)) => {
                let near = behind.bytes().take(NEAR_BYTES);
                let bracket = near
                    .take_while(|&byte| byte != b'\n')
                    .position(|byte| byte == b']')?;
                Some(Self::Near("extra_text", inner.len() - behind.len() + bracket + 1))
            }
        }
    }

    /// Whether `rest`, which reaches to the text's end and begins with an opener, is an end marker that is cut.
    fn is_cut(rest: &str, opener: usize) -> bool {
        let inner = &rest[opener..];
        !inner.is_empty() && Self::EXACT.starts_with(inner)
    }
}

/// The place of the `]` that closes the header, on the same line.
fn closing_bracket(mark: Mark, context: &mut Context<'_, '_>) -> Option<usize> {
    let bracket = context.next_byte(b']', mark.span.end);
    (bracket < context.line_end(mark.span.end)).then_some(bracket)
}

/// What stands between `🛠️[` and `]`.
struct Header<'t> {
    /// Empty in an empty header.
    name: &'t str,
    name_span: Span,
    raw_args: &'t str,
    /// Where `raw_args` begins.
    raw_start: usize,
    self_closing: bool,
    /// The `/]` of a header that nearly closes itself.
    glued_slash: Option<Span>,
    /// Behind the `]`.
    end: usize,
}

impl<'t> Header<'t> {
    fn read(text: &'t str, start: usize, bracket: usize) -> Self {
        let inner = &text[start..bracket];
        let (content, self_closing) = match inner.strip_suffix(" /") {
            Some(content) => (content, true),
            None => (inner, false),
        };
        let trimmed = content.trim_start_matches(is_space);
        let (name, behind) = trimmed.split_at(trimmed.find(is_space).unwrap_or(trimmed.len()));
        let name_start = start + content.len() - trimmed.len();
        let raw_args = behind.trim_start_matches(is_space);
        let glued = !self_closing && inner.ends_with('/');
        Self {
            name,
            name_span: Span::new(name_start, name_start + name.len()),
            raw_args,
            raw_start: start + content.len() - raw_args.len(),
            self_closing,
            glued_slash: glued.then(|| Span::new(bracket - 1, bracket + 1)),
            end: bracket + 1,
        }
    }

    /// The positional arguments as a JSON array.
    fn arguments(&self) -> String {
        let mut array = String::from("[");
        for argument in arguments::tokens(self) {
            if array.len() > 1 {
                array.push(',');
            }
            json::write_string(argument.text, &mut array);
        }
        array.push(']');
        array
    }
}

/// Where a block's body is and how the block ends.
struct Block {
    /// From behind the `]`; `None` in a call that has no body.
    body: Option<Span>,
    /// Behind the call's last byte.
    call_end: usize,
    /// Behind the block's last byte.
    end: usize,
    termination: Termination,
    closer: Option<Mark>,
}

impl Block {
    fn without_body(end: usize, termination: Termination) -> Self {
        Self {
            body: None,
            call_end: end,
            end,
            termination,
            closer: None,
        }
    }

    /// Finds the end of the block whose header ends at `start`.
    fn find(start: usize, context: &Context<'_, '_>) -> Self {
        if let Some(closer) = context.next_mark(CLOSE, start) {
            return Self {
                body: Some(Span::new(start, closer.span.start)),
                call_end: closer.span.end,
                end: closer.span.end,
                termination: Termination::Explicit,
                closer: Some(closer),
            };
        }
        let end = context.open_end(start);
        let behind = context.text()[start..end].trim_start_matches(is_space);
        let opener = opener_length(behind);
        let header_only = behind.is_empty() || opener.is_some();
        // An end marker that is cut belongs to the block; any other marker is read for itself.
        let cut = opener.is_some_and(|opener| end == context.limit() && End::is_cut(behind, opener));
        Self {
            body: Some(Span::new(start, if header_only { start } else { end })),
            call_end: if header_only { start } else { end },
            end: if header_only && !cut { start } else { end },
            termination: Termination::EndOfText,
            closer: None,
        }
    }
}

/// Bytes of the opener, in either form, that `text` begins with.
fn opener_length(text: &str) -> Option<usize> {
    let behind = text.strip_prefix(TOOL)?;
    let behind = behind.strip_prefix(SELECTOR).unwrap_or(behind);
    Some(text.len() - behind.strip_prefix('[')?.len())
}

fn add_call<'t>(mark: Mark, header: &Header<'t>, block: &Block, context: &mut Context<'_, 't>) -> usize {
    let text = context.text();
    let span = Span::new(mark.span.start, block.call_end);
    let mut call = Call::new(NAME, span, block.termination);
    call.name = Some(header.name.into());
    call.arguments = Some(header.arguments().into());
    call.raw_args = Some(header.raw_args.into());
    call.body = block.body.map(|body| without_line_break(body.of(text)).into());
    context.add_call(call)
}

/// Gives the arguments the names that the tool's schema has for them, where that is known.
fn name_arguments(header: &Header<'_>, block: &Block, call: usize, context: &mut Context<'_, '_>) {
    let Some(offer) = context.offer() else {
        return;
    };
    let text = context.text();
    let body = block.body.map(|body| {
        let span = Span::new(body.start + line_break_length(body.of(text)), body.end);
        Piece {
            text: span.of(text),
            span,
        }
    });
    let Some(assigned) = Assigned::new(header, body, offer) else {
        return;
    };
    let (object, findings) = assigned.read();
    context.call_mut(call).arguments_object = Some(object.into());
    for finding in findings {
        context.report(finding.call(call));
    }
}

/// Seed 000 §5.3: the body begins on the line behind the header.
fn without_line_break(body: &str) -> &str {
    &body[line_break_length(body)..]
}

/// Bytes of the line break that `text` begins with.
fn line_break_length(text: &str) -> usize {
    match text.as_bytes() {
        [b'\r', b'\n', ..] => 2,
        [b'\n', ..] => 1,
        _ => 0,
    }
}

fn report_header(mark: Mark, header: &Header<'_>, call: usize, context: &mut Context<'_, '_>) {
    report_variant(mark, call, context);
    if !is_tool_name(header.name) {
        let message = format!(
            "a tool name is a letter and then letters, digits, `_` and `-`; found `{}`",
            shown(header.name)
        );
        context.report(Finding::new(Code::InvalidToolName, header.name_span, message).call(call));
    }
    if header.self_closing {
        let span = Span::new(header.end - " /]".len(), header.end);
        let message = "the header closes itself, which the first version of the format does not know; \
                       write the end marker where the stack asks for it";
        context.report(Finding::new(Code::SelfClosingCall, span, message).call(call));
    }
    if let Some(slash) = header.glued_slash {
        let message = "`/]` closes the header only; a call that closes itself needs a space before the slash";
        let finding = Finding::new(Code::NearMiss, slash, message).call(call);
        context.report(finding.detail("glued_self_closing"));
    }
}

fn report_variant(mark: Mark, call: usize, context: &mut Context<'_, '_>) {
    if mark.variant {
        let message = "the marker lacks its variation selector U+FE0F; it is accepted, but write it exactly";
        context.report(Finding::new(Code::MarkerVariant, mark.span, message).call(call));
    }
}

/// Seed 000 §2.2.
fn is_tool_name(name: &str) -> bool {
    name.starts_with(|first: char| first.is_ascii_alphabetic()) && name.chars().all(is_name_character)
}

fn is_name_character(character: char) -> bool {
    character.is_ascii_alphanumeric() || matches!(character, '_' | '-')
}

fn report_block(mark: Mark, block: &Block, call: usize, context: &mut Context<'_, '_>) {
    if let Some(body) = block.body {
        report_body(body, block.closer.is_some(), call, context);
    }
    if let Some(closer) = block.closer {
        report_variant(closer, call, context);
    }
    if block.termination == Termination::EndOfText {
        let message = format!("the block needs a `{CLOSER}`, and none follows; write it behind the body");
        context.report(Finding::new(Code::UnclosedBlock, mark.span, message).call(call));
        let behind = &context.text()[block.end..];
        if behind.trim_start_matches(is_space).is_empty() {
            context.cut_at_end();
        }
    }
}

/// Markers in the body are text (seed 000 §7.4), but worth a word.
fn report_body(body: Span, closed: bool, call: usize, context: &mut Context<'_, '_>) {
    let text = context.text();
    let mut from = body.start;
    while let Some(mark) = context.next_any(from).filter(|mark| mark.span.start < body.end) {
        from = mark.span.start + 1;
        let near = match mark.kind {
            OPEN => false,
            BARE_END => !closed,
            NEAR_CLOSE => true,
            _ => continue,
        };
        if near {
            report_near_end(mark, call, context);
        } else if closed || !End::is_cut(&text[mark.span.start..context.limit()], mark.span.len()) {
            let message = format!(
                "`{}` inside of a body is plain text; close the first block before",
                mark.span.of(text)
            );
            context.report(Finding::new(Code::NestedMarker, mark.span, message).call(call));
        }
    }
}

fn report_near_end(mark: Mark, call: usize, context: &mut Context<'_, '_>) {
    let found = shown(mark.span.of(context.text()));
    let message = format!("`{found}` is nearly the end marker, and is plain text; write `{CLOSER}`");
    let finding = Finding::new(Code::NearMiss, mark.span, message).call(call);
    context.report(match mark.role {
        Role::NearMiss(form) => finding.detail(form),
        _ => finding,
    });
}

/// Tokens go into the header, what does not fit there into the body, as a JSON object.
fn write_call(draft: &Draft, out: &mut String) -> Written {
    let (tokens, rest): (Vec<_>, Vec<_>) = draft
        .arguments
        .iter()
        .cloned()
        .partition(|(_, value)| value.token().is_some());
    let tokens: Vec<Value> = tokens
        .iter()
        .filter_map(|(_, value)| value.token())
        .map(|token| Value::Text(token.to_owned()))
        .collect();
    let header: Vec<_> = std::iter::once(draft.name.as_str())
        .chain(tokens.iter().filter_map(Value::token))
        .collect();
    let mut body = String::new();
    if !rest.is_empty() {
        Value::Object(rest).write_json(&mut body);
        body.push('\n');
    }
    out.push_str(&format!("🛠️[{}]\n{body}🛠️[/end]\n", header.join(" ")));
    let mut arguments = String::new();
    Value::List(tokens).write_json(&mut arguments);
    Written {
        name: draft.name.clone(),
        arguments: Some(arguments),
        body: Some(body),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scan::{ScanOptions, Scanner};

    fn mark(text: &str) -> Option<(Role, u8, usize)> {
        let mark = EmojiBracket::new().recognise(text, 0)?;
        assert_eq!(mark.span.start, 0);
        Some((mark.role, mark.kind, mark.span.end))
    }

    #[test]
    fn tells_the_markers_apart() {
        assert_eq!(mark("🛠\u{fe0f}[ls]"), Some((Role::Opener, OPEN, 8)));
        assert_eq!(mark("🛠[ls]"), Some((Role::Opener, OPEN, 5)));
        assert_eq!(mark("🛠\u{fe0f}[/end]"), Some((Role::Closer, CLOSE, 13)));
        assert_eq!(mark("🛠[/end]"), Some((Role::Closer, CLOSE, 10)));
        for text in [
            "🛠\u{fe0f}",
            "🛠\u{fe0f} ls",
            "🛠\u{fe0f}\n[ls]",
            "🔧 [ls]",
            ":hammer_and_wrench: ls",
        ] {
            assert_eq!(mark(text), None, "{text:?}");
        }
    }

    #[test]
    fn names_the_forms_that_are_nearly_markers() {
        let openers = [
            ("🛠\u{fe0f} [", "white_space"),
            ("🛠\u{a0}[", "white_space"),
            ("🔧[", "other_emoji"),
            ("⚒\u{fe0f}[", "other_emoji"),
            ("⚙[", "other_emoji"),
            (":hammer_and_wrench:[", "shortcode"),
            ("🛠\u{fe0e}[", "other_selector"),
            ("🛠\u{fe0f}\u{fe0f}[", "other_selector"),
            ("🛠\u{fe0f}\\[", "escaped_bracket"),
        ];
        for (text, form) in openers {
            let expected = Some((Role::NearMiss(form), NEAR_OPEN, text.len()));
            assert_eq!(mark(&format!("{text}ls]")), expected, "{text:?}");
        }
        let closers = [
            ("🛠\u{fe0f}[/END]", "wrong_case"),
            ("🛠\u{fe0f}[/End]", "wrong_case"),
            ("🛠\u{fe0f}[ /end ]", "white_space"),
            ("🛠\u{fe0f}[/ end]", "white_space"),
            ("🛠[/end ]", "white_space"),
            ("🛠\u{fe0f}[\\end]", "backslash"),
            ("🛠\u{fe0f}[/end ls]", "extra_text"),
            ("🛠\u{fe0f}[/end /]", "extra_text"),
            ("🛠\u{fe0f} [/end]", "white_space"),
            ("🔧[/end]", "other_emoji"),
        ];
        for (text, form) in closers {
            let expected = Some((Role::NearMiss(form), NEAR_CLOSE, text.len()));
            assert_eq!(mark(text), expected, "{text:?}");
        }
        let bare = "🛠\u{fe0f}[end]";
        assert_eq!(
            mark(bare),
            Some((Role::NearMiss("missing_slash"), BARE_END, bare.len()))
        );
        for name in ["ending", "end game", "end /", "/ending", "/endless]", "/en"] {
            let text = format!("{OPENER}{name}]");
            assert_eq!(mark(&text), Some((Role::Opener, OPEN, 8)), "{text:?}");
        }
    }

    /// Names of the codes found in `text`, in order.
    fn codes(text: &str) -> Vec<&'static str> {
        let scan = Scanner::new(
            vec![std::sync::Arc::new(EmojiBracket::new())],
            ScanOptions::default(),
        )
        .scan(text);
        scan.diagnostics
            .iter()
            .map(|finding| finding.code.name())
            .collect()
    }

    #[test]
    fn a_cut_end_marker_adds_nothing() {
        for cut in [
            "🛠",
            "🛠\u{fe0f}",
            "🛠\u{fe0f}[/",
            "🛠\u{fe0f}[/e",
            "🛠\u{fe0f}[/en",
            "🛠\u{fe0f}[/end",
            "🛠[/en",
        ] {
            for body in ["", "\n", "\nx\n", "x"] {
                let text = format!("{OPENER}w a]{body}{cut}");
                assert_eq!(codes(&text), ["unclosed_block"], "{text:?}");
            }
        }
    }

    #[test]
    fn a_bare_end_is_nested_where_the_end_marker_follows() {
        assert_eq!(
            codes("🛠\u{fe0f}[w]\n🛠\u{fe0f}[end]\n🛠\u{fe0f}[/end]"),
            ["nested_marker"]
        );
        assert_eq!(
            codes("🛠\u{fe0f}[w]x\n🛠\u{fe0f}[end]\n"),
            ["unclosed_block", "near_miss"]
        );
        assert_eq!(codes("x\n🛠\u{fe0f}[end]\n"), ["near_miss"]);
        assert_eq!(
            codes("🛠\u{fe0f}[w]\n🛠\u{fe0f}[/END]\n🛠\u{fe0f}[/end]"),
            ["near_miss"]
        );
    }

    #[test]
    fn a_variant_counts_where_it_opens_or_closes() {
        assert_eq!(codes("🛠[w]🛠[/end]"), ["marker_variant", "marker_variant"]);
        assert_eq!(codes("🛠[w"), ["unclosed_header"]);
        assert_eq!(codes("🛠[]"), ["empty_header"]);
        assert_eq!(codes("🛠[/end]"), ["stray_end_marker"]);
        assert_eq!(codes("🛠\u{fe0f}[w]\n🛠[x]\n🛠\u{fe0f}[/end]"), ["nested_marker"]);
    }
}
