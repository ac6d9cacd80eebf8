//! Responses of Bedrock's Converse API.

use super::{NOTHING, Place, Shape};

pub(super) const SHAPE: Shape = Shape {
    name: "bedrock",
    about: "Bedrock Converse",
    signs: &[&["output.message.role=assistant"], &["output.message.content:list"]],
    id: &["id", "requestId"],
    model: &["modelId", "model"],
    finish_reason: &["stopReason"],
    places: &[(Place::Messages, "output.message")],
    ..NOTHING
};
