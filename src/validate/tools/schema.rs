//! A schema, compiled once, and what can be read off it without a value.

use std::fmt;

use jsonschema::error::ValidationErrorKind;
use jsonschema::{ReferencingError, ValidationError, Validator};
use serde_json::{Map, Value};

use super::dialect::Dialect;
use super::instance::{Instance, Instances};
use crate::offer::{Positions, Types};

/// The key under which a schema names the property that a body is for.
const BODY_KEY: &str = "x-toolscan-body";

/// Parts of a schema that are looked at on the way to one place, at the most: references may go in circles.
const PARTS: usize = 1000;

/// The schema of a tool's arguments.
pub struct Schema {
    value: Value,
    validator: Validator<Instances>,
    positions: Option<Positions>,
}

impl fmt::Debug for Schema {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Schema").field(&self.value).finish()
    }
}

impl Schema {
    /// Compiles the JSON text of a schema. Nothing is ever fetched.
    ///
    /// # Errors
    ///
    /// Why it is none: no valid schema of its draft, or one that refers to others that are not in it.
    pub fn compile(text: &str, dialect: Dialect) -> Result<Self, String> {
        let mut value: Value = serde_json::from_str(text).map_err(|error| error.to_string())?;
        dialect.translate(&mut value);
        let validator = jsonschema::options_for::<Instances>()
            .offline()
            .build(&value)
            .map_err(|error| reason(&error))?;
        let mut schema = Self {
            value,
            validator,
            positions: None,
        };
        schema.positions = schema.read_positions()?;
        Ok(schema)
    }

    /// Whether the arguments fit.
    pub(super) fn is_valid(&self, instance: Instance<'_>) -> bool {
        self.validator.is_valid(instance)
    }

    /// Why they do not, by their places: those of one keyword in one place come as the validator finds them, which is
    /// in the order of the schema and of the instance. (An error's text would hold a copy of the value: a large one,
    /// for each of thousands of errors.)
    pub(super) fn errors<'i>(&'i self, instance: Instance<'i>) -> Vec<ValidationError<'i>> {
        let mut errors: Vec<_> = self.validator.iter_errors(instance).collect();
        errors.sort_by_cached_key(|error| {
            let places = (error.instance_path().as_str(), error.schema_path().as_str());
            (places.0.to_owned(), places.1.to_owned())
        });
        errors
    }

    /// The part of the schema at a JSON Pointer.
    pub(super) fn part(&self, pointer: &str) -> Option<&Value> {
        self.value.pointer(pointer)
    }

    /// The types wanted at the end of a path; `None` where the schema does not say.
    pub(super) fn types(&self, path: &[&str]) -> Option<Types> {
        let mut types: Option<Types> = None;
        self.visit(path, &mut |part| {
            if let Some(own) = own_types(part) {
                types = Some(types.unwrap_or_default().or(own));
            }
        });
        types
    }

    /// Whether the schema has this `format`, one of some, at the end of a path.
    pub(super) fn has_format(&self, path: &[&str], formats: &[&str]) -> bool {
        let mut found = false;
        self.visit(path, &mut |part| {
            let format = part.get("format").and_then(Value::as_str);
            found |= format.is_some_and(|format| formats.contains(&format));
        });
        found
    }

    /// The names of the properties.
    pub(super) fn property_names(&self, path: &[&str]) -> Vec<&str> {
        let mut names = Vec::new();
        self.visit(path, &mut |part| {
            let properties = part.get("properties").and_then(Value::as_object);
            names.extend(properties.into_iter().flatten().map(|(name, _)| name.as_str()));
        });
        names
    }

    pub(super) fn positions(&self) -> Option<&Positions> {
        self.positions.as_ref()
    }

    fn read_positions(&self) -> Result<Option<Positions>, String> {
        let mut properties = None;
        let mut named = None;
        self.visit(&[], &mut |part| {
            properties = properties.or(part.get("properties").and_then(Value::as_object));
            named = named.or(part.get(BODY_KEY));
        });
        let names: Vec<String> = properties.into_iter().flat_map(Map::keys).cloned().collect();
        let place = |named: &Value| names.iter().position(|name| named == name);
        let unknown = |named| format!("`{BODY_KEY}` is {named}, which none of its `properties` is called");
        let named = named
            .map(|named| place(named).ok_or_else(|| unknown(named)))
            .transpose()?;
        let takes_string = |name: &String| {
            let types = self.types(&[name]);
            types.is_some_and(|types| types.allow(Types::STRING))
        };
        Ok(properties.map(|_| Positions {
            body: named.or_else(|| names.iter().rposition(takes_string)),
            names_body: named.is_some(),
            names,
        }))
    }

    /// Shows `see` every part of the schema that speaks of the place at the end of `path`.
    fn visit<'v>(&'v self, path: &[&str], see: &mut dyn FnMut(&'v Map<String, Value>)) {
        let mut left = PARTS;
        self.visit_from(&self.value, path, &mut left, see);
    }

    fn visit_from<'v>(
        &'v self,
        part: &'v Value,
        path: &[&str],
        left: &mut usize,
        see: &mut dyn FnMut(&'v Map<String, Value>),
    ) {
        let Value::Object(part) = part else { return };
        if *left == 0 {
            return;
        }
        *left -= 1;
        let pointer = part.get("$ref").and_then(Value::as_str);
        let target = pointer.and_then(|pointer| self.value.pointer(pointer.strip_prefix('#')?));
        if let Some(target) = target {
            self.visit_from(target, path, left, see);
        }
        let branches = ["anyOf", "oneOf", "allOf"].into_iter();
        let branches = branches.filter_map(|key| part.get(key)?.as_array()).flatten();
        for branch in branches {
            self.visit_from(branch, path, left, see);
        }
        match path.split_first() {
            None => see(part),
            Some((step, rest)) => {
                if let Some(inner) = child(part, step) {
                    self.visit_from(inner, rest, left, see);
                }
            }
        }
    }
}

/// The schema of one member or item.
fn child<'v>(part: &'v Map<String, Value>, step: &str) -> Option<&'v Value> {
    if let Some(property) = part.get("properties").and_then(|properties| properties.get(step)) {
        return Some(property);
    }
    let index = step.parse::<usize>().ok();
    let in_list = |key| Some(part.get(key)?.as_array()?.get(index?)).flatten();
    let item = || index.and(part.get("items").filter(|items| items.is_object()));
    in_list("prefixItems")
        .or_else(|| in_list("items"))
        .or_else(item)
        .or_else(|| part.get("additionalProperties"))
}

/// The types that a part of a schema names itself.
fn own_types(part: &Map<String, Value>) -> Option<Types> {
    let union = |types: Vec<Types>| types.into_iter().reduce(Types::or);
    match part.get("type") {
        Some(Value::String(name)) => return Types::of_name(name),
        Some(Value::Array(names)) => {
            let names = names.iter().filter_map(Value::as_str);
            return union(names.filter_map(Types::of_name).collect());
        }
        _ => {}
    }
    let constant = part.get("const").map(std::slice::from_ref);
    let values = constant.or_else(|| part.get("enum")?.as_array().map(Vec::as_slice))?;
    union(values.iter().map(type_of).collect())
}

fn type_of(value: &Value) -> Types {
    match value {
        Value::Null => Types::NULL,
        Value::Bool(_) => Types::BOOLEAN,
        Value::Number(_) => Types::NUMBER,
        Value::String(_) => Types::STRING,
        Value::Array(_) => Types::ARRAY,
        Value::Object(_) => Types::OBJECT,
    }
}

/// Why a schema cannot be compiled.
fn reason(error: &ValidationError<'_>) -> String {
    match error.kind() {
        ValidationErrorKind::Referencing(ReferencingError::UnknownSpecification { specification }) => {
            format!(
                "its `$schema` is `{specification}`, and the drafts known are 4, 6, 7, 2019-09 and 2020-12; name one of \
             them, or none"
            )
        }
        ValidationErrorKind::Referencing(cause) => format!(
            "it refers to something that is not in it, and nothing is fetched ({cause}); put all that it refers to \
             under its own `$defs`"
        ),
        _ => {
            let place = error.instance_path().as_str();
            let place = if place.is_empty() { "the schema" } else { place };
            format!("{place} is wrong: {error}; if it is written for BFCL, say --tools-dialect bfcl")
        }
    }
}
