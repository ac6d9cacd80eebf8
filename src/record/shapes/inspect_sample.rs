//! One sample of an Inspect log.

use super::{NOTHING, Place, Shape};

pub(super) const SHAPE: Shape = Shape {
    name: "inspect_sample",
    about: "Samples of Inspect logs",
    signs: &[&["epoch", "messages:list", "output:object"]],
    id: &["uuid", "id"],
    model: &["output.model"],
    finish_reason: &["output.choices[].stop_reason"],
    error: &["error.message"],
    places: &[
        (Place::Turns, "messages[role=assistant]"),
        (Place::Choices, "output.choices[]"),
    ],
    ..NOTHING
};
