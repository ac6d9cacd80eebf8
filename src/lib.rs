//! Finds, parses and judges the tool calls that language models write as text.
//!
//! ```text
//! a completion's text ─▶ marks of all syntaxes ─▶ who claims which span ─▶ calls and findings
//! ```
//!
//! A [`Scanner`] is built once and shared by threads; a [`Scan`] borrows from the text it was made of.
//!
//! ```
//! use toolscan::{Code, ScanOptions, Scanner, Severity, syntax};
//!
//! let scanner = Scanner::new(syntax::all(), ScanOptions::default());
//! let text = "Let me see.\n<execute>[{\"name\": \"read\", \"args\": {\"file\": \"a.txt\",}}]</execute>";
//! let scan = scanner.scan(text);
//! assert!(scan.calls.is_empty(), "the one object cannot be read whole");
//! let finding = &scan.diagnostics[0];
//! assert_eq!((finding.code, finding.severity), (Code::InvalidJson, Severity::Error));
//! assert_eq!(finding.detail.as_deref(), Some("trailing_comma"));
//! assert_eq!(finding.span.of(text), ",");
//! ```
//!
//! With the feature `cli`, which is on by default, the library also holds what the program is made of: `input`,
//! `pipeline`, `table`, `read`, `statistics`, `generate`. Without it there are no files, no threads and no Arrow.

pub mod body;
mod call;
mod diagnostic;
#[cfg(feature = "tools")]
mod digest;
mod error;
#[cfg(feature = "cli")]
pub mod generate;
#[cfg(feature = "cli")]
pub mod input;
#[cfg(feature = "cli")]
pub mod merge;
mod nearest;
mod needles;
mod offer;
#[cfg(feature = "cli")]
pub mod pipeline;
#[cfg(feature = "cli")]
pub mod read;
pub mod record;
pub mod scan;
mod shown;
mod span;
#[cfg(feature = "cli")]
pub mod statistics;
pub mod syntax;
#[cfg(feature = "cli")]
pub mod table;
pub mod text;
pub mod validate;
mod vector;

pub use call::{Call, Termination};
pub use diagnostic::{CODES, Code, CodeInfo, CodeSet, Diagnostic, EXAMPLE_TOOLS, Example, Finding, Severity};
pub use error::Error;
pub use nearest::nearest;
pub use offer::{Offer, Positions, Types};
pub use scan::{Scan, ScanOptions, Scanner, Stream, Think, Turn};
pub use span::Span;
