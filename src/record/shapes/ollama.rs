//! Ollama's answers: of `chat` a message, of `generate` a text.

use super::{NOTHING, Place, Shape};

pub(super) const SHAPE: Shape = Shape {
    name: "ollama",
    about: "Ollama responses",
    signs: &[&["message.role=assistant", "done"], &["response:text", "done", "created_at"]],
    model: &["model"],
    finish_reason: &["done_reason"],
    places: &[(Place::Messages, "message"), (Place::Texts, "response")],
    ..NOTHING
};
