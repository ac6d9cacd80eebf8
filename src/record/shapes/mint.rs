//! Results of MINT-bench: a conversation with tools and a user's feedback.

use super::{NOTHING, Place, Shape};

pub(super) const SHAPE: Shape = Shape {
    name: "mint",
    about: "MINT-bench results",
    signs: &[&["state.history:list", "task:object"]],
    id: &["task.task_id"],
    places: &[(Place::Turns, "state.history[role=assistant]")],
    ..NOTHING
};
