//! Events of OpenAI's Responses, joined where a source's lines are events. The last event repeats the response.

use super::{NOTHING, Place, Shape};

pub(super) const SHAPE: Shape = Shape {
    name: "responses_stream",
    about: "OpenAI Responses events, streamed (lines, server-sent events)",
    signs: &[&["type=response.completed|response.incomplete|response.failed", "response:object"]],
    id: &["response.id"],
    model: &["response.model"],
    tools: &["response.tools"],
    finish_reason: &["response.incomplete_details.reason"],
    error: &["response.error"],
    places: &[(Place::Items, "response.output")],
    ..NOTHING
};
