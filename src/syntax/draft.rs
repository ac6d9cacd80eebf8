//! Calls to be written: what `toolscan generate`, the benches and the tests ask a syntax to render.

/// A tool call that is yet to be written in some syntax.
#[derive(Clone, Debug, PartialEq)]
pub struct Draft {
    /// The tool's name.
    pub name: String,
    /// The arguments, in order; at least one.
    pub arguments: Vec<(String, Value)>,
}

/// A value of an argument. Only what every syntax can carry: no null, no empty list or object.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// A string: one word, a line or several lines, that does not look like another type, has no white space
    /// at its ends and no marker in it.
    Text(String),
    /// A number, by its digits.
    Number(String),
    /// A boolean.
    Boolean(bool),
    /// A list of at least one value.
    List(Vec<Value>),
    /// An object of at least one member.
    Object(Vec<(String, Value)>),
}

impl Value {
    /// Writes the value as compact JSON.
    pub fn write_json(&self, out: &mut String) {
        match self {
            Self::Text(text) => write_json_text(text, out),
            Self::Number(digits) => out.push_str(digits),
            Self::Boolean(value) => out.push_str(if *value { "true" } else { "false" }),
            Self::List(items) => {
                out.push('[');
                for (index, item) in items.iter().enumerate() {
                    if index > 0 {
                        out.push(',');
                    }
                    item.write_json(out);
                }
                out.push(']');
            }
            Self::Object(members) => write_object(members, out),
        }
    }

    /// The value's text where it fits on a line without white space or brackets: a positional argument.
    pub fn token(&self) -> Option<&str> {
        match self {
            Self::Text(text) => {
                let fits = |c: char| !c.is_whitespace() && !matches!(c, '[' | ']' | '/');
                (!text.is_empty() && text.chars().all(fits)).then_some(text)
            }
            Self::Number(digits) => Some(digits),
            Self::Boolean(value) => Some(if *value { "true" } else { "false" }),
            Self::List(_) | Self::Object(_) => None,
        }
    }
}

impl Draft {
    /// The arguments as a compact JSON object.
    pub fn arguments_json(&self) -> String {
        let mut out = String::new();
        write_object(&self.arguments, &mut out);
        out
    }
}

/// What a reader of the written call has to find.
#[derive(Clone, Debug, PartialEq)]
pub struct Written {
    /// The tool's name (a syntax with a closed catalogue takes one from there).
    pub name: String,
    /// The arguments, as compact JSON; `None` where the syntax has none.
    pub arguments: Option<String>,
    /// The body, where the syntax has one.
    pub body: Option<String>,
}

impl Written {
    /// What a syntax promises that carries names and arguments as they are.
    pub fn plain(draft: &Draft) -> Self {
        Self {
            name: draft.name.clone(),
            arguments: Some(draft.arguments_json()),
            body: None,
        }
    }
}

fn write_object(members: &[(String, Value)], out: &mut String) {
    out.push('{');
    for (index, (key, value)) in members.iter().enumerate() {
        if index > 0 {
            out.push(',');
        }
        write_json_text(key, out);
        out.push(':');
        value.write_json(out);
    }
    out.push('}');
}

fn write_json_text(text: &str, out: &mut String) {
    crate::body::json::write_string(text, out);
}
