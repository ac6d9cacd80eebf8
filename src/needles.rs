//! Byte strings that are looked for all at once, by vector instructions.
//!
//! These are quick only as long as few places of a text look like a needle at first sight, and that is told by the
//! first four bytes of at most [`MOST_NEEDLES`] needles. Hence the needles go in groups: those of four ASCII bytes and
//! more, shorter ones, and those that no text of ASCII alone can hold.

use aho_corasick::packed::{Config, MatchKind, Searcher};
use aho_corasick::{AhoCorasick, Input, Span};

/// How many needles are looked for at once. More of them are looked for one group after the other.
pub(crate) const MOST_NEEDLES: usize = 64;

/// Bytes of a needle that are compared at first sight.
const SIGHT: usize = 4;

/// How often a text is gone over, as long as the needles of each group fit into one pass.
#[cfg(test)]
pub(crate) const FEWEST_PASSES: usize = 3;

/// A set of needles, none of which begins with another one.
#[derive(Debug)]
pub(crate) struct Needles {
    groups: Vec<Group>,
}

/// Which needles go together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Long,
    Short,
    /// Each holds a byte that is no ASCII, and such first bytes are rare enough for needles of any length.
    BeyondAscii,
}

/// Needles that are looked for together.
#[derive(Debug)]
struct Group {
    kind: Kind,
    /// Their places in the whole set.
    places: Vec<usize>,
    search: Search,
}

#[derive(Debug)]
enum Search {
    Vector(Searcher),
    /// Where the machine has no vector instructions that fit.
    Automaton(AhoCorasick),
}

impl Needles {
    pub(crate) fn new(needles: &[Vec<u8>]) -> Self {
        let kind = |needle: &[u8]| match needle {
            needle if !needle.is_ascii() => Kind::BeyondAscii,
            needle if needle.len() < SIGHT => Kind::Short,
            _ => Kind::Long,
        };
        let groups = [Kind::Long, Kind::Short, Kind::BeyondAscii]
            .into_iter()
            .flat_map(|wanted| {
                let places = (0..needles.len()).filter(|&place| kind(&needles[place]) == wanted);
                let places: Vec<usize> = places.collect();
                let groups = places
                    .chunks(MOST_NEEDLES)
                    .map(|places| Group::new(wanted, needles, places));
                groups.collect::<Vec<_>>()
            })
            .collect();
        Self { groups }
    }

    /// How many times a text is gone over, at the most.
    #[cfg(test)]
    pub(crate) fn passes(&self) -> usize {
        self.groups.len()
    }

    /// Whether any needle stands in `text`.
    pub(crate) fn any(&self, text: &[u8]) -> bool {
        self.groups_for(text)
            .any(|group| group.search.first(text, 0).is_some())
    }

    /// Every place in `text` at which a needle stands, with the needle's place in the set; group by group.
    pub(crate) fn each(&self, text: &[u8], mut found: impl FnMut(usize, usize)) {
        for group in self.groups_for(text) {
            let mut from = 0;
            while let Some((at, needle)) = group.search.first(text, from) {
                found(at, group.places[needle]);
                from = at + 1;
            }
        }
    }

    /// The groups of which a needle could stand in `text`.
    fn groups_for(&self, text: &[u8]) -> impl Iterator<Item = &Group> {
        let is_ascii = text.is_ascii();
        self.groups
            .iter()
            .filter(move |group| !(is_ascii && group.kind == Kind::BeyondAscii))
    }
}

impl Group {
    fn new(kind: Kind, needles: &[Vec<u8>], places: &[usize]) -> Self {
        let of_group = || places.iter().map(|&place| &needles[place]);
        let mut config = Config::new();
        config
            .match_kind(MatchKind::LeftmostFirst)
            .heuristic_pattern_limits(false);
        let vector = config.builder().extend(of_group()).build();
        let search = match vector {
            Some(searcher) => Search::Vector(searcher),
            None => {
                let automaton = AhoCorasick::builder()
                    .match_kind(aho_corasick::MatchKind::LeftmostFirst)
                    .build(of_group());
                Search::Automaton(automaton.expect("a few dozen short needles fit an automaton"))
            }
        };
        Self {
            kind,
            places: places.to_vec(),
            search,
        }
    }
}

impl Search {
    /// The first needle at or behind `from`: its place, and its number in the group.
    fn first(&self, text: &[u8], from: usize) -> Option<(usize, usize)> {
        let found = match self {
            Self::Vector(searcher) => searcher.find_in(text, Span::from(from..text.len())),
            Self::Automaton(automaton) => automaton.find(Input::new(text).range(from..)),
        }?;
        Some((found.start(), found.pattern().as_usize()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(needles: &[Vec<u8>], text: &[u8]) -> Vec<(usize, usize)> {
        let mut found = Vec::new();
        Needles::new(needles).each(text, |at, needle| found.push((at, needle)));
        found.sort_unstable();
        found
    }

    #[test]
    fn finds_what_a_plain_search_finds() {
        let needles = ["ab>", "abcd", "bcde", "<é", "🛠️", "✂"].map(|needle| needle.as_bytes().to_vec());
        let texts = [
            "",
            "a",
            "ab>",
            "abcde",
            "abcdeab>abcd",
            "x🛠️ab>✂<é bcdé",
            "🛠🛠️",
            "é",
        ];
        for text in texts.map(str::as_bytes) {
            let plain: Vec<(usize, usize)> = (0..text.len())
                .flat_map(|at| (0..needles.len()).map(move |needle| (at, needle)))
                .filter(|&(at, needle)| text[at..].starts_with(&needles[needle]))
                .collect();
            assert_eq!(found(&needles, text), plain);
            assert_eq!(Needles::new(&needles).any(text), !plain.is_empty());
        }
    }

    #[test]
    fn any_number_of_needles_is_found() {
        let needles: Vec<Vec<u8>> = (0..300)
            .map(|number| format!("<{number:03}").into_bytes())
            .collect();
        assert_eq!(Needles::new(&needles).passes(), 5);
        assert_eq!(found(&needles, b".<299<000"), [(1, 299), (5, 0)]);
    }
}
