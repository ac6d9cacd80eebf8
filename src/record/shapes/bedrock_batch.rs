//! Results of Bedrock's batches, each in its model's own shape.

use super::{NOTHING, Place, Shape};

pub(super) const SHAPE: Shape = Shape {
    name: "bedrock_batch",
    about: "Bedrock batches",
    signs: &[&["recordId", "modelOutput"], &["recordId", "modelInput"]],
    id: &["recordId"],
    model: &["modelOutput.model", "modelId"],
    tools: &["modelInput.tools"],
    error: &["error"],
    places: &[(Place::Record, "modelOutput")],
    ..NOTHING
};
