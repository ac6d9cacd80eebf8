//! The object that the pointers of a gadget build up, value by value.

use std::borrow::Cow;
use std::collections::HashMap;

use crate::body::json;

/// A value without parts.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Scalar<'t> {
    /// A string, by its text.
    Text(&'t str),
    /// Something else, by its JSON.
    Json(Cow<'t, str>),
}

/// Why a value has no place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fault {
    /// The path has a value.
    Duplicate,
    /// The index is not the next one.
    Gap {
        /// The next one.
        expected: usize,
    },
    /// The segment is no index, and it needs to be one.
    NoIndex,
    /// The path goes on behind a plain value.
    ScalarAsContainer,
    /// The path ends at an object or array.
    ScalarOverContainer,
}

/// Nodes are numbered in the order in which they appear; the root object is 0.
#[derive(Debug)]
pub(super) struct Tree<'t> {
    nodes: Vec<Node<'t>>,
    /// Members of the objects of more than [`FEW`], by object and key.
    members: HashMap<(usize, &'t str), usize>,
}

/// Members up to which an object is looked through one by one.
const FEW: usize = 8;

#[derive(Debug)]
enum Node<'t> {
    Object(Vec<(&'t str, usize)>),
    Array(Vec<usize>),
    Scalar(Scalar<'t>),
}

impl<'t> Tree<'t> {
    pub(super) fn new() -> Self {
        Self {
            nodes: vec![Node::Object(Vec::new())],
            members: HashMap::new(),
        }
    }

    /// Puts `value` at the end of the path; containers on the way are made where nothing stands yet. A fault
    /// comes with the number of the segment that it is about.
    pub(super) fn insert(&mut self, path: &[&'t str], value: Scalar<'t>) -> Result<(), (usize, Fault)> {
        let mut at = 0;
        for (depth, segment) in path.iter().enumerate() {
            let found = self.child(at, segment).map_err(|fault| (depth, fault))?;
            let next = path.get(depth + 1);
            at = match (found, next) {
                (Some(child), None) => {
                    return Err((
                        depth,
                        match self.nodes[child] {
                            Node::Scalar(_) => Fault::Duplicate,
                            _ => Fault::ScalarOverContainer,
                        },
                    ));
                }
                (Some(child), Some(_)) if matches!(self.nodes[child], Node::Scalar(_)) => {
                    return Err((depth, Fault::ScalarAsContainer));
                }
                (Some(child), Some(_)) => child,
                (None, None) => {
                    self.add(at, segment, Node::Scalar(value));
                    return Ok(());
                }
                (None, Some(next)) if is_negative(next) => return Err((depth + 1, Fault::NoIndex)),
                (None, Some(next)) if is_index(next) => self.add(at, segment, Node::Array(Vec::new())),
                (None, Some(_)) => self.add(at, segment, Node::Object(Vec::new())),
            };
        }
        Ok(())
    }

    /// What stands at `segment` of the container; `None` where something may be put.
    fn child(&self, container: usize, segment: &'t str) -> Result<Option<usize>, Fault> {
        let items = match &self.nodes[container] {
            Node::Object(members) if members.len() <= FEW => {
                let member = members.iter().find(|(key, _)| *key == segment);
                return Ok(member.map(|&(_, member)| member));
            }
            Node::Array(items) => items,
            _ => return Ok(self.members.get(&(container, segment)).copied()),
        };
        if !is_index(segment) {
            return Err(Fault::NoIndex);
        }
        let expected = items.len();
        match segment.parse::<usize>() {
            Ok(index) if index <= expected => Ok(items.get(index).copied()),
            _ => Err(Fault::Gap { expected }),
        }
    }

    fn add(&mut self, container: usize, segment: &'t str, node: Node<'t>) -> usize {
        let number = self.nodes.len();
        self.nodes.push(node);
        match &mut self.nodes[container] {
            Node::Object(members) => {
                members.push((segment, number));
                let unknown = match members.len() {
                    ..=FEW => members.len(),
                    count if count == FEW + 1 => 0,
                    count => count - 1,
                };
                let unknown = members[unknown..].iter();
                self.members
                    .extend(unknown.map(|&(key, member)| ((container, key), member)));
            }
            Node::Array(items) => items.push(number),
            Node::Scalar(_) => unreachable!("a plain value is never a container"),
        }
        number
    }

    /// The whole object as compact JSON, members in the order in which they appeared.
    pub(super) fn to_json(&self) -> String {
        let mut out = String::new();
        self.write(0, &mut out);
        out
    }

    /// As deep as the longest pointer, whose length is bounded.
    fn write(&self, node: usize, out: &mut String) {
        match &self.nodes[node] {
            Node::Scalar(Scalar::Text(text)) => json::write_string(text, out),
            Node::Scalar(Scalar::Json(json)) => out.push_str(json),
            Node::Array(items) => {
                out.push('[');
                for (place, &item) in items.iter().enumerate() {
                    if place > 0 {
                        out.push(',');
                    }
                    self.write(item, out);
                }
                out.push(']');
            }
            Node::Object(members) => {
                out.push('{');
                for (place, &(key, member)) in members.iter().enumerate() {
                    if place > 0 {
                        out.push(',');
                    }
                    json::write_string(key, out);
                    out.push(':');
                    self.write(member, out);
                }
                out.push('}');
            }
        }
    }
}

fn is_index(segment: &str) -> bool {
    !segment.is_empty() && segment.bytes().all(|byte| byte.is_ascii_digit())
}

fn is_negative(segment: &str) -> bool {
    segment.strip_prefix('-').is_some_and(is_index)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Pointers and their values.
    type Arguments = &'static [(&'static str, &'static str)];

    fn build(arguments: Arguments) -> Result<String, (usize, Fault)> {
        let mut tree = Tree::new();
        for (pointer, value) in arguments {
            let path: Vec<_> = pointer.split('/').collect();
            tree.insert(&path, Scalar::Json((*value).into()))?;
        }
        Ok(tree.to_json())
    }

    /// Seed 004, Parameter Pointer Syntax.
    #[test]
    fn builds_objects_and_arrays_in_source_order() {
        let cases: &[(Arguments, &str)] = &[
            (&[], "{}"),
            (&[("b", "1"), ("a", "2")], r#"{"b":1,"a":2}"#),
            (&[("config/timeout", "1")], r#"{"config":{"timeout":1}}"#),
            (&[("items/0", "1"), ("items/01", "2")], r#"{"items":[1,2]}"#),
            (
                &[("items/0/name", "1"), ("items/0/size", "2")],
                r#"{"items":[{"name":1,"size":2}]}"#,
            ),
            (
                &[("0", "1"), ("-1", "2"), ("00", "3")],
                r#"{"0":1,"-1":2,"00":3}"#,
            ),
            (
                &[("a/b", "1"), ("a/0", "2"), ("a/-1", "3")],
                r#"{"a":{"b":1,"0":2,"-1":3}}"#,
            ),
            (
                &[("m/0/0", "1"), ("m/0/1", "2"), ("m/1/0", "3")],
                r#"{"m":[[1,2],[3]]}"#,
            ),
            (&[("/a//", "1")], r#"{"":{"a":{"":{"":1}}}}"#),
        ];
        for (arguments, expected) in cases {
            assert_eq!(build(arguments).as_deref(), Ok(*expected));
        }
    }

    #[test]
    fn says_which_segment_is_wrong() {
        let cases: &[(Arguments, (usize, Fault))] = &[
            (&[("a", "1"), ("a", "2")], (0, Fault::Duplicate)),
            (&[("a/0", "1"), ("a/00", "2")], (1, Fault::Duplicate)),
            (&[("a/1", "1")], (1, Fault::Gap { expected: 0 })),
            (&[("a/0", "1"), ("a/5/b", "2")], (1, Fault::Gap { expected: 1 })),
            (
                &[("a/99999999999999999999999", "1")],
                (1, Fault::Gap { expected: 0 }),
            ),
            (&[("a/0", "1"), ("a/x", "2")], (1, Fault::NoIndex)),
            (&[("a/0", "1"), ("a/-1", "2")], (1, Fault::NoIndex)),
            (&[("a/0", "1"), ("a/", "2")], (1, Fault::NoIndex)),
            (&[("a/-1", "1")], (1, Fault::NoIndex)),
            (&[("a", "1"), ("a/b", "2")], (0, Fault::ScalarAsContainer)),
            (&[("a/b", "1"), ("a", "2")], (0, Fault::ScalarOverContainer)),
            (&[("a/0/b", "1"), ("a/0", "2")], (1, Fault::ScalarOverContainer)),
        ];
        for (arguments, expected) in cases {
            assert_eq!(build(arguments), Err(*expected), "{arguments:?}");
        }
    }

    #[test]
    fn many_members_are_quick() {
        let keys: Vec<String> = (0..100_000).map(|number| format!("k{number}")).collect();
        let mut tree = Tree::new();
        for key in &keys {
            assert_eq!(tree.insert(&[key.as_str()], Scalar::Text("x")), Ok(()));
        }
        assert!(tree.to_json().ends_with(r#","k99999":"x"}"#));
    }
}
