//! Events of Anthropic's Messages.

use std::collections::BTreeMap;

use super::chat::number;
use super::write::{Object, list, quoted};
use super::{append, inside, keep, unpacked};
use crate::record::skim::{Fault, Value};

/// A message with its blocks. Bytes are the insides of JSON strings.
#[derive(Debug, Default)]
pub(super) struct Message {
    id: Vec<u8>,
    model: Vec<u8>,
    stop_reason: Vec<u8>,
    blocks: BTreeMap<u64, Block>,
}

#[derive(Debug, Default)]
struct Block {
    kind: Vec<u8>,
    id: Vec<u8>,
    name: Vec<u8>,
    /// The input that the block began with, as JSON.
    input: Vec<u8>,
    text: Vec<u8>,
    thinking: Vec<u8>,
    json: Vec<u8>,
}

/// The id of the message that an event begins; the events behind it have none.
pub(super) fn id(event: Value<'_>) -> Result<Option<Vec<u8>>, Fault> {
    let [kind, message] = event.cursor().members(["type", "message"])?;
    if inside(kind) != Some(b"message_start") {
        return Ok(None);
    }
    let [id] = message.map_or(Ok([None]), |message| message.cursor().members(["id"]))?;
    Ok(Some(inside(id).unwrap_or_default().to_vec()))
}

impl Message {
    /// Adds an event; true for the last.
    pub(super) fn add(&mut self, event: Value<'_>) -> Result<bool, Fault> {
        let keys = ["type", "message", "index", "content_block", "delta"];
        let [kind, message, index, content_block, delta] = event.cursor().members(keys)?;
        if let Some(message) = message {
            let [id, model, stop_reason] = message.cursor().members(["id", "model", "stop_reason"])?;
            keep(&mut self.id, id);
            keep(&mut self.model, model);
            keep(&mut self.stop_reason, stop_reason);
        }
        if let Some(begun) = content_block {
            self.block(index).begin(begun)?;
        }
        if let Some(delta) = delta {
            let [stop_reason] = delta.cursor().members(["stop_reason"])?;
            keep(&mut self.stop_reason, stop_reason);
            if index.is_some() {
                self.block(index).add(delta)?;
            }
        }
        Ok(inside(kind) == Some(b"message_stop"))
    }

    fn block(&mut self, index: Option<Value<'_>>) -> &mut Block {
        self.blocks.entry(number(index).unwrap_or(0)).or_default()
    }

    /// The message as it would have come in one piece, in the event that begins it.
    pub(super) fn record(&self) -> Vec<u8> {
        let blocks: Vec<_> = self.blocks.values().map(Block::record).collect();
        let message = Object::new()
            .string("id", &self.id)
            .raw("type", b"\"message\"")
            .raw("role", b"\"assistant\"")
            .string("model", &self.model)
            .raw("content", &list(&blocks))
            .string("stop_reason", &self.stop_reason);
        Object::new()
            .raw("type", b"\"message_start\"")
            .raw("message", &message.end())
            .end()
    }
}

impl Block {
    fn begin(&mut self, block: Value<'_>) -> Result<(), Fault> {
        let keys = ["type", "id", "name", "input", "text", "thinking"];
        let [kind, id, name, input, text, thinking] = block.cursor().members(keys)?;
        keep(&mut self.kind, kind);
        keep(&mut self.id, id);
        keep(&mut self.name, name);
        self.input = input.map_or(Vec::new(), |input| input.source().to_vec());
        append(&mut self.text, text);
        append(&mut self.thinking, thinking);
        Ok(())
    }

    fn add(&mut self, delta: Value<'_>) -> Result<(), Fault> {
        let keys = ["text", "thinking", "partial_json"];
        let [text, thinking, json] = delta.cursor().members(keys)?;
        append(&mut self.text, text);
        append(&mut self.thinking, thinking);
        append(&mut self.json, json);
        Ok(())
    }

    /// The block; an input that was cut stays the text that it is.
    fn record(&self) -> Vec<u8> {
        let kind = match &self.kind[..] {
            b"" if !self.json.is_empty() => &b"tool_use"[..],
            b"" if !self.thinking.is_empty() => b"thinking",
            b"" => b"text",
            kind => kind,
        };
        let mut object = Object::new()
            .string("type", kind)
            .string("id", &self.id)
            .string("name", &self.name);
        if !self.json.is_empty() {
            let input = unpacked(&self.json).map_or_else(|| quoted(&self.json), String::into_bytes);
            object = object.raw("input", &input);
        } else if !self.input.is_empty() {
            object = object.raw("input", &self.input);
        }
        if kind == b"text" {
            object = object.raw("text", &quoted(&self.text));
        }
        object.string("thinking", &self.thinking).end()
    }
}
