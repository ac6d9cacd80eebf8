//! Items as the Responses API writes them: messages, calls, reasoning, and what came back from the tools.

use crate::record::message::{Content, Parts, call, reasoning_of};
use crate::record::places::{Draft, is_word};
use crate::record::skim::{Fault, Kind, Value};

/// Adds the turns of a list of items, or of the one item. A turn is one message of the model's with the calls behind it and the
/// reasoning before it, up to what comes back from a tool or a user.
pub(super) fn drafts<'a>(list: Value<'a>, drafts: &mut Vec<Draft<'a>>) -> Result<(), Fault> {
    let mut turns = Turns { drafts, open: None };
    match list.kind() {
        Kind::Object => turns.item(list)?,
        _ => turns.list(list, 0)?,
    }
    turns.close();
    Ok(())
}

/// Lists within the list are read this deep.
const MOST_NESTED: usize = 3;

struct Turns<'d, 'a> {
    drafts: &'d mut Vec<Draft<'a>>,
    open: Option<Draft<'a>>,
}

impl<'a> Turns<'_, 'a> {
    fn list(&mut self, list: Value<'a>, nested: usize) -> Result<(), Fault> {
        let mut cursor = list.cursor();
        if cursor.enter_array() {
            while cursor.next_element()? {
                let item = cursor.value()?;
                match item.kind() {
                    // Some harnesses log the list of a whole rollout as one item.
                    Kind::Array if nested < MOST_NESTED => self.list(item, nested + 1)?,
                    Kind::Object => self.item(item)?,
                    _ => {}
                }
            }
        }
        Ok(())
    }

    fn item(&mut self, item: Value<'a>) -> Result<(), Fault> {
        let keys = ["type", "role", "content", "summary"];
        let [kind, role, content, summary] = item.cursor().members(keys)?;
        let is_message = is_word(kind, &["message", "output_text"]) || kind.is_none() && role.is_some();
        if is_message && (role.is_none() || is_word(role, &["assistant"])) {
            let mut said = Draft::default();
            Content::of(content.unwrap_or(item), Parts::Any)?.into_draft(&mut said);
            self.close_what_spoke();
            let open = self.open.get_or_insert_default();
            open.text = said.text;
            open.calls.append(&mut said.calls);
            open.reasoning = open.reasoning.take().or(said.reasoning);
        } else if is_word(kind, &["reasoning"]) {
            let said = reasoning_of([content, summary])?;
            self.close_what_spoke();
            if let Some(said) = said {
                self.open.get_or_insert_default().reasoning = Some(said);
            }
        } else if kind
            .and_then(Value::string)
            .is_some_and(|kind| kind.bytes.ends_with(b"_call"))
        {
            let open = self.open.get_or_insert_default();
            open.calls.extend(call(item)?);
        } else {
            self.close();
        }
        Ok(())
    }

    /// A message, or reasoning, behind one that has spoken or called begins another turn.
    fn close_what_spoke(&mut self) {
        let spoke = |open: &Draft| open.text.is_some() || !open.calls.is_empty();
        if self.open.as_ref().is_some_and(spoke) {
            self.close();
        }
    }

    fn close(&mut self) {
        if let Some(mut draft) = self.open.take() {
            draft.is_later_turn = !self.drafts.is_empty();
            self.drafts.push(draft);
        }
    }
}
