//! Where logs keep what a model produced: the usual places, asked in order, or the ones that the user named.

use super::fields::Step;
use super::message::{Content, Parts, RawCall, calls, reasoning_of};
use super::outline::Outline;
use super::skim::{Cursor, Fault, Kind, RawString, Value};
use super::{Fields, Path};

/// One completion as it stands in the record, nothing decoded.
#[derive(Clone, Debug, Default)]
pub(super) struct Draft<'a> {
    /// The text; `None` where there is none.
    pub(super) text: Option<RawText<'a>>,
    /// Whether other turns of the same conversation stand before it.
    pub(super) is_later_turn: bool,
    /// Why the model stopped.
    pub(super) finish_reason: Option<Value<'a>>,
    /// What the model thought, where that is logged apart from the text.
    pub(super) reasoning: Option<RawText<'a>>,
    /// The calls that the provider parsed.
    pub(super) calls: Vec<RawCall<'a>>,
    /// Whether it is a message, with a role and a content.
    pub(super) is_message: bool,
}

impl Draft<'_> {
    /// Whether there is a text, reasoning, or a call.
    pub(super) fn holds_something(&self) -> bool {
        self.text.is_some() || self.reasoning.is_some() || !self.calls.is_empty()
    }
}

/// The strings that make up one text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum RawText<'a> {
    /// A string.
    One(RawString<'a>),
    /// The texts of a list of parts, to be joined.
    Parts(Vec<RawString<'a>>),
}

impl<'a> RawText<'a> {
    /// The text that a value holds, if it is a string or a list with text parts.
    pub(super) fn of(value: Value<'a>) -> Result<Option<Self>, Fault> {
        Ok(Content::of(value, Parts::Text)?.text)
    }

    fn of_any<const N: usize>(values: [Option<Value<'a>>; N]) -> Result<Option<Self>, Fault> {
        for value in values.into_iter().flatten() {
            if let Some(text) = Self::of(value)? {
                return Ok(Some(text));
            }
        }
        Ok(None)
    }

    /// Its strings, in order, to be replaced.
    pub(super) fn strings_mut(&mut self) -> &mut [RawString<'a>] {
        match self {
            Self::One(string) => std::slice::from_mut(string),
            Self::Parts(parts) => parts,
        }
    }

    /// Its strings, in order.
    pub(super) fn strings(&self) -> &[RawString<'a>] {
        match self {
            Self::One(string) => std::slice::from_ref(string),
            Self::Parts(parts) => parts,
        }
    }
}

/// Keys of the record that hold a completion's text, in the order in which they are asked.
const TEXT_KEYS: [&str; 6] = [
    "completion",
    "response",
    "output",
    "text",
    "generated_text",
    "content",
];

/// Keys of a conversation's turns, in the order in which they are asked.
const TURNS_KEYS: [&str; 2] = ["messages", "conversations"];

/// The same with what logs are called that have them, and where the completions are in these.
const TURNS: [(&str, &str, &str); 2] = [
    ("messages", "messages", "messages[role=assistant].content"),
    ("conversations", "sharegpt", "conversations[from=gpt].value"),
];

/// Who speaks where a model does.
const MODEL_ROLES: [&str; 3] = ["assistant", "gpt", "model"];

/// Every key of the record that the usual places look at.
pub(super) fn usual_keys<'k>() -> impl Iterator<Item = &'k str> {
    let others = [
        "choices",
        "tool_calls",
        "function_call",
        "reasoning_content",
        "finish_reason",
        "stop_reason",
    ];
    TEXT_KEYS.into_iter().chain(TURNS_KEYS).chain(others)
}

/// The usual places, for messages.
pub(super) fn usual_names() -> String {
    let turns = TURNS_KEYS.map(|key| format!("{key}[]"));
    let names = TEXT_KEYS.iter().copied().chain(["choices[]"]);
    let names: Vec<_> = names.chain(turns.iter().map(String::as_str)).collect();
    format!("`{}`", names.join("`, `"))
}

/// What the plain rule calls the places where it finds something.
pub(super) const PLAIN: [&str; 6] = [
    FLAT,
    NAMED,
    "openai_chat",
    "openai_completion",
    "messages",
    "sharegpt",
];

const FLAT: &str = "flat";
const NAMED: &str = "named";

/// What the record was taken for, where its completions are, and the completions, those without text too: their
/// ordinal is the choice.
pub(super) type Drafts<'a> = (&'static str, Option<&'static str>, Vec<Draft<'a>>);

/// The completions of a record.
pub(super) fn drafts<'a>(outline: &Outline<'a>, fields: &Fields) -> Result<Drafts<'a>, Fault> {
    let (format, place, mut drafts) = if fields.text.is_empty() {
        usual(outline)?
    } else {
        (NAMED, None, named(outline, fields)?)
    };
    finish(outline, fields, &mut drafts)?;
    Ok((format, place, drafts))
}

/// Where the model's turns before the completions would stand: the record's conversation, unless that is where
/// its completions come from.
pub(super) fn conversation_before(
    outline: &Outline<'_>,
    fields: &Fields,
    (format, _, drafts): &Drafts<'_>,
) -> Option<&'static str> {
    let comes_from_it = if fields.text.is_empty() {
        let is_of_turns = TURNS.iter().any(|(_, of_turns, _)| of_turns == format);
        is_of_turns || (*format == FLAT && drafts.iter().all(|draft| draft.text.is_none()))
    } else {
        fields.text.iter().any(is_conversation)
    };
    let conversation = TURNS_KEYS.into_iter().find(|key| outline.get(key).is_some());
    conversation.filter(|_| !comes_from_it)
}

/// The model's texts in the conversation that [`conversation_before`] has found.
pub(super) fn texts_before<'a>(outline: &Outline<'a>, key: &str) -> Result<Vec<RawText<'a>>, Fault> {
    let turns = turns(outline, key)?;
    Ok(turns.into_iter().filter_map(|turn| turn.text).collect())
}

/// The first of the usual places that holds something.
fn usual<'a>(outline: &Outline<'a>) -> Result<Drafts<'a>, Fault> {
    let flat = flat(outline)?;
    if flat.text.is_some() {
        let key = TEXT_KEYS.into_iter().find(|key| holds(outline, key, &flat));
        return Ok((FLAT, key, vec![flat]));
    }
    let choices = choices(outline)?;
    if choices.iter().any(Draft::holds_something) {
        let has_message = choices.iter().any(|draft| draft.is_message);
        return Ok(match has_message {
            true => ("openai_chat", Some("choices[].message.content"), choices),
            false => ("openai_completion", Some("choices[].text"), choices),
        });
    }
    for (key, format, place) in TURNS {
        let turns = turns(outline, key)?;
        if turns.iter().any(Draft::holds_something) {
            return Ok((format, Some(place), turns));
        }
    }
    Ok((FLAT, Some("tool_calls[]"), vec![flat]))
}

/// A record that holds one completion itself.
fn flat<'a>(outline: &Outline<'a>) -> Result<Draft<'a>, Fault> {
    let mut draft = Draft::default();
    let [before @ .., content] = TEXT_KEYS.map(|key| outline.get(key));
    match RawText::of_any(before)? {
        Some(text) => draft.text = Some(text),
        None => say(&mut draft, [content])?,
    }
    if let Some(value) = outline.get("reasoning_content") {
        draft.reasoning = reasoning_of([Some(value)])?.or(draft.reasoning);
    }
    add_calls(
        &mut draft,
        outline.get("tool_calls"),
        outline.get("function_call"),
    )?;
    Ok(draft)
}

/// Whether the draft's text stands in the value of the key.
fn holds(outline: &Outline<'_>, key: &str, draft: &Draft<'_>) -> bool {
    let start = draft
        .text
        .as_ref()
        .and_then(|text| Some(text.strings().first()?.start));
    let span = outline.get(key).map(Value::span);
    start
        .zip(span)
        .is_some_and(|(start, span)| (span.start..span.end).contains(&start))
}

/// Puts into the draft what the first of these values says that says something, in text, and the calls and the
/// reasoning that stand beside it.
fn say<'a, const N: usize>(draft: &mut Draft<'a>, values: [Option<Value<'a>>; N]) -> Result<(), Fault> {
    for value in values.into_iter().flatten() {
        let content = Content::of(value, Parts::Text)?;
        let says = content.text.is_some();
        content.into_draft(draft);
        if says {
            break;
        }
    }
    Ok(())
}

/// The calls that are logged beside a content, unless that holds them itself.
fn add_calls<'a>(
    draft: &mut Draft<'a>,
    tool_calls: Option<Value<'a>>,
    function_call: Option<Value<'a>>,
) -> Result<(), Fault> {
    if draft.calls.is_empty() {
        draft.calls = calls(tool_calls, function_call)?;
    }
    Ok(())
}

/// `choices[]`, each with a message or a text.
fn choices<'a>(outline: &Outline<'a>) -> Result<Vec<Draft<'a>>, Fault> {
    elements(outline, "choices", |cursor, choices| {
        let [message, text, finish_reason] = cursor.members(["message", "text", "finish_reason"])?;
        let mut draft = Draft {
            finish_reason,
            ..Draft::default()
        };
        let keys = [
            "content",
            "tool_calls",
            "function_call",
            "reasoning_content",
            "reasoning",
        ];
        let [content, tool_calls, function_call, reasoning_content, reasoning] = match message {
            Some(message) => message.cursor().members(keys)?,
            None => [None; 5],
        };
        draft.is_message = message.is_some();
        draft.reasoning = reasoning_of([reasoning_content, reasoning])?;
        say(&mut draft, [content, text])?;
        add_calls(&mut draft, tool_calls, function_call)?;
        choices.push(draft);
        Ok(())
    })
}

/// The model's turns of a conversation.
fn turns<'a>(outline: &Outline<'a>, key: &str) -> Result<Vec<Draft<'a>>, Fault> {
    elements(outline, key, |cursor, turns| {
        let [
            role,
            from,
            content,
            value,
            tool_calls,
            function_call,
            reasoning_content,
            reasoning,
            finish_reason,
        ] = cursor.members([
            "role",
            "from",
            "content",
            "value",
            "tool_calls",
            "function_call",
            "reasoning_content",
            "reasoning",
            "finish_reason",
        ])?;
        if is_word(role, &MODEL_ROLES) || is_word(from, &MODEL_ROLES) {
            let mut draft = Draft {
                is_later_turn: !turns.is_empty(),
                finish_reason,
                reasoning: reasoning_of([reasoning_content, reasoning])?,
                ..Draft::default()
            };
            say(&mut draft, [content, value])?;
            add_calls(&mut draft, tool_calls, function_call)?;
            turns.push(draft);
        }
        Ok(())
    })
}

/// What `draft` makes of each element of the array that `key` holds.
fn elements<'a>(
    outline: &Outline<'a>,
    key: &str,
    mut draft: impl FnMut(&mut Cursor<'a>, &mut Vec<Draft<'a>>) -> Result<(), Fault>,
) -> Result<Vec<Draft<'a>>, Fault> {
    let mut drafts = Vec::new();
    let Some(value) = outline.get(key) else {
        return Ok(drafts);
    };
    let mut cursor = value.cursor();
    if cursor.enter_array() {
        while cursor.next_element()? {
            draft(&mut cursor, &mut drafts)?;
        }
    }
    Ok(drafts)
}

/// The first of the user's places that holds a text.
fn named<'a>(outline: &Outline<'a>, fields: &Fields) -> Result<Vec<Draft<'a>>, Fault> {
    for path in &fields.text {
        let is_conversation = is_conversation(path);
        let mut drafts: Vec<Draft> = Vec::new();
        for value in outline.resolve(path)? {
            drafts.push(Draft {
                text: value.map_or(Ok(None), RawText::of)?,
                is_later_turn: is_conversation && !drafts.is_empty(),
                ..Draft::default()
            });
        }
        if drafts.iter().any(Draft::holds_something) {
            return Ok(drafts);
        }
    }
    Ok(Vec::new())
}

/// Whether the user's path leads into the turns of a conversation: by its key, or because it chooses turns.
fn is_conversation(path: &Path) -> bool {
    let chooses = path.steps.iter().any(|step| matches!(step, Step::Where(..)));
    chooses
        || matches!(&path.steps[..], [Step::Key(key), Step::Each, ..] if TURNS_KEYS.contains(&key.as_str()))
}

/// Why the model stopped: what the choice says, else what the record says, which of several turns is about the
/// last one. A path of the user's with several matches has one for each choice.
fn finish<'a>(outline: &Outline<'a>, fields: &Fields, drafts: &mut [Draft<'a>]) -> Result<(), Fault> {
    let mut of_record = ["finish_reason", "stop_reason"]
        .into_iter()
        .filter_map(|key| outline.get(key))
        .find(|value| value.kind() == Kind::String);
    if let Some(path) = &fields.finish_reason {
        let found = outline.resolve(path)?;
        let by_choice = found.len() > 1;
        of_record = found.first().copied().flatten().filter(|_| !by_choice);
        for (choice, draft) in drafts.iter_mut().enumerate() {
            draft.finish_reason = found.get(choice).copied().flatten().filter(|_| by_choice);
        }
    }
    let mut another_follows = false;
    for draft in drafts.iter_mut().rev() {
        let said = draft.finish_reason.filter(|value| value.kind() == Kind::String);
        draft.finish_reason = said.or(of_record.filter(|_| !another_follows));
        another_follows = draft.is_later_turn;
    }
    Ok(())
}

/// Whether the value is one of these strings.
pub(super) fn is_word(value: Option<Value<'_>>, words: &[&str]) -> bool {
    value
        .and_then(Value::string)
        .is_some_and(|string| words.iter().any(|word| word.as_bytes() == string.bytes))
}
