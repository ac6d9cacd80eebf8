//! Answers that were logged as they streamed: chunks and events are put together again into the record that the
//! provider would have sent in one piece.
//!
//! A joined record stands where its first chunk stood. Pieces of text are never decoded here: what stands between the
//! quotes of two JSON strings, put together, is the inside of a JSON string.

use std::collections::VecDeque;

use super::skim::{Cursor, Fault, Kind, Value};
use super::string::{Losses, decode};

mod anthropic;
mod chat;
mod responses;
mod write;

/// A record, joined or as it was.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Joined {
    /// The line of its first chunk, from 1.
    pub line: u64,
    /// Where that begins in the source.
    pub offset: u64,
    /// Its bytes.
    pub bytes: Vec<u8>,
}

/// Lines behind the last chunk of an answer that has said why it stopped, after which nothing more of it is waited for.
const LATE_LINES: u64 = 64;

/// Answers that are open at once, and ids that are remembered of answers that are closed.
const MOST_OPEN: usize = 4096;

/// Puts the chunks of a source's lines together. Answers may be interleaved; they come out in the order in which they
/// began. Where more is open than the limits allow, the oldest comes out as far as it has come.
#[derive(Debug)]
pub struct Joiner {
    most_bytes: usize,
    /// Bytes of chunks and lines that are held.
    held: usize,
    waiting: VecDeque<Waiting>,
    /// Lines so far.
    lines: u64,
    /// Ids of answers that came out, the latest last.
    past: VecDeque<Vec<u8>>,
}

#[derive(Debug)]
struct Waiting {
    line: u64,
    offset: u64,
    bytes: usize,
    what: What,
}

#[derive(Debug)]
enum What {
    /// A line that is no chunk.
    Line(Vec<u8>),
    Answer(Answer),
}

/// An answer that is being put together.
#[derive(Debug)]
struct Answer {
    id: Vec<u8>,
    parts: Parts,
    /// Whether nothing more can come.
    is_closed: bool,
    /// The lines there were when its last chunk came.
    touched: u64,
}

#[derive(Debug)]
enum Parts {
    Chat(chat::Chat),
    Anthropic(anthropic::Message),
    Responses(responses::Response),
}

/// Whose chunk it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Maker {
    Chat,
    Anthropic,
    Responses,
}

/// What a line of a stream is.
enum Line<'l> {
    /// Framing: blank, a comment, an event's name.
    Nothing,
    /// `[DONE]`.
    Done,
    /// JSON; whether it stood behind `data:`.
    Json(&'l [u8], bool),
}

impl Joiner {
    /// Holds no more than so many bytes of chunks.
    pub fn new(most_bytes: usize) -> Self {
        Self {
            most_bytes,
            held: 0,
            waiting: VecDeque::new(),
            lines: 0,
            past: VecDeque::new(),
        }
    }

    /// Whether such lines, the first of a source, are those of a stream: server-sent events, or mostly chunks.
    pub fn suits<'l>(lines: impl IntoIterator<Item = &'l [u8]>) -> bool {
        let (mut chunks, mut records) = (0, 0);
        for line in lines {
            match line_of(line) {
                Line::Json(json, is_event) => {
                    records += 1;
                    chunks += usize::from(maker(json, is_event).is_some());
                }
                Line::Nothing | Line::Done => {}
            }
        }
        chunks * 2 > records
    }

    /// Takes the next line, which stands at this place.
    pub fn push(&mut self, text: &[u8], line: u64, offset: u64) {
        self.lines += 1;
        let at = Waiting {
            line,
            offset,
            bytes: text.len(),
            what: What::Line(Vec::new()),
        };
        match line_of(text) {
            Line::Nothing => {}
            Line::Done => self.close_all(),
            Line::Json(json, is_event) => match maker(json, is_event) {
                Some(maker) if self.chunk(maker, json, &at).is_ok() => {}
                _ => {
                    let what = What::Line(json.to_vec());
                    self.held += at.bytes;
                    self.waiting.push_back(Waiting { what, ..at });
                }
            },
        }
    }

    /// Nothing more comes.
    pub fn close_all(&mut self) {
        for waiting in &mut self.waiting {
            if let What::Answer(answer) = &mut waiting.what {
                answer.is_closed = true;
            }
        }
    }

    /// The next record, if it is whole or too much is held.
    pub fn pop(&mut self) -> Option<Joined> {
        let is_full = self.held > self.most_bytes || self.waiting.len() > MOST_OPEN;
        let is_whole = match &self.waiting.front()?.what {
            What::Line(_) => true,
            What::Answer(answer) => {
                answer.is_closed || answer.is_done() && self.lines - answer.touched > LATE_LINES
            }
        };
        if !is_whole && !is_full {
            return None;
        }
        let first = self.waiting.pop_front()?;
        self.held -= first.bytes;
        let bytes = match first.what {
            What::Line(bytes) => bytes,
            What::Answer(answer) => {
                let bytes = answer.parts.record();
                if self.past.len() == MOST_OPEN {
                    self.past.pop_front();
                }
                self.past.push_back(answer.id);
                bytes
            }
        };
        Some(Joined {
            line: first.line,
            offset: first.offset,
            bytes,
        })
    }

    /// Adds a chunk to its answer, or begins one.
    fn chunk(&mut self, maker: Maker, json: &[u8], at: &Waiting) -> Result<(), Fault> {
        let value = whole(json)?;
        let id = match maker {
            Maker::Chat => chat::id(value)?,
            Maker::Anthropic => anthropic::id(value)?,
            Maker::Responses => responses::id(value)?,
        };
        let place = match self.place(maker, id.as_deref(), value)? {
            Some(place) => place,
            None if maker == Maker::Chat && !chat::says_something(value)? && self.is_past(id.as_deref()) => {
                return Ok(());
            }
            None => {
                let answer = Answer {
                    id: id.unwrap_or_default(),
                    parts: Parts::of(maker),
                    is_closed: false,
                    touched: 0,
                };
                self.waiting.push_back(Waiting {
                    what: What::Answer(answer),
                    bytes: 0,
                    ..*at
                });
                self.waiting.len() - 1
            }
        };
        let waiting = &mut self.waiting[place];
        waiting.bytes += at.bytes;
        self.held += at.bytes;
        if let What::Answer(answer) = &mut waiting.what {
            answer.touched = self.lines;
            answer.is_closed |= answer.parts.add(value)?;
        }
        Ok(())
    }

    /// Where the open answer is to which a chunk belongs.
    fn place(&self, maker: Maker, id: Option<&[u8]>, chunk: Value<'_>) -> Result<Option<usize>, Fault> {
        let item = match maker {
            Maker::Responses => responses::item_id(chunk)?,
            Maker::Chat | Maker::Anthropic => None,
        };
        let open = self.waiting.iter().enumerate().rev();
        let mut open = open.filter_map(|(place, waiting)| match &waiting.what {
            What::Answer(answer) if answer.parts.maker() == maker && !answer.is_closed => {
                Some((place, answer))
            }
            _ => None,
        });
        let found = match (id, item) {
            (Some(id), _) => open.find(|(_, answer)| answer.id == id),
            (None, Some(item)) => {
                let mut all = open.clone();
                all.find(|(_, answer)| answer.parts.has_item(&item))
                    .or_else(|| open.next())
            }
            (None, None) => open.next(),
        };
        Ok(found.map(|(place, _)| place))
    }

    /// Whether an answer of this id has come out. One without an id is no answer yet.
    fn is_past(&self, id: Option<&[u8]>) -> bool {
        id.is_none_or(|id| id.is_empty() || self.past.iter().rev().any(|past| past == id))
    }
}

impl Answer {
    fn is_done(&self) -> bool {
        match &self.parts {
            Parts::Chat(chat) => chat.is_done(),
            Parts::Anthropic(_) | Parts::Responses(_) => false,
        }
    }
}

impl Parts {
    fn of(maker: Maker) -> Self {
        match maker {
            Maker::Chat => Self::Chat(chat::Chat::default()),
            Maker::Anthropic => Self::Anthropic(anthropic::Message::default()),
            Maker::Responses => Self::Responses(responses::Response::default()),
        }
    }

    fn maker(&self) -> Maker {
        match self {
            Self::Chat(_) => Maker::Chat,
            Self::Anthropic(_) => Maker::Anthropic,
            Self::Responses(_) => Maker::Responses,
        }
    }

    /// Adds a chunk; true where it says that it is the last.
    fn add(&mut self, chunk: Value<'_>) -> Result<bool, Fault> {
        match self {
            Self::Chat(chat) => chat.add(chunk).map(|()| false),
            Self::Anthropic(message) => message.add(chunk),
            Self::Responses(response) => response.add(chunk),
        }
    }

    fn has_item(&self, id: &[u8]) -> bool {
        matches!(self, Self::Responses(response) if response.has_item(id))
    }

    fn record(&self) -> Vec<u8> {
        match self {
            Self::Chat(chat) => chat.record(),
            Self::Anthropic(message) => message.record(),
            Self::Responses(response) => response.record(),
        }
    }
}

/// The records that the lines of a text are, if it is a stream that somebody logged as one text.
pub(super) fn join_text(text: &str) -> Vec<Vec<u8>> {
    let first = text.trim_ascii_start();
    if !["data:", "event:", ":"]
        .iter()
        .any(|prefix| first.starts_with(prefix))
    {
        return Vec::new();
    }
    join(text.lines().map(str::as_bytes))
}

/// The records that a list of chunks is.
pub(super) fn join_list(list: Value<'_>) -> Result<Vec<Vec<u8>>, Fault> {
    let mut chunks = Vec::new();
    let mut cursor = list.cursor();
    if cursor.enter_array() {
        while cursor.next_element()? {
            chunks.push(cursor.value()?.source());
        }
    }
    Ok(join(chunks.into_iter()))
}

fn join<'l>(lines: impl Iterator<Item = &'l [u8]>) -> Vec<Vec<u8>> {
    let mut joiner = Joiner::new(usize::MAX);
    for line in lines {
        joiner.push(line, 0, 0);
    }
    joiner.close_all();
    std::iter::from_fn(|| joiner.pop())
        .map(|joined| joined.bytes)
        .collect()
}

fn line_of(line: &[u8]) -> Line<'_> {
    let line = line.trim_ascii();
    let (json, is_event) = match line.strip_prefix(b"data:") {
        Some(data) => (data.trim_ascii_start(), true),
        None => (line, false),
    };
    let is_framing = |prefix: &&[u8]| !is_event && line.starts_with(prefix);
    if json.is_empty() || [&b"event:"[..], b"id:", b"retry:", b":"].iter().any(is_framing) {
        Line::Nothing
    } else if json == b"[DONE]" {
        Line::Done
    } else {
        Line::Json(json, is_event)
    }
}

/// Whose chunk this is, if it is one. Text completions stream in the form in which they come whole: they are chunks
/// only as events.
fn maker(json: &[u8], is_event: bool) -> Option<Maker> {
    let value = whole(json).ok().filter(|value| value.kind() == Kind::Object)?;
    let [object, kind, choices] = value.cursor().members(["object", "type", "choices"]).ok()?;
    if inside(object) == Some(b"chat.completion.chunk")
        || is_event && inside(object) == Some(b"text_completion")
        || chat::has_delta(choices).unwrap_or(false)
    {
        return Some(Maker::Chat);
    }
    match inside(kind)? {
        b"message_start"
        | b"content_block_start"
        | b"content_block_delta"
        | b"content_block_stop"
        | b"message_delta"
        | b"message_stop"
        | b"ping" => Some(Maker::Anthropic),
        kind if kind.starts_with(b"response.") => Some(Maker::Responses),
        _ => None,
    }
}

/// The one value that the bytes are.
fn whole(json: &[u8]) -> Result<Value<'_>, Fault> {
    let mut cursor = Cursor::new(json);
    let value = cursor.value()?;
    cursor.end()?;
    Ok(value)
}

/// The bytes between the quotes of a string that is not empty.
fn inside(value: Option<Value<'_>>) -> Option<&[u8]> {
    let string = value.and_then(Value::string)?;
    Some(string.bytes).filter(|bytes| !bytes.is_empty())
}

/// Keeps the first string that is not empty.
fn keep(kept: &mut Vec<u8>, value: Option<Value<'_>>) {
    if kept.is_empty() {
        kept.extend(inside(value).unwrap_or_default());
    }
}

/// Puts the inside of a string behind what there is.
fn append(text: &mut Vec<u8>, value: Option<Value<'_>>) {
    text.extend(inside(value).unwrap_or_default());
}

/// What the inside of a string says, if that is one JSON value.
fn unpacked(inside: &[u8]) -> Option<String> {
    let mut text = String::new();
    decode(inside, &mut text, &mut Losses::default()).ok()?;
    whole(text.as_bytes()).ok()?;
    Some(text)
}

#[cfg(test)]
mod tests;
