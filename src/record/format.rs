//! Which shape a log has: named by the user, or guessed from its first records.

use std::str::FromStr;
use std::sync::Arc;

use super::places::PLAIN;
use super::shapes::{Known, all};
use super::{Channel, Fields, Found, Reader, Record, Text};

/// A known shape of logs.
#[derive(Clone, Copy, Debug)]
pub struct Format(pub(super) &'static Known);

impl Format {
    /// Every shape, in the order in which they are tried.
    pub fn all() -> impl Iterator<Item = Self> {
        all().iter().map(Self)
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        self.0.shape.name
    }

    /// One line: whose logs look like this.
    pub fn about(self) -> &'static str {
        self.0.shape.about
    }

    /// The signs by which it is recognised; one of these lists has to hold as a whole.
    pub fn signs(self) -> &'static [&'static [&'static str]] {
        self.0.shape.signs
    }

    /// The key of the list in a record that holds many entries, such as samples.
    pub fn entries(self) -> Option<&'static str> {
        self.0.shape.entries.split_once("[]").map(|(key, _)| key)
    }

    /// Whether its records are put together from the chunks of streams.
    pub fn streams(self) -> bool {
        self.name().ends_with("_stream")
    }

    /// The model, where it is in the name of the file.
    pub fn model_of(self, file: &str) -> Option<&str> {
        self.0.shape.model_of_file.and_then(|model| model(file))
    }

    /// Where in a record it keeps the completions, the ids, the models and the tools.
    pub fn places(self) -> [Vec<String>; 4] {
        let shape = self.0.shape;
        let within = |path: &str| match (path.strip_prefix('^'), shape.entries) {
            (Some(path), _) => path.to_owned(),
            (None, "") if path.is_empty() => "the record itself".to_owned(),
            (None, "") => path.to_owned(),
            (None, entries) => format!("{entries}.{path}"),
        };
        let all = |paths: &[&str]| paths.iter().map(|path| within(path)).collect();
        let texts: Vec<_> = shape.places.iter().map(|(_, path)| *path).collect();
        [all(&texts), all(shape.id), all(shape.model), all(shape.tools)]
    }
}

impl PartialEq for Format {
    fn eq(&self, other: &Self) -> bool {
        self.name() == other.name()
    }
}

impl Eq for Format {}

/// No shape has this name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no input format has this name")]
pub struct UnknownFormat;

impl FromStr for Format {
    type Err = UnknownFormat;

    fn from_str(name: &str) -> Result<Self, UnknownFormat> {
        Self::all()
            .find(|format| format.name() == name)
            .ok_or(UnknownFormat)
    }
}

/// What is known about the records of a source before they are read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Guess {
    /// The shape that is tried first.
    pub format: Option<Format>,
    /// The model that the source names for all its records.
    pub model: Option<String>,
    /// The first of the words of which only the first counts; see [`Record::repeats`].
    pub(super) first: Option<String>,
}

/// Records that are looked at before the shape of a source is settled.
pub const SNIFFED_RECORDS: usize = 64;

/// What the first records of a source say about its shape.
#[derive(Clone, Debug, Default)]
pub struct Sniff {
    /// The records that were looked at.
    pub records: usize,
    /// What they were taken for and how often, the most frequent first.
    pub formats: Vec<(&'static str, usize)>,
    /// Where things were found in the records of the most frequent format.
    pub found: Found,
    /// The text of the first completion in such a record.
    pub example: Option<String>,
    /// Id and model of that record.
    pub named: [Option<String>; 2],
    /// What the source should be read with.
    pub guess: Guess,
    /// What the first record without a completion lacks.
    pub lacks: Option<String>,
}

impl Sniff {
    /// Looks at the first records of a source.
    pub fn of<'l>(fields: &Arc<Fields>, lines: impl IntoIterator<Item = &'l [u8]>) -> Self {
        let mut sniff = Self::default();
        let mut reader = Reader::new(Arc::clone(fields)).tries_shapes_first();
        let mut firsts: Vec<(&'static str, Record)> = Vec::new();
        for line in lines.into_iter().take(SNIFFED_RECORDS) {
            let mut record = Record::default();
            reader.read(line, &mut record);
            sniff.records += 1;
            if record.completions.is_empty() && sniff.lacks.is_none() {
                sniff.lacks = record.problems.first().map(|problem| problem.message.clone());
            }
            let Some(format) = record.format else { continue };
            match sniff.formats.iter_mut().find(|(name, _)| *name == format) {
                Some((_, count)) => *count += 1,
                None => sniff.formats.push((format, 1)),
            }
            match firsts.iter_mut().find(|(name, _)| *name == format) {
                Some((_, first)) if !first.completions.is_empty() => {}
                Some((_, first)) => *first = record,
                None => firsts.push((format, record)),
            }
        }
        sniff.formats.sort_by_key(|&(_, count)| std::cmp::Reverse(count));
        if let Some(&(name, _)) = sniff.formats.first()
            && let Some((_, first)) = firsts.into_iter().find(|(format, _)| *format == name)
        {
            sniff.learn(name, first);
        }
        sniff.guess.format = fields.format.or(sniff.guess.format);
        sniff
    }

    fn learn(&mut self, name: &'static str, first: Record) {
        if !PLAIN.contains(&name) {
            self.guess = Guess {
                format: name.parse().ok(),
                model: None,
                first: first.repeats,
            };
        }
        self.found = first.found;
        self.named = [first.id, first.model];
        let mut said = first.completions.iter();
        let said = said.find(|completion| completion.channel == Channel::Text);
        self.example = said.and_then(|said| said.text.as_ref().map(Text::as_str).map(str::to_owned));
    }

    /// The format of most records, and the share of records that have it.
    pub fn format(&self) -> Option<(&'static str, f64)> {
        let &(name, count) = self.formats.first()?;
        Some((name, count as f64 / self.records as f64))
    }
}
