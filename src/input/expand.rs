//! What was named on the command line → the sources to read, in the order of their rows.

use std::collections::HashSet;
use std::ffi::{OsStr, OsString};
use std::fs::{self, File, Metadata};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use globset::{GlobBuilder, GlobMatcher};
use ignore::{DirEntry, WalkBuilder};

use super::encoding;
use super::rows;
use super::zip::{self, Member};
use crate::Error;

/// Something to read records from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// The name as given, for the `source` column: the path, or `-`; of an archive's member `path!member`.
    pub name: String,
    /// The file; `None` for stdin.
    pub path: Option<PathBuf>,
    /// Size in bytes where it is known beforehand.
    pub size: Option<u64>,
    /// The part of the file, where it is an archive.
    pub(super) member: Option<Member>,
    /// Whether it is a table that is not read from its beginning to its end.
    pub(super) is_parquet: bool,
}

impl Source {
    /// A file that is read from its beginning to its end.
    pub fn file(path: PathBuf, size: Option<u64>) -> Self {
        Self {
            name: path.to_string_lossy().into_owned(),
            path: Some(path),
            size,
            member: None,
            is_parquet: false,
        }
    }
}

/// Extensions of the files that are read when a directory is named, in whatever case.
pub const EXTENSIONS: [&str; 9] = [
    "jsonl",
    "ndjson",
    "jsonlines",
    "json",
    "zip",
    "eval",
    "parquet",
    "arrow",
    "feather",
];

/// Extensions that such files have behind their own when they are compressed.
const PACKED_EXTENSIONS: [&str; 6] = ["gz", "zst", "zstd", "bz2", "xz", "lz4"];

/// The sources that these arguments name: files, globs, directories and `-` for stdin. In the order of their
/// names' bytes, each file once, whatever order was given. Each was opened to see that it can be.
///
/// A directory stands for the files in it and below it that have one of the [`EXTENSIONS`], and perhaps one of a
/// compressed file behind it; what begins with `.` or `_`, and manifests
/// (`*.manifest.json`), are passed over. A glob (`*`, `?`, `[a-z]`, `{a,b}`, and `**` for any number of directories) stands for the
/// files that it matches and for the directories; `*` and `?` match no leading dot. A name that exists is no glob.
///
/// Tables that toolscan wrote are passed over in directories.
///
/// A ZIP archive stands for its members as a directory does for its files; where none has a known extension, for all
/// of them. Of an Inspect log the samples count.
///
/// # Errors
/// When something cannot be opened, or when an argument stands for no file at all.
pub fn expand(arguments: &[OsString]) -> Result<Vec<Source>, Error> {
    let mut found = Found::default();
    for argument in arguments {
        found.argument(argument)?;
    }
    found.sources()
}

/// The files found so far.
#[derive(Default)]
struct Found {
    paths: Vec<PathBuf>,
    stdin: bool,
}

impl Found {
    fn argument(&mut self, argument: &OsStr) -> Result<(), Error> {
        if argument == "-" {
            self.stdin = true;
            return Ok(());
        }
        let path = Path::new(argument);
        if let Some(url) = argument.to_str().filter(|text| is_url(text)) {
            let reason = "only files of this machine and stdin are read; fetch it first, or pipe it in: `… | toolscan ingest -`";
            return Err(Error::failed("read", url, reason));
        }
        match fs::metadata(path) {
            Ok(metadata) if metadata.is_dir() => self.directory(path),
            Ok(_) => {
                self.paths.push(path.to_owned());
                Ok(())
            }
            Err(reason) => match argument.to_str().filter(|text| is_glob(text)) {
                Some(pattern) if is_missing(&reason) => self.glob(pattern),
                _ => Err(cannot_open(path, reason)),
            },
        }
    }

    /// The inputs in a directory and below it.
    fn directory(&mut self, directory: &Path) -> Result<(), Error> {
        let before = self.paths.len();
        let walk = WalkBuilder::new(directory)
            .standard_filters(false)
            .filter_entry(|entry| entry.depth() == 0 || !is_set_aside(entry))
            .build();
        for entry in walk {
            let path = entry.map_err(|error| cannot_walk(directory, error))?.into_path();
            // What cannot be looked at, such as a link to nowhere, is no reason to be silent: it cannot be opened either.
            let may_be_file = fs::metadata(&path).map_or(true, |found| found.is_file());
            if has_known_extension(&path) && may_be_file && !is_own_table(&path) {
                self.paths.push(path);
            }
        }
        if self.paths.len() == before {
            let reason = format!(
                "no file in it or below it ends in .{}, with or without .gz and the like; name files of other kinds \
                 themselves",
                EXTENSIONS.join(", .")
            );
            return Err(Error::failed("read", directory.display(), reason));
        }
        Ok(())
    }

    /// The files that a pattern matches, and the inputs in the directories that it matches.
    fn glob(&mut self, pattern: &str) -> Result<(), Error> {
        let before = self.paths.len();
        let matcher = compile(pattern)?;
        let root = fixed_directory(pattern);
        let rest = pattern.get(root.as_os_str().len()..).unwrap_or(pattern);
        let sees_hidden = rest.starts_with('.') || rest.contains("/.");
        let mut walk = WalkBuilder::new(if root.as_os_str().is_empty() {
            Path::new(".")
        } else {
            &root
        });
        walk.standard_filters(false)
            .max_depth(depth(rest))
            .filter_entry(move |entry| entry.depth() == 0 || sees_hidden || !begins_with(entry, b"."));
        for entry in walk.build() {
            let entry = match entry {
                Err(error) if error.io_error().is_some_and(is_missing) => break,
                entry => entry.map_err(|error| cannot_walk(&root, error))?,
            };
            // What was found below `.` was named without it.
            let path = if root.as_os_str().is_empty() {
                entry.path().strip_prefix(".").unwrap_or(entry.path())
            } else {
                entry.path()
            };
            if !matcher.is_match(path) || is_manifest(path) {
                continue;
            }
            if path.is_file() {
                self.paths.push(path.to_owned());
            } else if path.is_dir() {
                // A directory without inputs is no fault where a pattern chose it.
                let _ = self.directory(path);
            }
        }
        if self.paths.len() == before {
            let reason =
                "no file matches the pattern; check it, and quote it if the shell should not read it";
            return Err(Error::failed("read", pattern, reason));
        }
        Ok(())
    }

    /// The sources, in order, each once.
    fn sources(mut self) -> Result<Vec<Source>, Error> {
        if self.stdin {
            self.paths.push(PathBuf::from("-"));
        }
        self.paths.sort_by(|a, b| {
            a.as_os_str()
                .as_encoded_bytes()
                .cmp(b.as_os_str().as_encoded_bytes())
        });
        let mut known = HashSet::new();
        let mut sources = Vec::with_capacity(self.paths.len());
        for path in self.paths {
            if self.stdin && path.as_os_str() == "-" {
                self.stdin = false;
                sources.push(Source {
                    name: "-".to_owned(),
                    path: None,
                    size: None,
                    member: None,
                    is_parquet: false,
                });
                continue;
            }
            let opened = check(&path).map_err(|reason| cannot_open(&path, reason))?;
            // One file may be named in two ways; it is read once. What cannot be resolved is a pipe, say.
            if !known.insert(path.canonicalize().unwrap_or_else(|_| path.clone())) {
                continue;
            }
            let name = path.to_string_lossy().into_owned();
            match opened {
                Checked::Bytes(size) => sources.push(Source::file(path, size)),
                Checked::Parquet(bytes) => sources.push(Source {
                    name,
                    size: Some(bytes),
                    path: Some(path),
                    member: None,
                    is_parquet: true,
                }),
                Checked::Archive(members) => {
                    for (member, at) in members_to_read(&name, members)? {
                        sources.push(Source {
                            name: format!("{name}!{member}"),
                            path: Some(path.clone()),
                            size: Some(at.packed_bytes()),
                            member: Some(at),
                            is_parquet: false,
                        });
                    }
                }
            }
        }
        sources.sort_by(|a, b| a.name.cmp(&b.name));
        Ok(sources)
    }
}

/// Sees whether a file can be opened, and holds text that can be read. A pipe is left alone, because what is in it comes once.
fn check(path: &Path) -> io::Result<Checked> {
    let metadata = fs::metadata(path)?;
    if is_socket(&metadata) {
        let reason = "it is a socket, which cannot be read as a file; name a file, a folder, a pipe or `-`";
        return Err(io::Error::other(reason));
    }
    if !metadata.is_file() {
        return Ok(Checked::Bytes(None));
    }
    let mut head = Vec::new();
    let file = File::open(path)?;
    file.take(encoding::SEEN_BYTES as u64).read_to_end(&mut head)?;
    encoding::check(&head)?;
    if zip::is_zip(&head) {
        return Ok(Checked::Archive(zip::members(path)?));
    }
    if rows::is_parquet(&head) {
        rows::check(path)?;
        return Ok(Checked::Parquet(metadata.len()));
    }
    Ok(Checked::Bytes(Some(metadata.len())))
}

/// What a file turned out to be.
enum Checked {
    /// A stream, of this length if it is known.
    Bytes(Option<u64>),
    Archive(Vec<(String, Member)>),
    /// A table of this many bytes.
    Parquet(u64),
}

/// Those members of an archive that are logs. Each was looked at to see that it can be unpacked.
fn members_to_read(
    archive: &str,
    mut members: Vec<(String, Member)>,
) -> Result<Vec<(String, Member)>, Error> {
    let is_sample = |name: &str| name.starts_with("samples/");
    let of_inspect = |name: &str| name == "header.json" || name.starts_with("_journal/");
    if members.iter().any(|(name, _)| of_inspect(name)) && members.iter().any(|(name, _)| is_sample(name)) {
        members.retain(|(name, _)| is_sample(name));
        without_parts(&mut members);
    } else {
        members.retain(|(name, _)| !name.split('/').any(is_hidden));
        if members
            .iter()
            .any(|(name, _)| has_known_extension(Path::new(name)))
        {
            members.retain(|(name, _)| has_known_extension(Path::new(name)));
        }
    }
    if members.is_empty() {
        return Err(Error::failed(
            "read",
            archive,
            "there are no logs in the ZIP archive",
        ));
    }
    for (name, member) in &members {
        let nothing = Box::new(io::empty());
        member
            .unpacked(nothing)
            .map_err(|reason| Error::io("open", format!("{archive}!{name}"), reason))?;
    }
    Ok(members)
}

/// Whether a folder or a file is passed over that nobody named.
fn is_hidden(name: &str) -> bool {
    name.starts_with('_') || name.starts_with('.') && !matches!(name, "." | "..")
}

/// Of samples that Inspect keeps in parts, a folder with a `sample.json` each, the messages are left.
fn without_parts(members: &mut Vec<(String, Member)>) {
    let folders = members
        .iter()
        .filter_map(|(name, _)| name.strip_suffix("sample.json"));
    let folders: HashSet<_> = folders
        .filter(|folder| folder.ends_with('/'))
        .map(str::to_owned)
        .collect();
    members.retain(|(name, _)| {
        let mut slashes = name.match_indices('/').map(|(slash, _)| slash + 1);
        let folder = slashes.find(|&end| folders.contains(&name[..end]));
        folder.is_none_or(|end| name[end..].starts_with("messages/"))
    });
}

#[cfg(unix)]
fn is_socket(metadata: &Metadata) -> bool {
    use std::os::unix::fs::FileTypeExt;
    metadata.file_type().is_socket()
}

#[cfg(not(unix))]
fn is_socket(_: &Metadata) -> bool {
    false
}

fn cannot_open(path: &Path, reason: io::Error) -> Error {
    Error::io("open", path.display(), reason)
}

fn cannot_walk(place: &Path, error: ignore::Error) -> Error {
    let place = match &error {
        ignore::Error::WithPath { path, .. } => path.display(),
        _ => place.display(),
    };
    let reason = error.to_string();
    let place = place.to_string();
    match error.into_io_error() {
        Some(cause) => Error::io("open", place, cause),
        None => Error::failed("open", place, reason),
    }
}

fn is_missing(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory
    )
}

/// Whether a directory's walk passes the entry over.
fn is_set_aside(entry: &DirEntry) -> bool {
    begins_with(entry, b".") || begins_with(entry, b"_")
}

fn begins_with(entry: &DirEntry, prefix: &[u8]) -> bool {
    entry.file_name().as_encoded_bytes().starts_with(prefix)
}

/// What a run's manifest is called: it says how tables were made, and is no log although it is JSON.
const MANIFEST_SUFFIX: &[u8] = b".manifest.json";

fn is_manifest(path: &Path) -> bool {
    path.as_os_str().as_encoded_bytes().ends_with(MANIFEST_SUFFIX)
}

fn has_known_extension(path: &Path) -> bool {
    if is_manifest(path) {
        return false;
    }
    let ends_in = |path: &Path, all: &[&str]| {
        let extension = path.extension();
        extension.is_some_and(|extension| all.iter().any(|known| extension.eq_ignore_ascii_case(known)))
    };
    if ends_in(path, &PACKED_EXTENSIONS) {
        return path
            .file_stem()
            .is_some_and(|packed| ends_in(Path::new(packed), &EXTENSIONS));
    }
    ends_in(path, &EXTENSIONS)
}

/// Whether the file is a table that an earlier run wrote among the logs.
fn is_own_table(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "parquet") && rows::is_own_table(path)
}

/// Whether it is the address of something elsewhere, such as `s3://bucket/key`.
fn is_url(text: &str) -> bool {
    let scheme = text.split_once("://").map_or("", |(scheme, _)| scheme);
    !scheme.is_empty() && scheme.bytes().all(|byte| byte.is_ascii_alphanumeric())
}

fn is_glob(text: &str) -> bool {
    text.contains(['*', '?', '[', '{'])
}

fn compile(pattern: &str) -> Result<GlobMatcher, Error> {
    let glob = GlobBuilder::new(pattern).literal_separator(true).build();
    glob.map(|glob| glob.compile_matcher())
        .map_err(|error| Error::Usage(format!("{pattern} is no glob: {}", error.kind())))
}

/// The directory in which everything lies that the pattern can match; empty for the current one.
fn fixed_directory(pattern: &str) -> PathBuf {
    let magic = pattern.find(['*', '?', '[', '{', '\\']).unwrap_or(pattern.len());
    match pattern[..magic].rfind('/') {
        Some(0) => PathBuf::from("/"),
        Some(slash) => PathBuf::from(&pattern[..slash]),
        None => PathBuf::new(),
    }
}

/// How many levels of directories the rest of a pattern can reach, if that can be told.
fn depth(rest: &str) -> Option<usize> {
    let is_bounded = !rest.contains("**") && !rest.contains('{');
    is_bounded.then(|| rest.split('/').filter(|part| !part.is_empty()).count())
}

#[cfg(test)]
mod tests {
    use super::*;
    use tempfile::TempDir;

    /// A directory with these files.
    fn directory(files: &[&str]) -> TempDir {
        let root = tempfile::tempdir().expect("a directory for the test");
        for file in files {
            let path = root.path().join(file);
            fs::create_dir_all(path.parent().expect("a file is in a directory")).expect("it can be made");
            fs::write(&path, file).expect("a file can be written");
        }
        root
    }

    /// The names of the sources, without the root.
    fn names(root: &TempDir, arguments: &[&str]) -> Vec<String> {
        let root = format!("{}/", root.path().display());
        let arguments: Vec<_> = arguments
            .iter()
            .map(|name| OsString::from(format!("{root}{name}")))
            .collect();
        let sources = expand(&arguments).unwrap_or_else(|error| panic!("{error}"));
        let names = sources.into_iter().map(|source| source.name);
        names
            .map(|name| name.strip_prefix(&root).unwrap_or(&name).to_owned())
            .collect()
    }

    const FILES: [&str; 13] = [
        "calls.manifest.json",
        "packed/h.jsonl.gz",
        "packed/i.NDJSON.ZST",
        "packed/j.tar.gz",
        "b.jsonl",
        "a.jsonl",
        "c.txt",
        "sub/d.NDJSON",
        "sub/deep/e.json",
        ".hidden.jsonl",
        "_temporary.jsonl",
        "_attempt/f.jsonl",
        ".git/g.jsonl",
    ];

    #[test]
    fn arguments_stand_for_files_in_one_order() {
        let root = directory(&FILES);
        let cases: &[(&[&str], &[&str])] = &[
            (&["b.jsonl", "a.jsonl"], &["a.jsonl", "b.jsonl"]),
            (
                &["c.txt", "_temporary.jsonl", ".hidden.jsonl"],
                &[".hidden.jsonl", "_temporary.jsonl", "c.txt"],
            ),
            (
                &["a.jsonl", "a.jsonl", "*.jsonl"],
                &["_temporary.jsonl", "a.jsonl", "b.jsonl"],
            ),
            (&["?.jsonl"], &["a.jsonl", "b.jsonl"]),
            (&["[bc].*"], &["b.jsonl", "c.txt"]),
            (&["{a,c}.*"], &["a.jsonl", "c.txt"]),
            (&[".*.jsonl"], &[".hidden.jsonl"]),
            (&["sub/*"], &["sub/d.NDJSON", "sub/deep/e.json"]),
            (&["s*/d*"], &["sub/d.NDJSON", "sub/deep/e.json"]),
            (&["**/*.json"], &["sub/deep/e.json"]),
            (&["sub"], &["sub/d.NDJSON", "sub/deep/e.json"]),
            (&["_attempt"], &["_attempt/f.jsonl"]),
            (&["packed"], &["packed/h.jsonl.gz", "packed/i.NDJSON.ZST"]),
            (
                &[""],
                &[
                    "a.jsonl",
                    "b.jsonl",
                    "packed/h.jsonl.gz",
                    "packed/i.NDJSON.ZST",
                    "sub/d.NDJSON",
                    "sub/deep/e.json",
                ],
            ),
            (
                &["sub", "sub/d.NDJSON", "a.jsonl"],
                &["a.jsonl", "sub/d.NDJSON", "sub/deep/e.json"],
            ),
        ];
        for (arguments, expected) in cases {
            assert_eq!(names(&root, arguments), *expected, "{arguments:?}");
        }
    }

    #[test]
    fn one_file_named_in_two_ways_is_read_once() {
        let root = directory(&["sub/a.jsonl"]);
        assert_eq!(names(&root, &["sub/a.jsonl", "sub/../sub/a.jsonl"]).len(), 1);
    }

    #[test]
    fn a_name_that_exists_is_no_pattern() {
        let root = directory(&["a[1].jsonl", "a1.jsonl"]);
        assert_eq!(names(&root, &["a[1].jsonl"]), ["a[1].jsonl"]);
    }

    #[test]
    fn stdin_is_a_source_once() {
        let sources = expand(&["-".into(), "-".into()]).expect("stdin needs no opening");
        assert_eq!(sources.len(), 1);
        assert_eq!((sources[0].name.as_str(), &sources[0].path), ("-", &None));
    }

    #[test]
    fn what_stands_for_nothing_is_an_error_that_names_it() {
        let root = directory(&["empty/c.txt", "a.jsonl"]);
        for (name, reason) in [
            ("missing.jsonl", "No such file or directory"),
            ("missing", "No such file or directory"),
            ("*.ndjson", "no file matches"),
            ("nowhere/*.jsonl", "no file matches"),
            ("a.jsonl/*", "no file matches"),
            ("empty", ".jsonl, .ndjson"),
            ("[", "is no glob"),
        ] {
            let argument = format!("{}/{name}", root.path().display());
            let error = expand(&[root.path().join("a.jsonl").into(), argument.clone().into()])
                .expect_err("nothing is there")
                .to_string();
            assert!(error.contains(&argument) && error.contains(reason), "{error}");
        }
    }

    #[test]
    fn addresses_are_no_files() {
        for address in ["s3://bucket/logs/*.jsonl", "https://example.org/a.jsonl"] {
            let error = expand(&[address.into()])
                .expect_err("it is elsewhere")
                .to_string();
            assert!(
                error.contains(address) && error.contains("toolscan ingest -"),
                "{error}"
            );
        }
    }

    #[test]
    #[cfg(unix)]
    fn files_behind_links_are_found_and_loops_are_not_followed() {
        use std::os::unix::fs::symlink;
        let root = directory(&["data/a.jsonl", "logs/b.jsonl"]);
        symlink(
            root.path().join("data/a.jsonl"),
            root.path().join("logs/link.jsonl"),
        )
        .expect("a link");
        symlink(root.path().join("logs"), root.path().join("logs/loop")).expect("a link");
        assert_eq!(names(&root, &["logs"]), ["logs/b.jsonl", "logs/link.jsonl"]);
        symlink(root.path().join("nowhere"), root.path().join("logs/broken.jsonl")).expect("a link");
        let refused = expand(&[root.path().join("logs").into()]).expect_err("a log cannot be opened");
        assert!(refused.to_string().contains("broken.jsonl"), "{refused}");
    }
}
