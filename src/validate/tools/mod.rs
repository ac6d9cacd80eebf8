//! Calls held against the tools that the completion was offered.
//!
//! ```
//! use toolscan::validate::tools::{Dialect, Judge, Schema, Toolset};
//! use toolscan::{ScanOptions, Scanner, Turn, syntax};
//!
//! let tools = r#"[{"name": "ls", "parameters": {"required": ["path"]}}]"#;
//! let compile = |schema: &str| Schema::compile(schema, Dialect::JsonSchema).map(Into::into);
//! let tools = Toolset::read("tools.json", tools, &compile)?;
//! let scanner = Scanner::new(syntax::all(), ScanOptions::default());
//! let text = "<execute>[{\"name\": \"ls\", \"args\": {}}]</execute>";
//! let mut scan = scanner.scan_turn(text, Turn { offer: Some(&tools), ..Turn::default() });
//! let judged = Judge::new(&tools, scanner.syntaxes(), false).judge(text, &mut scan.calls);
//! assert_eq!(judged.findings[0].code.name(), "missing_argument");
//! assert!(scan.calls[0].parses() && !scan.calls[0].is_valid());
//! # Ok::<(), String>(())
//! ```

use std::collections::HashMap;
use std::sync::Arc;

use crate::digest::digest;
use crate::nearest::nearest;
use crate::offer::{Offer, Positions, Types};
use crate::span::Span;

mod dialect;
mod instance;
mod judge;
mod paths;
mod registry;
mod schema;

pub use dialect::Dialect;
pub use judge::{Judge, Judged};
pub use schema::Schema;

/// The catalogue of seed 003, as a registry.
pub const MEOWSTIK: &str = include_str!("meowstik.json");

/// Turns the text of a schema into a schema, or says why it is none. Given from outside, so that each schema is
/// compiled once, however many tools and records have it.
pub type Compile<'c> = &'c dyn Fn(&str) -> Result<Arc<Schema>, String>;

/// The tools that a completion was offered.
#[derive(Clone, Debug, Default)]
pub struct Toolset {
    tools: HashMap<String, Tool>,
    /// The registries that they come from: name and text.
    registries: Vec<(String, String)>,
}

#[derive(Clone, Debug)]
struct Tool {
    /// `None` where none is given.
    schema: Option<Arc<Schema>>,
    place: Place,
}

/// Where a schema, or a part of it, stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// Which registry of the set.
    pub registry: usize,
    /// Its bytes there.
    pub span: Span,
}

impl Toolset {
    /// Reads a registry, in any of the shapes that tools are given in: an array of
    /// OpenAI tools or of flat ones, `{"tools": […]}`, one tool, or a map of names to schemas; several values one
    /// after the other too.
    ///
    /// # Errors
    ///
    /// What is wrong with it, and how to mend it.
    pub fn read(name: &str, text: &str, compile: Compile<'_>) -> Result<Self, String> {
        let mut tools = HashMap::new();
        for offered in registry::read(text)? {
            let schema = match &offered.schema {
                Some(node) => Some(compile(&node.compact(text)).map_err(|reason| {
                    format!(
                        "the schema of the tool `{}` cannot be used: {reason}",
                        offered.name
                    )
                })?),
                None => None,
            };
            let span = offered.schema.map_or(offered.span, |schema| schema.span);
            let place = Place { registry: 0, span };
            tools.insert(offered.name, Tool { schema, place });
        }
        Ok(Self {
            tools,
            registries: vec![(name.to_owned(), text.to_owned())],
        })
    }

    /// Adds the tools of another set. Where both have a name, the other's tool counts.
    #[must_use]
    pub fn and(mut self, other: Self) -> Self {
        let before = self.registries.len();
        self.registries.extend(other.registries);
        for (name, mut tool) in other.tools {
            tool.place.registry += before;
            self.tools.insert(name, tool);
        }
        self
    }

    /// Forgets the texts of the registries: places cannot be shown any more, and the set is small.
    #[must_use]
    pub fn without_texts(mut self) -> Self {
        self.registries.clear();
        self
    }

    /// The names of the tools, sorted.
    pub fn names(&self) -> Vec<&str> {
        let mut names: Vec<_> = self.tools.keys().map(String::as_str).collect();
        names.sort_unstable();
        names
    }

    /// A number that two sets have in common, as good as certainly, only if their registries are the same texts in
    /// the same order.
    pub fn digest(&self) -> u64 {
        let bytes = self
            .registries
            .iter()
            .flat_map(|(_, text)| text.bytes().chain([0]));
        digest(bytes)
    }

    /// The registry that a place is in: its name and its text.
    pub fn registry(&self, place: Place) -> Option<(&str, &str)> {
        let (name, text) = self.registries.get(place.registry)?;
        Some((name, text))
    }

    fn schema(&self, tool: &str) -> Option<&Arc<Schema>> {
        self.tools.get(tool)?.schema.as_ref()
    }

    /// Where the schema of `tool` has the part that `pointer` leads to, or the last part on the way to it.
    fn place(&self, tool: &str, pointer: &[String]) -> Option<Place> {
        let tool = self.tools.get(tool)?;
        let (_, text) = self.registry(tool.place)?;
        let mut node = &crate::body::json::parse_value(text, tool.place.span).ok()?;
        let mut span = node.span;
        for step in pointer {
            let Some(next) = node.at(text, &[step]) else { break };
            span = node
                .get(text, step)
                .map_or(next.span, |member| Span::new(member.key.start, next.span.end));
            node = next;
        }
        Some(Place { span, ..tool.place })
    }
}

impl Offer for Toolset {
    fn has(&self, name: &str) -> bool {
        self.tools.contains_key(name)
    }

    fn nearest(&self, name: &str) -> Option<&str> {
        nearest(name, self.tools.keys().map(String::as_str))
    }

    fn types(&self, tool: &str, path: &[&str]) -> Option<Types> {
        self.schema(tool)?.types(path)
    }

    fn positions(&self, tool: &str) -> Option<&Positions> {
        self.schema(tool)?.positions()
    }
}
