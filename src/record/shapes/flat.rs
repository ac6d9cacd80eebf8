//! Records that hold one completion themselves.

use super::{NOTHING, Place, Shape};

pub(super) const SHAPE: Shape = Shape {
    name: "flat",
    about: "One completion a record: `completion`, `response`, `output`, …",
    signs: &[
        &["completion:text"],
        &["response:text"],
        &["output:text"],
        &["text:text"],
        &["generated_text:text"],
        &["content:text"],
    ],
    id: &["id"],
    model: &["model"],
    finish_reason: &["finish_reason", "stop_reason"],
    places: &[
        (Place::Texts, "completion"),
        (Place::Texts, "response"),
        (Place::Texts, "output"),
        (Place::Texts, "text"),
        (Place::Texts, "generated_text"),
        (Place::Texts, "content"),
    ],
    is_plain: true,
    ..NOTHING
};
