//! Reads records, one after the other; each thread owns one reader.

use std::sync::Arc;

use super::fields::{Path, Step};
use super::object::Object;
use super::outline::{Outline, Outliner};
use super::places::{self, Draft, RawText};
use super::shapes::{Known, Reading, all};
use super::skim::{Fault, Kind, RawString, Value};
use super::string::{Losses, decode};
use super::validate::{validate, validate_leniently};
use super::{Channel, Completion, Fields, Found, Guess, NativeCall, Prefilter, Problem, Record, Text};
use crate::diagnostic::Code;
use crate::span::Span;

/// Reads records. Each thread owns one for the whole run; it keeps its buffers.
///
/// ```
/// use std::sync::Arc;
/// use toolscan::record::{Fields, Reader, Record};
///
/// let mut reader = Reader::new(Arc::new(Fields::default()));
/// let mut record = Record::default();
/// reader.read(br#"{"id": 7, "completion": "hello", "score": NaN}"#, &mut record);
/// assert_eq!(record.id.as_deref(), Some("7"));
/// assert_eq!(record.completions[0].text.as_ref().map(|text| text.as_str()), Some("hello"));
/// ```
#[derive(Clone, Debug)]
pub struct Reader {
    fields: Arc<Fields>,
    outliner: Outliner,
    decoder: Decoder,
    validates: bool,
    guess: Guess,
    order: Order,
}

/// What is tried first.
#[derive(Clone, Copy, Debug, Default)]
enum Order {
    /// The shape that was guessed, if one was; then the plain rule; then every other shape.
    #[default]
    GuessFirst,
    /// Every shape: to guess one.
    ShapesFirst,
}

impl Reader {
    /// A reader of these fields.
    pub fn new(fields: Arc<Fields>) -> Self {
        Self {
            outliner: Outliner::new(wanted_keys(&fields)),
            guess: Guess {
                format: fields.format,
                ..Guess::default()
            },
            fields,
            decoder: Decoder::default(),
            validates: false,
            order: Order::default(),
        }
    }

    /// Tries every shape before the plain rule.
    #[must_use]
    pub(super) fn tries_shapes_first(mut self) -> Self {
        self.order = Order::ShapesFirst;
        self
    }

    /// What the records that follow are likely to be. A format that the user named stays.
    pub fn expect(&mut self, guess: Guess) {
        self.guess = Guess {
            format: self.fields.format.or(guess.format),
            ..guess
        };
    }

    /// Leaves texts undecoded in which the filter finds nothing.
    #[must_use]
    pub fn prefilter(mut self, prefilter: Arc<Prefilter>) -> Self {
        self.decoder.prefilter = Some(prefilter);
        self
    }

    /// Holds every record as a whole against RFC 8259 (`--validate-records`).
    #[must_use]
    pub fn validates(mut self, validates: bool) -> Self {
        self.validates = validates;
        self
    }

    /// Reads one record, a line without its line break, into `record`, whatever that held before.
    pub fn read(&mut self, line: &[u8], record: &mut Record) {
        self.decoder.recycle(record);
        let read = self.fill(line, record);
        if let Err(fault) = read {
            self.decoder.recycle(record);
            record.problems.push(fault.problem(line));
        }
        for completion in &mut record.completions {
            completion.tools_offered = record.offers_tools;
        }
        if record.completions.is_empty() && record.problems.is_empty() {
            let problem = self.without_text(line, record.format);
            record.problems.push(problem);
        }
    }

    /// The texts of the model's turns that the record shows before its completions, oldest first; none unless
    /// the record [says so](Record::has_turns_before).
    pub fn turns_before(&mut self, line: &[u8]) -> Vec<String> {
        // What is broken in there was not needed for the record and is not judged.
        self.read_turns_before(line).unwrap_or_default()
    }

    fn read_turns_before(&mut self, line: &[u8]) -> Result<Vec<String>, Fault> {
        let outline = self.outliner.outline(line, None)?;
        let drafts = places::drafts(&outline, &self.fields)?;
        let Some(key) = places::conversation_before(&outline, &self.fields, &drafts) else {
            return Ok(Vec::new());
        };
        let turns = places::texts_before(&outline, key)?;
        let decoded = turns.iter().map(|turn| self.decoder.text(turn, &mut Vec::new()));
        decoded
            .map(|text| text.map(|text| text.as_str().to_owned()))
            .collect()
    }

    fn fill(&mut self, line: &[u8], record: &mut Record) -> Result<(), Fault> {
        if self.validates {
            validate(line)?;
        }
        let fields = &*self.fields;
        let asks_shapes = match self.order {
            Order::ShapesFirst => true,
            Order::GuessFirst => self.guess.format.is_some(),
        };
        let mut object =
            (asks_shapes && fields.text.is_empty()).then(|| Object::without_members(whole(line)));
        let outline = self.outliner.outline(line, object.as_mut())?;
        // An empty name asks for nothing, so that what is expected in general holds.
        record.expected =
            word_at(&outline, fields.expected.as_ref(), EXPECTED)?.filter(|name| !name.is_empty());
        if let Some(path) = &fields.tools {
            record.tools = first(&outline, path)?.map(source);
        }
        if let Some(object) = &object {
            let known = all().iter().filter(|known| match self.guess.format {
                Some(format) => known.shape.name == format.name(),
                None => !known.shape.is_plain,
            });
            if self
                .decoder
                .as_one_of(known, &self.guess, fields.format.is_some(), object, record)?
            {
                return rename(&outline, fields, record);
            }
        }
        if fields.format.is_some() {
            return Ok(());
        }
        record.id = word_at(&outline, fields.id.as_ref(), ID)?;
        record.model = word_at(&outline, fields.model.as_ref(), MODEL)?;
        let drafts = places::drafts(&outline, fields)?;
        record.has_turns_before = places::conversation_before(&outline, fields, &drafts).is_some();
        let (format, text, drafts) = drafts;
        for (choice, draft) in drafts.iter().enumerate() {
            self.decoder.push(choice, draft, &mut record.completions)?;
        }
        if !record.completions.is_empty() {
            record.format = Some(format);
            record.found = Found {
                text,
                id: record.id.as_ref().filter(|_| fields.id.is_none()).map(|_| ID),
                model: record
                    .model
                    .as_ref()
                    .filter(|_| fields.model.is_none())
                    .map(|_| MODEL),
                tools: None,
            };
        } else if fields.text.is_empty() {
            let object = Object::of(whole(line))?;
            let known = all().iter().filter(|known| !known.shape.is_plain);
            self.decoder
                .as_one_of(known, &self.guess, false, &object, record)?;
            return rename(&outline, fields, record);
        }
        Ok(())
    }

    /// Why a record whose structure holds has no completion.
    fn without_text(&self, line: &[u8], format: Option<&'static str>) -> Problem {
        if let Err(fault) = validate_leniently(line) {
            return fault.problem(line);
        }
        let whole = Span::new(0, line.len());
        if let Some(format) = format {
            let message = format!(
                "the record is one of `{format}`, and no completion stands where these keep them; \
                 `toolscan sniff` shows where that is"
            );
            return Problem::of_record(Code::MissingText, message, whole, line).detail("no_completion");
        }
        let kind = Value::new(line.trim_ascii(), Span::new(0, line.trim_ascii().len())).kind();
        let looked_at = match &self.fields.text[..] {
            [] => places::usual_names(),
            paths => {
                let names: Vec<_> = paths.iter().map(ToString::to_string).collect();
                format!("`{}`", names.join("`, `"))
            }
        };
        let found = match kind {
            Kind::Object => String::new(),
            Kind::Array => ": it is an array, no object".to_owned(),
            _ => ": it is a single value, no object".to_owned(),
        };
        let message = format!(
            "the record holds no completion text{found}; looked at {looked_at}; name the field with \
             `--text-field` or `--map`"
        );
        Problem::of_record(Code::MissingText, message, whole, line)
    }
}

const ID: &str = "id";
const MODEL: &str = "model";
const EXPECTED: &str = "expected_syntax";

/// Every key of the outermost object that may matter.
fn wanted_keys(fields: &Fields) -> Vec<&str> {
    let paths = [
        &fields.id,
        &fields.model,
        &fields.expected,
        &fields.finish_reason,
        &fields.tools,
    ];
    let named = paths.into_iter().flatten().chain(&fields.text);
    let named = named.filter_map(|path| match path.steps.first() {
        Some(Step::Key(key)) => Some(key.as_str()),
        _ => None,
    });
    places::usual_keys()
        .chain([ID, MODEL, EXPECTED])
        .chain(named)
        .collect()
}

/// The record as a value.
fn whole(line: &[u8]) -> Value<'_> {
    let start = line.len() - line.trim_ascii_start().len();
    Value::new(line, Span::new(start, start.max(line.trim_ascii_end().len())))
}

/// What the user says of ids and models wins over what a shape says.
fn rename(outline: &Outline<'_>, fields: &Fields, record: &mut Record) -> Result<(), Fault> {
    if fields.id.is_some() {
        record.id = word_at(outline, fields.id.as_ref(), ID)?;
        record.found.id = None;
    }
    if fields.model.is_some() {
        record.model = word_at(outline, fields.model.as_ref(), MODEL)?;
        record.found.model = None;
    }
    let identities = record
        .completions
        .iter_mut()
        .filter_map(|completion| completion.identity.as_mut());
    for identity in identities {
        if fields.id.is_some() {
            identity.id.clone_from(&record.id);
        }
        if fields.model.is_some() {
            identity.model.clone_from(&record.model);
        }
    }
    Ok(())
}

/// The first value that the path leads to.
fn first<'a>(outline: &Outline<'a>, path: &Path) -> Result<Option<Value<'a>>, Fault> {
    Ok(outline.resolve(path)?.into_iter().flatten().next())
}

/// The string or number that the path, or else the key, leads to.
fn word_at(outline: &Outline<'_>, path: Option<&Path>, key: &str) -> Result<Option<String>, Fault> {
    let value = match path {
        Some(path) => first(outline, path)?,
        None => outline.get(key),
    };
    value.map_or(Ok(None), word)
}

/// The text of a string, or the source of a number.
pub(super) fn word(value: Value<'_>) -> Result<Option<String>, Fault> {
    match value.kind() {
        Kind::String => value.string().map(text).transpose(),
        Kind::Number => Ok(Some(source(value))),
        _ => Ok(None),
    }
}

/// A string's text; what cannot be kept in it becomes U+FFFD.
fn text(string: RawString<'_>) -> Result<String, Fault> {
    let mut text = String::new();
    decode_at(string, &mut text, &mut Losses::default())?;
    Ok(text)
}

fn source(value: Value<'_>) -> String {
    String::from_utf8_lossy(value.source()).into_owned()
}

fn decode_at(string: RawString<'_>, text: &mut String, losses: &mut Losses) -> Result<(), Fault> {
    decode(string.bytes, text, losses).map_err(|bad| Fault {
        span: Span::new(
            string.start + bad.0,
            string.start + string.bytes.len().min(bad.0 + 2),
        ),
        what: "a backslash is followed by no escape that JSON knows".into(),
    })
}

/// Turns drafts into completions.
#[derive(Clone, Debug, Default)]
pub(super) struct Decoder {
    prefilter: Option<Arc<Prefilter>>,
    /// Strings that earlier records do not need any more.
    spare: Vec<String>,
}

/// A longer string is given back to the system.
const SPARE_BYTES: usize = 1 << 20;

impl Decoder {
    /// Empties the record and keeps its buffers.
    fn recycle(&mut self, record: &mut Record) {
        for completion in record.completions.drain(..) {
            if let Some(Text::Decoded(mut text)) = completion.text
                && text.capacity() <= SPARE_BYTES
            {
                text.clear();
                self.spare.push(text);
            }
        }
        *record = Record {
            completions: std::mem::take(&mut record.completions),
            ..Record::default()
        };
    }

    /// Reads the record as the first of these shapes that it fits and that gives something. A shape that was
    /// `named` by the user need not fit.
    fn as_one_of<'k>(
        &mut self,
        known: impl IntoIterator<Item = &'k Known>,
        guess: &Guess,
        named: bool,
        object: &Object<'_>,
        record: &mut Record,
    ) -> Result<bool, Fault> {
        for known in known {
            if !named && !known.fits(object)? {
                continue;
            }
            Reading::new(self, record).outermost(known, guess.first.as_deref(), object)?;
            if !record.completions.is_empty() || !record.problems.is_empty() {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// A string's text, whatever is lost in it.
    pub(super) fn plain_text(&mut self, string: RawString<'_>) -> Result<String, Fault> {
        text(string)
    }

    /// Adds what a draft holds: its text and calls, and behind them its reasoning.
    pub(super) fn push(
        &mut self,
        choice: usize,
        draft: &Draft<'_>,
        completions: &mut Vec<Completion>,
    ) -> Result<(), Fault> {
        let choice = i32::try_from(choice).unwrap_or(i32::MAX);
        let mut finish_reason = draft.finish_reason.map_or(Ok(None), word)?;
        let native_calls = native_calls(draft)?;
        if draft.text.is_some() || !native_calls.is_empty() {
            let mut problems = Vec::new();
            let text = match &draft.text {
                Some(raw) => Some(self.text(raw, &mut problems)?),
                None => None,
            };
            completions.push(Completion {
                choice,
                text,
                is_later_turn: draft.is_later_turn,
                finish_reason: finish_reason.take(),
                native_calls,
                problems,
                ..Completion::default()
            });
        }
        if let Some(raw) = &draft.reasoning {
            let mut problems = Vec::new();
            completions.push(Completion {
                choice,
                channel: Channel::Reasoning,
                text: Some(self.text(raw, &mut problems)?),
                is_later_turn: draft.is_later_turn,
                finish_reason,
                problems,
                ..Completion::default()
            });
        }
        Ok(())
    }

    fn text(&mut self, raw: &RawText<'_>, problems: &mut Vec<Problem>) -> Result<Text, Fault> {
        if let RawText::One(string) = raw
            && let Some(bytes) = self
                .prefilter
                .as_ref()
                .and_then(|filter| filter.plain(string.bytes))
        {
            return Ok(Text::Plain { bytes });
        }
        let mut text = self.spare.pop().unwrap_or_default();
        let mut losses = Losses::default();
        for &string in raw.strings() {
            decode_at(string, &mut text, &mut losses)?;
        }
        report(losses, problems);
        Ok(Text::Decoded(text))
    }
}

/// Says what a text lost.
fn report(losses: Losses, problems: &mut Vec<Problem>) {
    let place = |first| Span::new(first, first + char::REPLACEMENT_CHARACTER.len_utf8());
    let Losses { invalid, surrogates } = losses;
    if invalid.count > 0 {
        let message = format!(
            "the text holds {} sequences of bytes that are not UTF-8, the first one here; each became U+FFFD; \
             write the log as UTF-8",
            invalid.count
        );
        problems.push(Problem::of_completion(
            Code::InvalidUtf8,
            message,
            place(invalid.first),
        ));
    }
    if surrogates.count > 0 {
        let message = format!(
            "the text holds {} escaped surrogates without their other half, the first one here; each became \
             U+FFFD; write whole pairs",
            surrogates.count
        );
        problems.push(Problem::of_completion(
            Code::LossyText,
            message,
            place(surrogates.first),
        ));
    }
}

/// The calls that the provider parsed, those whose name or arguments can be read.
fn native_calls(draft: &Draft<'_>) -> Result<Vec<NativeCall>, Fault> {
    let mut calls = Vec::with_capacity(draft.calls.len());
    for call in &draft.calls {
        let name = call.name.map_or(Ok(None), word)?;
        let arguments = match call.arguments {
            Some(value) if value.kind() == Kind::String => word(value)?,
            Some(value) => Some(source(value)).filter(|source| source != "null"),
            None => None,
        };
        if name.is_some() || arguments.is_some() {
            let id = call.id.map_or(Ok(None), word)?;
            calls.push(NativeCall { name, id, arguments });
        }
    }
    Ok(calls)
}
