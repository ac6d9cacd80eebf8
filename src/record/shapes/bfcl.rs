//! Results of the Berkeley Function Calling Leaderboard. `result` is a text, a list of calls, or lists of either for turns and steps.

use super::{NOTHING, Place, Shape};
use crate::record::message::{RawCall, reasoning_of};
use crate::record::places::{Draft, RawText};
use crate::record::skim::{Cursor, Fault, Kind, Value};

pub(super) const SHAPE: Shape = Shape {
    name: "bfcl",
    about: "BFCL results",
    signs: &[
        &["id", "result", "input_token_count"],
        &["id", "result", "latency"],
        &["idx", "result", "latency"],
    ],
    id: &["id", "idx"],
    model: &["model_name", "model"],
    error: &["error"],
    places: &[(Place::Custom(drafts), "")],
    model_of_file: Some(folder),
    ..NOTHING
};

/// Results within results are read this deep: turns, steps, calls.
const MOST_NESTED: usize = 4;

/// The completions of a record.
fn drafts<'a>(record: Value<'a>, drafts: &mut Vec<Draft<'a>>) -> Result<(), Fault> {
    let [result, reasoning] = record.cursor().members(["result", "reasoning_content"])?;
    if let Some(result) = result {
        steps(result, 0, drafts)?;
    }
    if let [one] = &mut drafts[..] {
        one.reasoning = reasoning_of([reasoning])?;
    }
    Ok(())
}

fn steps<'a>(result: Value<'a>, nested: usize, drafts: &mut Vec<Draft<'a>>) -> Result<(), Fault> {
    let is_later_turn = !drafts.is_empty();
    if let Some(text) = result.string() {
        drafts.push(Draft {
            text: Some(RawText::One(text)),
            is_later_turn,
            ..Draft::default()
        });
        return Ok(());
    }
    let mut calls = Vec::new();
    let mut cursor = result.cursor();
    if !cursor.enter_array() || nested == MOST_NESTED {
        return Ok(());
    }
    while cursor.next_element()? {
        let element = cursor.value()?;
        match element.kind() {
            Kind::Object => named_calls(element, &mut calls)?,
            _ => steps(element, nested + 1, drafts)?,
        }
    }
    if !calls.is_empty() {
        drafts.push(Draft {
            calls,
            is_later_turn,
            ..Draft::default()
        });
    }
    Ok(())
}

/// The calls of an object whose keys are tools' names and whose values are their arguments.
fn named_calls<'a>(object: Value<'a>, calls: &mut Vec<RawCall<'a>>) -> Result<(), Fault> {
    let mut cursor = object.cursor();
    cursor.enter_object();
    loop {
        let name = name_ahead(cursor.clone(), object.span().end)?;
        if cursor.next_key()?.is_none() {
            return Ok(());
        }
        let arguments = Some(cursor.value()?);
        calls.push(RawCall {
            id: None,
            name,
            arguments,
        });
    }
}

/// The key that the cursor stands before, as a value.
fn name_ahead(mut cursor: Cursor<'_>, end: usize) -> Result<Option<Value<'_>>, Fault> {
    while let Some(token) = cursor.next_token(end)? {
        if token.kind() == Kind::String {
            return Ok(Some(token));
        }
        if token.source() != b"," {
            break;
        }
    }
    Ok(None)
}

/// Results stand in a folder with the model's name, some in a group's folder within it.
fn folder(file: &str) -> Option<&str> {
    let mut parts = file.rsplit(['/', '\\']);
    if !parts.next()?.starts_with("BFCL_") {
        return None;
    }
    const GROUPS: [&str; 7] = ["non_live", "live", "multi_turn", "agentic", "memory", "web_search", "format_sensitivity"];
    parts.find(|part| !GROUPS.contains(part)).filter(|part| !part.is_empty())
}
