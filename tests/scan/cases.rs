//! The cases: read from `tests/syntax/*.toml`, whose README has the format, and run.

use std::collections::{BTreeMap, HashSet};
use std::fs;
use std::path::Path;

use serde::Deserialize;
use toml::Table;
use toolscan::{ScanOptions, Scanner, Think, Turn, syntax};

use crate::compare;

/// The scenarios that every syntax answers or declines.
const SCENARIOS: [&str; 16] = [
    "single",
    "several",
    "none",
    "text_around",
    "cut_in_name",
    "cut_in_arguments",
    "cut_before_closer",
    "opener_missing",
    "closer_only",
    "bad_body",
    "no_arguments",
    "nested",
    "unicode",
    "opener_inside_string",
    "duplicate",
    "good_after_bad",
];

/// One file of cases.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct CaseFile {
    /// The syntax's name, or `common`.
    #[serde(skip)]
    pub(crate) name: String,
    /// Scenarios that make no sense for the syntax, with the reason.
    #[serde(default)]
    declined: BTreeMap<String, String>,
    #[serde(default, rename = "case")]
    pub(crate) cases: Vec<Case>,
}

/// One text and what is found in it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Case {
    pub(crate) name: String,
    scenario: Option<String>,
    #[serde(rename = "rule")]
    _rule: String,
    pub(crate) text: String,
    text_repeat: Option<Repeat>,
    syntaxes: Option<Vec<String>>,
    think: Option<String>,
    #[serde(default)]
    strict: bool,
    markers: Option<syntax::Markers>,
    #[serde(default)]
    pub(crate) earlier_ids: Vec<String>,
    #[serde(default)]
    pub(crate) calls: Vec<Table>,
    #[serde(default)]
    pub(crate) errors: Vec<Table>,
    pub(crate) call_count: Option<usize>,
    pub(crate) error_counts: Option<BTreeMap<String, usize>>,
    pub(crate) call_bytes: Option<usize>,
    pub(crate) think_bytes: Option<usize>,
    pub(crate) cut: Option<bool>,
}

/// A piece that stands many times behind a case's text.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Repeat {
    text: String,
    times: usize,
}

impl Case {
    /// The text with its repeated piece.
    pub(crate) fn whole_text(&self) -> String {
        let repeated = self
            .text_repeat
            .iter()
            .map(|piece| piece.text.repeat(piece.times));
        std::iter::once(self.text.clone()).chain(repeated).collect()
    }

    /// What is known of the completion beside its text.
    pub(crate) fn turn(&self) -> Turn<'_> {
        Turn {
            earlier_ids: &self.earlier_ids,
            offer: None,
        }
    }

    /// The scanner that the case asks for.
    pub(crate) fn scanner(&self) -> Scanner {
        let markers = self.markers.clone().unwrap_or_default();
        let mut syntaxes = syntax::configured(&markers);
        if let Some(wanted) = &self.syntaxes {
            for name in wanted {
                let known = syntaxes.iter().any(|syntax| syntax.name() == name);
                assert!(known, "{}: no syntax is called `{name}`", self.name);
            }
            syntaxes.retain(|syntax| wanted.iter().any(|name| name == syntax.name()));
        }
        let think = match self.think.as_deref() {
            None => Think::Hide,
            Some("scan") => Think::Scan,
            Some(other) => panic!("{}: `think` is \"scan\" or left out, not {other:?}", self.name),
        };
        let strict = self.strict;
        Scanner::new(syntaxes, ScanOptions { think, strict })
    }
}

/// Every file of cases whose syntax is there, in the order of their names.
pub(crate) fn all() -> Vec<CaseFile> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/syntax");
    let mut paths: Vec<_> = fs::read_dir(&folder)
        .expect("tests/syntax is a folder")
        .map(|entry| entry.expect("tests/syntax can be listed").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "toml"))
        .collect();
    paths.sort();
    let known: HashSet<_> = syntax::all()
        .iter()
        .map(|syntax| syntax.name().to_owned())
        .collect();
    let files = paths.iter().map(|path| read(path));
    files
        .filter(|file| file.name == "common" || known.contains(&file.name))
        .collect()
}

fn read(path: &Path) -> CaseFile {
    let text = fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let mut file: CaseFile =
        toml::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    file.name = path
        .file_stem()
        .expect("a path that ends in .toml has a stem")
        .to_string_lossy()
        .into_owned();
    file
}

#[test]
fn every_case_holds() {
    let mut failed = 0;
    let mut total = 0;
    for file in all() {
        let mut names = HashSet::new();
        for case in &file.cases {
            total += 1;
            let mut mismatches = compare::case(case);
            if !names.insert(&case.name) {
                mismatches.push("another case of the file has the same name".to_owned());
            }
            if mismatches.is_empty() {
                continue;
            }
            failed += 1;
            println!("{}.toml: {}\n  text: {:?}", file.name, case.name, case.text);
            for mismatch in mismatches {
                println!("  {mismatch}");
            }
        }
    }
    assert!(failed == 0, "{failed} of {total} cases do not hold");
}

#[test]
fn every_syntax_answers_or_declines_every_scenario() {
    let files = all();
    let mut silent = Vec::new();
    for syntax in syntax::all() {
        if !files.iter().any(|file| file.name == syntax.name()) {
            silent.push(format!("tests/syntax/{}.toml is missing", syntax.name()));
        }
    }
    for file in files.iter().filter(|file| file.name != "common") {
        let answered: HashSet<_> = file
            .cases
            .iter()
            .filter_map(|case| case.scenario.as_deref())
            .collect();
        for scenario in SCENARIOS {
            if answered.contains(scenario) == file.declined.contains_key(scenario) {
                silent.push(format!("{}: `{scenario}` is neither or both", file.name));
            }
        }
        let named = answered
            .into_iter()
            .chain(file.declined.keys().map(String::as_str));
        for scenario in named.filter(|name| !SCENARIOS.contains(name)) {
            silent.push(format!("{}: there is no scenario `{scenario}`", file.name));
        }
    }
    assert!(
        silent.is_empty(),
        "answer or decline, not both:\n{}",
        silent.join("\n")
    );
}
