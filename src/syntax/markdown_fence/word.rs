//! The first word of a fence's info string.

use crate::text::is_space;

/// The word that makes a fence a call.
pub(super) const TOOL: &str = "tool";

/// What may stand between a fence and its info string.
pub(super) const BLANKS: [char; 2] = [' ', '\t'];

/// What models write behind `tool` without a mark between.
const SUFFIXES: [&str; 9] = [
    "s",
    "call",
    "calls",
    "use",
    "uses",
    "code",
    "request",
    "invocation",
    "invoke",
];

/// Languages that models put before the word.
const LANGUAGES: [&str; 3] = ["json", "yaml", "yml"];

/// The first word of an info string.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Word {
    /// `tool`.
    Exact,
    /// Nearly that, in the first `length` bytes of the info string.
    Near { form: &'static str, length: usize },
}

impl Word {
    /// The first word of `info`, a text that begins with an info string, if it is `tool` or nearly so.
    pub(super) fn read(info: &str) -> Option<Self> {
        let Some(rest) = strip_prefix_ignoring_case(info, TOOL) else {
            let behind = behind_language(info)?;
            let word = Self::read_tool(behind)?;
            return Some(Self::Near {
                form: "wrong_word",
                length: info.len() - behind.len() + word,
            });
        };
        if ends_word(rest) {
            return Some(if info.starts_with(TOOL) {
                Self::Exact
            } else {
                let form = "wrong_case";
                Self::Near {
                    form,
                    length: TOOL.len(),
                }
            });
        }
        is_near(rest).then(|| Self::Near {
            form: "wrong_word",
            length: word_length(info),
        })
    }

    /// The length of the word behind a language, if that is `tool` or nearly so.
    fn read_tool(text: &str) -> Option<usize> {
        match Self::read(text).filter(|_| strip_prefix_ignoring_case(text, TOOL).is_some())? {
            Self::Exact => Some(TOOL.len()),
            Self::Near { length, .. } => Some(length),
        }
    }
}

/// Whether a word that begins with `tool` and goes on with `rest` is nearly `tool`: `tools`, `tool_call`,
/// `tool:search`, but not `toolbox`.
fn is_near(rest: &str) -> bool {
    let letters = rest.bytes().take_while(u8::is_ascii_alphanumeric).count();
    if letters == 0 {
        return !rest.starts_with(|character: char| character == '`' || character.is_alphanumeric());
    }
    SUFFIXES
        .iter()
        .any(|suffix| rest[..letters].eq_ignore_ascii_case(suffix))
}

/// `text` without a language at its end, and the blanks before that.
pub(super) fn before_language(text: &str) -> &str {
    let before = LANGUAGES.iter().find_map(|language| text.strip_suffix(language));
    before.map_or(text, |before| before.trim_end_matches(BLANKS))
}

fn behind_language(info: &str) -> Option<&str> {
    let language = LANGUAGES.iter().find(|language| info.starts_with(**language))?;
    let rest = &info[language.len()..];
    let behind = rest.trim_start_matches(BLANKS);
    (behind.len() < rest.len()).then_some(behind)
}

fn strip_prefix_ignoring_case<'t>(text: &'t str, prefix: &str) -> Option<&'t str> {
    let (start, rest) = text.split_at_checked(prefix.len())?;
    start.eq_ignore_ascii_case(prefix).then_some(rest)
}

fn ends_word(rest: &str) -> bool {
    rest.is_empty() || rest.starts_with(is_space)
}

fn word_length(text: &str) -> usize {
    text.find(|character| is_space(character) || character == '`')
        .unwrap_or(text.len())
}
