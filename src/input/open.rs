//! A source → its bytes. What is compressed is unpacked here, so that nobody above needs to know.

use std::fs::File;
use std::io::{self, Read};

use super::Source;

/// The bytes of a source, from its beginning.
pub(super) fn open(source: &Source) -> io::Result<Box<dyn Read + Send>> {
    Ok(match &source.path {
        Some(path) => Box::new(File::open(path)?),
        None => Box::new(io::stdin()),
    })
}
