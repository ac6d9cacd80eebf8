//! What is judged about a completion as a whole, once its calls are found.

mod native;
mod outcome;

pub use native::{NATIVE, native_call};
pub use outcome::{CodeCounts, Outcome, Summary, SyntaxSummary, says_truncated};
