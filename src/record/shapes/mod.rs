//! The shapes of known logs: by what signs each is recognised, and where it keeps what matters.
//!
//! A shape is a file of this folder, a line in [`SHAPES`], and its cases in `tests/shapes/<name>.toml`. What the
//! contract's plain rule reads (`completion`, `choices`, `messages`, …) is in [`super::places`].

use std::sync::LazyLock;

use super::fields::Path;
use super::object::Object;
use super::places::{Draft, is_word};
use super::skim::{Fault, Kind, Value};

mod attachments;
mod items;
mod read;

pub(super) use read::Reading;

/// What there is to know about a shape.
#[derive(Debug)]
pub(super) struct Shape {
    /// Its name, for `--input-format`.
    pub(super) name: &'static str,
    /// One line: whose logs look like this.
    pub(super) about: &'static str,
    /// By what it is recognised: one of these lists has to hold as a whole. A sign is a path that leads to
    /// something, `PATH=WORD|WORD` to one of these strings, `PATH:KIND` to a value of this kind.
    pub(super) signs: &'static [&'static [&'static str]],
    /// The entries of which a record holds many, such as samples or spans; empty where the record is one.
    pub(super) entries: &'static str,
    /// The id, from the entry, or with `^` before it from the record. The first path that leads to something counts.
    pub(super) id: &'static [&'static str],
    /// The model.
    pub(super) model: &'static [&'static str],
    /// The tools that were offered.
    pub(super) tools: &'static [&'static str],
    /// Why the model stopped, where the completion does not say it itself.
    pub(super) finish_reason: &'static [&'static str],
    /// What the provider says went wrong, where there is no completion.
    pub(super) error: &'static [&'static str],
    /// Where the completions are: the first place that holds one counts.
    pub(super) places: &'static [(Place, &'static str)],
    /// Whether all places count.
    pub(super) every_place: bool,
    /// Whether the plain rule reads such records too, so that nobody need try.
    pub(super) is_plain: bool,
    /// The model, from the name of the file.
    pub(super) model_of_file: Option<fn(&str) -> Option<&str>>,
    /// A path to a word of which the first one in the file counts: the other records repeat its answers.
    pub(super) first_of: Option<&'static str>,
}

/// What stands at a path, and how it is read.
#[derive(Clone, Copy, Debug)]
pub(super) enum Place {
    /// Each match is a message of one conversation.
    Turns,
    /// Each match is a message of its own.
    Messages,
    /// Each match is a choice: a message or a text, and why it stopped.
    Choices,
    /// Each match is a text.
    Texts,
    /// Each match is a text of one conversation.
    TextTurns,
    /// Each match is a list of the items that the Responses API writes.
    Items,
    /// Each match is a list of the chunks of a stream.
    Chunks,
    /// Each match is a record of some other shape, or its JSON text, or a text.
    Record,
    /// Each match is something that the shape reads itself.
    Custom(Drafter),
}

/// Adds what a value holds to the drafts.
type Drafter = for<'a> fn(Value<'a>, &mut Vec<Draft<'a>>) -> Result<(), Fault>;

/// A shape that has nothing: for the rest of a shape that has little.
pub(super) const NOTHING: Shape = Shape {
    name: "",
    about: "",
    signs: &[],
    entries: "",
    id: &[],
    model: &[],
    tools: &[],
    finish_reason: &[],
    error: &[],
    places: &[],
    every_place: false,
    is_plain: false,
    model_of_file: None,
    first_of: None,
};

macro_rules! shapes {
    ($($name:ident,)+) => {
        $(mod $name;)+

        /// Every shape, in the order in which they are tried.
        pub(super) const SHAPES: &[&Shape] = &[$(&$name::SHAPE,)+];
    };
}

shapes! {
    openai_stream,
    anthropic_stream,
    responses_stream,
    chunk_list,
    nemo_gym,
    mint,
    tau_bench,
    swe_agent,
    zero_eval,
    intercode,
    inspect,
    inspect_sample,
    promptfoo,
    toolbench_cot,
    openai_batch,
    anthropic_batch,
    anthropic_message,
    openai_responses,
    vllm_offline,
    lm_eval,
    bfcl,
    litellm,
    langfuse,
    langsmith,
    langchain,
    otlp,
    otlp_logs,
    helicone,
    tau2,
    claude_code,
    codex,
    gemini,
    gemini_batch,
    bedrock,
    bedrock_batch,
    ollama,
    message_list,
    openai_chat,
    openai_completion,
    messages,
    sharegpt,
    message,
    call_list,
    content_parts,
    flat,
}

/// A shape with its paths read.
#[derive(Debug)]
pub(super) struct Known {
    pub(super) shape: &'static Shape,
    signs: Vec<Vec<Sign>>,
    pub(super) entries: Option<Path>,
    pub(super) id: Vec<Path>,
    pub(super) model: Vec<Path>,
    pub(super) tools: Vec<Path>,
    pub(super) finish_reason: Vec<Path>,
    pub(super) error: Vec<Path>,
    pub(super) places: Vec<(Place, Path)>,
    pub(super) first_of: Option<Path>,
}

/// One thing by which a shape is recognised.
#[derive(Debug)]
struct Sign {
    path: Path,
    found: Found,
}

#[derive(Debug)]
enum Found {
    Something,
    Word(Vec<&'static str>),
    Kind(Kind),
}

static KNOWN: LazyLock<Vec<Known>> = LazyLock::new(|| SHAPES.iter().map(|shape| Known::new(shape)).collect());

/// Every shape, in the order in which they are tried.
pub(super) fn all() -> &'static [Known] {
    &KNOWN
}

impl Known {
    fn new(shape: &'static Shape) -> Self {
        let all = |paths: &[&str]| paths.iter().map(|text| path(text)).collect();
        Self {
            shape,
            signs: shape
                .signs
                .iter()
                .map(|signs| signs.iter().map(|sign| Sign::new(sign)).collect())
                .collect(),
            entries: (!shape.entries.is_empty()).then(|| path(shape.entries)),
            id: all(shape.id),
            model: all(shape.model),
            tools: all(shape.tools),
            finish_reason: all(shape.finish_reason),
            error: all(shape.error),
            places: shape
                .places
                .iter()
                .map(|&(place, text)| (place, path(text)))
                .collect(),
            first_of: shape.first_of.map(path),
        }
    }

    /// Whether the record looks like it.
    pub(super) fn fits(&self, record: &Object<'_>) -> Result<bool, Fault> {
        for signs in &self.signs {
            let mut all = true;
            for sign in signs {
                all = all && sign.is_in(record)?;
            }
            if all {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

impl Sign {
    fn new(text: &'static str) -> Self {
        // A word may stand behind a path that has words in brackets itself.
        let behind = text.rfind(']').unwrap_or(0);
        let split = text[behind..].find(['=', ':']).map(|at| behind + at);
        let Some(at) = split else {
            return Self {
                path: path(text),
                found: Found::Something,
            };
        };
        let found = match (&text[at..=at], &text[at + 1..]) {
            ("=", words) => Found::Word(words.split('|').collect()),
            (_, "list") => Found::Kind(Kind::Array),
            (_, "object") => Found::Kind(Kind::Object),
            (_, "text") => Found::Kind(Kind::String),
            (_, "number") => Found::Kind(Kind::Number),
            (_, kind) => panic!("no kind of value is called {kind}"),
        };
        Self {
            path: path(&text[..at]),
            found,
        }
    }

    fn is_in(&self, record: &Object<'_>) -> Result<bool, Fault> {
        let found = record.resolve(&self.path)?;
        Ok(found.into_iter().any(|value| self.found.is(value)))
    }
}

impl Found {
    fn is(&self, value: Value<'_>) -> bool {
        match self {
            Self::Something => value.source() != b"null",
            Self::Word(words) => is_word(Some(value), words),
            Self::Kind(kind) => value.kind() == *kind,
        }
    }
}

/// The path that a shape's text stands for. `^` before it is the reader's business.
fn path(text: &str) -> Path {
    let text = text.strip_prefix('^').unwrap_or(text);
    if text.is_empty() {
        return Path { steps: Vec::new() };
    }
    text.parse()
        .unwrap_or_else(|error| panic!("the paths of shapes are well formed: {error}"))
}

#[cfg(test)]
mod tests;
