//! Events of OpenAI's Responses.

use std::collections::BTreeMap;

use super::chat::number;
use super::write::{Object, list, quoted};
use super::{append, inside, keep};
use crate::record::skim::{Fault, Value};

/// A response with its items. Bytes are the insides of JSON strings, or JSON where that is said.
#[derive(Debug, Default)]
pub(super) struct Response {
    id: Vec<u8>,
    model: Vec<u8>,
    items: BTreeMap<u64, Item>,
    /// The response as the last event repeats it, as JSON.
    whole: Option<Vec<u8>>,
}

#[derive(Debug, Default)]
struct Item {
    id: Vec<u8>,
    kind: Vec<u8>,
    name: Vec<u8>,
    call_id: Vec<u8>,
    said: Vec<u8>,
    /// The item as the event of its end repeats it, as JSON.
    whole: Option<Vec<u8>>,
}

/// The id of the response, in the events that have it.
pub(super) fn id(event: Value<'_>) -> Result<Option<Vec<u8>>, Fault> {
    let [response, response_id] = event.cursor().members(["response", "response_id"])?;
    let [id] = response.map_or(Ok([None]), |response| response.cursor().members(["id"]))?;
    Ok(inside(id.or(response_id)).map(<[u8]>::to_vec))
}

/// The id of the item that an event is about.
pub(super) fn item_id(event: Value<'_>) -> Result<Option<Vec<u8>>, Fault> {
    let [item, item_id] = event.cursor().members(["item", "item_id"])?;
    let [id] = item.map_or(Ok([None]), |item| item.cursor().members(["id"]))?;
    Ok(inside(id.or(item_id)).map(<[u8]>::to_vec))
}

impl Response {
    pub(super) fn has_item(&self, id: &[u8]) -> bool {
        self.items.values().any(|item| item.id == id)
    }

    /// Adds an event; true for the last.
    pub(super) fn add(&mut self, event: Value<'_>) -> Result<bool, Fault> {
        let keys = ["type", "response", "output_index", "item", "item_id", "delta"];
        let [kind, response, index, item, item_id, delta] = event.cursor().members(keys)?;
        let kind = inside(kind).unwrap_or_default();
        let is_last = matches!(
            kind,
            b"response.completed" | b"response.incomplete" | b"response.failed"
        );
        if let Some(response) = response {
            let [id, model] = response.cursor().members(["id", "model"])?;
            keep(&mut self.id, id);
            keep(&mut self.model, model);
            if is_last {
                self.whole = Some(response.source().to_vec());
            }
        }
        let Some(index) = number(index) else {
            return Ok(is_last);
        };
        let entry = self.items.entry(index).or_default();
        keep(&mut entry.id, item_id);
        if let Some(item) = item {
            entry.begin(item, kind.ends_with(b".done"))?;
        }
        if let Some(says) = says(kind) {
            if entry.kind.is_empty() {
                entry.kind = says.to_vec();
            }
            append(&mut entry.said, delta);
        }
        Ok(is_last)
    }

    /// The response as it would have come in one piece, in the event that ends it.
    pub(super) fn record(&self) -> Vec<u8> {
        let items: Vec<_> = self.items.values().map(Item::record).collect();
        let response = self.whole.clone().unwrap_or_else(|| {
            Object::new()
                .string("id", &self.id)
                .raw("object", b"\"response\"")
                .string("model", &self.model)
                .raw("output", &list(&items))
                .end()
        });
        Object::new()
            .raw("type", b"\"response.completed\"")
            .raw("response", &response)
            .end()
    }
}

/// The type of the item of which an event brings a piece.
fn says(kind: &[u8]) -> Option<&'static [u8]> {
    Some(match kind {
        b"response.output_text.delta" => b"message",
        b"response.function_call_arguments.delta" => b"function_call",
        b"response.custom_tool_call_input.delta" => b"custom_tool_call",
        b"response.reasoning_text.delta" | b"response.reasoning_summary_text.delta" => b"reasoning",
        _ => return None,
    })
}

impl Item {
    fn begin(&mut self, item: Value<'_>, is_whole: bool) -> Result<(), Fault> {
        let [id, kind, name, call_id] = item.cursor().members(["id", "type", "name", "call_id"])?;
        keep(&mut self.id, id);
        keep(&mut self.kind, kind);
        keep(&mut self.name, name);
        keep(&mut self.call_id, call_id);
        if is_whole {
            self.whole = Some(item.source().to_vec());
        }
        Ok(())
    }

    fn record(&self) -> Vec<u8> {
        if let Some(whole) = &self.whole {
            return whole.clone();
        }
        let part = |kind: &[u8]| {
            let part = Object::new()
                .string("type", kind)
                .raw("text", &quoted(&self.said));
            list(&[part.end()])
        };
        let item = Object::new().string("type", &self.kind).string("id", &self.id);
        match &self.kind[..] {
            b"message" => item
                .raw("role", b"\"assistant\"")
                .raw("content", &part(b"output_text")),
            b"reasoning" => item.raw("summary", &part(b"summary_text")),
            b"function_call" => self.named(item).raw("arguments", &quoted(&self.said)),
            _ => self.named(item).raw("input", &quoted(&self.said)),
        }
        .end()
    }

    fn named(&self, item: Object) -> Object {
        item.string("call_id", &self.call_id).string("name", &self.name)
    }
}
