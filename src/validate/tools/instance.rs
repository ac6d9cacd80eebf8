//! Our own JSON, seen by the validator without a copy: digits, escapes and places stay as they stand.

use std::borrow::Cow;
use std::slice;
use std::sync::OnceLock;

use jsonschema::JsonType;
use jsonschema::json::{Array, Json, JsonNumber, Node as JsonNode, NodeIdentity, Object};
use jsonschema_value::LazyInstance;
use serde_json::{Number, Value};

use crate::body::json::{self, Kind, Member, Node};
use crate::span::Span;

/// The representation of values as nodes of a text.
pub(super) struct Instances;

/// A value.
#[derive(Clone, Copy, Debug)]
pub(super) enum Instance<'a> {
    /// A node and the text that it is a part of.
    Node(&'a str, &'a Node),
    /// The name of a property.
    Name(&'a str),
}

/// The members of an object.
pub(super) struct Members<'a>(&'a str, &'a [Member]);

/// The items of an array.
pub(super) struct Items<'a>(&'a str, &'a [Node]);

/// A number, by its digits.
pub(super) struct Digits<'a>(&'a str);

impl Json for Instances {
    type Node<'a> = Instance<'a>;
    type PreparedKey = String;
    type StringBuffer = ();

    fn prepare_key(key: &str) -> String {
        key.to_owned()
    }

    fn with_string_node<T>((): &mut (), string: &str, f: impl FnOnce(Instance<'_>) -> T) -> T {
        f(Instance::Name(string))
    }
}

impl<'a> JsonNode<'a, Instances> for Instance<'a> {
    type Object = Members<'a>;
    type Array = Items<'a>;
    type Number = Digits<'a>;

    fn as_object(&self) -> Option<Members<'a>> {
        match *self {
            Self::Node(text, node) => Some(Members(text, node.members()?)),
            Self::Name(_) => None,
        }
    }

    fn as_array(&self) -> Option<Items<'a>> {
        match *self {
            Self::Node(text, node) => Some(Items(text, node.items()?)),
            Self::Name(_) => None,
        }
    }

    fn as_string(&self) -> Option<Cow<'a, str>> {
        match *self {
            Self::Node(text, node) => node.string(text),
            Self::Name(name) => Some(Cow::Borrowed(name)),
        }
    }

    fn as_number(&self) -> Option<Digits<'a>> {
        match *self {
            Self::Node(text, node) if matches!(node.kind, Kind::Number) => Some(Digits(node.span.of(text))),
            _ => None,
        }
    }

    fn as_boolean(&self) -> Option<bool> {
        match *self {
            Self::Node(_, node) => match node.kind {
                Kind::Boolean(value) => Some(value),
                _ => None,
            },
            Self::Name(_) => None,
        }
    }

    fn is_null(&self) -> bool {
        self.json_type() == JsonType::Null
    }

    fn json_type(&self) -> JsonType {
        match *self {
            Self::Name(_) => JsonType::String,
            Self::Node(_, node) => match node.kind {
                Kind::Null => JsonType::Null,
                Kind::Boolean(_) => JsonType::Boolean,
                Kind::Number => JsonType::Number,
                Kind::String => JsonType::String,
                Kind::Array(_) => JsonType::Array,
                Kind::Object(_) => JsonType::Object,
            },
        }
    }

    fn to_value(&self) -> Cow<'a, Value> {
        Cow::Owned(match *self {
            Self::Name(name) => name.into(),
            Self::Node(text, node) => value(text, node),
        })
    }

    // An error that nobody shows keeps no copy of what it is about.
    fn lazy_value(&self) -> LazyInstance<'a> {
        let (bytes, tag) = match *self {
            Self::Name(name) => (name.as_bytes(), NAME),
            Self::Node(text, node) => (node.span.of(text).as_bytes(), SOURCE),
        };
        LazyInstance::Deferred {
            bytes,
            tag,
            make: read_again,
            cell: OnceLock::new(),
        }
    }

    fn identity(&self) -> Option<NodeIdentity> {
        Some(match *self {
            Self::Node(_, node) => NodeIdentity::new(std::ptr::from_ref(node) as usize),
            Self::Name(name) => NodeIdentity::new(name.as_ptr() as usize),
        })
    }
}

impl<'a> Object<'a, Instances> for Members<'a> {
    type Node = Instance<'a>;
    type MemberName = Cow<'a, str>;
    type MembersIter = MembersIter<'a>;

    fn len(&self) -> usize {
        self.1.len()
    }

    fn get(&self, key: &String) -> Option<Instance<'a>> {
        let Self(text, members) = *self;
        let member = members.iter().find(|member| member.name(text) == *key)?;
        Some(Instance::Node(text, &member.value))
    }

    fn members(&self) -> MembersIter<'a> {
        MembersIter(self.0, self.1.iter())
    }
}

/// Goes over members.
pub(super) struct MembersIter<'a>(&'a str, slice::Iter<'a, Member>);

impl<'a> Iterator for MembersIter<'a> {
    type Item = (Cow<'a, str>, Instance<'a>);

    fn next(&mut self) -> Option<Self::Item> {
        let member = self.1.next()?;
        Some((member.name(self.0), Instance::Node(self.0, &member.value)))
    }
}

impl<'a> Array<'a, Instances> for Items<'a> {
    type Node = Instance<'a>;
    type ElementsIter = ItemsIter<'a>;

    fn len(&self) -> usize {
        self.1.len()
    }

    fn elements(&self) -> ItemsIter<'a> {
        ItemsIter(self.0, self.1.iter())
    }
}

/// Goes over items.
pub(super) struct ItemsIter<'a>(&'a str, slice::Iter<'a, Node>);

impl<'a> Iterator for ItemsIter<'a> {
    type Item = Instance<'a>;

    fn next(&mut self) -> Option<Self::Item> {
        Some(Instance::Node(self.0, self.1.next()?))
    }
}

impl JsonNumber for Digits<'_> {
    fn as_u64(&self) -> Option<u64> {
        self.0.parse().ok()
    }

    fn as_i64(&self) -> Option<i64> {
        self.0.parse().ok()
    }

    fn as_f64(&self) -> Option<f64> {
        self.0.parse().ok()
    }

    fn as_str(&self) -> Cow<'_, str> {
        Cow::Borrowed(self.0)
    }

    fn to_number(&self) -> Cow<'_, Number> {
        Cow::Owned(number(self.0))
    }

    fn is_integer(&self) -> bool {
        !self.0.contains(['.', 'e', 'E']) || self.as_f64().is_some_and(is_whole)
    }
}

/// Floats that are too large for a fraction are whole, those beyond all floats too.
fn is_whole(number: f64) -> bool {
    number.is_infinite() || number.fract() == 0.0
}

/// The number as the validator's own representation holds it: a float beyond 64 bits, the largest one beyond those.
fn number(digits: &str) -> Number {
    serde_json::from_str(digits).unwrap_or_else(|_| {
        let largest = if digits.starts_with('-') {
            f64::MIN
        } else {
            f64::MAX
        };
        Number::from_f64(largest).expect("it is finite")
    })
}

/// What the bytes of a value are that is read again later: a property's name, or the source of a node.
const NAME: u32 = 0;
const SOURCE: u32 = 1;

fn read_again(bytes: &[u8], tag: u32) -> Value {
    let text = str::from_utf8(bytes).unwrap_or_default();
    match json::parse_value(text, Span::new(0, text.len())) {
        Ok(node) if tag == SOURCE => value(text, &node),
        _ => text.into(),
    }
}

fn value(text: &str, node: &Node) -> Value {
    match &node.kind {
        Kind::Null => Value::Null,
        Kind::Boolean(value) => (*value).into(),
        Kind::Number => Value::Number(number(node.span.of(text))),
        Kind::String => node.string(text).unwrap_or_default().into(),
        Kind::Array(items) => items.iter().map(|item| value(text, item)).collect(),
        Kind::Object(members) => {
            let members = members.iter();
            Value::Object(
                members
                    .map(|member| (member.name(text).into_owned(), value(text, &member.value)))
                    .collect(),
            )
        }
    }
}
