//! One message in any vendor's words: its text, its reasoning, and the calls that the provider parsed.
//!
//! The vendors' names do not clash, so that one vocabulary serves all of them: what a message is called, and where
//! it lies, is for the shapes to say.

use super::places::{Draft, RawText, is_word};
use super::skim::{Cursor, Fault, Kind, RawString, Value};

/// A call as it stands in the record, nothing decoded.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct RawCall<'a> {
    pub(super) id: Option<Value<'a>>,
    pub(super) name: Option<Value<'a>>,
    /// A JSON string, or the arguments themselves.
    pub(super) arguments: Option<Value<'a>>,
}

/// What stands where a message's content stands.
#[derive(Clone, Debug, Default)]
pub(super) struct Content<'a> {
    pub(super) text: Option<RawText<'a>>,
    pub(super) reasoning: Vec<RawString<'a>>,
    pub(super) calls: Vec<RawCall<'a>>,
}

/// Which parts of a content are text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Parts {
    /// `{"type": "text", "text": …}` alone.
    Text,
    /// Those of all vendors.
    Any,
}

impl<'a> Content<'a> {
    /// What a value holds: a string, or a list of parts.
    pub(super) fn of(value: Value<'a>, parts: Parts) -> Result<Self, Fault> {
        let mut content = Self::default();
        if let Some(string) = value.string() {
            content.text = Some(RawText::One(string));
            return Ok(content);
        }
        let mut texts = Vec::new();
        let mut cursor = value.cursor();
        if cursor.enter_array() {
            while cursor.next_element()? {
                content.part(&mut cursor, parts, &mut texts)?;
            }
        } else if parts == Parts::Any && value.kind() == Kind::Object {
            content.part(&mut cursor, parts, &mut texts)?;
        }
        if !texts.is_empty() {
            content.text = Some(RawText::Parts(texts));
        }
        Ok(content)
    }

    fn part(
        &mut self,
        cursor: &mut Cursor<'a>,
        parts: Parts,
        texts: &mut Vec<RawString<'a>>,
    ) -> Result<(), Fault> {
        let whole = cursor.value()?;
        if let Some(string) = whole.string() {
            texts.extend((parts == Parts::Any).then_some(string));
            return Ok(());
        }
        let keys = ["type", "text", "content", "thinking", "reasoning", "thought"];
        let [kind, text, content, thinking, reasoning, thought] = whole.cursor().members(keys)?;
        let is_any = parts == Parts::Any;
        if is_word(kind, &["text"]) || is_any && is_word(kind, &["output_text"]) {
            let text = text.or(content.filter(|_| is_any));
            texts.extend(text.and_then(Value::string));
        } else if is_word(kind, &["thinking", "reasoning"]) {
            let said = [thinking, reasoning, text, content];
            self.reasoning
                .extend(said.into_iter().flatten().find_map(Value::string));
        } else if kind
            .and_then(Value::string)
            .is_some_and(|kind| is_call(kind.bytes))
        {
            self.calls.extend(call(whole)?);
        } else if is_any && kind.is_none() {
            self.untyped(whole, text, thought, texts)?;
        }
        Ok(())
    }

    /// A part that says by its key what it is, as Gemini's and Bedrock's do.
    fn untyped(
        &mut self,
        part: Value<'a>,
        text: Option<Value<'a>>,
        thought: Option<Value<'a>>,
        texts: &mut Vec<RawString<'a>>,
    ) -> Result<(), Fault> {
        let is_thought = thought.is_some_and(|thought| thought.source() == b"true");
        match text.and_then(Value::string) {
            Some(text) if is_thought => self.reasoning.push(text),
            Some(text) => texts.push(text),
            None => {}
        }
        let keys = ["functionCall", "function_call", "toolUse", "reasoningContent"];
        let [camel, snake, tool_use, reasoning] = part.cursor().members(keys)?;
        for value in [camel, snake, tool_use].into_iter().flatten() {
            self.calls.extend(call(value)?);
        }
        if let Some(reasoning) = reasoning {
            let [said] = reasoning.cursor().members(["reasoningText"])?;
            let text = said.map_or(Ok([None]), |said| said.cursor().members(["text"]))?[0];
            self.reasoning.extend(text.and_then(Value::string));
        }
        Ok(())
    }

    /// Puts what was found into a draft that has no text yet.
    pub(super) fn into_draft(self, draft: &mut Draft<'a>) {
        draft.text = self.text;
        draft.calls.extend(self.calls);
        if !self.reasoning.is_empty() && draft.reasoning.is_none() {
            draft.reasoning = Some(RawText::Parts(self.reasoning));
        }
    }
}

/// Whether a part of this type is a call: Anthropic has dozens whose names end alike.
fn is_call(kind: &[u8]) -> bool {
    kind.ends_with(b"tool_use")
        || matches!(kind, b"tool_call" | b"tool-call" | b"function_call" | b"toolCall")
}

/// The message at the cursor, which goes behind it, whoever speaks.
pub(super) fn message<'a>(cursor: &mut Cursor<'a>) -> Result<Draft<'a>, Fault> {
    let keys = [
        "content",
        "value",
        "parts",
        "text",
        "reasoning_content",
        "reasoning",
        "thinking",
        "tool_calls",
        "function_call",
        "finish_reason",
        "stop_reason",
        "invalid_tool_calls",
        "response",
    ];
    let [
        content,
        value,
        parts,
        text,
        reasoning_content,
        reasoning,
        thinking,
        tool_calls,
        function_call,
        finish_reason,
        stop_reason,
        invalid_tool_calls,
        response,
    ] = cursor.members(keys)?;
    let mut draft = Draft {
        reasoning: reasoning_of([reasoning_content, reasoning, thinking])?,
        finish_reason: finish_reason.or(stop_reason),
        ..Draft::default()
    };
    for value in [content, value, parts, text, response].into_iter().flatten() {
        let content = Content::of(value, Parts::Any)?;
        if content.text.is_some() || !content.calls.is_empty() || !content.reasoning.is_empty() {
            content.into_draft(&mut draft);
            break;
        }
    }
    // Where a provider's parts and its list both hold the calls, they are the same ones.
    if draft.calls.is_empty() {
        draft.calls = calls(tool_calls, function_call)?;
        draft.calls.extend(calls(invalid_tool_calls, None)?);
    }
    Ok(draft)
}

/// The first of these that is a text that is not empty.
pub(super) fn reasoning_of<const N: usize>(
    values: [Option<Value<'_>>; N],
) -> Result<Option<RawText<'_>>, Fault> {
    for value in values.into_iter().flatten() {
        let mut texts = Vec::new();
        let mut cursor = value.cursor();
        if cursor.enter_array() {
            while cursor.next_element()? {
                let part = cursor.value()?;
                let [text, thinking] = part.cursor().members(["text", "thinking"])?;
                texts.extend(part.string().or_else(|| text.or(thinking)?.string()));
            }
        }
        texts.extend(value.string());
        texts.retain(|text| !text.bytes.is_empty());
        if !texts.is_empty() {
            return Ok(Some(RawText::Parts(texts)));
        }
    }
    Ok(None)
}

/// The calls of a list, and the one in the older form.
pub(super) fn calls<'a>(
    list: Option<Value<'a>>,
    function_call: Option<Value<'a>>,
) -> Result<Vec<RawCall<'a>>, Fault> {
    let mut found = Vec::new();
    if let Some(list) = list {
        let mut cursor = list.cursor();
        if cursor.enter_array() {
            while cursor.next_element()? {
                let element = cursor.value()?;
                found.extend(call(element)?);
            }
        }
    }
    if let Some(value) = function_call {
        found.extend(call(value)?);
    }
    Ok(found)
}

/// A call, if its name or arguments are there: those of an object of its own (`function`, `custom`) or the value's.
pub(super) fn call(value: Value<'_>) -> Result<Option<RawCall<'_>>, Fault> {
    let keys = [
        "id",
        "function",
        "custom",
        "name",
        "arguments",
        "input",
        "args",
        "call_id",
        "tool_call_id",
        "toolCallId",
        "toolUseId",
        "toolName",
        "function_name",
        "parameters",
    ];
    let [
        id,
        function,
        custom,
        name,
        arguments,
        input,
        args,
        call_id,
        tool_call_id,
        camel_call_id,
        tool_use_id,
        tool_name,
        function_name,
        parameters,
    ] = value.cursor().members(keys)?;
    let id = call_id.or(tool_call_id).or(camel_call_id).or(tool_use_id).or(id);
    let mut name = name.or(tool_name).or(function_name);
    let mut arguments = arguments.or(input).or(args).or(parameters);
    match function.or(custom) {
        Some(inner) if inner.kind() == Kind::Object => {
            let keys = ["name", "arguments", "input", "parameters"];
            let [inner_name, inner_arguments, input, parameters] = inner.cursor().members(keys)?;
            name = inner_name;
            arguments = inner_arguments.or(input).or(parameters);
        }
        Some(inner) => name = Some(inner),
        None => {}
    }
    let is_something = |value: &Value| value.source() != b"null";
    let is_call =
        name.is_some_and(|name| is_something(&name)) || arguments.is_some_and(|value| is_something(&value));
    Ok(is_call.then_some(RawCall { id, name, arguments }))
}
