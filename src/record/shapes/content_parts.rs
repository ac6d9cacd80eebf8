//! Lists of the parts of a message's content, as they stand where an output would.

use super::{NOTHING, Place, Shape};

pub(super) const SHAPE: Shape = Shape {
    name: "content_parts",
    about: "Lists of a message's parts",
    signs: &[&["[type=text|output_text|thinking|tool_use]"]],
    places: &[(Place::Texts, "")],
    is_plain: true,
    ..NOTHING
};
