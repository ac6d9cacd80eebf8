//! What counts as white space.

/// White space as the formats mean it: Unicode `White_Space`, and a byte order mark.
pub fn is_space(character: char) -> bool {
    character.is_whitespace() || character == '\u{feff}'
}

/// Where the first byte of `bytes` stands that ends a JSON string or has to be escaped in it: a quote, a backslash, a
/// control character. The length if there is none. Most strings are short, and a word at a time is quicker for them
/// than a call of a search.
pub(crate) fn first_special(bytes: &[u8]) -> usize {
    const ONES: u64 = u64::from_ne_bytes([1; 8]);
    const HIGHS: u64 = u64::from_ne_bytes([0x80; 8]);
    let zeros = |word: u64| word.wrapping_sub(ONES) & !word;
    let (words, rest) = bytes.as_chunks::<8>();
    for (index, word) in words.iter().enumerate() {
        let word = u64::from_le_bytes(*word);
        let controls = word.wrapping_sub(ONES * 0x20) & !word;
        let quotes = zeros(word ^ (ONES * u64::from(b'"'))) | zeros(word ^ (ONES * u64::from(b'\\')));
        // The lowest bit is right; higher ones may be a borrow's.
        let hits = (controls | quotes) & HIGHS;
        if hits != 0 {
            return index * 8 + hits.trailing_zeros() as usize / 8;
        }
    }
    let special = |&byte: &u8| byte < 0x20 || byte == b'"' || byte == b'\\';
    bytes.len() - rest.len() + rest.iter().position(special).unwrap_or(rest.len())
}

/// `text` without white space at its ends.
pub fn trim(text: &str) -> &str {
    text.trim_matches(is_space)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_special_byte_is_the_one_that_a_plain_search_finds() {
        for filler in [b' ', b'!', b'#', b'[', b']', 0x7f, 0x80, 0xa2, 0xdc, 0xff] {
            for length in 0..40 {
                let mut bytes = vec![filler; length];
                assert_eq!(first_special(&bytes), length);
                for special in [b'"', b'\\', 0, 0x1f, b'\n'] {
                    for place in (0..length).rev() {
                        bytes[place] = special;
                        assert_eq!(first_special(&bytes), place, "{filler} {special} {length}");
                    }
                    bytes.fill(filler);
                }
            }
        }
    }
}
