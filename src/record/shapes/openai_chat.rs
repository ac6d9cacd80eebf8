//! Chat completions as OpenAI returns them, and everybody who is compatible.

use super::{NOTHING, Place, Shape};

pub(super) const SHAPE: Shape = Shape {
    name: "openai_chat",
    about: "OpenAI chat completions",
    signs: &[&["choices[].message:object"]],
    id: &["id"],
    model: &["model"],
    tools: &["tools", "request.tools"],
    error: &["error"],
    places: &[(Place::Choices, "choices[]")],
    is_plain: true,
    ..NOTHING
};
