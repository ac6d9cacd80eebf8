//! The same on every machine, by a library, which is quick only with few needles of like kind. Hence the needles go in
//! groups: those of four ASCII bytes and more, shorter ones, and those that no text of ASCII alone can hold.

use aho_corasick::packed::{Config, MatchKind, Searcher};
use aho_corasick::{AhoCorasick, Input, Span};

/// How many needles are looked for at once. More of them are looked for one group after the other.
const MOST_NEEDLES: usize = 64;

/// Bytes of a needle that are compared at first sight.
const SIGHT: usize = 4;

/// A set of needles, none of which begins with another one.
#[derive(Debug)]
pub(super) struct Groups {
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

impl Groups {
    pub(super) fn new(needles: &[Vec<u8>]) -> Self {
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
    pub(super) fn passes(&self) -> usize {
        self.groups.len()
    }

    /// Whether any needle stands in `text`.
    pub(super) fn any(&self, text: &[u8]) -> bool {
        self.groups_for(text)
            .any(|group| group.search.first(text, 0).is_some())
    }

    /// Every place in `text` at which a needle stands, with the needle's place in the set; group by group.
    pub(super) fn each(&self, text: &[u8], mut found: impl FnMut(usize, usize)) {
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
