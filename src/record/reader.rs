//! Reads records, one after the other; each thread owns one reader.

use std::sync::Arc;

use super::fields::{Path, Step};
use super::outline::{Outline, Outliner};
use super::places::{self, Draft, RawText};
use super::skim::{Fault, Kind, RawString, Value};
use super::string::{Losses, decode};
use super::validate::{validate, validate_leniently};
use super::{Completion, Fields, NativeCall, Prefilter, Problem, Record, Text};
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
}

impl Reader {
    /// A reader of these fields.
    pub fn new(fields: Arc<Fields>) -> Self {
        Self {
            outliner: Outliner::new(wanted_keys(&fields)),
            fields,
            decoder: Decoder::default(),
            validates: false,
        }
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
        } else if record.completions.is_empty() {
            let problem = self.without_text(line);
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
        let outline = self.outliner.outline(line)?;
        let Some(key) = places::conversation_before(&outline, &self.fields)? else {
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
        let outline = self.outliner.outline(line)?;
        record.id = word_at(&outline, fields.id.as_ref(), ID)?;
        record.model = word_at(&outline, fields.model.as_ref(), MODEL)?;
        // An empty name asks for nothing, so that what is expected in general holds.
        record.expected =
            word_at(&outline, fields.expected.as_ref(), EXPECTED)?.filter(|name| !name.is_empty());
        if let Some(path) = &fields.tools {
            record.tools = first(&outline, path)?.map(source);
        }
        record.has_turns_before = places::conversation_before(&outline, fields)?.is_some();
        let mut drafts = places::drafts(&outline, fields)?;
        for (choice, draft) in drafts.iter_mut().enumerate() {
            let completion = self.decoder.completion(choice, draft)?;
            if completion.text.is_some() || !completion.native_calls.is_empty() {
                record.completions.push(completion);
            }
        }
        Ok(())
    }

    /// Why a record whose structure holds has no completion.
    fn without_text(&self, line: &[u8]) -> Problem {
        if let Err(fault) = validate_leniently(line) {
            return fault.problem(line);
        }
        let whole = Span::new(0, line.len());
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
            "the record holds no completion text{found}; looked at {looked_at}; name the field with `--text-field`"
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
fn word(value: Value<'_>) -> Result<Option<String>, Fault> {
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
struct Decoder {
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

    fn completion(&mut self, choice: usize, draft: &Draft<'_>) -> Result<Completion, Fault> {
        let mut problems = Vec::new();
        let text = match &draft.text {
            Some(raw) => Some(self.text(raw, &mut problems)?),
            None => None,
        };
        Ok(Completion {
            choice: i32::try_from(choice).unwrap_or(i32::MAX),
            text,
            is_later_turn: draft.is_later_turn,
            finish_reason: draft.finish_reason.map_or(Ok(None), word)?,
            native_calls: native_calls(draft)?,
            problems,
        })
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
        problems.push(Problem::of_text(Code::InvalidUtf8, message, place(invalid.first)));
    }
    if surrogates.count > 0 {
        let message = format!(
            "the text holds {} escaped surrogates without their other half, the first one here; each became \
             U+FFFD; write whole pairs",
            surrogates.count
        );
        problems.push(Problem::of_text(
            Code::LossyText,
            message,
            place(surrogates.first),
        ));
    }
}

/// The calls that the provider parsed.
fn native_calls(draft: &Draft<'_>) -> Result<Vec<NativeCall>, Fault> {
    let mut calls = Vec::new();
    if let Some(list) = draft.tool_calls {
        let mut cursor = list.cursor();
        if cursor.enter_array() {
            while cursor.next_element()? {
                let [id, function, name, arguments] =
                    cursor.members(["id", "function", "name", "arguments"])?;
                let [name, arguments] = match function {
                    Some(function) => function.cursor().members(["name", "arguments"])?,
                    None => [name, arguments],
                };
                calls.extend(native_call(id, name, arguments)?);
            }
        }
    }
    if let Some(call) = draft.function_call {
        let [name, arguments] = call.cursor().members(["name", "arguments"])?;
        calls.extend(native_call(None, name, arguments)?);
    }
    Ok(calls)
}

/// A call, if its name or arguments can be read.
fn native_call(
    id: Option<Value<'_>>,
    name: Option<Value<'_>>,
    arguments: Option<Value<'_>>,
) -> Result<Option<NativeCall>, Fault> {
    let name = name.map_or(Ok(None), word)?;
    let arguments = match arguments {
        Some(value) if value.kind() == Kind::String => word(value)?,
        Some(value) => Some(source(value)).filter(|source| source != "null"),
        None => None,
    };
    if name.is_none() && arguments.is_none() {
        return Ok(None);
    }
    let id = id.map_or(Ok(None), word)?;
    Ok(Some(NativeCall { name, id, arguments }))
}
