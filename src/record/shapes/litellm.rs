//! LiteLLM's standard logging payload.

use super::{NOTHING, Place, Shape};

pub(super) const SHAPE: Shape = Shape {
    name: "litellm",
    about: "LiteLLM logs",
    signs: &[&["call_type", "model_group"], &["call_type", "litellm_call_id"], &["call_type", "response", "spend"]],
    id: &["id", "request_id", "litellm_call_id"],
    model: &["model"],
    tools: &["model_parameters.tools"],
    error: &["error_str", "error_information.error_message"],
    places: &[(Place::Record, "response")],
    ..NOTHING
};
