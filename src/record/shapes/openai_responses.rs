//! Responses of OpenAI's Responses API.

use super::{NOTHING, Place, Shape};

pub(super) const SHAPE: Shape = Shape {
    name: "openai_responses",
    about: "OpenAI Responses API",
    signs: &[&["object=response", "output:list"], &["output[type=message|function_call|reasoning]", "model"]],
    id: &["id"],
    model: &["model"],
    tools: &["tools"],
    finish_reason: &["incomplete_details.reason"],
    error: &["error"],
    places: &[(Place::Items, "output")],
    ..NOTHING
};
