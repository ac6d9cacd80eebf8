//! One pass by vector instructions: at every place of a text its first four bytes tell, by lookups in small tables,
//! which needles may stand there; these few are compared.
//!
//! The needles are dealt out to eight classes. A lookup tells the classes of the needles that have such a byte in that
//! place; a class that is left after all four has a needle that is likely to stand there.

use std::ops::ControlFlow;

use crate::vector::{Classes, HALF_BYTES, Vectors};

/// Bytes of a needle that are looked up. Behind the end of a shorter one any byte fits.
const SIGHT_BYTES: usize = 4;

/// As many as a byte has bits.
const CLASSES: usize = 8;

/// Bytes that are looked at together: what stands at as many places as half a block has.
const WINDOW_BYTES: usize = HALF_BYTES + SIGHT_BYTES - 1;

/// A set of needles, none of which begins with another one.
#[derive(Debug)]
pub(super) struct Sight {
    vectors: Vectors,
    /// For each of the bytes that are looked up.
    tables: [Classes; SIGHT_BYTES],
    /// The needles of each class, with their places in the whole set.
    needles: [Vec<(usize, Vec<u8>)>; CLASSES],
}

impl Sight {
    pub(super) fn new(vectors: Vectors, needles: &[Vec<u8>]) -> Self {
        let mut sight = Self {
            vectors,
            tables: Default::default(),
            needles: Default::default(),
        };
        for (class, group) in deal(needles).into_iter().enumerate() {
            for (table, [low, high]) in sight.tables.iter_mut().zip(group.look.0) {
                for half in 0..16 {
                    table.low[half] |= u8::from(low >> half & 1 == 1) << class;
                    table.high[half] |= u8::from(high >> half & 1 == 1) << class;
                }
            }
            let needles = group
                .places
                .into_iter()
                .map(|place| (place, needles[place].clone()));
            sight.needles[class] = needles.collect();
        }
        sight
    }

    /// Tells `found` of every place in `text` at which a needle stands and of that needle's place in the set, from left
    /// to right, until it breaks off.
    #[inline]
    pub(super) fn each(
        &self,
        text: &[u8],
        mut found: impl FnMut(usize, usize) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        self.vectors.run(
            #[inline(always)]
            || self.windows(text, &mut found),
        )
    }

    /// At how many places of a text something looks like a needle.
    #[cfg(test)]
    pub(super) fn looks(&self, text: &[u8]) -> usize {
        let is_like = |place: &[u8]| {
            let left = place
                .iter()
                .zip(&self.tables)
                .fold(u8::MAX, |left, (byte, table)| {
                    left & table.low[usize::from(byte & 15)] & table.high[usize::from(byte >> 4)]
                });
            left != 0
        };
        text.windows(SIGHT_BYTES).filter(|place| is_like(place)).count()
    }

    #[inline(always)]
    fn windows(
        &self,
        text: &[u8],
        found: &mut impl FnMut(usize, usize) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let mut from = 0;
        while let Some(window) = text[from..].first_chunk() {
            self.window(text, from, window, found)?;
            from += HALF_BYTES;
        }
        // What is left is shorter than a window, but may have more places than one.
        let left = text.len() - from;
        let mut rest = [0; HALF_BYTES + WINDOW_BYTES];
        rest[..left].copy_from_slice(&text[from..]);
        for begin in (0..left).step_by(HALF_BYTES) {
            let window = rest[begin..].first_chunk().expect("the rest has room for it");
            self.window(text, from + begin, window, found)?;
        }
        ControlFlow::Continue(())
    }

    /// Looks for needles at the places of a window, which stands at `at`.
    #[inline(always)]
    fn window(
        &self,
        text: &[u8],
        at: usize,
        window: &[u8; WINDOW_BYTES],
        found: &mut impl FnMut(usize, usize) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        const LONGER: &str = "a window is that much longer";
        let bytes = [
            window[0..].first_chunk().expect(LONGER),
            window[1..].first_chunk().expect(LONGER),
            window[2..].first_chunk().expect(LONGER),
            window[3..].first_chunk().expect(LONGER),
        ];
        let (mut places, classes) = self.vectors.shared(bytes, &self.tables);
        while places != 0 {
            let place = places.trailing_zeros() as usize;
            places &= places - 1;
            // The padding behind a text's end may look like a needle.
            let rest = text.get(at + place..).unwrap_or_default();
            if let Some(needle) = self.needle(rest, classes[place]) {
                found(at + place, needle)?;
            }
        }
        ControlFlow::Continue(())
    }

    /// The needle of these classes with which the text begins, if there is one.
    #[inline(never)]
    fn needle(&self, text: &[u8], mut classes: u8) -> Option<usize> {
        while classes != 0 {
            let class = classes.trailing_zeros() as usize;
            classes &= classes - 1;
            let mut needles = self.needles[class].iter();
            if let Some((place, _)) = needles.find(|(_, needle)| text.starts_with(needle)) {
                return Some(*place);
            }
        }
        None
    }
}

/// Needles that share a class.
#[derive(Clone, Default)]
struct Group {
    places: Vec<usize>,
    look: Look,
    /// How often something looks so, more or less.
    frequency: u64,
}

impl Group {
    /// Finds out anew how its needles look.
    fn look_again(&mut self, looks: &[Look]) {
        let places = self.places.iter();
        self.look = places.fold(Look::default(), |look, &place| look.with(looks[place]));
        self.frequency = self.look.frequency();
    }
}

/// The lower and the upper halves that bytes have, place by place, one bit each.
#[derive(Clone, Copy, Default)]
struct Look([[u16; 2]; SIGHT_BYTES]);

impl Look {
    fn of(needle: &[u8]) -> Self {
        let halves = |place| match needle.get(place) {
            Some(byte) => [1_u16 << (byte & 15), 1_u16 << (byte >> 4)],
            None => [u16::MAX; 2],
        };
        Self(std::array::from_fn(halves))
    }

    fn with(self, other: Self) -> Self {
        let place = |place: usize| {
            let ([low, high], [other_low, other_high]) = (self.0[place], other.0[place]);
            [low | other_low, high | other_high]
        };
        Self(std::array::from_fn(place))
    }

    /// How often something looks so, more or less.
    fn frequency(self) -> u64 {
        self.0
            .into_iter()
            .map(|[low, high]| frequency(low, high))
            .product()
    }
}

/// How often a byte is one that is made of these halves.
fn frequency(low: u16, mut high: u16) -> u64 {
    let count = |halves: u16| u64::from((low & halves).count_ones());
    let mut sum = 0;
    while high != 0 {
        let row = high.trailing_zeros() as usize;
        high &= high - 1;
        let printable = if (2..8).contains(&row) { 3 } else { 1 };
        let spaces = if row == 2 { 27 * count(1) } else { 0 };
        sum += printable * count(u16::MAX) + 15 * count(COMMON[row]) + spaces;
    }
    sum
}

/// The lower halves of the bytes that make up most texts, by their upper halves.
const COMMON: [u16; 16] = {
    let (bytes, mut common, mut index) = (b" etaoinsrhldcu", [0; 16], 0);
    while index < bytes.len() {
        common[(bytes[index] >> 4) as usize] |= 1_u16 << (bytes[index] & 15);
        index += 1;
    }
    common
};

/// Deals the needles out to the classes so that few texts look like a needle: each goes where it adds the least, until
/// none wants to move.
fn deal(needles: &[Vec<u8>]) -> [Group; CLASSES] {
    const ROUNDS: usize = 8;
    let looks: Vec<Look> = needles.iter().map(|needle| Look::of(needle)).collect();
    let mut order: Vec<usize> = (0..needles.len()).collect();
    order.sort_by_key(|&place| &needles[place]);
    let mut groups: [Group; CLASSES] = Default::default();
    for (index, &place) in order.iter().enumerate() {
        groups[index * CLASSES / order.len()].places.push(place);
    }
    groups.iter_mut().for_each(|group| group.look_again(&looks));
    for _ in 0..ROUNDS {
        let mut moved = false;
        for &place in &order {
            let is_of = |group: &Group| group.places.contains(&place);
            let before = groups.iter().position(is_of).expect("each needle is in a group");
            groups[before].places.retain(|&other| other != place);
            groups[before].look_again(&looks);
            let added = |group: &Group| group.look.with(looks[place]).frequency() - group.frequency;
            let least = (0..CLASSES).min_by_key(|&class| added(&groups[class]));
            let least = least.expect("there are classes");
            groups[least].places.push(place);
            groups[least].look_again(&looks);
            moved |= least != before;
        }
        if !moved {
            break;
        }
    }
    groups
}
