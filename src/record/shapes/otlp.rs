//! OpenTelemetry spans as OTLP JSON, with the GenAI conventions or those before them.

use super::{NOTHING, Place, Shape};

pub(super) const SHAPE: Shape = Shape {
    name: "otlp",
    about: "OTLP JSON traces (GenAI)",
    signs: &[&["resourceSpans:list"]],
    entries: "resourceSpans[].scopeSpans[].spans[]",
    id: &["attributes[key=gen_ai.response.id].value.stringValue", "spanId"],
    model: &[
        "attributes[key=gen_ai.response.model].value.stringValue",
        "attributes[key=gen_ai.request.model].value.stringValue",
    ],
    tools: &["attributes[key=gen_ai.tool.definitions].value.stringValue"],
    finish_reason: &["attributes[key=gen_ai.response.finish_reasons].value.arrayValue.values[].stringValue"],
    places: &[
        (Place::Record, "attributes[key=gen_ai.output.messages].value.stringValue"),
        (Place::Record, "events[].attributes[key=gen_ai.output.messages].value.stringValue"),
        (Place::Record, "attributes[key=gen_ai.completion].value.stringValue"),
        (Place::Record, "attributes[key=gen_ai.completion.0.content].value.stringValue"),
        (Place::Record, "attributes[key=ai.response.text].value.stringValue"),
    ],
    ..NOTHING
};
