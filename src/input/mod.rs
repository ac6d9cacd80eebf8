//! Bytes from outside: arguments → sources → shards that end at record ends.

mod encoding;
mod expand;
mod open;
mod shards;
mod share;
mod unpack;

pub use expand::{EXTENSIONS, Source, expand};
pub use shards::{Entry, Limits, Shard, Shards, What, head, head_records};
pub use share::{Share, ShareError, digest};
