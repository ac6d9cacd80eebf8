//! Rollouts of NVIDIA's NeMo Gym: a whole response of the Responses API, which goes on over several turns.

use super::{NOTHING, Place, Shape};

pub(super) const SHAPE: Shape = Shape {
    name: "nemo_gym",
    about: "NeMo Gym rollouts",
    signs: &[&["responses_create_params:object", "response.output:list"]],
    id: &["id", "response.id"],
    model: &["response.model"],
    tools: &["responses_create_params.tools", "response.tools"],
    finish_reason: &["response.incomplete_details.reason"],
    error: &["response.error"],
    places: &[(Place::Items, "response.output")],
    ..NOTHING
};
