//! Results of tau2-bench: simulations, each a conversation.

use super::{NOTHING, Place, Shape};

pub(super) const SHAPE: Shape = Shape {
    name: "tau2",
    about: "tau2-bench results",
    signs: &[&["simulations[].messages:list"]],
    entries: "simulations[]",
    id: &["id", "task_id"],
    model: &["^info.agent_info.llm"],
    finish_reason: &["termination_reason"],
    places: &[(Place::Turns, "messages[role=assistant]")],
    ..NOTHING
};
