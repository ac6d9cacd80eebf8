//! OpenTelemetry log records as OTLP JSON, with the GenAI conventions.

use super::{NOTHING, Place, Shape};

pub(super) const SHAPE: Shape = Shape {
    name: "otlp_logs",
    about: "OTLP JSON logs (GenAI)",
    signs: &[&["resourceLogs:list"]],
    entries: "resourceLogs[].scopeLogs[].logRecords[]",
    id: &["attributes[key=gen_ai.response.id].value.stringValue", "spanId"],
    model: &[
        "attributes[key=gen_ai.response.model].value.stringValue",
        "attributes[key=gen_ai.request.model].value.stringValue",
    ],
    places: &[(Place::Record, "attributes[key=gen_ai.output.messages].value.stringValue")],
    ..NOTHING
};
