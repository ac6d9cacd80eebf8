//! Bytes from outside: arguments → sources → shards that end at record ends.

mod expand;
mod shards;

pub use expand::{Source, expand};
pub use shards::{Entry, Limits, Shard, Shards, What};
