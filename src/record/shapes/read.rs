//! A record of a known shape → its completions.

use super::{Known, Place, all, attachments, items};
use crate::diagnostic::Code;
use crate::record::fields::Path;
use crate::record::message::{Content, Parts, message};
use crate::record::object::Object;
use crate::record::places::{Draft, is_word};
use crate::record::reader::{Decoder, word};
use crate::record::skim::{Cursor, Fault, Kind, Value};
use crate::record::stream::{join_list, join_text};
use crate::record::{Identity, Problem, Record};
use crate::span::Span;

/// Records within records are read this deep.
const MOST_NESTED: usize = 4;

/// One record being read.
pub(in crate::record) struct Reading<'r> {
    decoder: &'r mut Decoder,
    record: &'r mut Record,
    /// Completions so far, those without anything included.
    choice: usize,
    nested: usize,
}

impl<'r> Reading<'r> {
    pub(in crate::record) fn new(decoder: &'r mut Decoder, record: &'r mut Record) -> Self {
        Self {
            decoder,
            record,
            choice: 0,
            nested: 0,
        }
    }

    /// Reads the outermost record as one of this shape. Where it gives no completion and it can be said why, that
    /// is the record's problem. `first` is the word of the records that count, where others repeat them.
    pub(in crate::record) fn outermost(
        mut self,
        known: &Known,
        first: Option<&str>,
        root: &Object<'_>,
    ) -> Result<(), Fault> {
        self.record.format = Some(known.shape.name);
        if let Some(path) = &known.first_of {
            let own = root.first(std::slice::from_ref(path))?;
            self.record.repeats = own.map_or(Ok(None), |(_, value)| word(value))?;
            if first.is_some() && self.record.repeats.as_deref() != first {
                let problem = repeated(root.value(), self.record.repeats.as_deref().unwrap_or_default());
                self.record.problems.push(problem);
                return Ok(());
            }
        }
        self.read(known, root)?;
        if self.record.completions.is_empty()
            && let Some((_, error)) = root.first(&known.error)?
        {
            self.record.problems.push(failed(error, root.value()));
        }
        Ok(())
    }

    /// Reads the record as one of this shape. The record's id and model are set where they are found; it is for
    /// the caller to see whether there are completions.
    pub(in crate::record) fn read(&mut self, known: &Known, root: &Object<'_>) -> Result<(), Fault> {
        let Some(entries) = &known.entries else {
            let (id, model) = (self.id(known, root, root)?, self.model(known, root, root)?);
            self.record.id = self.record.id.take().or(id);
            self.record.model = self.record.model.take().or(model);
            return self.entry(known, root, root);
        };
        for value in root.resolve(entries)? {
            let entry = Object::of(value)?;
            let id = self.id(known, &entry, root)?;
            let model = self.model(known, &entry, root)?;
            let before = self.record.completions.len();
            self.entry(known, &entry, root)?;
            for completion in &mut self.record.completions[before..] {
                completion.identity = Some(Box::new(Identity {
                    id: id.clone(),
                    model: model.clone(),
                }));
            }
            self.record.id = self.record.id.take().or(id);
            self.record.model = self.record.model.take().or(model);
        }
        Ok(())
    }

    fn id(&mut self, known: &Known, entry: &Object<'_>, root: &Object<'_>) -> Result<Option<String>, Fault> {
        let found = word_at(known.shape.id, &known.id, entry, root)?;
        if let Some((at, _)) = found {
            self.record.found.id.get_or_insert(known.shape.id[at]);
        }
        Ok(found.map(|(_, word)| word))
    }

    fn model(
        &mut self,
        known: &Known,
        entry: &Object<'_>,
        root: &Object<'_>,
    ) -> Result<Option<String>, Fault> {
        let found = word_at(known.shape.model, &known.model, entry, root)?;
        if let Some((at, _)) = found {
            self.record.found.model.get_or_insert(known.shape.model[at]);
        }
        Ok(found.map(|(_, word)| word))
    }

    /// Reads what lies at the shape's places, up to the first that holds something.
    fn entry(&mut self, known: &Known, entry: &Object<'_>, root: &Object<'_>) -> Result<(), Fault> {
        if let Some((at, tools)) = first_of(known.shape.tools, &known.tools, entry, root)? {
            self.record.offers_tools |= tools.kind() != Kind::Array || tools.source().len() > 2;
            self.record.found.tools.get_or_insert(known.shape.tools[at]);
        }
        let finish_reason = entry.first(&known.finish_reason)?.map(|(_, value)| value);
        for (index, (place, path)) in known.places.iter().enumerate() {
            let before = self.record.completions.len();
            let values = entry.resolve(path)?;
            if matches!(place, Place::Record) {
                for value in values {
                    self.nested_record(value)?;
                }
            } else if matches!(place, Place::Chunks) {
                for list in values {
                    self.streams(&join_list(list)?);
                }
            } else {
                let mut drafts = Vec::new();
                for value in values {
                    draft(*place, value, &mut drafts)?;
                }
                attachments::resolve(&mut drafts, entry)?;
                self.push(drafts, finish_reason)?;
            }
            if self.record.completions.len() > before {
                self.record.found.text.get_or_insert(known.shape.places[index].1);
                if !known.shape.every_place {
                    break;
                }
            }
        }
        Ok(())
    }

    /// Adds the drafts as completions. The entry's reason to finish is about the last turn, or every choice.
    fn push<'a>(
        &mut self,
        mut drafts: Vec<Draft<'a>>,
        finish_reason: Option<Value<'a>>,
    ) -> Result<(), Fault> {
        if !drafts.iter().any(Draft::holds_something) {
            return Ok(());
        }
        let mut another_follows = false;
        for draft in drafts.iter_mut().rev() {
            let said = draft.finish_reason.filter(|value| value.kind() == Kind::String);
            draft.finish_reason = said.or(finish_reason.filter(|_| !another_follows));
            another_follows = draft.is_later_turn;
        }
        for draft in &drafts {
            self.decoder
                .push(self.choice, draft, &mut self.record.completions)?;
            self.choice += 1;
        }
        Ok(())
    }

    /// A record of some other shape, or its JSON text, or a text.
    fn nested_record(&mut self, value: Value<'_>) -> Result<(), Fault> {
        if self.nested == MOST_NESTED {
            return Ok(());
        }
        if let Some(string) = value.string() {
            let text = self.decoder.plain_text(string)?;
            let inner = text.trim_ascii();
            if inner.starts_with(['{', '[']) && self.json_text(inner.as_bytes()) {
                return Ok(());
            }
            if self.streams(&join_text(inner)) {
                return Ok(());
            }
            let mut drafts = Vec::new();
            draft(Place::Texts, value, &mut drafts)?;
            return self.push(drafts, None);
        }
        self.nested += 1;
        let done = self.any_shape(&Object::of(value)?);
        self.nested -= 1;
        done
    }

    /// Reads the records that streams were joined to. False where there is nothing in them.
    fn streams(&mut self, records: &[Vec<u8>]) -> bool {
        let before = self.record.completions.len();
        for record in records {
            self.json_text(record);
        }
        self.record.completions.len() > before
    }

    /// Reads a text as a record. False, with nothing read, where it is none.
    fn json_text(&mut self, text: &[u8]) -> bool {
        let (completions, choice) = (self.record.completions.len(), self.choice);
        self.nested += 1;
        let read = whole_value(text).and_then(|value| self.any_shape(&Object::of(value)?));
        self.nested -= 1;
        if read.is_err() {
            self.record.completions.truncate(completions);
            self.choice = choice;
        }
        self.record.completions.len() > completions
    }

    /// Reads the record as the first shape that fits and gives something.
    fn any_shape(&mut self, record: &Object<'_>) -> Result<(), Fault> {
        let before = self.record.completions.len();
        for known in all() {
            if known.fits(record)? {
                self.read(known, record)?;
                if self.record.completions.len() > before {
                    break;
                }
            }
        }
        Ok(())
    }
}

/// A record whose answers another record of the file has already given.
fn repeated(record: Value<'_>, word: &str) -> Problem {
    let message = format!(
        "the record repeats under `{word}` an answer that the file gives before; it is counted once, there"
    );
    Problem::of_record(Code::RepeatedRecord, message, record.span(), record.all())
}

/// A record of a request that failed.
fn failed(error: Value<'_>, record: Value<'_>) -> Problem {
    let source = String::from_utf8_lossy(error.source());
    let end = source
        .char_indices()
        .map(|(at, _)| at)
        .take_while(|&at| at <= 200)
        .last()
        .unwrap_or(0);
    let shown = if source.len() <= 200 {
        &*source
    } else {
        &source[..end]
    };
    let message = format!(
        "expected a completion, found that the provider reports an error: {shown}; send the request again"
    );
    Problem::of_record(Code::MissingText, message, error.span(), record.all()).detail("provider_error")
}

/// The one value that a text is.
fn whole_value(text: &[u8]) -> Result<Value<'_>, Fault> {
    let mut cursor = Cursor::new(text);
    let value = cursor.value()?;
    cursor.end()?;
    Ok(Value::new(text, Span::new(value.span().start, value.span().end)))
}

/// The first thing that one of the paths leads to, from the entry, or with `^` from the record.
fn first_of<'a>(
    texts: &[&str],
    paths: &[Path],
    entry: &Object<'a>,
    root: &Object<'a>,
) -> Result<Option<(usize, Value<'a>)>, Fault> {
    for (index, (text, path)) in texts.iter().zip(paths).enumerate() {
        let from = if text.starts_with('^') { root } else { entry };
        if let Some((_, value)) = from.first(std::slice::from_ref(path))? {
            return Ok(Some((index, value)));
        }
    }
    Ok(None)
}

/// The first string or number, likewise.
fn word_at(
    texts: &[&str],
    paths: &[Path],
    entry: &Object<'_>,
    root: &Object<'_>,
) -> Result<Option<(usize, String)>, Fault> {
    for (index, (text, path)) in texts.iter().zip(paths).enumerate() {
        let from = if text.starts_with('^') { root } else { entry };
        for value in from.resolve(path)? {
            if let Some(word) = word(value)? {
                return Ok(Some((index, word)));
            }
        }
    }
    Ok(None)
}

/// Who speaks where no model does.
const OTHER_ROLES: [&str; 6] = ["user", "human", "system", "developer", "tool", "function"];

/// Adds what lies at a place to the drafts.
fn draft<'a>(place: Place, value: Value<'a>, drafts: &mut Vec<Draft<'a>>) -> Result<(), Fault> {
    match place {
        Place::Turns | Place::Messages => {
            let [role] = value.cursor().members(["role"])?;
            if is_word(role, &OTHER_ROLES) {
                return Ok(());
            }
            let mut draft = message(&mut value.cursor())?;
            draft.is_later_turn = matches!(place, Place::Turns) && !drafts.is_empty();
            drafts.push(draft);
        }
        Place::Choices => drafts.push(choice(value)?),
        Place::Texts | Place::TextTurns => {
            let mut draft = Draft::default();
            Content::of(value, Parts::Any)?.into_draft(&mut draft);
            draft.is_later_turn = matches!(place, Place::TextTurns) && !drafts.is_empty();
            drafts.push(draft);
        }
        Place::Items => items::drafts(value, drafts)?,
        Place::Custom(read) => read(value, drafts)?,
        Place::Record | Place::Chunks => {}
    }
    Ok(())
}

/// A choice: its message, or itself.
fn choice(value: Value<'_>) -> Result<Draft<'_>, Fault> {
    let keys = [
        "message",
        "finish_reason",
        "stop_reason",
        "finishReason",
        "content",
        "stopReason",
    ];
    let [
        message_value,
        finish_reason,
        stop_reason,
        camel,
        content,
        camel_stop,
    ] = value.cursor().members(keys)?;
    let spoken = message_value.or(content.filter(|content| content.kind() == Kind::Object));
    let mut draft = message(&mut spoken.unwrap_or(value).cursor())?;
    let said = [finish_reason, camel, stop_reason, camel_stop]
        .into_iter()
        .flatten();
    let mut said = said.filter(|value| value.kind() == Kind::String);
    draft.finish_reason = said.next().or(draft.finish_reason);
    Ok(draft)
}
