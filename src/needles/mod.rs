//! Byte strings that are looked for all at once.

use std::ops::ControlFlow;

use crate::vector::Vectors;

mod groups;
mod sight;

use groups::Groups;
use sight::Sight;

/// A set of needles, none of which begins with another one.
#[derive(Debug)]
pub(crate) struct Needles(Search);

#[derive(Debug)]
enum Search {
    Vectors(Box<Sight>),
    /// Where the machine has no vector instructions that fit.
    Portable(Groups),
}

impl Needles {
    pub(crate) fn new(needles: &[Vec<u8>]) -> Self {
        Self(match Vectors::get() {
            Some(vectors) => Search::Vectors(Box::new(Sight::new(vectors, needles))),
            None => Search::Portable(Groups::new(needles)),
        })
    }

    /// Whether any needle stands in `text`.
    pub(crate) fn any(&self, text: &[u8]) -> bool {
        match &self.0 {
            Search::Vectors(sight) => sight.each(text, |_, _| ControlFlow::Break(())).is_break(),
            Search::Portable(groups) => groups.any(text),
        }
    }

    /// Every place in `text` at which a needle stands, with the needle's place in the set; in no order.
    pub(crate) fn each(&self, text: &[u8], mut found: impl FnMut(usize, usize)) {
        match &self.0 {
            Search::Vectors(sight) => {
                let _ = sight.each(text, |at, needle| {
                    found(at, needle);
                    ControlFlow::Continue(())
                });
            }
            Search::Portable(groups) => groups.each(text, found),
        }
    }
}

/// Holds that the search for these needles is quick, here and on other machines.
#[cfg(test)]
pub(crate) fn assert_quick(needles: &[Vec<u8>]) {
    const PASSES: usize = 3;
    let passes = Groups::new(needles).passes();
    assert!(
        passes <= PASSES,
        "{passes} passes over each text are more than {PASSES}; give the syntaxes fewer or shorter anchors, such as \
         one for several forms"
    );
    let Some(vectors) = Vectors::get() else { return };
    let sight = Sight::new(vectors, needles);
    const BYTES_A_LOOK: usize = 100;
    for text in [
        include_str!("../../README.md"),
        include_str!("../record/skim.rs"),
        include_str!("mod.rs"),
    ] {
        let looks = sight.looks(text.as_bytes());
        assert!(
            looks * BYTES_A_LOOK <= text.len(),
            "in {} bytes {looks} places look like an anchor at first sight; give the syntaxes fewer anchors, or such as \
             begin with rarer bytes",
            text.len()
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The searches that there are.
    fn searches(needles: &[Vec<u8>]) -> Vec<Needles> {
        let portable = Search::Portable(Groups::new(needles));
        let vectors = Vectors::get().map(|vectors| Search::Vectors(Box::new(Sight::new(vectors, needles))));
        [Some(portable), vectors]
            .into_iter()
            .flatten()
            .map(Needles)
            .collect()
    }

    /// What a search finds, in order.
    fn found(search: &Needles, text: &[u8]) -> Vec<(usize, usize)> {
        let mut found = Vec::new();
        search.each(text, |at, needle| found.push((at, needle)));
        found.sort_unstable();
        assert_eq!(search.any(text), !found.is_empty());
        found
    }

    fn plainly(needles: &[Vec<u8>], text: &[u8]) -> Vec<(usize, usize)> {
        let places = (0..text.len()).flat_map(|at| (0..needles.len()).map(move |needle| (at, needle)));
        places
            .filter(|&(at, needle)| text[at..].starts_with(&needles[needle]))
            .collect()
    }

    fn bytes(needles: &[&str]) -> Vec<Vec<u8>> {
        needles.iter().map(|needle| needle.as_bytes().to_vec()).collect()
    }

    #[test]
    fn finds_what_a_plain_search_finds() {
        let needles = bytes(&["ab>", "abcd", "bcde", "<é", "🛠️", "✂", "\0\0", "q"]);
        let texts = [
            "",
            "a",
            "ab>",
            "abcde",
            "abcdeab>abcd",
            "x🛠️ab>✂<é bcdé",
            "🛠🛠️",
            "é",
            "q",
            "q\0",
            "\0\0\0",
        ];
        for search in searches(&needles) {
            for text in texts.map(str::as_bytes) {
                assert_eq!(found(&search, text), plainly(&needles, text));
            }
        }
    }

    #[test]
    fn a_needle_is_found_wherever_it_stands() {
        let needles = bytes(&["<think", "te >", "!!G", "~Tool", "✂", "âœ‚"]);
        for search in searches(&needles) {
            for (number, needle) in needles.iter().enumerate() {
                for length in needle.len()..120 {
                    for at in 0..=length - needle.len() {
                        let mut text = vec![b'e'; length];
                        text[at..at + needle.len()].copy_from_slice(needle);
                        assert_eq!(found(&search, &text), [(at, number)]);
                    }
                }
            }
        }
    }

    #[test]
    fn any_number_of_needles_is_found() {
        let needles: Vec<Vec<u8>> = (0..300)
            .map(|number| format!("<{number:03}").into_bytes())
            .collect();
        assert_eq!(Groups::new(&needles).passes(), 5);
        for search in searches(&needles) {
            assert_eq!(found(&search, b".<299<000"), [(1, 299), (5, 0)]);
        }
    }
}
