//! YAML 1.2 with the core schema, as a tree that is written as JSON.
//!
//! Dates, `yes` and `no` are strings and `<<` is a plain key, as the core schema says. Keys that are no strings
//! become their source text. Of two equal keys in one mapping the last one wins, and the document says where the
//! second stands. Nesting, aliases and the digits of hexadecimal and octal numbers are bounded.

use std::borrow::Cow;
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::rc::Rc;

use saphyr_parser::{Event, Marker, Parser, ScalarStyle, Tag};

use crate::span::Span;

mod json;
mod places;
mod scalar;
mod simple;

use places::Places;
pub(crate) use scalar::Kind;

/// Sequences and mappings that may stand in each other in a value of the outermost mapping.
const NESTING: usize = 128;

/// What aliases may add to a document of any length, in bytes.
const ALIASES: usize = 4096;

/// What aliases may add to longer documents, as a multiple of their length.
const ALIAS_RATIO: usize = 10;

/// Keys behind whose colon a tab is mended.
const TABS: usize = 64;

/// A document that was read.
#[derive(Debug)]
pub(crate) struct Document<'y> {
    /// The outermost value; none where there is no document, or an empty one.
    pub(crate) root: Option<Rc<Node<'y>>>,
    /// The keys that stand a second time in their mapping, with the places where they do.
    pub(crate) duplicates: Vec<Key<'y>>,
}

/// A value.
#[derive(Debug)]
pub(crate) struct Node<'y> {
    pub(crate) content: Content<'y>,
    /// Where it stands. Of an alias: where the value stands that it refers to.
    pub(crate) span: Span,
    /// About how many bytes of JSON it makes.
    size: usize,
    /// How many sequences and mappings stand in each other in it, itself included.
    height: usize,
}

/// The kinds of values.
#[derive(Debug)]
pub(crate) enum Content<'y> {
    /// What the scalar is, and its text: as written, quotes and escapes resolved.
    Scalar(Kind, Cow<'y, str>),
    Sequence(Vec<Rc<Node<'y>>>),
    Mapping(Vec<Field<'y>>),
}

/// A key and its value.
pub(crate) type Field<'y> = (Key<'y>, Rc<Node<'y>>);

/// A key of a mapping.
#[derive(Clone, Debug)]
pub(crate) struct Key<'y> {
    pub(crate) text: Cow<'y, str>,
    pub(crate) span: Span,
}

/// Why a text is no YAML, or none within the limits.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Fault {
    /// Offset into the text.
    pub(crate) at: usize,
    /// What was found and, for limits, which one.
    pub(crate) reason: String,
}

/// Reads the one document of `text`. Spans are byte offsets into it.
pub(crate) fn read(text: &str) -> Result<Document<'_>, Fault> {
    match simple::read(text) {
        Some(document) => Ok(document),
        None => read_any(text),
    }
}

/// As [`read`], by the parser that knows all of YAML.
fn read_any(text: &str) -> Result<Document<'_>, Fault> {
    if let Some(at) = memchr::memchr(0, text.as_bytes()) {
        return Err(Fault::new(at, "a NUL character is not allowed"));
    }
    let mut reader = Reader::new(text);
    let mut documents = 0;
    for event in Parser::new_from_str(text) {
        let (event, span) = event.map_err(|fault| reader.fault_at(fault.marker(), fault.info()))?;
        if let Event::DocumentStart(_) = event {
            documents += 1;
            if documents > 1 {
                return Err(
                    reader.fault_at(&span.start, "a second document begins, and there may be only one")
                );
            }
        }
        reader.take(event, &span)?;
    }
    Ok(reader.finish())
}

/// `text` with a blank in the place of a tab that separates a key's colon from its value. YAML 1.2 allows it
/// there (§6.2), and the parser does not. The first [`TABS`] of them are mended.
pub(crate) fn without_tabs_behind_colons(mut text: Cow<'_, str>) -> Cow<'_, str> {
    for _ in 0..TABS {
        let Some(at) = refused_tab(&text) else {
            break;
        };
        text.to_mut().replace_range(at..=at, " ");
    }
    text
}

fn refused_tab(text: &str) -> Option<usize> {
    memchr::memmem::find(text.as_bytes(), b":\t")?;
    let fault = Parser::new_from_str(text).find_map(Result::err)?;
    let at = Places::new(text)
        .byte(text, fault.marker().index())
        .checked_sub(1)?;
    (text.as_bytes()[at] == b'\t' && fault.info().starts_with("':' must be followed")).then_some(at)
}

/// An object of these fields as compact JSON.
pub(crate) fn object_to_json<'f, 'y: 'f>(fields: impl Iterator<Item = &'f Field<'y>>) -> String {
    let mut out = String::new();
    json::write_object(fields, &mut out);
    out
}

impl<'y> Node<'y> {
    /// The value as compact JSON. Numbers keep their digits as far as JSON can spell them.
    pub(crate) fn to_json(&self) -> String {
        let mut out = String::with_capacity(self.size);
        json::write(self, &mut out);
        out
    }

    /// Whether it is a null that nothing stands for.
    fn is_nothing(&self) -> bool {
        matches!(&self.content, Content::Scalar(Kind::Null, text) if text.is_empty())
    }

    fn scalar(kind: Kind, text: Cow<'y, str>, span: Span) -> Self {
        Self {
            size: text.len() + 2,
            content: Content::Scalar(kind, text),
            span,
            height: 0,
        }
    }

    fn sequence(items: Vec<Rc<Self>>, span: Span) -> Self {
        Self {
            size: 2 + items.iter().map(|item| item.size + 1).sum::<usize>(),
            height: 1 + items.iter().map(|item| item.height).max().unwrap_or(0),
            content: Content::Sequence(items),
            span,
        }
    }

    fn mapping(fields: Vec<(Key<'y>, Rc<Self>)>, span: Span) -> Self {
        let size = |(key, value): &Field<'_>| key.text.len() + value.size + 4;
        Self {
            size: 2 + fields.iter().map(size).sum::<usize>(),
            height: 1 + fields.iter().map(|(_, value)| value.height).max().unwrap_or(0),
            content: Content::Mapping(fields),
            span,
        }
    }
}

impl Fault {
    fn new(at: usize, reason: impl Into<String>) -> Self {
        Self {
            at,
            reason: reason.into(),
        }
    }
}

/// Builds the tree from the parser's events.
struct Reader<'y> {
    text: &'y str,
    places: Places,
    /// The sequences and mappings that are open.
    open: Vec<Open<'y>>,
    root: Option<Rc<Node<'y>>>,
    duplicates: Vec<Key<'y>>,
    anchors: HashMap<usize, Rc<Node<'y>>>,
    /// Bytes that aliases may still add.
    budget: usize,
}

/// An open sequence or mapping.
struct Open<'y> {
    start: usize,
    anchor: usize,
    collection: Collection<'y>,
}

enum Collection<'y> {
    Sequence(Vec<Rc<Node<'y>>>),
    Mapping {
        fields: Vec<Field<'y>>,
        /// Where each key stands among the fields, and whether it was told that it stands twice.
        places: HashMap<Cow<'y, str>, (usize, bool)>,
        /// The key whose value comes next.
        key: Option<Key<'y>>,
    },
}

impl<'y> Reader<'y> {
    fn new(text: &'y str) -> Self {
        Self {
            text,
            places: Places::new(text),
            open: Vec::new(),
            root: None,
            duplicates: Vec::new(),
            anchors: HashMap::new(),
            budget: ALIASES.max(text.len().saturating_mul(ALIAS_RATIO)),
        }
    }

    fn finish(self) -> Document<'y> {
        Document {
            root: self.root.filter(|root| !root.is_nothing()),
            duplicates: self.duplicates,
        }
    }

    fn take(&mut self, event: Event<'y>, span: &saphyr_parser::Span) -> Result<(), Fault> {
        match event {
            Event::Scalar(text, style, anchor, tag) => {
                let span = self.scalar_span(span, style);
                let kind = scalar::kind(&text, style, tag.as_deref())
                    .map_err(|reason| Fault::new(span.start, reason))?;
                self.add(Rc::new(Node::scalar(kind, text, span)), anchor);
            }
            Event::Alias(anchor) => self.alias(anchor, span)?,
            Event::SequenceStart(anchor, tag) => {
                self.begin(
                    anchor,
                    tag.as_deref(),
                    "seq",
                    span,
                    Collection::Sequence(Vec::new()),
                )?;
            }
            Event::MappingStart(anchor, tag) => {
                let collection = Collection::Mapping {
                    fields: Vec::new(),
                    places: HashMap::new(),
                    key: None,
                };
                self.begin(anchor, tag.as_deref(), "map", span, collection)?;
            }
            Event::SequenceEnd | Event::MappingEnd => self.end(span),
            _ => {}
        }
        Ok(())
    }

    fn begin(
        &mut self,
        anchor: usize,
        tag: Option<&Tag>,
        core: &str,
        span: &saphyr_parser::Span,
        collection: Collection<'y>,
    ) -> Result<(), Fault> {
        let start = self.places.byte(self.text, span.start.index());
        if let Some(tag) = tag {
            scalar::check_collection_tag(tag, core).map_err(|reason| Fault::new(start, reason))?;
        }
        if is_indented_by_tab(self.text, start) {
            return Err(Fault::new(
                start,
                "a tab indents the line; YAML takes blanks alone",
            ));
        }
        // The outermost mapping is no level.
        if self.open.len() > NESTING {
            return Err(too_deep(start));
        }
        self.open.push(Open {
            start,
            anchor,
            collection,
        });
        Ok(())
    }

    fn end(&mut self, span: &saphyr_parser::Span) {
        let Some(open) = self.open.pop() else { return };
        // The parser's own end may be that of a comment behind the bracket.
        let at = self.places.byte(self.text, span.start.index()).max(open.start);
        let end = at + usize::from(self.text[at..].starts_with([']', '}']));
        let length = self.text[open.start..end].trim_end().len();
        let span = Span::new(open.start, open.start + length);
        let node = match open.collection {
            Collection::Sequence(items) => Node::sequence(items, span),
            Collection::Mapping { fields, .. } => Node::mapping(fields, span),
        };
        self.add(Rc::new(node), open.anchor);
    }

    /// Puts in the value that an alias refers to.
    fn alias(&mut self, anchor: usize, span: &saphyr_parser::Span) -> Result<(), Fault> {
        let at = self.places.byte(self.text, span.start.index());
        let Some(node) = self.anchors.get(&anchor).cloned() else {
            return Err(Fault::new(at, "an alias refers to the value that it stands in"));
        };
        if self.open.len() + node.height > NESTING + 1 {
            return Err(too_deep(at));
        }
        let Some(left) = self.budget.checked_sub(node.size) else {
            let limit = ALIASES.max(self.text.len().saturating_mul(ALIAS_RATIO));
            let reason = format!("aliases add more than the limit of {limit} bytes to the document");
            return Err(Fault::new(at, reason));
        };
        self.budget = left;
        self.add(node, 0);
        Ok(())
    }

    /// Puts a value where it belongs.
    fn add(&mut self, node: Rc<Node<'y>>, anchor: usize) {
        if anchor > 0 {
            self.anchors.insert(anchor, Rc::clone(&node));
        }
        let Some(open) = self.open.last_mut() else {
            self.root = Some(node);
            return;
        };
        match &mut open.collection {
            Collection::Sequence(items) => items.push(node),
            Collection::Mapping { fields, places, key } => match key.take() {
                None => *key = Some(self::key(self.text, &node)),
                Some(key) => match places.entry(key.text.clone()) {
                    Entry::Vacant(place) => {
                        place.insert((fields.len(), false));
                        fields.push((key, node));
                    }
                    Entry::Occupied(mut place) => {
                        let (index, told) = place.get_mut();
                        if !std::mem::replace(told, true) {
                            self.duplicates.push(key.clone());
                        }
                        fields[*index] = (key, node);
                    }
                },
            },
        }
    }

    fn scalar_span(&mut self, span: &saphyr_parser::Span, style: ScalarStyle) -> Span {
        let start = self.places.byte(self.text, span.start.index());
        let end = self.places.byte(self.text, span.end.index()).max(start);
        let text = &self.text[start..end];
        let length = match style {
            ScalarStyle::SingleQuoted => quoted_length(text, '\''),
            ScalarStyle::DoubleQuoted => quoted_length(text, '"'),
            _ => text.trim_end().len(),
        };
        Span::new(start, start + length)
    }

    fn fault_at(&mut self, marker: &Marker, reason: &str) -> Fault {
        Fault::new(self.places.byte(self.text, marker.index()), reason)
    }
}

fn too_deep(at: usize) -> Fault {
    Fault::new(
        at,
        format!("the nesting is deeper than the limit of {NESTING} levels"),
    )
}

/// Whether a tab stands in the indent before the block mapping or sequence at `start`. YAML 1.2 forbids it there
/// (§6.1), and the parser lets it pass before the first entry.
fn is_indented_by_tab(text: &str, start: usize) -> bool {
    let before = &text[..start];
    let line = before.trim_end_matches([' ', '\t', '-', '?']);
    let is_indent = line.is_empty() || line.ends_with('\n');
    is_indent && before[line.len()..].contains('\t') && !text[start..].starts_with(['{', '['])
}

/// What `node` is as a key: its text if it is a scalar, else its source.
fn key<'y>(text: &'y str, node: &Node<'y>) -> Key<'y> {
    let text = match &node.content {
        Content::Scalar(_, text) => text.clone(),
        _ => Cow::Borrowed(node.span.of(text)),
    };
    Key {
        text,
        span: node.span,
    }
}

/// Length of the quoted scalar with which `text` begins, behind a tag or an anchor. The parser's own end may be
/// that of a comment behind it.
fn quoted_length(text: &str, quote: char) -> usize {
    let Some(opening) = text.find(quote) else {
        return text.len();
    };
    let mut escaped = false;
    let mut characters = text[opening + 1..].char_indices().peekable();
    while let Some((at, character)) = characters.next() {
        if escaped {
            escaped = false;
        } else if character == '\\' && quote == '"' {
            escaped = true;
        } else if character == quote {
            let is_pair = quote == '\'' && characters.next_if(|&(_, next)| next == quote).is_some();
            if !is_pair {
                return opening + 1 + at + 1;
            }
        }
    }
    text.len()
}

#[cfg(test)]
mod tests;
