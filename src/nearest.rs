//! Did you mean: the known word that an unknown one is nearest to.

/// A longer word is no misspelling of a known one; bytes.
const LONGEST: usize = 100;

/// The known word that is a few edits away from `word`, and has something in common with it.
pub fn nearest<'k>(word: &str, known: impl IntoIterator<Item = &'k str>) -> Option<&'k str> {
    if word.len() > LONGEST {
        return None;
    }
    let most = (1 + word.len() / 4).min(word.chars().count().saturating_sub(1));
    let close = known
        .into_iter()
        .filter(|known| known.len().abs_diff(word.len()) <= 4 * most);
    let (distance, meant) = close.map(|known| (edits(word, known), known)).min()?;
    (distance <= most).then_some(meant)
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
    fn knows_what_is_close_alone() {
        let known = ["start", "end", "arg"];
        assert_eq!(nearest("strat", known), Some("start"));
        assert_eq!(nearest("colour", known), None);
        assert_eq!(nearest("ag", ["a", "b"]), Some("a"));
        for short in ["", "a"] {
            assert_eq!(nearest(short, ["b", "end"]), None, "{short:?}");
        }
        assert_eq!(nearest(&"start".repeat(100), known), None);
    }
}
