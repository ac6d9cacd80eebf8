//! What is said of an unknown word.

use toolscan::nearest;

/// Says that a word is unknown, and which known one is meant or may be used.
pub(crate) fn unknown(what: &str, word: &str, known: &[&str]) -> String {
    match nearest(word, known.iter().copied()) {
        Some(meant) => format!("unknown {what} `{word}`; did you mean `{meant}`?"),
        None => format!("unknown {what} `{word}`; use one of {}", known.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
