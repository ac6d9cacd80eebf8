//! The config file: which syntaxes, where the fields are, which model is expected to use which syntax.

use std::path::{Path, PathBuf};

use toml::Spanned;
use toml::de::{DeTable, DeValue};
use toolscan::record::Path as FieldPath;
use toolscan::syntax::Markers;
use toolscan::validate::tools::Dialect;
use toolscan::{Error, syntax};

use super::suggest::unknown;

/// The name under which a config file is found by itself.
pub(crate) const FILE_NAME: &str = "toolscan.toml";

/// What a config file says. Options on the command line win over it.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Config {
    /// The file it was read from.
    pub(crate) path: Option<PathBuf>,
    /// Names of the syntaxes to look for.
    pub(crate) syntaxes: Option<Vec<String>>,
    /// Field paths by role: `text`, `id`, `model`, `expected`, `tools`, `finish_reason`.
    pub(crate) fields: Vec<(String, String)>,
    /// Globs of model names and the syntax expected of them. The first that matches counts.
    pub(crate) expect: Vec<(String, String)>,
    /// Markers of gadget_block.
    pub(crate) gadget_block: Markers,
    /// Files with tools; relative ones from the config file's folder.
    pub(crate) tools: Vec<PathBuf>,
    /// How their schemas are written.
    pub(crate) tools_dialect: Dialect,
}

impl Config {
    /// Reads `path`, or without one the nearest `toolscan.toml` from the current folder upwards, or nothing.
    ///
    /// # Errors
    ///
    /// [`Error::Usage`] for a file that cannot be read, or that says something unknown.
    pub(crate) fn load(path: Option<&Path>) -> Result<Self, Error> {
        let Some(path) = path.map(Path::to_owned).or_else(nearest) else {
            return Ok(Self::default());
        };
        let text = std::fs::read_to_string(&path).map_err(|cause| {
            let error = Error::io("read the config file", path.display(), cause);
            Error::Usage(error.to_string())
        })?;
        let all = syntax::all();
        let syntaxes: Vec<_> = all.iter().map(|syntax| syntax.name()).collect();
        let config = Self::parse(&text, &path.display().to_string(), &syntaxes)?;
        let folder = path.parent().unwrap_or(Path::new(""));
        let tools = config.tools.iter();
        Ok(Self {
            tools: tools.map(|file| super::tools::in_folder(folder, file)).collect(),
            path: Some(path),
            ..config
        })
    }

    fn parse(text: &str, place: &str, syntaxes: &[&str]) -> Result<Self, Error> {
        let file = File {
            text,
            place,
            syntaxes,
        };
        let table = DeTable::parse(text)
            .map_err(|error| Error::Usage(format!("cannot read the config file: {place}: {error}")))?;
        let mut config = Self::default();
        for (key, value) in table.get_ref() {
            match key.get_ref().as_ref() {
                "syntaxes" => config.syntaxes = Some(file.syntaxes(value)?),
                "fields" => config.fields = file.strings("fields", value, FIELDS)?,
                "expect" => config.expect = file.expectations(value)?,
                "tools" => config.tools = file.files(value)?,
                "tools_dialect" => config.tools_dialect = file.dialect(value)?,
                "gadget_block" => config.gadget_block = file.markers(value)?,
                _ => return Err(file.unknown("key", key, KEYS)),
            }
        }
        Ok(config)
    }

    /// The path given for a role in `[fields]`, as written.
    pub(crate) fn string(&self, role: &str) -> Option<String> {
        self.fields
            .iter()
            .find(|(key, _)| key == role)
            .map(|(_, path)| path.clone())
    }

    /// The path given for a role in `[fields]`.
    ///
    /// # Errors
    ///
    /// [`Error::Usage`] when it is no path.
    pub(crate) fn field(&self, role: &str) -> Result<Option<FieldPath>, Error> {
        let Some(text) = self.string(role) else {
            return Ok(None);
        };
        let path = text.parse().map_err(|error| {
            Error::Usage(format!("cannot use [fields] of the config file: {role}: {error}"))
        })?;
        Ok(Some(path))
    }
}

const KEYS: &[&str] = &[
    "syntaxes",
    "fields",
    "expect",
    "tools",
    "tools_dialect",
    "gadget_block",
];
/// What a field path can be for.
pub(crate) const FIELDS: &[&str] = &["text", "id", "model", "expected", "tools", "finish_reason"];
const MARKERS: &[&str] = &["start", "end", "arg"];

fn nearest() -> Option<PathBuf> {
    let here = std::env::current_dir().ok()?;
    here.ancestors()
        .map(|folder| folder.join(FILE_NAME))
        .find(|path| path.is_file())
}

/// The file being read, for messages that name the line.
struct File<'a> {
    text: &'a str,
    place: &'a str,
    syntaxes: &'a [&'a str],
}

impl File<'_> {
    fn syntaxes(&self, value: &Spanned<DeValue<'_>>) -> Result<Vec<String>, Error> {
        let DeValue::Array(names) = value.get_ref() else {
            return Err(self.error(value, "`syntaxes` is a list of names, e.g. [\"execute_block\"]"));
        };
        if names.is_empty() {
            return Err(self.error(
                value,
                "`syntaxes` names none; name one, or leave the key out for all of them",
            ));
        }
        names.iter().map(|name| self.syntax(name)).collect()
    }

    fn files(&self, value: &Spanned<DeValue<'_>>) -> Result<Vec<PathBuf>, Error> {
        let DeValue::Array(files) = value.get_ref() else {
            return Err(self.error(value, "`tools` is a list of files, e.g. [\"tools.json\"]"));
        };
        let files = files.iter();
        files.map(|file| Ok(self.string(file)?.into())).collect()
    }

    fn dialect(&self, value: &Spanned<DeValue<'_>>) -> Result<Dialect, Error> {
        let name = self.string(value)?;
        let known = [Dialect::JsonSchema, Dialect::Bfcl];
        let found = known.into_iter().find(|dialect| dialect.name() == name);
        found.ok_or_else(|| self.error(value, &unknown("dialect", name, &known.map(Dialect::name))))
    }

    fn expectations(&self, value: &Spanned<DeValue<'_>>) -> Result<Vec<(String, String)>, Error> {
        let DeValue::Table(table) = value.get_ref() else {
            return Err(self.error(
                value,
                "`expect` is a table of model globs, e.g. \"qwen-*\" = \"execute_block\"",
            ));
        };
        let mut expectations = Vec::with_capacity(table.len());
        for (glob, name) in table {
            globset::Glob::new(glob.get_ref()).map_err(|error| self.error(glob, &error.to_string()))?;
            expectations.push((glob.get_ref().to_string(), self.syntax(name)?));
        }
        Ok(expectations)
    }

    fn markers(&self, value: &Spanned<DeValue<'_>>) -> Result<Markers, Error> {
        let mut markers = Markers::default();
        for (name, marker) in self.strings("gadget_block", value, MARKERS)? {
            match name.as_str() {
                "start" => markers.start = marker,
                "end" => markers.end = marker,
                _ => markers.arg = marker,
            }
        }
        match markers.fault() {
            Some(fault) => Err(self.error(value, &format!("[gadget_block]: {fault}"))),
            None => Ok(markers),
        }
    }

    /// A table of strings, with the keys that it may have.
    fn strings(
        &self,
        name: &str,
        value: &Spanned<DeValue<'_>>,
        known: &[&str],
    ) -> Result<Vec<(String, String)>, Error> {
        let DeValue::Table(table) = value.get_ref() else {
            return Err(self.error(value, &format!("`{name}` is a table: begin it with [{name}]")));
        };
        let mut strings = Vec::with_capacity(table.len());
        for (key, value) in table {
            if !known.contains(&key.get_ref().as_ref()) {
                return Err(self.unknown(&format!("key in [{name}]"), key, known));
            }
            let text = self.string(value)?;
            if text.is_empty() {
                return Err(self.error(
                    value,
                    &format!("`{}` is empty; leave it out for the default", key.get_ref()),
                ));
            }
            strings.push((key.get_ref().to_string(), text.to_owned()));
        }
        Ok(strings)
    }

    fn syntax(&self, value: &Spanned<DeValue<'_>>) -> Result<String, Error> {
        let name = self.string(value)?;
        if !self.syntaxes.contains(&name) {
            return Err(self.error(value, &unknown("syntax", name, self.syntaxes)));
        }
        Ok(name.to_owned())
    }

    fn string<'v>(&self, value: &'v Spanned<DeValue<'_>>) -> Result<&'v str, Error> {
        match value.get_ref() {
            DeValue::String(text) => Ok(text),
            other => Err(self.error(value, &format!("expected a string, found {}", other.type_str()))),
        }
    }

    fn unknown(&self, what: &str, key: &Spanned<impl AsRef<str>>, known: &[&str]) -> Error {
        self.error(key, &unknown(what, key.get_ref().as_ref(), known))
    }

    fn error<T>(&self, at: &Spanned<T>, message: &str) -> Error {
        let line = 1 + self.text[..at.span().start].matches('\n').count();
        Error::Usage(format!(
            "cannot use the config file: {}:{line}: {message}",
            self.place
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SYNTAXES: &[&str] = &["execute_block", "gadget_block", "scissors_cat"];

    fn error_of(text: &str) -> String {
        let error = Config::parse(text, "toolscan.toml", SYNTAXES).expect_err(text);
        error.to_string()
    }

    #[test]
    fn reads_every_key() {
        let config = Config::parse(
            r##"
            [fields]
            text = "result.text"
            finish_reason = "why"
            [expect]
            "z-*" = "execute_block"
            "*" = "gadget_block"
            "a-*" = "scissors_cat"
            [gadget_block]
            start = "<<<TOOL:"
            "##,
            "toolscan.toml",
            SYNTAXES,
        )
        .expect("the file is well formed");
        assert_eq!(config.string("text").as_deref(), Some("result.text"));
        assert_eq!(config.string("model"), None);
        let globs: Vec<_> = config.expect.iter().map(|(glob, _)| glob.as_str()).collect();
        assert_eq!(globs, ["z-*", "*", "a-*"], "the order of the file decides");
        assert_eq!(config.gadget_block.start, "<<<TOOL:");
        assert_eq!(
            config.gadget_block.end,
            Markers::default().end,
            "what is not set stays"
        );
    }

    #[test]
    fn unknown_words_are_errors_with_their_line_and_a_suggestion() {
        let cases = [
            (
                "\nsyntax = []",
                "toolscan.toml:2: unknown key `syntax`; did you mean `syntaxes`?",
            ),
            (
                "[fields]\ntxt = 'a'",
                "toolscan.toml:2: unknown key in [fields] `txt`; did you mean `text`?",
            ),
            (
                "syntaxes = ['execute_blok']",
                "toolscan.toml:1: unknown syntax `execute_blok`; did you mean `execute_block`?",
            ),
            ("[expect]\n'a[' = 'execute_block'", "toolscan.toml:2: "),
            (
                "syntaxes = 'execute_block'",
                "toolscan.toml:1: `syntaxes` is a list",
            ),
            (
                "syntaxes = [1]",
                "toolscan.toml:1: expected a string, found integer",
            ),
            ("[gadget_block]\nend = ''", "toolscan.toml:2: `end` is empty"),
            (
                "[gadget_block]\nend = '!!!ARG:'",
                "toolscan.toml:1: [gadget_block]: `start`, `end` and `arg` have to differ",
            ),
            ("syntaxes = [", "toolscan.toml: TOML parse error at line 1"),
        ];
        for (text, message) in cases {
            assert!(error_of(text).contains(message), "{text}: {}", error_of(text));
        }
    }
}
