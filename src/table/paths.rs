//! Where a run's files go.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// Where the four tables go.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutputPaths {
    /// File of `calls`.
    pub calls: PathBuf,
    /// File of `errors`.
    pub errors: PathBuf,
    /// File of `completions`.
    pub completions: PathBuf,
    /// File of `stats`.
    pub stats: PathBuf,
}

impl OutputPaths {
    /// The paths that `--out` names. What ends in a slash, has no extension, or is a directory, gets
    /// `calls.parquet`, `errors.parquet` and so on into it; else it is the file of `calls`, and the others stand
    /// beside it: `x.parquet`, `x.errors.parquet`, `x.completions.parquet`, `x.stats.parquet`.
    pub fn from_arg(arg: &Path) -> Self {
        let is_directory = arg
            .as_os_str()
            .to_string_lossy()
            .ends_with(std::path::is_separator)
            || arg.extension().is_none()
            || arg.is_dir();
        if is_directory {
            let file = |name: &str| arg.join(format!("{name}.parquet"));
            return Self {
                calls: file("calls"),
                errors: file("errors"),
                completions: file("completions"),
                stats: file("stats"),
            };
        }
        let file = |name: &str| {
            let mut file = OsString::from(arg.file_stem().unwrap_or_default());
            file.push(format!(".{name}."));
            file.push(arg.extension().unwrap_or_default());
            arg.with_file_name(file)
        };
        Self {
            calls: arg.to_owned(),
            errors: file("errors"),
            completions: file("completions"),
            stats: file("stats"),
        }
    }

    /// The files with the names of their tables.
    pub fn named(&self) -> [(&'static str, &Path); 4] {
        [
            ("calls", &self.calls),
            ("errors", &self.errors),
            ("completions", &self.completions),
            ("stats", &self.stats),
        ]
    }

    /// The file of the manifest: `calls.manifest.json` beside `calls.parquet`.
    pub fn manifest(&self) -> PathBuf {
        let mut name = OsString::from(self.calls.file_stem().unwrap_or_default());
        name.push(".manifest.json");
        self.calls.with_file_name(name)
    }

    /// A file that listings hide, in the same directory, for nobody but who writes these files.
    pub(super) fn hidden(&self, purpose: &str) -> PathBuf {
        let mut name = OsString::from(".toolscan-");
        name.push(self.calls.file_name().unwrap_or_default());
        name.push(format!("-{purpose}"));
        self.calls.with_file_name(name)
    }
}

pub(super) fn directory_of(file: &Path) -> &Path {
    match file.parent() {
        Some(directory) if !directory.as_os_str().is_empty() => directory,
        _ => Path::new("."),
    }
}
