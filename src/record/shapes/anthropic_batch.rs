//! Results of Anthropic's Message Batches.

use super::{NOTHING, Place, Shape};

pub(super) const SHAPE: Shape = Shape {
    name: "anthropic_batch",
    about: "Anthropic Message Batches",
    signs: &[&["custom_id", "result.type"]],
    id: &["custom_id"],
    model: &["result.message.model"],
    finish_reason: &["result.message.stop_reason"],
    error: &["result.error", "result.type"],
    places: &[(Place::Messages, "result.message")],
    ..NOTHING
};
