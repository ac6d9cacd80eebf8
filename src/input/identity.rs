//! What a source is known by, for the manifest: without reading all of it.

use std::fs::{self, File, Metadata};
use std::hash::Hasher as _;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;
use std::time::SystemTime;

use serde::Serialize;
use twox_hash::XxHash3_64;

use super::Source;

/// Bytes at either end of a file that its digest is of.
const END_BYTES: u64 = 64 << 10;

/// How a file stood before it was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stand {
    bytes: u64,
    modified: Option<SystemTime>,
}

/// What a source is known by.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Identity {
    /// The name as given.
    pub name: String,
    /// Size in bytes, as it lies there; `None` for what is no file, such as stdin.
    pub bytes: Option<u64>,
    /// When it was changed last: RFC 3339, in UTC.
    pub modified: Option<String>,
    /// XXH3 (64 bits, hexadecimal) of its first 64 KiB and its last 64 KiB, or of all of it where that is less.
    pub ends_xxh3_64: Option<String>,
    /// Whether it was changed, replaced or removed while it was read.
    pub changed: bool,
}

impl Stand {
    /// How a source stands now; `None` for what is no file.
    pub fn of(source: &Source) -> Option<Self> {
        fs::metadata(source.path.as_ref()?)
            .ok()
            .and_then(|found| Self::new(&found))
    }

    fn new(found: &Metadata) -> Option<Self> {
        found.is_file().then(|| Self {
            bytes: found.len(),
            modified: found.modified().ok(),
        })
    }
}

impl Identity {
    /// What a source is known by after it was read, when it stood like this `before`.
    pub fn of(source: &Source, before: Option<Stand>) -> Self {
        let digest = match (&source.path, before) {
            (Some(path), Some(before)) => digest_of_ends(path, before).ok().flatten(),
            _ => None,
        };
        let modified = before.and_then(|stand| stand.modified);
        Self {
            name: source.name.clone(),
            bytes: before.map(|stand| stand.bytes),
            modified: modified.map(|time| humantime::format_rfc3339_nanos(time).to_string()),
            changed: before.is_some() && digest.is_none(),
            ends_xxh3_64: digest.map(|digest| format!("{digest:016x}")),
        }
    }
}

/// The digest of a file's ends; `None` if the file is not what it was.
fn digest_of_ends(path: &Path, before: Stand) -> io::Result<Option<u64>> {
    let mut file = File::open(path)?;
    if Stand::new(&file.metadata()?) != Some(before) {
        return Ok(None);
    }
    let mut ends = Vec::new();
    file.by_ref().take(2 * END_BYTES).read_to_end(&mut ends)?;
    if before.bytes > 2 * END_BYTES {
        ends.truncate(END_BYTES as usize);
        file.seek(SeekFrom::Start(before.bytes - END_BYTES))?;
        file.take(END_BYTES).read_to_end(&mut ends)?;
    }
    let mut digest = XxHash3_64::new();
    digest.write(&ends);
    Ok(Some(digest.finish()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn identity(path: &Path) -> Identity {
        let source = Source::file(path.to_owned(), None);
        Identity::of(&source, Stand::of(&source))
    }

    #[test]
    fn both_ends_make_the_digest() {
        let directory = tempfile::tempdir().expect("a directory for the test");
        let path = directory.path().join("a");
        let digest = |bytes: &[u8]| {
            fs::write(&path, bytes).expect("it can be written");
            identity(&path).ends_xxh3_64.expect("it was not changed")
        };
        // The test vector of the empty text, from the specification of XXH3.
        assert_eq!(digest(b""), "2d06800538d394c2");
        let mut bytes = vec![0; 200_000];
        let zeros = digest(&bytes);
        for (at, differs) in [(0, true), (65_535, true), (100_000, false), (199_999, true)] {
            bytes[at] = 1;
            assert_eq!(digest(&bytes) != zeros, differs, "{at}");
            bytes[at] = 0;
        }
    }

    #[test]
    fn what_is_no_file_has_no_digest() {
        let sources = crate::input::expand(&["-".into()]).expect("stdin needs no opening");
        let source = &sources[0];
        let identity = Identity::of(source, Stand::of(source));
        assert_eq!((identity.bytes, identity.changed), (None, false));
    }

    #[test]
    fn what_was_changed_in_between_is_known() {
        let directory = tempfile::tempdir().expect("a directory for the test");
        let path = directory.path().join("a");
        let source = Source::file(path.clone(), None);
        fs::write(&path, "one").expect("it can be written");
        let before = Stand::of(&source);
        assert!(!Identity::of(&source, before).changed);
        fs::write(&path, "longer").expect("it can be written");
        assert!(Identity::of(&source, before).changed);
        fs::remove_file(&path).expect("it can be removed");
        assert!(Identity::of(&source, before).changed);
    }
}
