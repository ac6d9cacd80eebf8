//! Text completions as OpenAI returned them, and vLLM does.

use super::{NOTHING, Place, Shape};

pub(super) const SHAPE: Shape = Shape {
    name: "openai_completion",
    about: "OpenAI text completions",
    signs: &[&["choices[].text:text"]],
    id: &["id"],
    model: &["model"],
    error: &["error"],
    places: &[(Place::Choices, "choices[]")],
    is_plain: true,
    ..NOTHING
};
