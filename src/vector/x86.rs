//! AVX2.

use std::arch::x86_64::__m256i;

use pulp::cast;
use pulp::x86::V3;

use super::{Block, Classes, HALF_BYTES};

/// The vector instructions of this processor, which has them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Vectors(V3);

type Half = [u8; HALF_BYTES];

impl Vectors {
    /// The vector instructions, if this processor has them.
    #[inline]
    pub(crate) fn get() -> Option<Self> {
        V3::try_new().map(Self)
    }

    /// Does `work`, in which all that is inlined may use them.
    #[inline(always)]
    pub(crate) fn run<R>(self, work: impl FnOnce() -> R) -> R {
        self.0.vectorize(work)
    }

    /// Which bytes are `byte`.
    #[inline(always)]
    pub(crate) fn equal(self, block: &Block, byte: u8) -> u64 {
        let wanted = self.0.avx._mm256_set1_epi8(byte as i8);
        let [first, second] = halves(block);
        self.bits(
            self.0.avx2._mm256_cmpeq_epi8(first, wanted),
            self.0.avx2._mm256_cmpeq_epi8(second, wanted),
        )
    }

    /// Which bytes are of any of the classes.
    #[inline(always)]
    pub(crate) fn of(self, block: &Block, table: &Classes) -> u64 {
        let none = self.0.avx._mm256_setzero_si256();
        let [first, second] = halves(block);
        !self.bits(
            self.0.avx2._mm256_cmpeq_epi8(self.classes(first, table), none),
            self.0.avx2._mm256_cmpeq_epi8(self.classes(second, table), none),
        )
    }

    /// The classes that are shared by what stands at each place of these halves, each by its own table; and which places
    /// have any.
    #[inline(always)]
    pub(crate) fn shared(self, halves: [&Half; 4], tables: &[Classes; 4]) -> (u32, Half) {
        let avx2 = self.0.avx2;
        let first = avx2._mm256_and_si256(
            self.classes(cast(*halves[0]), &tables[0]),
            self.classes(cast(*halves[1]), &tables[1]),
        );
        let second = avx2._mm256_and_si256(
            self.classes(cast(*halves[2]), &tables[2]),
            self.classes(cast(*halves[3]), &tables[3]),
        );
        let shared = avx2._mm256_and_si256(first, second);
        let none = avx2._mm256_cmpeq_epi8(shared, self.0.avx._mm256_setzero_si256());
        (!avx2._mm256_movemask_epi8(none) as u32, cast(shared))
    }

    /// The classes of each byte.
    #[inline(always)]
    fn classes(self, bytes: __m256i, table: &Classes) -> __m256i {
        let avx2 = self.0.avx2;
        let half = self.0.avx._mm256_set1_epi8(15);
        let low = avx2._mm256_and_si256(bytes, half);
        let high = avx2._mm256_and_si256(avx2._mm256_srli_epi16::<4>(bytes), half);
        let low_table = avx2._mm256_broadcastsi128_si256(cast(table.low));
        let high_table = avx2._mm256_broadcastsi128_si256(cast(table.high));
        avx2._mm256_and_si256(
            avx2._mm256_shuffle_epi8(low_table, low),
            avx2._mm256_shuffle_epi8(high_table, high),
        )
    }

    /// The highest bit of each byte.
    #[inline(always)]
    fn bits(self, first: __m256i, second: __m256i) -> u64 {
        let first = self.0.avx2._mm256_movemask_epi8(first) as u32;
        let second = self.0.avx2._mm256_movemask_epi8(second) as u32;
        u64::from(second) << 32 | u64::from(first)
    }
}

#[inline(always)]
fn halves(block: &Block) -> [__m256i; 2] {
    cast(*block)
}
