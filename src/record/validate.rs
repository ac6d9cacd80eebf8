//! Whole records held against RFC 8259.

use super::skim::Fault;
use crate::body::json;
use crate::span::Span;

/// Holds the whole record against RFC 8259.
pub(super) fn validate(line: &[u8]) -> Result<(), Fault> {
    json::validate(line).map_err(|(at, expected)| {
        let start = at.min(line.len().saturating_sub(1));
        Fault {
            span: Span::new(start, line.len().min(start + 1)),
            what: expected.into(),
        }
    })
}

/// As [`validate`], but lets pass what is not judged in records that are read: what Python's `json` writes for
/// numbers that are not finite, raw control characters, and bytes that are no UTF-8.
pub(super) fn validate_leniently(line: &[u8]) -> Result<(), Fault> {
    let is_let_pass = |rest: &[u8]| {
        let not_finite = rest.starts_with(b"NaN") || rest.starts_with(b"Infinity");
        not_finite || matches!(rest, [..0x20 | 0x80.., ..])
    };
    match validate(line) {
        Err(fault) if is_let_pass(&line[fault.span.start..]) => Ok(()),
        result => result,
    }
}
