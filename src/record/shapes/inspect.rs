//! Logs of Inspect as JSON: a whole log with its samples.

use super::{NOTHING, Place, Shape};

pub(super) const SHAPE: Shape = Shape {
    name: "inspect",
    about: "Inspect logs (.json)",
    signs: &[&["eval.task", "samples:list"], &["eval:object", "plan:object", "status:text"]],
    entries: "samples[]",
    id: &["uuid", "id"],
    model: &["output.model", "^eval.model"],
    finish_reason: &["output.choices[].stop_reason"],
    error: &["error.message"],
    places: &[
        (Place::Turns, "messages[role=assistant]"),
        (Place::Choices, "output.choices[]"),
    ],
    ..NOTHING
};
