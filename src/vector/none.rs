//! Where no vector instructions are known, nobody has any.

use super::{Block, Classes, HALF_BYTES};

/// Vector instructions, which this processor has not.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Vectors {}

impl Vectors {
    pub(crate) fn get() -> Option<Self> {
        None
    }

    pub(crate) fn run<R>(self, _: impl FnOnce() -> R) -> R {
        match self {}
    }

    pub(crate) fn equal(self, _: &Block, _: u8) -> u64 {
        match self {}
    }

    pub(crate) fn of(self, _: &Block, _: &Classes) -> u64 {
        match self {}
    }

    pub(crate) fn shared(self, _: [&[u8; HALF_BYTES]; 4], _: &[Classes; 4]) -> (u32, [u8; HALF_BYTES]) {
        match self {}
    }
}
