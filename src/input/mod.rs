//! Bytes from outside: arguments → sources → shards that end at record ends.

mod apart;
mod document;
mod encoding;
mod expand;
mod identity;
mod open;
mod rows;
mod shards;
mod share;
mod streamed;
mod unpack;
mod zip;

pub use expand::{EXTENSIONS, Source, expand};
pub use identity::{Identity, Stand};
pub use shards::{Entry, Head, Limits, Shard, Shards, What, head};
pub use share::{Share, ShareError, digest};
