//! Gemini's responses, and those of its batches.

use super::{NOTHING, Place, Shape};

pub(super) const SHAPE: Shape = Shape {
    name: "gemini",
    about: "Gemini responses",
    signs: &[&["candidates:list"]],
    id: &["responseId", "key"],
    model: &["modelVersion", "model"],
    error: &["promptFeedback", "error"],
    places: &[(Place::Choices, "candidates[]")],
    ..NOTHING
};
