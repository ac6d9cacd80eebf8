//! Chunks of OpenAI's chat completions, joined where a source's lines are chunks.

use super::{NOTHING, Place, Shape};

pub(super) const SHAPE: Shape = Shape {
    name: "openai_stream",
    about: "OpenAI chat chunks, streamed (lines, server-sent events)",
    signs: &[&["object=chat.completion.chunk"]],
    id: &["id"],
    model: &["model"],
    error: &["error"],
    places: &[(Place::Choices, "choices[]")],
    ..NOTHING
};
