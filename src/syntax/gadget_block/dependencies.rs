//! The ids of a completion's gadgets, and which waits for which.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use crate::diagnostic::{Code, Finding};
use crate::scan::Context;
use crate::shown::shown;
use crate::span::Span;

/// One gadget, as far as ids go.
#[derive(Debug)]
pub(super) struct Gadget {
    /// Index of its call.
    pub(super) call: usize,
    /// Where its id stands, or its marker if the id is generated.
    pub(super) id: Span,
    /// Where the ids stand that it depends on.
    pub(super) dependencies: Vec<Span>,
}

/// Reports ids given twice, dependencies on nobody, and gadgets that wait for each other.
pub(super) fn check(gadgets: &[Gadget], context: &mut Context<'_, '_>) {
    let text = context.text();
    let ids: Vec<Cow<'_, str>> = gadgets.iter().map(|gadget| id_of(gadget, context)).collect();
    let mut first: HashMap<&str, usize> = HashMap::new();
    for (place, id) in ids.iter().enumerate() {
        if *first.entry(id).or_insert(place) == place {
            continue;
        }
        let message = format!(
            "an id belongs to one call, and `{}` belongs to an earlier one; choose another",
            shown(id)
        );
        let gadget = &gadgets[place];
        context.report(Finding::new(Code::DuplicateCallId, gadget.id, message).call(gadget.call));
    }
    let waits: Vec<Vec<(usize, Span)>> = gadgets
        .iter()
        .enumerate()
        .map(|(place, gadget)| {
            let target = |span: &Span| {
                let id = span.of(text);
                let itself = (ids[place] == id).then_some(place);
                Some((itself.or_else(|| first.get(id).copied())?, *span))
            };
            gadget.dependencies.iter().filter_map(target).collect()
        })
        .collect();
    report_unknown(gadgets, &first, context);
    report_cycles(gadgets, &waits, context);
}

fn id_of<'t>(gadget: &Gadget, context: &Context<'_, 't>) -> Cow<'t, str> {
    context.calls()[gadget.call].call_id.clone().unwrap_or_default()
}

fn report_unknown(gadgets: &[Gadget], first: &HashMap<&str, usize>, context: &mut Context<'_, '_>) {
    let text = context.text();
    let earlier: HashSet<&str> = context.earlier_ids().iter().map(String::as_str).collect();
    for gadget in gadgets {
        for span in &gadget.dependencies {
            let id = span.of(text);
            if first.contains_key(id) || earlier.contains(id) {
                continue;
            }
            let message = format!(
                "a dependency is the id of a call, and no call here or before has `{}`",
                shown(id)
            );
            context.report(Finding::new(Code::UnknownDependency, *span, message).call(gadget.call));
        }
    }
}

fn report_cycles(gadgets: &[Gadget], waits: &[Vec<(usize, Span)>], context: &mut Context<'_, '_>) {
    let groups = Groups::of(waits);
    for (place, gadget) in gadgets.iter().enumerate() {
        let back = waits[place]
            .iter()
            .find(|&&(target, _)| groups.group[target] == groups.group[place]);
        if let Some(&(_, span)) = back {
            let message = format!(
                "calls must be able to run one after the other, and this one waits for `{}`, which waits for it; \
                 break the circle",
                shown(span.of(context.text()))
            );
            context.report(Finding::new(Code::DependencyCycle, span, message).call(gadget.call));
        }
    }
}

/// Nodes of a graph that can reach each other: Tarjan's strongly connected components, without recursion.
struct Groups {
    /// Of each node, the number of its group.
    group: Vec<usize>,
}

const NONE: usize = usize::MAX;

impl Groups {
    fn of(edges: &[Vec<(usize, Span)>]) -> Self {
        let count = edges.len();
        let mut group = vec![NONE; count];
        // In the order in which the search meets them; `low` is the earliest node still open that can be reached.
        let mut order = vec![NONE; count];
        let mut low = vec![NONE; count];
        let mut met = 0;
        let mut open = Vec::new();
        for root in 0..count {
            let mut path = vec![(root, 0)];
            while let Some(&mut (node, ref mut next)) = path.last_mut() {
                if order[node] == NONE {
                    (order[node], low[node]) = (met, met);
                    met += 1;
                    open.push(node);
                } else if *next == 0 {
                    path.pop();
                    continue;
                }
                let target = edges[node].get(*next).map(|&(target, _)| target);
                *next += 1;
                match target {
                    Some(target) if order[target] == NONE => path.push((target, 0)),
                    Some(target) if group[target] == NONE => low[node] = low[node].min(order[target]),
                    Some(_) => {}
                    None => {
                        path.pop();
                        if let Some(&(parent, _)) = path.last() {
                            low[parent] = low[parent].min(low[node]);
                        }
                        if low[node] == order[node] {
                            let from = open.iter().rposition(|&other| other == node).unwrap_or(0);
                            for member in open.drain(from..) {
                                group[member] = node;
                            }
                        }
                    }
                }
            }
        }
        Self { group }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn same_groups(edges: &[Vec<usize>]) -> Vec<Vec<bool>> {
        let nowhere = Span::new(0, 0);
        let edges: Vec<Vec<_>> = edges
            .iter()
            .map(|targets| targets.iter().map(|&target| (target, nowhere)).collect())
            .collect();
        let group = Groups::of(&edges).group;
        let row = |one: &usize| group.iter().map(|other| one == other).collect();
        group.iter().map(row).collect()
    }

    /// Each pair of nodes: whether a path leads from one to the other and back.
    fn by_closure(edges: &[Vec<usize>]) -> Vec<Vec<bool>> {
        let count = edges.len();
        let mut reaches = vec![vec![false; count]; count];
        for (from, targets) in edges.iter().enumerate() {
            reaches[from][from] = true;
            targets.iter().for_each(|&target| reaches[from][target] = true);
        }
        for middle in 0..count {
            for from in 0..count {
                for to in 0..count {
                    reaches[from][to] |= reaches[from][middle] && reaches[middle][to];
                }
            }
        }
        let both = |from: usize, to: usize| reaches[from][to] && reaches[to][from];
        (0..count)
            .map(|from| (0..count).map(|to| both(from, to)).collect())
            .collect()
    }

    proptest! {
        #[test]
        fn groups_are_those_of_the_closure(edges in prop::collection::vec(prop::collection::vec(0..9_usize, 0..4), 9)) {
            prop_assert_eq!(same_groups(&edges), by_closure(&edges));
        }
    }

    #[test]
    fn a_long_chain_needs_no_deep_stack() {
        let count = 200_000;
        let chain: Vec<Vec<_>> = (0..count)
            .map(|node| vec![((node + 1) % count, Span::new(0, 0))])
            .collect();
        let group = Groups::of(&chain).group;
        assert!(group.iter().all(|&one| one == group[0]));
    }
}
