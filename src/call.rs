//! One tool call, as a completion holds it.

use std::borrow::Cow;

use crate::diagnostic::{Code, CodeSet, Severity};
use crate::span::Span;

/// How a block came to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Termination {
    /// By its own end marker.
    Explicit,
    /// By the next marker, or by the end of the container around it, where the format allows that.
    Implicit,
    /// By the end of the text.
    EndOfText,
    /// By the ` /]` of a header that has no body.
    SelfClosing,
}

impl Termination {
    /// The value of the `termination` column.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Explicit => "explicit",
            Self::Implicit => "implicit",
            Self::EndOfText => "end_of_text",
            Self::SelfClosing => "self_closing",
        }
    }
}

/// One tool invocation. Text is borrowed from the completion wherever it stands there verbatim.
///
/// What a syntax has no notion of is `None`. `arguments`, `output` and `extra` are compact JSON text that
/// keeps the source's key order and number digits.
#[derive(Clone, Debug, PartialEq)]
pub struct Call<'t> {
    /// Name of the syntax that the call is written in.
    pub syntax: &'static str,
    /// Ordinal of the block among the completion's blocks, from 0.
    pub block_index: usize,
    /// Where the call stands; `None` for a call that the provider had logged as structure.
    pub span: Option<Span>,
    /// Tool name as written.
    pub name: Option<Cow<'t, str>>,
    /// The call's own id, or the one that the format generates.
    pub call_id: Option<Cow<'t, str>>,
    /// Whether `call_id` was generated.
    pub call_id_generated: bool,
    /// Arguments as JSON text; `None` where they cannot be read.
    pub arguments: Option<Cow<'t, str>>,
    /// Arguments as written, where the syntax has such a thing.
    pub raw_args: Option<Cow<'t, str>>,
    /// Free text that the call carries.
    pub body: Option<Cow<'t, str>>,
    /// Ids of calls that have to run first; `None` where the syntax knows no dependencies.
    pub dependencies: Option<Vec<Cow<'t, str>>>,
    /// State of the invocation, as written.
    pub state: Option<Cow<'t, str>>,
    /// What the call says it is for.
    pub operation: Option<Cow<'t, str>>,
    /// Execution priority.
    pub priority: Option<f64>,
    /// Streaming events that the call would emit; `None` where the syntax has none.
    pub events: Option<Vec<&'static str>>,
    /// Status of the result that stands behind the call.
    pub result_status: Option<Cow<'t, str>>,
    /// Output of the tool, as JSON text.
    pub output: Option<Cow<'t, str>>,
    /// What went wrong, as the text tells it.
    pub error_text: Option<Cow<'t, str>>,
    /// Fields that the format does not know, as a JSON object.
    pub extra: Option<Cow<'t, str>>,
    /// How the call's block ended; `None` for calls that were logged as structure.
    pub termination: Option<Termination>,
    /// The object that positional arguments and the body make with the schema of the tool, as JSON text.
    pub arguments_object: Option<Cow<'t, str>>,
    /// Whether a tool of this name was offered; `None` where that is not known.
    pub tool_known: Option<bool>,
    /// Whether the arguments fit the tool's schema; `None` where there is no schema, or nothing to hold against it.
    pub schema_valid: Option<bool>,
    /// Every code attached to the call.
    pub codes: CodeSet,
    /// Whether a diagnostic of severity `error` is attached.
    pub has_error: bool,
    /// Whether such a diagnostic is about the text, not about what was asked for.
    pub is_malformed: bool,
}

impl<'t> Call<'t> {
    /// A call of `syntax` at `span` with nothing known about it yet. The scan sets the block's ordinal.
    pub fn new(syntax: &'static str, span: Span, termination: Termination) -> Self {
        Self {
            span: Some(span),
            termination: Some(termination),
            ..Self::native(syntax)
        }
    }

    /// A call without a place in the text.
    pub fn native(syntax: &'static str) -> Self {
        Self {
            syntax,
            block_index: 0,
            span: None,
            name: None,
            call_id: None,
            call_id_generated: false,
            arguments: None,
            raw_args: None,
            body: None,
            dependencies: None,
            state: None,
            operation: None,
            priority: None,
            events: None,
            result_status: None,
            output: None,
            error_text: None,
            extra: None,
            termination: None,
            arguments_object: None,
            tool_known: None,
            schema_valid: None,
            codes: CodeSet::default(),
            has_error: false,
            is_malformed: false,
        }
    }

    /// Whether no error is attached.
    pub fn is_valid(&self) -> bool {
        !self.has_error
    }

    /// Whether no error is attached but what the tools' schemas find: the text was well formed, though what it asks
    /// for may be wrong.
    pub fn parses(&self) -> bool {
        !self.is_malformed
    }

    /// Attaches a code.
    pub fn attach(&mut self, code: Code, severity: Severity) {
        self.codes.insert(code);
        let is_error = severity == Severity::Error;
        self.has_error |= is_error;
        self.is_malformed |= is_error && !code.is_about_tools();
    }
}
