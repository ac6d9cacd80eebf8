//! Answers that ToolBench's evaluation keeps: a chain of steps, each within the one before.

use super::{NOTHING, Place, Shape};
use crate::record::places::{Draft, RawText, is_word};
use crate::record::skim::{Fault, Kind, RawString, Value, key_text};

pub(super) const SHAPE: Shape = Shape {
    name: "toolbench_cot",
    about: "ToolBench answers, as ToolEval keeps them",
    signs: &[&["answer.answer_details:list", "query"]],
    id: &["query_id"],
    model: &["answer.method"],
    places: &[(Place::Custom(drafts), "answer.answer_details")],
    ..NOTHING
};

/// Adds the messages of the model's steps, in the order in which they open. Every `message` of the value is one of
/// the step around it: one pass over the bytes, a step's role being kept while the steps within it are read.
fn drafts<'a>(list: Value<'a>, drafts: &mut Vec<Draft<'a>>) -> Result<(), Fault> {
    let mut steps: Vec<Step> = Vec::new();
    let mut open: Vec<usize> = Vec::new();
    let mut cursor = list.cursor();
    let end = list.span().end;
    while let Some(token) = cursor.next_token(end)? {
        if token.kind() != Kind::String {
            // Whatever it is, the key before it has no string.
            if let Some(&step) = open.last() {
                steps[step].key = None;
            }
        }
        match token.source().first() {
            Some(b'{') => {
                open.push(steps.len());
                steps.push(Step::default());
            }
            Some(b'}') => {
                open.pop();
            }
            Some(b'"') => {
                if let Some(&step) = open.last() {
                    steps[step].meet(token);
                }
            }
            _ => {}
        }
    }
    for step in steps.iter().filter(|step| step.is_model) {
        let Some(message) = step.message else { continue };
        drafts.push(Draft {
            text: Some(RawText::One(message)),
            is_later_turn: !drafts.is_empty(),
            ..Draft::default()
        });
    }
    Ok(())
}

/// Who speaks for the model: its tools' steps hold the call with what came back.
const ROLES: [&str; 2] = ["assistant", "tool"];

#[derive(Default)]
struct Step<'a> {
    key: Option<RawString<'a>>,
    is_model: bool,
    message: Option<RawString<'a>>,
}

impl<'a> Step<'a> {
    /// A string in the step: a key, or the value of the key before it.
    fn meet(&mut self, token: Value<'a>) {
        let Some(key) = self.key.take() else {
            self.key = token.string();
            return;
        };
        match &*key_text(key.bytes) {
            b"role" => self.is_model = is_word(Some(token), &ROLES),
            b"message" => self.message = token.string(),
            _ => {}
        }
    }
}
