//! What has to be known of the tools that a completion was offered to read calls of them.

/// The tools that a completion was offered, by name.
pub trait Offer: Sync {
    /// Whether a tool of this name was offered.
    fn has(&self, name: &str) -> bool;

    /// The offered name that is a few edits away from one that was not offered.
    fn nearest(&self, name: &str) -> Option<&str>;

    /// What the schema of `tool` wants at the end of a path of keys and indices in its arguments; `None` where it
    /// does not say, or there is none.
    fn types(&self, tool: &str, path: &[&str]) -> Option<Types>;

    /// How the arguments of `tool` are told apart by position; `None` where its schema names no properties.
    fn positions(&self, tool: &str) -> Option<&Positions>;
}

/// The properties of a tool's arguments, for formats that write no names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Positions {
    /// Their names, in the order of the schema.
    pub names: Vec<String>,
    /// Which of them a body is for.
    pub body: Option<usize>,
    /// Whether the schema itself says so, not the rule that the last string is the body.
    pub names_body: bool,
}

/// The JSON types that a schema allows in one place.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Types(u8);

impl Types {
    /// `null`.
    pub const NULL: Self = Self(1);
    /// `boolean`.
    pub const BOOLEAN: Self = Self(2);
    /// `number` and `integer`.
    pub const NUMBER: Self = Self(4);
    /// `string`.
    pub const STRING: Self = Self(8);
    /// `array`.
    pub const ARRAY: Self = Self(16);
    /// `object`.
    pub const OBJECT: Self = Self(32);

    /// The types that JSON Schema calls by this name.
    pub fn of_name(name: &str) -> Option<Self> {
        Some(match name {
            "null" => Self::NULL,
            "boolean" => Self::BOOLEAN,
            "number" | "integer" => Self::NUMBER,
            "string" => Self::STRING,
            "array" => Self::ARRAY,
            "object" => Self::OBJECT,
            _ => return None,
        })
    }

    /// These types and those.
    pub const fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// The types that are in both.
    pub const fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// Whether every type of `other` is allowed.
    pub const fn allow(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }
}
