//! Sessions of Claude Code: a line for each thing that happens.

use super::{NOTHING, Place, Shape};

pub(super) const SHAPE: Shape = Shape {
    name: "claude_code",
    about: "Claude Code sessions",
    signs: &[&["sessionId", "type", "message:object"], &["sessionId", "type", "uuid"], &["type=summary", "leafUuid"]],
    id: &["uuid"],
    model: &["message.model"],
    finish_reason: &["message.stop_reason"],
    places: &[(Place::Messages, "message")],
    ..NOTHING
};
