//! JSON written from pieces of JSON.

/// An object that is being written.
pub(super) struct Object(Vec<u8>);

impl Object {
    pub(super) fn new() -> Self {
        Self(vec![b'{'])
    }

    /// Adds a member whose value is JSON text.
    pub(super) fn raw(mut self, key: &str, value: &[u8]) -> Self {
        if self.0.len() > 1 {
            self.0.push(b',');
        }
        self.0.extend([b"\"", key.as_bytes(), b"\":", value].concat());
        self
    }

    /// Adds a member whose value is a string with this inside, unless that is empty.
    pub(super) fn string(self, key: &str, inside: &[u8]) -> Self {
        if inside.is_empty() {
            self
        } else {
            self.raw(key, &quoted(inside))
        }
    }

    /// Adds a member whose value is a list, unless that is empty.
    pub(super) fn list(self, key: &str, elements: &[Vec<u8>]) -> Self {
        if elements.is_empty() {
            self
        } else {
            self.raw(key, &list(elements))
        }
    }

    pub(super) fn end(mut self) -> Vec<u8> {
        self.0.push(b'}');
        self.0
    }
}

/// A string with this inside.
pub(super) fn quoted(inside: &[u8]) -> Vec<u8> {
    [b"\"", inside, b"\""].concat()
}

/// A list of these values.
pub(super) fn list(elements: &[Vec<u8>]) -> Vec<u8> {
    [b"[", &elements.join(&b","[..])[..], b"]"].concat()
}
