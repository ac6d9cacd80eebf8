//! Messages as Anthropic's API returns them.

use super::{NOTHING, Place, Shape};

pub(super) const SHAPE: Shape = Shape {
    name: "anthropic_message",
    about: "Anthropic Messages",
    signs: &[&["type=message", "role=assistant", "content:list"]],
    id: &["id"],
    model: &["model"],
    finish_reason: &["stop_reason"],
    places: &[(Place::Messages, "")],
    ..NOTHING
};
