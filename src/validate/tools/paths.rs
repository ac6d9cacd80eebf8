//! Which arguments are paths, and which paths are not safe (seed 003, Path Sanitization).

/// Words that make the name of a path when they stand at its end.
const PATH_WORDS: [&str; 18] = [
    "path",
    "paths",
    "file",
    "files",
    "filename",
    "filenames",
    "filepath",
    "filepaths",
    "dir",
    "dirs",
    "dirname",
    "directory",
    "directories",
    "folder",
    "folders",
    "cwd",
    "pathname",
    "workdir",
];

/// Words before which `name` is that of a path.
const NAMED_WORDS: [&str; 5] = ["file", "path", "dir", "directory", "folder"];

/// The `format`s of schemas that say that a string is a path.
pub(super) const PATH_FORMATS: [&str; 3] = ["path", "file-path", "directory-path"];

/// What makes a path unsafe.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Danger {
    /// It holds `..`, which the rule cuts out.
    Parent,
    /// It begins at a root.
    Absolute,
}

impl Danger {
    /// What is wrong with `path`, if something is. Text of several lines is no path, nor is a URL; a line break may
    /// stand at the end, as bodies have it.
    pub(super) fn of(path: &str) -> Option<Self> {
        let path = path.trim_end_matches(['\r', '\n']);
        if path.contains('\n') || path.contains("://") {
            None
        } else if path.contains("..") {
            Some(Self::Parent)
        } else {
            is_absolute(path).then_some(Self::Absolute)
        }
    }

    pub(super) const fn detail(self) -> &'static str {
        match self {
            Self::Parent => "parent",
            Self::Absolute => "absolute",
        }
    }
}

/// Whether a path begins at a root, on Unix or on Windows.
fn is_absolute(path: &str) -> bool {
    match path.as_bytes() {
        [b'/' | b'\\', ..] => true,
        [drive, b':', b'/' | b'\\', ..] => drive.is_ascii_alphabetic(),
        _ => false,
    }
}

/// Whether an argument of this name is a path: by the last words of the name, however they are joined.
pub(super) fn is_path_name(name: &str) -> bool {
    let words = words(name);
    match &words[..] {
        [.., before, last] if last == "name" => NAMED_WORDS.contains(&before.as_str()),
        [.., last] => PATH_WORDS.contains(&last.as_str()),
        [] => false,
    }
}

/// The words of `snake_case`, `kebab-case` or `camelCase`, in small letters.
fn words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut was_small = false;
    for character in name.chars() {
        let begins_word = character.is_uppercase() && was_small;
        if begins_word || !character.is_alphanumeric() {
            words.push(String::new());
        }
        if let Some(word) = words.last_mut() {
            word.extend(
                character
                    .to_lowercase()
                    .filter(|character| character.is_alphanumeric()),
            );
        }
        was_small = character.is_lowercase() || character.is_numeric();
    }
    words.retain(|word| !word.is_empty());
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_paths() {
        for name in [
            "path",
            "filePath",
            "file_path",
            "FILE",
            "outputDir",
            "output-dir",
            "file_name",
            "fileName",
            "src.path",
            "cwd",
        ] {
            assert!(is_path_name(name), "{name}");
        }
        for name in [
            "",
            "_",
            "profile",
            "fileId",
            "folder_id",
            "name",
            "user_name",
            "content",
            "pathology",
            "file_type",
            "url",
        ] {
            assert!(!is_path_name(name), "{name}");
        }
    }

    #[test]
    fn dangers_of_paths() {
        let cases = [
            ("../a", Some(Danger::Parent)),
            ("a/../b", Some(Danger::Parent)),
            ("/etc/../x", Some(Danger::Parent)),
            ("/etc/passwd", Some(Danger::Absolute)),
            ("C:\\x", Some(Danger::Absolute)),
            ("\\\\host\\share", Some(Danger::Absolute)),
            ("src/a.rs", None),
            ("./a", None),
            ("c:x", None),
            ("", None),
            ("https://x/../y", None),
            ("/one\n/two", None),
            ("../a\r\n", Some(Danger::Parent)),
        ];
        for (path, danger) in cases {
            assert_eq!(Danger::of(path), danger, "{path}");
        }
    }
}
