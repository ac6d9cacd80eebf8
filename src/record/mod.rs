//! A shard's bytes → records: one log entry each, with the completions it holds.
//!
//! [`Reader::read`] takes the bytes of one record and finds the fields that matter without interpreting the
//! rest: what is not read is not judged.

use crate::diagnostic::Code;
use crate::span::Span;

mod escapes;
mod fields;
mod find;
mod format;
mod message;
mod object;
mod outline;
mod places;
mod prefilter;
mod problem;
mod reader;
mod shapes;
mod skim;
mod stream;
mod string;
mod validate;

pub use fields::{Fields, Path, PathError};
pub use format::{Format, Guess, SNIFFED_RECORDS, Sniff, UnknownFormat};
pub use prefilter::Prefilter;
pub use reader::Reader;
pub use stream::{Joined, Joiner};

/// One log entry, understood as far as the tables need it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Record {
    /// The record's own id, as text.
    pub id: Option<String>,
    /// The model that wrote it.
    pub model: Option<String>,
    /// The syntax that the record says was asked for.
    pub expected: Option<String>,
    /// The source text of the tools field, where one was asked for.
    pub tools: Option<String>,
    /// The completions, in the order of their choices and turns. Choices with neither text nor native calls
    /// are left out.
    pub completions: Vec<Completion>,
    /// What the record was taken for: a shape's name, or the plain rule's place.
    pub format: Option<&'static str>,
    /// Where what it holds was found.
    pub found: Found,
    /// Where records of a file repeat answers under another word, this record's word: the first word counts.
    pub repeats: Option<String>,
    /// Whether it shows tools that were offered to the provider.
    pub offers_tools: bool,
    /// Whether the record shows a conversation before its completions; [`Reader::turns_before`] reads it.
    pub has_turns_before: bool,
    /// What is wrong with the record as a whole (`invalid_record`, `missing_text`): at most one, and then there
    /// are no completions.
    pub problems: Vec<Problem>,
}

/// One text that a model produced, or the place of one that holds only calls the provider has parsed.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Completion {
    /// Ordinal over choices and assistant turns alike, from 0. Choices without text keep their number; reasoning
    /// has the number of its choice.
    pub choice: i32,
    /// Whether it is what the model said, or what it thought.
    pub channel: Channel,
    /// The text; `None` where there are only native calls.
    pub text: Option<Text>,
    /// The entry's own id and model, where the record holds many entries; they stand for the record's.
    pub identity: Option<Box<Identity>>,
    /// Whether other assistant turns of the same conversation stand before it in the record.
    pub is_later_turn: bool,
    /// Why the model stopped, as logged.
    pub finish_reason: Option<String>,
    /// Whether the record shows tools that the provider was offered.
    pub tools_offered: bool,
    /// Calls that the provider had already parsed.
    pub native_calls: Vec<NativeCall>,
    /// What is wrong with the text (`invalid_utf8`, `lossy_text`), spans in the decoded text.
    pub problems: Vec<Problem>,
}

/// Where the parts of a record were found, as paths; `None` where there are none, or where the user said it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Found {
    /// The completions.
    pub text: Option<&'static str>,
    /// The id.
    pub id: Option<&'static str>,
    /// The model.
    pub model: Option<&'static str>,
    /// The tools that were offered.
    pub tools: Option<&'static str>,
}

/// Whose completion it is, where a record holds the entries of many.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Identity {
    /// The entry's id.
    pub id: Option<String>,
    /// The model that wrote it.
    pub model: Option<String>,
}

/// Where a text stood beside others of the same choice.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Channel {
    /// What the model said.
    #[default]
    Text,
    /// What it thought, logged apart: hidden from every syntax, as text between think tags is.
    Reasoning,
}

impl Channel {
    /// The value of the `channel` column.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Reasoning => "reasoning",
        }
    }
}

/// A completion's text, decoded unless it is known to hold nothing to find.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Text {
    /// No marker can stand in it: it need not be scanned, and was not decoded.
    Plain {
        /// Its length in bytes, decoded.
        bytes: usize,
    },
    /// The text.
    Decoded(String),
}

impl Text {
    /// Length in bytes, decoded.
    pub fn bytes(&self) -> usize {
        match self {
            Self::Plain { bytes } => *bytes,
            Self::Decoded(text) => text.len(),
        }
    }

    /// The text to scan; empty where there is nothing to find.
    pub fn as_str(&self) -> &str {
        match self {
            Self::Plain { .. } => "",
            Self::Decoded(text) => text,
        }
    }
}

/// A call that was logged as structure.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct NativeCall {
    /// The tool's name.
    pub name: Option<String>,
    /// The call's id.
    pub id: Option<String>,
    /// The arguments as logged: the text of a JSON string, or the source text of an object.
    pub arguments: Option<String>,
}

/// Something wrong with a record or with the bytes of a text.
#[derive(Clone, Debug, PartialEq)]
pub struct Problem {
    /// Its code, with the code's default severity.
    pub code: Code,
    /// The kind within the kind.
    pub detail: Option<String>,
    /// What was expected, what was found, how to mend it.
    pub message: String,
    /// Where: in the record's bytes, or in the decoded text for problems of a completion.
    pub span: Span,
    /// The bytes around it, at most 160, for problems of a record.
    pub snippet: String,
}

#[cfg(test)]
mod referees;
#[cfg(test)]
mod tests;
