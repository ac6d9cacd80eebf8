//! Sessions of Codex: a line for each thing that happens.

use super::{NOTHING, Place, Shape};

pub(super) const SHAPE: Shape = Shape {
    name: "codex",
    about: "Codex sessions",
    signs: &[&["type=response_item|event_msg|session_meta|turn_context|compacted", "payload:object"]],
    id: &["payload.id"],
    model: &["payload.model"],
    places: &[(Place::Items, "payload")],
    ..NOTHING
};
