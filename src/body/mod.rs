//! How arguments are written: shared by the syntaxes.

pub mod json;
pub(crate) mod yaml;
