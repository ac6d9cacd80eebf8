//! One message of the model's.

use super::{NOTHING, Place, Shape};

pub(super) const SHAPE: Shape = Shape {
    name: "message",
    about: "Single messages",
    signs: &[&["role=assistant|model", "content"], &["role=assistant|model", "tool_calls"], &["role=assistant|model", "parts"]],
    id: &["id"],
    model: &["model"],
    places: &[(Place::Messages, "")],
    is_plain: true,
    ..NOTHING
};
