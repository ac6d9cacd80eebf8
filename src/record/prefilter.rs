//! Whether a text can hold any marker, asked of its bytes as they stand in the log, before anything is decoded.

/// Finds the texts that hold nothing to find. Built once, shared between threads.
#[derive(Debug)]
pub struct Prefilter {}

impl Prefilter {
    /// A filter for texts that could hold one of these byte strings ([`crate::Scanner::anchors`]).
    pub fn new(anchors: &[Vec<u8>]) -> Self {
        let _ = anchors;
        Self {}
    }
}
