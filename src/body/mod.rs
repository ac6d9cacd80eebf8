//! How arguments are written: shared by the syntaxes.

pub mod json;
