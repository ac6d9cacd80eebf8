//! Results of InterCode: actions in an environment, and the thoughts that were parsed off before them.

use super::{NOTHING, Place, Shape};

pub(super) const SHAPE: Shape = Shape {
    name: "intercode",
    about: "InterCode results",
    signs: &[&["turn_history.actions:list", "turn_history.observations:list"]],
    id: &["task_id", "key"],
    places: &[
        (Place::TextTurns, "turn_history.thoughts[]"),
        (Place::TextTurns, "turn_history.actions[]"),
    ],
    every_place: true,
    ..NOTHING
};
