//! Helicone's exports: the provider's own request and response.

use super::{NOTHING, Place, Shape};

pub(super) const SHAPE: Shape = Shape {
    name: "helicone",
    about: "Helicone exports",
    signs: &[&["response_body", "request_body"], &["responseBody", "requestBody"]],
    id: &["request_id", "response_id", "id"],
    model: &["response_model", "model_override", "request_model", "model"],
    tools: &["request_body.tools", "requestBody.tools"],
    error: &["response_body.error", "signed_body_url"],
    places: &[(Place::Record, "response_body"), (Place::Record, "responseBody")],
    ..NOTHING
};
