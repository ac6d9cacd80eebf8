//! What is judged about a completion as a whole, once its calls are found.

mod native;
mod outcome;

pub use native::{Logged, NATIVE, Native, native_calls};
pub use outcome::{CodeCounts, Findings, Outcome, Summary, SyntaxSummary, says_stopped, says_truncated};
