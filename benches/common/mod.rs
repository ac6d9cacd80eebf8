//! What the benches share: logs, texts and calls with a known truth. No bench uses all of it.
#![allow(dead_code, unreachable_pub, missing_docs)]

pub mod corpus;
pub mod drafts;
pub mod random;
pub mod words;
