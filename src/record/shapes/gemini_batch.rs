//! Results of Gemini's batches.

use super::{NOTHING, Place, Shape};

pub(super) const SHAPE: Shape = Shape {
    name: "gemini_batch",
    about: "Gemini batches",
    signs: &[&["response.candidates:list"], &["key", "error:object"]],
    id: &["key", "id"],
    model: &["response.modelVersion", "model"],
    tools: &["request.tools"],
    error: &["error", "status"],
    places: &[(Place::Choices, "response.candidates[]")],
    ..NOTHING
};
