//! The shapes in which tools are given.

use crate::body::json::{self, Kind, Node};
use crate::span::Span;
use crate::text::is_space;

/// A tool as a registry has it.
pub(super) struct Offered {
    pub(super) name: String,
    /// Its parameters' schema; `None` where none is given.
    pub(super) schema: Option<Node>,
    /// Where the tool stands.
    pub(super) span: Span,
}

/// The keys under which a flat tool has its schema.
const SCHEMA_KEYS: [&str; 4] = ["parameters", "input_schema", "inputSchema", "schema"];

/// Reads every tool of a registry, in its order.
pub(super) fn read(text: &str) -> Result<Vec<Offered>, String> {
    let text_start = text.len() - text.trim_start_matches(is_space).len();
    let mut at = text_start;
    let mut offered = Vec::new();
    while at < text.len() {
        let node = json::parse_prefix(text, Span::new(at, text.len())).map_err(|fault| {
            let line = 1 + text[..fault.at].matches('\n').count();
            format!("line {line} is not JSON: {}", fault.message)
        })?;
        let rest = &text[node.span.end..];
        at = text.len() - rest.trim_start_matches(is_space).len();
        read_value(text, node, &mut offered)?;
    }
    if at == text_start && offered.is_empty() {
        return Err("it is empty; write a JSON array of tools, or `[]` for none".to_owned());
    }
    Ok(offered)
}

/// A list of tools, a result that holds one, one tool, or a map of names to schemas.
fn read_value(text: &str, node: Node, offered: &mut Vec<Offered>) -> Result<(), String> {
    if let Kind::Array(items) = node.kind {
        for item in items {
            offered.push(tool(text, &item).ok_or_else(|| no_tool(text, &item))?);
        }
        return Ok(());
    }
    for path in [&["tools"][..], &["result", "tools"]] {
        if let Some(list) = node.at(text, path).filter(|list| list.items().is_some()) {
            return read_value(text, list.clone(), offered);
        }
    }
    if let Some(tool) = tool(text, &node) {
        offered.push(tool);
        return Ok(());
    }
    let is_schema = |node: &Node| matches!(node.kind, Kind::Object(_) | Kind::Boolean(_));
    match node.members() {
        Some(members) if members.iter().all(|member| is_schema(&member.value)) => {
            offered.extend(members.iter().map(|member| Offered {
                name: member.name(text).into_owned(),
                schema: Some(member.value.clone()),
                span: member.value.span,
            }));
            Ok(())
        }
        _ => Err(no_tool(text, &node)),
    }
}

/// A tool of OpenAI's or of the flat form. One that the provider runs itself has a type alone.
fn tool(text: &str, node: &Node) -> Option<Offered> {
    let string = |node: &Node, key| Some(node.get(text, key)?.value.string(text)?.into_owned());
    let inner = ["function", "custom"]
        .into_iter()
        .find_map(|key| Some(&node.get(text, key)?.value).filter(|inner| string(inner, "name").is_some()));
    let inner = inner.unwrap_or(node);
    let provided = || string(node, "type").filter(|kind| !matches!(&**kind, "function" | "object"));
    let mut schemas = SCHEMA_KEYS
        .into_iter()
        .filter_map(|key| Some(&inner.get(text, key)?.value));
    let schema = schemas.find(|schema| schema.kind != Kind::Null).cloned();
    let has_properties = inner.get(text, "properties").is_some();
    Some(Offered {
        name: string(inner, "name").or_else(|| provided().filter(|_| !has_properties))?,
        schema,
        span: node.span,
    })
}

fn no_tool(text: &str, node: &Node) -> String {
    let line = 1 + text[..node.span.start].matches('\n').count();
    format!(
        "line {line} holds no tool: expected `{{\"type\": \"function\", \"function\": {{…}}}}`, \
         `{{\"name\": …, \"parameters\": …}}` or a map of names to JSON Schemas, found {}",
        node.kind_name()
    )
}
