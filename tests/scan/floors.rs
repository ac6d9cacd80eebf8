//! ARCHITECTURE.md's floors, held against the `use crate::` lines.

use std::fs;
use std::path::{Path, PathBuf};

/// The parts of each floor, from the ground up, and what they must not know although it lies below.
const FLOORS: &[&[&str]] = &[
    &[
        "span",
        "call",
        "diagnostic",
        "digest",
        "error",
        "nearest",
        "needles",
        "offer",
        "shown",
        "statistics",
        "text",
        "vector",
    ],
    &["body", "syntax"],
    &["record", "scan", "validate"],
    &["input", "table"],
    &["generate", "merge", "pipeline", "read", "report"],
    &["main", "cli", "cmd"],
];

/// Where parts of one floor may look at each other.
const SAME_FLOOR: &[(&str, &str)] = &[
    ("call", "diagnostic"),
    ("call", "span"),
    ("needles", "vector"),
    ("diagnostic", "span"),
    ("syntax", "body"),
    ("cmd", "cli"),
    ("main", "cli"),
    ("main", "cmd"),
    ("pipeline", "report"),
    ("merge", "read"),
    ("report", "read"),
];

/// The syntaxes see the scan through one window, its context; the scan sees them through their trait.
const WINDOWS: &[(&str, &str)] = &[("syntax", "crate::scan::")];

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("src can be read") {
        let path = entry.expect("src can be read").path();
        if path.is_dir() {
            files(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

fn floor(part: &str) -> Option<usize> {
    FLOORS.iter().position(|parts| parts.contains(&part))
}

/// The parts that a `use crate::…` or a path in the code names.
fn named_parts(line: &str) -> Vec<&str> {
    line.match_indices("crate::")
        .map(|(at, found)| {
            let rest = &line[at + found.len()..];
            &rest[..rest
                .find(|c: char| !c.is_ascii_lowercase() && c != '_')
                .unwrap_or(rest.len())]
        })
        .collect()
}

#[test]
fn every_file_stays_on_its_floor() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut all = Vec::new();
    files(&src, &mut all);
    assert!(all.len() > 20, "the sources were found");
    let mut wrong = Vec::new();
    for path in all {
        let inside = path.strip_prefix(&src).expect("inside src");
        let first = inside.iter().next().expect("a name").to_string_lossy();
        let own = first.trim_end_matches(".rs");
        if own == "lib" {
            continue;
        }
        let Some(own_floor) = floor(own) else {
            wrong.push(format!("{}: `{own}` has no floor", inside.display()));
            continue;
        };
        let text = fs::read_to_string(&path).expect("a source is text");
        let code = text.split("#[cfg(test)]").next().unwrap_or_default();
        for (number, line) in code
            .lines()
            .enumerate()
            .filter(|(_, line)| !line.trim_start().starts_with("//"))
        {
            for part in named_parts(line) {
                let Some(there) = floor(part) else { continue };
                let fine = part == own
                    || there < own_floor
                    || SAME_FLOOR.contains(&(own, part))
                    || WINDOWS
                        .iter()
                        .any(|(who, window)| *who == own && line.contains(window));
                if !fine {
                    wrong.push(format!(
                        "{}:{}: `{own}` must not know `{part}`",
                        inside.display(),
                        number + 1
                    ));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
