//! Every marker of every syntax, found in one pass over the text.

use crate::needles::Needles;
use crate::span::Span;
use crate::syntax::{Mark, SharedSyntax};

/// A tag around hidden reasoning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ThinkTag {
    /// Which name it has; only the same name closes.
    pub(super) name: usize,
    /// Whether it opens.
    pub(super) opens: bool,
}

/// Names of the tags around reasoning.
const THINK_NAMES: [&str; 2] = ["think", "thinking"];

/// What stands at a hit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Hit {
    /// A mark of the syntax with this index.
    Syntax(usize, Mark),
    /// A think tag.
    Think(ThinkTag, Span),
}

impl Hit {
    pub(super) fn span(&self) -> Span {
        match self {
            Self::Syntax(_, mark) => mark.span,
            Self::Think(_, span) => *span,
        }
    }
}

/// Who is asked about an anchor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Owner {
    Syntax(usize),
    Think,
}

/// The anchors of all enabled syntaxes.
#[derive(Debug)]
pub(super) struct MarkFinder {
    needles: Needles,
    owners: Vec<Vec<Owner>>,
    anchors: Vec<Vec<u8>>,
}

impl MarkFinder {
    pub(super) fn new(syntaxes: &[SharedSyntax], think: bool) -> Self {
        let mut wanted: Vec<(Vec<u8>, Owner)> = Vec::new();
        for (index, syntax) in syntaxes.iter().enumerate() {
            wanted.extend(
                syntax
                    .anchors()
                    .into_iter()
                    .map(|anchor| (anchor, Owner::Syntax(index))),
            );
        }
        if think {
            wanted.push((b"<think".to_vec(), Owner::Think));
            wanted.push((b"</think".to_vec(), Owner::Think));
        }
        // An anchor that begins with another one would never be seen behind it: the shorter one serves both.
        wanted.sort_by(|a, b| a.0.len().cmp(&b.0.len()).then_with(|| a.0.cmp(&b.0)));
        let mut anchors: Vec<Vec<u8>> = Vec::new();
        let mut owners: Vec<Vec<Owner>> = Vec::new();
        for (anchor, owner) in wanted {
            let place = anchors
                .iter()
                .position(|kept| anchor.starts_with(kept))
                .unwrap_or_else(|| {
                    anchors.push(anchor);
                    owners.push(Vec::new());
                    anchors.len() - 1
                });
            if !owners[place].contains(&owner) {
                owners[place].push(owner);
            }
        }
        Self {
            needles: Needles::new(&anchors),
            owners,
            anchors,
        }
    }

    /// The anchors that it looks for.
    pub(super) fn anchors(&self) -> &[Vec<u8>] {
        &self.anchors
    }

    pub(super) fn find(&self, text: &str, syntaxes: &[SharedSyntax]) -> Marks {
        let mut hits = Vec::new();
        self.needles.each(text.as_bytes(), |at, anchor| {
            for &owner in &self.owners[anchor] {
                match owner {
                    Owner::Syntax(index) => {
                        let mark = syntaxes[index].recognise(text, at);
                        hits.extend(mark.map(|mark| Hit::Syntax(index, mark)));
                    }
                    Owner::Think => hits.extend(think_tag(text, at)),
                }
            }
        });
        Marks::new(hits, syntaxes.len())
    }
}

fn think_tag(text: &str, at: usize) -> Option<Hit> {
    let rest = &text[at + 1..];
    let (opens, rest) = match rest.strip_prefix('/') {
        Some(rest) => (false, rest),
        None => (true, rest),
    };
    let name = THINK_NAMES
        .iter()
        .position(|name| rest.strip_prefix(name).is_some_and(|rest| rest.starts_with('>')))?;
    let end = text.len() - rest.len() + THINK_NAMES[name].len() + 1;
    Some(Hit::Think(ThinkTag { name, opens }, Span::new(at, end)))
}

/// The hits of one text, in the order of their places, with an index by syntax and kind.
#[derive(Debug, Default)]
pub(super) struct Marks {
    pub(super) hits: Vec<Hit>,
    by_syntax: Vec<Vec<u32>>,
    by_kind: Vec<Vec<Vec<u32>>>,
    think_openers: Vec<usize>,
    think_closers: [Vec<Span>; THINK_NAMES.len()],
}

impl Marks {
    fn new(mut hits: Vec<Hit>, syntaxes: usize) -> Self {
        hits.sort_by_key(|hit| (hit.span().start, std::cmp::Reverse(hit.span().end)));
        hits.dedup();
        let mut marks = Self {
            by_syntax: vec![Vec::new(); syntaxes],
            by_kind: vec![Vec::new(); syntaxes],
            ..Self::default()
        };
        for (place, hit) in hits.iter().enumerate() {
            match hit {
                Hit::Syntax(index, mark) => {
                    marks.by_syntax[*index].push(place as u32);
                    let kinds = &mut marks.by_kind[*index];
                    if kinds.len() <= mark.kind as usize {
                        kinds.resize(mark.kind as usize + 1, Vec::new());
                    }
                    kinds[mark.kind as usize].push(place as u32);
                }
                Hit::Think(tag, span) if !tag.opens => marks.think_closers[tag.name].push(*span),
                Hit::Think(_, span) => marks.think_openers.push(span.start),
            }
        }
        marks.hits = hits;
        marks
    }

    /// The first mark of the syntax and kind at or behind `from`.
    pub(super) fn next(&self, syntax: usize, kind: u8, from: usize) -> Option<Mark> {
        self.first(self.by_kind[syntax].get(kind as usize)?, from)
    }

    /// The first mark of the syntax at or behind `from`.
    pub(super) fn next_of(&self, syntax: usize, from: usize) -> Option<Mark> {
        self.first(&self.by_syntax[syntax], from)
    }

    fn first(&self, places: &[u32], from: usize) -> Option<Mark> {
        let index = places.partition_point(|&place| self.hits[place as usize].span().start < from);
        match self.hits[*places.get(index)? as usize] {
            Hit::Syntax(_, mark) => Some(mark),
            Hit::Think(..) => None,
        }
    }

    /// The first closing tag with this name at or behind `from`.
    pub(super) fn think_closer(&self, name: usize, from: usize) -> Option<Span> {
        let closers = &self.think_closers[name];
        closers
            .get(closers.partition_point(|span| span.start < from))
            .copied()
    }

    /// The first opening tag at or behind `from`, or closing tag if those count.
    pub(super) fn next_think(&self, from: usize, closers: bool) -> Option<usize> {
        let openers = &self.think_openers;
        let opener = openers
            .get(openers.partition_point(|&start| start < from))
            .copied();
        let closer = (0..THINK_NAMES.len())
            .filter(|_| closers)
            .filter_map(|name| self.think_closer(name, from).map(|span| span.start));
        closer.chain(opener).min()
    }

    /// The first hit at or behind `from`, by its place in the list.
    pub(super) fn place_from(&self, from: usize) -> usize {
        self.hits.partition_point(|hit| hit.span().start < from)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_search_stays_fast() {
        crate::needles::assert_quick(MarkFinder::new(&crate::syntax::all(), true).anchors());
    }
}
