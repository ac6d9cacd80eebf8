//! Events of Anthropic's Messages, joined where a source's lines are events.

use super::{NOTHING, Place, Shape};

pub(super) const SHAPE: Shape = Shape {
    name: "anthropic_stream",
    about: "Anthropic events, streamed (lines, server-sent events)",
    signs: &[&["type=message_start", "message:object"]],
    id: &["message.id"],
    model: &["message.model"],
    finish_reason: &["message.stop_reason"],
    places: &[(Place::Messages, "message")],
    ..NOTHING
};
