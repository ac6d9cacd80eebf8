//! What counts as white space.

/// White space as the formats mean it: Unicode `White_Space`, and a byte order mark.
pub fn is_space(character: char) -> bool {
    character.is_whitespace() || character == '\u{feff}'
}

/// `text` without white space at its ends.
pub fn trim(text: &str) -> &str {
    text.trim_matches(is_space)
}
