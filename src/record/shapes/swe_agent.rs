//! Trajectories of SWE-agent. The history is the conversation that the model saw; each step of the trajectory repeats it.

use super::{NOTHING, Place, Shape};

pub(super) const SHAPE: Shape = Shape {
    name: "swe_agent",
    about: "SWE-agent trajectories (.traj)",
    signs: &[
        &["history[]:object", "history[].role", "trajectory:list"],
        &["history[]:object", "history[].role", "history[].agent"],
        &["trajectory[].response:text", "trajectory[].observation"],
    ],
    id: &["instance_id", "environment"],
    model: &["replay_config.agent.model.name", "info.model"],
    places: &[
        (Place::Turns, "history[role=assistant]"),
        (Place::TextTurns, "trajectory[].response"),
    ],
    ..NOTHING
};
