//! Words of a completion inside of a message.

use std::borrow::Cow;

/// Characters of the text that a message repeats, at the most.
const SHOWN: usize = 40;

/// `text` as a message repeats it: the beginning alone where it is long.
pub(crate) fn shown(text: &str) -> Cow<'_, str> {
    beginning(text, SHOWN)
}

/// `text` as a message repeats it, where as many characters say more than a word does.
pub(crate) fn beginning(text: &str, characters: usize) -> Cow<'_, str> {
    match text.char_indices().nth(characters) {
        Some((at, _)) => Cow::Owned(format!("{}…", &text[..at])),
        None => Cow::Borrowed(text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_words_are_cut_at_a_character() {
        assert_eq!(shown("naïve"), "naïve");
        assert_eq!(shown(&"é".repeat(41)), format!("{}…", "é".repeat(40)));
    }
}
