//! Finds, parses and judges the tool calls that language models write as text.

pub mod body;
mod call;
mod diagnostic;
mod error;
#[cfg(feature = "cli")]
pub mod generate;
#[cfg(feature = "cli")]
pub mod input;
#[cfg(feature = "cli")]
pub mod pipeline;
pub mod record;
pub mod scan;
mod span;
pub mod syntax;
#[cfg(feature = "cli")]
pub mod table;
pub mod text;
pub mod validate;

pub use call::{Call, Termination};
pub use diagnostic::{CODES, Code, CodeInfo, CodeSet, Diagnostic, Example, Finding, Severity};
pub use error::Error;
pub use scan::{Scan, ScanOptions, Scanner, Stream, Think};
pub use span::Span;
