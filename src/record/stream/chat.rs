//! Chunks of OpenAI's chat and text completions.

use std::collections::BTreeMap;

use super::write::{Object, list, quoted};
use super::{append, inside, keep};
use crate::record::skim::{Fault, Value};

/// A completion with its choices. Bytes are the insides of JSON strings.
#[derive(Debug, Default)]
pub(super) struct Chat {
    id: Vec<u8>,
    model: Vec<u8>,
    choices: BTreeMap<u64, Choice>,
}

#[derive(Debug, Default)]
struct Choice {
    text: Option<Vec<u8>>,
    reasoning: Vec<u8>,
    refusal: Vec<u8>,
    calls: Vec<Call>,
    function_call: Option<Call>,
    finish_reason: Vec<u8>,
}

#[derive(Debug, Default)]
struct Call {
    index: Option<u64>,
    id: Vec<u8>,
    name: Vec<u8>,
    arguments: Vec<u8>,
}

/// The id of the completion that a chunk belongs to.
pub(super) fn id(chunk: Value<'_>) -> Result<Option<Vec<u8>>, Fault> {
    let [id] = chunk.cursor().members(["id"])?;
    Ok(inside(id).map(<[u8]>::to_vec))
}

/// Whether a chunk has a choice.
pub(super) fn says_something(chunk: Value<'_>) -> Result<bool, Fault> {
    let [choices] = chunk.cursor().members(["choices"])?;
    Ok(!elements(choices)?.is_empty())
}

/// Whether one of the choices is a piece.
pub(super) fn has_delta(choices: Option<Value<'_>>) -> Result<bool, Fault> {
    for choice in elements(choices)? {
        if let [Some(_)] = choice.cursor().members(["delta"])? {
            return Ok(true);
        }
    }
    Ok(false)
}

impl Chat {
    /// Whether every choice has said why it stopped.
    pub(super) fn is_done(&self) -> bool {
        let mut choices = self.choices.values();
        !self.choices.is_empty() && choices.all(|choice| !choice.finish_reason.is_empty())
    }

    pub(super) fn add(&mut self, chunk: Value<'_>) -> Result<(), Fault> {
        let [id, model, choices] = chunk.cursor().members(["id", "model", "choices"])?;
        keep(&mut self.id, id);
        keep(&mut self.model, model);
        for choice in elements(choices)? {
            let keys = ["index", "delta", "text", "finish_reason"];
            let [index, delta, text, finish_reason] = choice.cursor().members(keys)?;
            let choice = self.choices.entry(number(index).unwrap_or(0)).or_default();
            choice.say(text);
            keep(&mut choice.finish_reason, finish_reason);
            if let Some(delta) = delta {
                choice.delta(delta)?;
            }
        }
        Ok(())
    }

    /// The completion as it would have come in one piece.
    pub(super) fn record(&self) -> Vec<u8> {
        let choices: Vec<_> = self
            .choices
            .iter()
            .map(|(&index, choice)| choice.json(index))
            .collect();
        Object::new()
            .string("id", &self.id)
            .raw("object", b"\"chat.completion.chunk\"")
            .string("model", &self.model)
            .raw("choices", &list(&choices))
            .end()
    }
}

impl Choice {
    /// A string is a piece of the text, be it empty.
    fn say(&mut self, piece: Option<Value<'_>>) {
        if let Some(piece) = piece.and_then(Value::string) {
            self.text.get_or_insert_default().extend(piece.bytes);
        }
    }

    fn delta(&mut self, delta: Value<'_>) -> Result<(), Fault> {
        let keys = [
            "content",
            "reasoning_content",
            "reasoning",
            "refusal",
            "tool_calls",
            "function_call",
        ];
        let [
            content,
            reasoning_content,
            reasoning,
            refusal,
            tool_calls,
            function_call,
        ] = delta.cursor().members(keys)?;
        self.say(content);
        // Some servers write both, with the same words.
        let reasoning = reasoning_content
            .filter(|value| inside(Some(*value)).is_some())
            .or(reasoning);
        append(&mut self.reasoning, reasoning);
        append(&mut self.refusal, refusal);
        for piece in elements(tool_calls)? {
            self.call(piece)?;
        }
        if let Some(piece) = function_call.filter(|piece| piece.source() != b"null") {
            let [name, arguments] = piece.cursor().members(["name", "arguments"])?;
            self.function_call
                .get_or_insert_default()
                .add(None, name, arguments);
        }
        Ok(())
    }

    /// A piece of the call with its index; without one, of the last call, unless it brings an id of its own.
    fn call(&mut self, piece: Value<'_>) -> Result<(), Fault> {
        let [index, id, function, custom] = piece.cursor().members(["index", "id", "function", "custom"])?;
        let index = number(index);
        let known = match index {
            Some(_) => self.calls.iter().position(|call| call.index == index),
            None => self
                .calls
                .len()
                .checked_sub(1)
                .filter(|&last| inside(id).is_none_or(|id| id == self.calls[last].id)),
        };
        let place = known.unwrap_or_else(|| {
            self.calls.push(Call {
                index,
                ..Call::default()
            });
            self.calls.len() - 1
        });
        let [name, arguments, input] = match function.or(custom) {
            Some(inner) => inner.cursor().members(["name", "arguments", "input"])?,
            None => [None; 3],
        };
        self.calls[place].add(id, name, arguments.or(input));
        Ok(())
    }

    fn json(&self, index: u64) -> Vec<u8> {
        let text = self.text.as_deref().map_or(b"null".to_vec(), quoted);
        let calls: Vec<_> = self.calls.iter().map(Call::json).collect();
        let mut message = Object::new()
            .raw("role", b"\"assistant\"")
            .raw("content", &text)
            .string("reasoning_content", &self.reasoning)
            .string("refusal", &self.refusal)
            .list("tool_calls", &calls);
        if let Some(call) = &self.function_call {
            message = message.raw("function_call", &call.function());
        }
        Object::new()
            .raw("index", index.to_string().as_bytes())
            .raw("message", &message.end())
            .string("finish_reason", &self.finish_reason)
            .end()
    }
}

impl Call {
    fn add(&mut self, id: Option<Value<'_>>, name: Option<Value<'_>>, arguments: Option<Value<'_>>) {
        keep(&mut self.id, id);
        keep(&mut self.name, name);
        append(&mut self.arguments, arguments);
    }

    fn function(&self) -> Vec<u8> {
        Object::new()
            .string("name", &self.name)
            .raw("arguments", &quoted(&self.arguments))
            .end()
    }

    fn json(&self) -> Vec<u8> {
        Object::new()
            .string("id", &self.id)
            .raw("type", b"\"function\"")
            .raw("function", &self.function())
            .end()
    }
}

/// The elements of a list.
fn elements(list: Option<Value<'_>>) -> Result<Vec<Value<'_>>, Fault> {
    let mut found = Vec::new();
    let Some(list) = list else { return Ok(found) };
    let mut cursor = list.cursor();
    if cursor.enter_array() {
        while cursor.next_element()? {
            found.push(cursor.value()?);
        }
    }
    Ok(found)
}

/// A number that counts something.
pub(super) fn number(value: Option<Value<'_>>) -> Option<u64> {
    std::str::from_utf8(value?.source()).ok()?.parse().ok()
}
