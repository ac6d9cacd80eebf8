//! Results of ZeroEval: every answer is a list of samples.

use super::{NOTHING, Place, Shape};

pub(super) const SHAPE: Shape = Shape {
    name: "zero_eval",
    about: "ZeroEval results",
    signs: &[&["output[]:text", "generator:text"]],
    id: &["session_id", "id"],
    model: &["generator", "configs.model"],
    places: &[(Place::Texts, "output[]")],
    ..NOTHING
};
