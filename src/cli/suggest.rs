//! Did you mean: the known word that an unknown one is closest to.

/// Says that a word is unknown, and which known one is meant or may be used.
pub(crate) fn unknown(what: &str, word: &str, known: &[&str]) -> String {
    match closest(word, known) {
        Some(meant) => format!("unknown {what} `{word}`; did you mean `{meant}`?"),
        None => format!("unknown {what} `{word}`; use one of {}", known.join(", ")),
    }
}

/// The known word that is a few edits away from `word`.
pub(crate) fn closest<'k>(word: &str, known: &[&'k str]) -> Option<&'k str> {
    let (distance, meant) = known.iter().map(|known| (edits(word, known), *known)).min()?;
    (distance <= 1 + word.len() / 4).then_some(meant)
}

/// How many characters have to be put in, taken out or replaced to make `from` into `to`.
fn edits(from: &str, to: &str) -> usize {
    let to: Vec<char> = to.chars().collect();
    let mut row: Vec<usize> = (0..=to.len()).collect();
    for (above, character) in from.chars().enumerate() {
        let mut corner = row[0];
        row[0] = above + 1;
        for place in 0..to.len() {
            let replaced = corner + usize::from(to[place] != character);
            corner = row[place + 1];
            row[place + 1] = replaced.min(corner + 1).min(row[place] + 1);
        }
    }
    row[to.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_edits() {
        assert_eq!(edits("kitten", "sitting"), 3);
        assert_eq!(edits("", "ab"), 2);
        assert_eq!(edits("same", "same"), 0);
    }

    #[test]
    fn suggests_what_is_close_and_lists_what_is_not() {
        let known = ["start", "end", "arg"];
        assert_eq!(
            unknown("key", "strat", &known),
            "unknown key `strat`; did you mean `start`?"
        );
        assert_eq!(
            unknown("key", "colour", &known),
            "unknown key `colour`; use one of start, end, arg"
        );
    }
}
