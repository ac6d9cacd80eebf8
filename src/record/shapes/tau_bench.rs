//! Trajectories of tau-bench: a customer, an agent, its tools.

use super::{NOTHING, Place, Shape};

pub(super) const SHAPE: Shape = Shape {
    name: "tau_bench",
    about: "tau-bench trajectories",
    signs: &[&["traj[]:object", "task_id"]],
    id: &["task_id"],
    places: &[(Place::Turns, "traj[role=assistant]")],
    ..NOTHING
};
