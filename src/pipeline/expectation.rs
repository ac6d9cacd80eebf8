//! Which syntax the model was asked to use.

use globset::{Glob, GlobMatcher};

use crate::error::Error;

/// Says which syntax a completion is expected to use: the record's own word first, then the first glob that its
/// model matches, then one for all.
#[derive(Clone, Debug, Default)]
pub struct Expectation {
    known: Vec<&'static str>,
    by_model: Vec<(GlobMatcher, &'static str)>,
    for_all: Option<&'static str>,
}

impl Expectation {
    /// Expects nothing but what a record says. `known` are the names that count.
    pub fn new(known: Vec<&'static str>) -> Self {
        Self {
            known,
            ..Self::default()
        }
    }

    /// Expects `syntax` of models that match `glob` and none of the globs given before. `*` matches any
    /// characters, `/` included.
    ///
    /// # Errors
    ///
    /// [`Error::Usage`] when the glob is none or the syntax is not known.
    pub fn of_model(mut self, glob: &str, syntax: &str) -> Result<Self, Error> {
        let matcher =
            Glob::new(glob).map_err(|error| Error::Usage(format!("cannot use a model glob: {error}")))?;
        let syntax = self.name(syntax)?;
        self.by_model.push((matcher.compile_matcher(), syntax));
        Ok(self)
    }

    /// Expects `syntax` where nothing else is said.
    ///
    /// # Errors
    ///
    /// [`Error::Usage`] when the syntax is not known.
    pub fn of_all(mut self, syntax: &str) -> Result<Self, Error> {
        self.for_all = Some(self.name(syntax)?);
        Ok(self)
    }

    fn name(&self, syntax: &str) -> Result<&'static str, Error> {
        self.known(syntax).ok_or_else(|| {
            Error::Usage(format!(
                "unknown syntax `{syntax}`; use one of {}",
                self.known.join(", ")
            ))
        })
    }

    /// The syntax of this name, if it is known.
    pub fn known(&self, syntax: &str) -> Option<&'static str> {
        self.known.iter().find(|known| **known == syntax).copied()
    }

    /// The syntax expected of a completion, given what its record says: a format that is not known here is one
    /// that was asked for all the same.
    pub fn resolve<'k>(&self, own: Option<&'k str>, model: Option<&str>) -> Option<&'k str> {
        own.or_else(|| self.of(model?)).or(self.for_all)
    }

    fn of(&self, model: &str) -> Option<&'static str> {
        let found = self.by_model.iter().find(|(glob, _)| glob.is_match(model))?;
        Some(found.1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn expectation() -> Result<Expectation, Error> {
        Expectation::new(vec!["execute_block", "gadget_block", "scissors_cat"])
            .of_model("qwen-*", "execute_block")?
            .of_model("*", "gadget_block")?
            .of_all("scissors_cat")
    }

    #[test]
    fn the_record_then_the_first_glob_then_the_rest() {
        let expectation = expectation().expect("the globs are well formed");
        let cases = [
            (Some("scissors_cat"), Some("qwen-2"), "scissors_cat"),
            (Some("xml"), Some("qwen-2"), "xml"),
            (None, Some("qwen-2"), "execute_block"),
            (None, Some("org/qwen-2"), "gadget_block"),
            (None, None, "scissors_cat"),
        ];
        for (own, model, expected) in cases {
            assert_eq!(
                expectation.resolve(own, model),
                Some(expected),
                "{own:?} {model:?}"
            );
        }
    }

    #[test]
    fn wrong_globs_and_names_are_wrong_usage() {
        let empty = || Expectation::new(vec!["execute_block"]);
        assert!(matches!(
            empty().of_model("a[", "execute_block"),
            Err(Error::Usage(_))
        ));
        assert!(matches!(empty().of_all("xml"), Err(Error::Usage(_))));
        assert_eq!(empty().resolve(None, Some("m")), None);
    }
}
