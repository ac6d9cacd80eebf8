//! Langfuse's exports of observations; only generations have an output of a model's.

use super::{NOTHING, Place, Shape};

pub(super) const SHAPE: Shape = Shape {
    name: "langfuse",
    about: "Langfuse exports",
    signs: &[
        &["type=GENERATION", "trace_id"],
        &["type=GENERATION", "traceId"],
        &["provided_model_name", "trace_id"],
    ],
    id: &["id"],
    model: &["provided_model_name", "providedModelName", "model", "internal_model"],
    tools: &["tool_definitions"],
    error: &["status_message", "statusMessage"],
    places: &[(Place::Record, "output")],
    ..NOTHING
};
