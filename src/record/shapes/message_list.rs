//! Records that are a list of messages themselves.

use super::{NOTHING, Place, Shape};

pub(super) const SHAPE: Shape = Shape {
    name: "message_list",
    about: "Lists of messages, one conversation a line",
    signs: &[&["[role=assistant].content"], &["[role=assistant].tool_calls"], &["[role=assistant].parts"]],
    places: &[(Place::Turns, "[role=assistant]")],
    ..NOTHING
};
