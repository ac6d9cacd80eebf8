//! Results of promptfoo, one a line.

use super::{NOTHING, Place, Shape};

pub(super) const SHAPE: Shape = Shape {
    name: "promptfoo",
    about: "promptfoo results (.jsonl)",
    signs: &[&["provider.id", "promptIdx", "testIdx"], &["provider.id", "response:object", "success"]],
    id: &["id"],
    model: &["provider.id"],
    tools: &["provider.config.tools", "testCase.options.tools"],
    finish_reason: &["response.finishReason"],
    error: &["response.error", "error"],
    places: &[(Place::Record, "response.output")],
    ..NOTHING
};
