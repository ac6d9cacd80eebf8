//! What vLLM's `LLM.generate` returns, dumped.

use super::{NOTHING, Place, Shape};

pub(super) const SHAPE: Shape = Shape {
    name: "vllm_offline",
    about: "vLLM offline batches",
    signs: &[&["outputs[].text:text", "request_id"], &["outputs[].text:text", "outputs[].token_ids"]],
    id: &["request_id", "id"],
    model: &["model"],
    places: &[(Place::Choices, "outputs[]")],
    ..NOTHING
};
