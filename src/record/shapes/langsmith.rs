//! Runs of LangSmith.

use super::{NOTHING, Place, Shape};

pub(super) const SHAPE: Shape = Shape {
    name: "langsmith",
    about: "LangSmith runs",
    signs: &[&["run_type", "dotted_order"], &["run_type", "outputs:object"], &["run_type", "trace_id"]],
    id: &["id"],
    model: &[
        "extra.metadata.ls_model_name",
        "extra.invocation_params.model",
        "extra.invocation_params.model_name",
    ],
    tools: &["extra.invocation_params.tools"],
    error: &["error"],
    places: &[(Place::Record, "outputs")],
    ..NOTHING
};
