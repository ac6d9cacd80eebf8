//! The next quote or backslash.

use memchr::memchr;

/// Bytes within which a word at a time is quicker than a call of `memchr`. Most strings in a log are shorter, and
/// so are the stretches between the escapes of a long one.
const NEAR: usize = 64;

/// Where `wanted` first stands in `bytes`.
#[inline]
pub(super) fn find(wanted: u8, bytes: &[u8]) -> Option<usize> {
    const ONES: u64 = u64::from_ne_bytes([1; 8]);
    const HIGHS: u64 = u64::from_ne_bytes([0x80; 8]);
    let (words, _) = bytes[..bytes.len().min(NEAR)].as_chunks::<8>();
    for (index, word) in words.iter().enumerate() {
        let difference = u64::from_le_bytes(*word) ^ (ONES * u64::from(wanted));
        // The lowest bit is right; higher ones may be a borrow's.
        let hits = difference.wrapping_sub(ONES) & !difference & HIGHS;
        if hits != 0 {
            return Some(index * 8 + hits.trailing_zeros() as usize / 8);
        }
    }
    let passed = words.len() * 8;
    memchr(wanted, &bytes[passed..]).map(|found| passed + found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_what_a_plain_search_finds() {
        for filler in [0, b'!', b'#', b'a', 0x7f, 0x80, 0xa2, 0xff] {
            for length in 0..150 {
                let mut bytes = vec![filler; length];
                assert_eq!(find(b'"', &bytes), None);
                for place in (0..length).rev() {
                    bytes[place] = b'"';
                    assert_eq!(find(b'"', &bytes), Some(place), "{filler} {length}");
                }
            }
        }
    }
}
