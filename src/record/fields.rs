//! Where in a record the fields are.

use std::str::FromStr;

use super::Format;

/// Which fields to read. `None`, or no path, stands for the usual places.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Fields {
    /// The completion's text: the first of these paths that holds one. With `[]` each match is a choice.
    pub text: Vec<Path>,
    /// The record's id; by default `id`.
    pub id: Option<Path>,
    /// The model; by default `model`.
    pub model: Option<Path>,
    /// The syntax that was asked for; by default `expected_syntax`.
    pub expected: Option<Path>,
    /// Why the model stopped; by default the choice's `finish_reason`, else the record's `finish_reason` or
    /// `stop_reason`.
    pub finish_reason: Option<Path>,
    /// The tools that were offered; by default not read.
    pub tools: Option<Path>,
    /// The format of all records; by default found by itself.
    pub format: Option<Format>,
}

/// A way to a field: keys joined by dots, `[]` behind a key for each element of its array, `[key=word|word]` for
/// those in which a key holds one of some words.
///
/// ```
/// use toolscan::record::Path;
///
/// let path: Path = "choices[].message.content".parse()?;
/// assert_eq!(path.to_string(), "choices[].message.content");
/// assert!("turns[role=assistant|model].content".parse::<Path>().is_ok());
/// assert!("choices[0].text".parse::<Path>().is_err());
/// # Ok::<(), toolscan::record::PathError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Path {
    pub(super) steps: Vec<Step>,
}

/// One step of a [`Path`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// The value of this key.
    Key(String),
    /// Each element.
    Each,
    /// Each element of which this key holds one of these words.
    Where(String, Vec<String>),
}

/// Why something is no [`Path`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PathError {
    /// Nothing was written.
    #[error("a field path is empty; write keys joined by dots, such as `result.text`")]
    Empty,
    /// A dot has no key on one side.
    #[error("the field path `{0}` has an empty key; write keys joined by single dots, such as `result.text`")]
    EmptyKey(String),
    /// A bracket that is not part of `[]`.
    #[error(
        "the field path `{0}` has a bracket that is not part of `[]`; `[]` stands for each element of an array, \
         `[role=assistant]` for each whose `role` is `assistant`"
    )]
    Bracket(String),
}

impl FromStr for Path {
    type Err = PathError;

    fn from_str(text: &str) -> Result<Self, PathError> {
        if text.is_empty() {
            return Err(PathError::Empty);
        }
        let mut steps = Vec::new();
        for (index, part) in parts(text).into_iter().enumerate() {
            let key = part.split(['[', ']']).next().unwrap_or_default();
            let elements = elements(&part[key.len()..]).ok_or_else(|| PathError::Bracket(text.to_owned()))?;
            if !key.is_empty() {
                steps.push(Step::Key(key.to_owned()));
            } else if index > 0 || elements.is_empty() {
                return Err(PathError::EmptyKey(text.to_owned()));
            }
            steps.extend(elements);
        }
        Ok(Self { steps })
    }
}

/// The text cut at the dots that stand outside of brackets.
fn parts(text: &str) -> Vec<&str> {
    let mut open = false;
    let is_end = |character| {
        open = character == '[' || open && character != ']';
        character == '.' && !open
    };
    text.split(is_end).collect()
}

/// The steps that brackets stand for; `None` where they are none.
fn elements(mut brackets: &str) -> Option<Vec<Step>> {
    let mut steps = Vec::new();
    while !brackets.is_empty() {
        let (inside, rest) = brackets.strip_prefix('[')?.split_once(']')?;
        steps.push(match inside.split_once('=') {
            None if inside.is_empty() => Step::Each,
            Some((key, words)) if !key.is_empty() => {
                Step::Where(key.to_owned(), words.split('|').map(str::to_owned).collect())
            }
            _ => return None,
        });
        brackets = rest;
    }
    Some(steps)
}

impl std::fmt::Display for Path {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for (index, step) in self.steps.iter().enumerate() {
            match step {
                Step::Key(key) if index > 0 => write!(f, ".{key}")?,
                Step::Key(key) => f.write_str(key)?,
                Step::Each => f.write_str("[]")?,
                Step::Where(key, words) => write!(f, "[{key}={}]", words.join("|"))?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(name: &str) -> Step {
        Step::Key(name.to_owned())
    }

    #[test]
    fn paths_are_keys_and_eaches() {
        let cases: &[(&str, Vec<Step>)] = &[
            ("text", vec![key("text")]),
            ("result.text", vec![key("result"), key("text")]),
            (
                "choices[].message.content",
                vec![key("choices"), Step::Each, key("message"), key("content")],
            ),
            ("a[][].b", vec![key("a"), Step::Each, Step::Each, key("b")]),
            ("[].content", vec![Step::Each, key("content")]),
            (
                "a[role=x|y].b",
                vec![
                    key("a"),
                    Step::Where("role".to_owned(), vec!["x".to_owned(), "y".to_owned()]),
                    key("b"),
                ],
            ),
            ("with space.ключ", vec![key("with space"), key("ключ")]),
        ];
        for (text, steps) in cases {
            let path: Path = text.parse().expect(text);
            assert_eq!(&path.steps, steps, "{text}");
            assert_eq!(path.to_string(), *text);
        }
    }

    #[test]
    fn what_is_no_path_says_why() {
        for text in [".a", "a.", "a..b", ".", "a.[]"] {
            assert_eq!(
                text.parse::<Path>(),
                Err(PathError::EmptyKey(text.to_owned())),
                "{text}"
            );
        }
        for text in [
            "a[0]",
            "a[",
            "a]",
            "a[]b",
            "[",
            "a[].b[1].c",
            "a[=b]",
            "a[b]c",
            "a[b=c",
        ] {
            assert_eq!(
                text.parse::<Path>(),
                Err(PathError::Bracket(text.to_owned())),
                "{text}"
            );
        }
        assert_eq!("".parse::<Path>(), Err(PathError::Empty));
    }
}
