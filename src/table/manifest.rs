//! The manifest: what stands beside the tables of a run and says what they are and what they were made of.

use std::fs::File;
use std::hash::Hasher as _;
use std::io::{self, Read};
use std::path::Path;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use twox_hash::XxHash3_64;

use super::SCHEMA_VERSION;

/// What every manifest begins with.
const BEGINNING: &str = "{\n  \"toolscan\": ";

/// A file of the output, as the manifest names it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct TableFile {
    /// The table.
    pub(super) table: String,
    /// The file's name, beside the manifest.
    pub(super) file: String,
    pub(super) rows: u64,
    pub(super) bytes: u64,
    /// Of all bytes: XXH3, 64 bits, as hexadecimal digits.
    pub(super) xxh3_64: String,
}

impl TableFile {
    /// Whether the file at `path` is this one, byte for byte.
    pub(super) fn is_at(&self, path: &Path) -> bool {
        let is_as_long = |file: &File| file.metadata().is_ok_and(|found| found.len() == self.bytes);
        File::open(path)
            .is_ok_and(|file| is_as_long(&file) && digest(file).is_ok_and(|found| found == self.xxh3_64))
    }

    /// Whether its name is one for a file beside the manifest, and nowhere else.
    fn stays_beside(&self) -> bool {
        Path::new(&self.file).file_name() == Some(self.file.as_ref())
    }
}

/// The text of a manifest that says `about` of the run, and which files it wrote.
pub(super) fn text(about: Map<String, Value>, tables: &[TableFile]) -> String {
    let mut manifest = Map::new();
    manifest.insert("toolscan".into(), json!(env!("CARGO_PKG_VERSION")));
    manifest.insert("schema_version".into(), json!(SCHEMA_VERSION));
    manifest.extend(about);
    manifest.insert("tables".into(), json!(tables));
    format!("{:#}\n", Value::Object(manifest))
}

/// The files that a manifest names, if it is a whole one.
pub(super) fn tables(text: &[u8]) -> Option<Vec<TableFile>> {
    #[derive(Deserialize)]
    struct Manifest {
        tables: Vec<TableFile>,
    }
    let Manifest { tables } = serde_json::from_slice(text).ok()?;
    tables.iter().all(TableFile::stays_beside).then_some(tables)
}

/// Whether a file begins as manifests do.
pub(super) fn is_manifest(path: &Path) -> bool {
    let mut beginning = [0; BEGINNING.len()];
    File::open(path).is_ok_and(|mut file| file.read_exact(&mut beginning).is_ok())
        && beginning == BEGINNING.as_bytes()
}

/// A digest as the manifest writes it.
pub(super) fn hexadecimal(digest: u64) -> String {
    format!("{digest:016x}")
}

fn digest(mut reader: impl Read) -> io::Result<String> {
    let mut digest = XxHash3_64::new();
    let mut buffer = vec![0; 1 << 20];
    loop {
        match reader.read(&mut buffer)? {
            0 => return Ok(hexadecimal(digest.finish())),
            read => digest.write(&buffer[..read]),
        }
    }
}
