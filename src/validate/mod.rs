//! What is judged about a completion as a whole, once its calls are found.

mod capped;
mod native;
mod outcome;
#[cfg(feature = "tools")]
pub mod tools;

pub use native::{Logged, NATIVE, Native, native_calls};
pub use outcome::{
    CodeCounts, Findings, Outcome, Summary, SyntaxSummary, ToolCounts, says_stopped, says_truncated,
};
