//! How schemas are written that are not quite JSON Schema.

use serde_json::{Map, Value};

/// How a registry writes its schemas.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Dialect {
    /// JSON Schema: the draft that `$schema` names, 2020-12 by default.
    #[default]
    JsonSchema,
    /// As the Berkeley Function Calling Leaderboard writes them: types by the names of Python, Java and JavaScript
    /// (`dict`, `float`, `tuple`, `HashMap` …), `any` for every type, and no arguments but those listed.
    Bfcl,
}

impl Dialect {
    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::JsonSchema => "json-schema",
            Self::Bfcl => "bfcl",
        }
    }

    /// Makes a schema of the dialect one of JSON Schema.
    pub(super) fn translate(self, schema: &mut Value) {
        let (Self::Bfcl, Value::Object(root)) = (self, schema) else {
            return;
        };
        translate(root);
        root.entry("additionalProperties").or_insert(Value::Bool(false));
    }
}

fn translate(schema: &mut Map<String, Value>) {
    match schema.get("type").and_then(Value::as_str).map(json_type) {
        Some(Some(name)) => {
            schema.insert("type".to_owned(), name.into());
        }
        Some(None) => {
            schema.remove("type");
        }
        None => {}
    }
    if let Some(Value::Object(properties)) = schema.get_mut("properties") {
        for property in properties.values_mut().filter_map(Value::as_object_mut) {
            translate(property);
        }
    }
    for key in ["items", "additionalProperties"] {
        if let Some(Value::Object(inner)) = schema.get_mut(key) {
            translate(inner);
        }
    }
}

/// What JSON Schema calls a type of the leaderboard; `None` for any.
fn json_type(name: &str) -> Option<&str> {
    Some(match name {
        "dict" | "HashMap" | "Hashtable" => "object",
        "float" | "double" => "number",
        "tuple" | "list" | "Array" | "ArrayList" | "Queue" | "Set" | "Stack" => "array",
        "byte" | "short" | "long" | "Bigint" => "integer",
        "bool" | "Boolean" => "boolean",
        "char" | "String" => "string",
        "any" | "Any" | "" => return None,
        other => other,
    })
}
