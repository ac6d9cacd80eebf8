//! From places counted in characters to places counted in bytes.

/// Characters from one remembered place to the next.
const STEP: usize = 64;

/// Turns the character offsets of a text into byte offsets.
#[derive(Debug)]
pub(super) struct Places {
    /// The byte offset of every [`STEP`]th character; `None` where the two offsets are the same.
    known: Option<Vec<usize>>,
}

impl Places {
    pub(super) fn new(text: &str) -> Self {
        let offsets = || text.char_indices().step_by(STEP).map(|(at, _)| at).collect();
        Self {
            known: (!text.is_ascii()).then(offsets),
        }
    }

    /// The byte offset of the character with this number, or the end of `text`.
    pub(super) fn byte(&self, text: &str, character: usize) -> usize {
        let Some(known) = &self.known else {
            return character.min(text.len());
        };
        let Some(&from) = known.get(character / STEP) else {
            return text.len();
        };
        let offset = text[from..].char_indices().nth(character % STEP);
        offset.map_or(text.len(), |(offset, _)| from + offset)
    }
}
