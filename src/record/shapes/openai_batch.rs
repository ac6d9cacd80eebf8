//! The output of OpenAI's Batch API, and of others that write it likewise (Mistral, vLLM's `run_batch`).

use super::{NOTHING, Place, Shape};

pub(super) const SHAPE: Shape = Shape {
    name: "openai_batch",
    about: "OpenAI Batch output",
    signs: &[
        &["custom_id", "response.body:object"],
        &["custom_id", "response.status_code"],
        &["custom_id", "error:object"],
    ],
    id: &["custom_id"],
    model: &["response.body.model"],
    tools: &["response.body.tools"],
    error: &["response.body.error", "error"],
    places: &[(Place::Record, "response.body")],
    ..NOTHING
};
