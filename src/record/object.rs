//! A value's own members, found once, and what paths from it lead to.

use std::borrow::Cow;

use super::fields::{Path, Step};
use super::outline::resolve;
use super::skim::{Fault, Kind, Value, key_text};

/// An object, outlined; or any other value, which has no members.
#[derive(Clone, Debug)]
pub(super) struct Object<'a> {
    value: Value<'a>,
    members: Vec<(Cow<'a, [u8]>, Value<'a>)>,
}

impl<'a> Object<'a> {
    /// Goes once over the value.
    pub(super) fn of(value: Value<'a>) -> Result<Self, Fault> {
        let mut object = Self::without_members(value);
        let mut cursor = value.cursor();
        if cursor.enter_object() {
            while let Some(key) = cursor.next_key()? {
                object.add(key, cursor.value()?);
            }
        }
        Ok(object)
    }

    /// A value of which somebody else finds the members.
    pub(super) fn without_members(value: Value<'a>) -> Self {
        // Few records have more.
        let members = Vec::with_capacity(16);
        Self { value, members }
    }

    /// Adds a member whose key stands so in the record.
    pub(super) fn add(&mut self, key: &'a [u8], value: Value<'a>) {
        self.members.push((key_text(key), value));
    }

    /// The value itself.
    pub(super) fn value(&self) -> Value<'a> {
        self.value
    }

    /// The value of a key; of two equal keys the last one's.
    pub(super) fn get(&self, key: &str) -> Option<Value<'a>> {
        let mut members = self.members.iter().rev();
        members.find_map(|(name, value)| (**name == *key.as_bytes()).then_some(*value))
    }

    /// Everything that the path leads to, in order.
    pub(super) fn resolve(&self, path: &Path) -> Result<Vec<Value<'a>>, Fault> {
        let mut found = Vec::new();
        match path.steps.split_first() {
            None => return Ok(vec![self.value]),
            Some((Step::Key(key), rest)) if self.value.kind() == Kind::Object => {
                if let Some(value) = self.get(key) {
                    resolve(&mut value.cursor(), rest, &mut found)?;
                }
            }
            _ => resolve(&mut self.value.cursor(), &path.steps, &mut found)?,
        }
        Ok(found.into_iter().flatten().collect())
    }

    /// The first thing that one of the paths leads to, `null` aside, and which path did.
    pub(super) fn first(&self, paths: &[Path]) -> Result<Option<(usize, Value<'a>)>, Fault> {
        for (index, path) in paths.iter().enumerate() {
            let found = self.resolve(path)?;
            if let Some(value) = found.into_iter().find(|value| value.source() != b"null") {
                return Ok(Some((index, value)));
            }
        }
        Ok(None)
    }
}
