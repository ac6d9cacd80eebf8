//! Where in a record the fields are.

use std::str::FromStr;

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
}

/// A way to a field: keys joined by dots, `[]` behind a key for each element of its array.
///
/// ```
/// use toolscan::record::Path;
///
/// let path: Path = "choices[].message.content".parse()?;
/// assert_eq!(path.to_string(), "choices[].message.content");
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
        "the field path `{0}` has a bracket that is not part of `[]`; `[]` stands for each element of an array"
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
        for (index, part) in text.split('.').enumerate() {
            let key = part.trim_end_matches("[]");
            if key.contains(['[', ']']) {
                return Err(PathError::Bracket(text.to_owned()));
            }
            let eaches = (part.len() - key.len()) / 2;
            if !key.is_empty() {
                steps.push(Step::Key(key.to_owned()));
            } else if index > 0 || eaches == 0 {
                return Err(PathError::EmptyKey(text.to_owned()));
            }
            steps.extend(std::iter::repeat_n(Step::Each, eaches));
        }
        Ok(Self { steps })
    }
}

impl std::fmt::Display for Path {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for (index, step) in self.steps.iter().enumerate() {
            match step {
                Step::Key(key) if index > 0 => write!(f, ".{key}")?,
                Step::Key(key) => f.write_str(key)?,
                Step::Each => f.write_str("[]")?,
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
        for text in ["a[0]", "a[", "a]", "a[]b", "[", "a[].b[1].c"] {
            assert_eq!(
                text.parse::<Path>(),
                Err(PathError::Bracket(text.to_owned())),
                "{text}"
            );
        }
        assert_eq!("".parse::<Path>(), Err(PathError::Empty));
    }
}
