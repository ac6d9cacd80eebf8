//! Sixty-four bytes at a time: what vector instructions tell of a block, one bit a byte, the first byte's the lowest.

#[cfg(not(target_arch = "x86_64"))]
mod none;
#[cfg(target_arch = "x86_64")]
mod x86;

#[cfg(not(target_arch = "x86_64"))]
pub(crate) use none::Vectors;
#[cfg(target_arch = "x86_64")]
pub(crate) use x86::Vectors;

/// Bytes of a block.
pub(crate) const BLOCK_BYTES: usize = 64;

/// Bytes that are looked at together.
pub(crate) type Block = [u8; BLOCK_BYTES];

/// Bytes of half a block: as many as fit into a vector.
pub(crate) const HALF_BYTES: usize = 32;

/// A block that begins with these bytes; the rest is of `filler`.
pub(crate) fn padded(bytes: &[u8], filler: u8) -> Block {
    let mut block = [filler; BLOCK_BYTES];
    block[..bytes.len()].copy_from_slice(bytes);
    block
}

/// What each half of a byte may stand for, one bit a class: a byte is of the classes that both of its halves share.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Classes {
    pub(crate) low: [u8; 16],
    pub(crate) high: [u8; 16],
}

impl Classes {
    /// The bytes of `set` alone, which may differ in the first of their halves in eight ways at the most: one class for
    /// each.
    pub(crate) const fn of(set: &[u8]) -> Self {
        let mut classes = Self {
            low: [0; 16],
            high: [0; 16],
        };
        let (mut index, mut used) = (0, 0);
        while index < set.len() {
            let (high, low) = ((set[index] >> 4) as usize, (set[index] & 15) as usize);
            if classes.high[high] == 0 {
                assert!(used < 8, "there are eight classes");
                classes.high[high] = 1 << used;
                used += 1;
            }
            classes.low[low] |= classes.high[high];
            index += 1;
        }
        classes
    }
}

/// Which bytes are escaped by a backslash, block by block: of a run of backslashes each second one is escaped itself.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Escaped {
    /// Whether the last block ended in a backslash that escapes what follows.
    first: u64,
}

impl Escaped {
    /// The escaped bytes of the next block, of which these are the backslashes.
    #[inline(always)]
    pub(crate) fn next(&mut self, backslashes: u64) -> u64 {
        const EVEN: u64 = 0x5555_5555_5555_5555;
        if backslashes == 0 {
            return std::mem::take(&mut self.first);
        }
        let first = self.first;
        let backslashes = backslashes & !first;
        let behind = backslashes << 1 | first;
        // Of a run that begins at an odd place, addition moves the carry behind the run's end: from there on odd and
        // even change their roles.
        let odd_starts = backslashes & !EVEN & !behind;
        let (sum, overflows) = backslashes.overflowing_add(odd_starts);
        self.first = u64::from(overflows);
        (EVEN ^ (sum << 1)) & behind
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one_by_one(bytes: &[u8]) -> Vec<bool> {
        let mut escapes = false;
        let escaped = |&byte: &u8| {
            let is_escaped = escapes;
            escapes = byte == b'\\' && !is_escaped;
            is_escaped
        };
        bytes.iter().map(escaped).collect()
    }

    fn bits(block: &[u8], is: impl Fn(u8) -> bool) -> u64 {
        let bit = |(place, &byte)| u64::from(is(byte)) << place;
        block.iter().enumerate().map(bit).sum()
    }

    /// Blocks with runs of backslashes at all places.
    fn texts() -> impl Iterator<Item = Vec<u8>> {
        let run = |at: usize, length: usize| {
            let mut text = vec![b'n'; 3 * BLOCK_BYTES];
            text[at..at + length].fill(b'\\');
            text
        };
        let runs = (0..BLOCK_BYTES + 2)
            .flat_map(move |at| (0..2 * BLOCK_BYTES - 2).map(move |length| run(at, length)));
        let step =
            |step: usize| (0..3 * BLOCK_BYTES).map(move |at| if at % step == 0 { b'x' } else { b'\\' });
        runs.chain((2..9).map(move |every| step(every).collect()))
    }

    #[test]
    fn each_second_backslash_is_escaped() {
        for text in texts() {
            let mut escaped = Escaped::default();
            let found: Vec<bool> = text
                .chunks(BLOCK_BYTES)
                .map(|block| escaped.next(bits(block, |byte| byte == b'\\')))
                .flat_map(|mask| (0..BLOCK_BYTES).map(move |place| mask >> place & 1 == 1))
                .collect();
            assert_eq!(found, one_by_one(&text), "{}", String::from_utf8_lossy(&text));
        }
    }

    #[test]
    fn vectors_tell_what_the_bytes_are() {
        let Some(vectors) = Vectors::get() else { return };
        const SET: &[u8] = b"\"\\/bfnrt";
        let classes = Classes::of(SET);
        for first in 0..=255 {
            let block: Block = std::array::from_fn(|place| (place as u8).wrapping_mul(7).wrapping_add(first));
            for byte in [0, b'"', b'\\', 0x80, 0xff] {
                assert_eq!(vectors.equal(&block, byte), bits(&block, |other| other == byte));
            }
            assert_eq!(
                vectors.of(&block, &classes),
                bits(&block, |byte| SET.contains(&byte))
            );
        }
    }
}
