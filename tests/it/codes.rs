//! The table of codes: complete, and true.

use std::sync::Arc;

use toolscan::record::{Fields, Reader, Record};
use toolscan::validate::NATIVE;
use toolscan::validate::tools::{Dialect, Judge, Schema, Toolset};
use toolscan::{CODES, Code, EXAMPLE_TOOLS, Example, ScanOptions, Scanner, Turn, syntax};

use crate::support::Folder;

#[test]
fn every_example_earns_its_code() {
    let scanner = Scanner::new(syntax::all(), ScanOptions::default());
    let mut reader = Reader::new(Arc::new(Fields::default()));
    let mut record = Record::default();
    let mut wrong = Vec::new();
    for info in CODES {
        let found: Vec<_> = match info.example {
            Example::Text(text) => scanner
                .scan(text)
                .diagnostics
                .iter()
                .map(|found| found.code)
                .collect(),
            Example::Judged(text) => judged(&scanner, text),
            Example::Record(line) => {
                reader.read(line, &mut record);
                let of_texts = record
                    .completions
                    .iter()
                    .flat_map(|completion| &completion.problems);
                record
                    .problems
                    .iter()
                    .chain(of_texts)
                    .map(|found| found.code)
                    .collect()
            }
            Example::Event(_) => continue,
        };
        if !found.contains(&info.code) {
            wrong.push(format!("{}: {found:?}", info.name));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// The codes of a completion that was offered the tools of the examples.
fn judged(scanner: &Scanner, text: &str) -> Vec<Code> {
    let compile = |schema: &str| Schema::compile(schema, Dialect::JsonSchema).map(Arc::new);
    let tools = Toolset::read("", EXAMPLE_TOOLS, &compile).expect("the tools are sound");
    let turn = Turn {
        offer: Some(&tools),
        ..Turn::default()
    };
    let mut scan = scanner.scan_turn(text, turn);
    let judged = Judge::new(&tools, scanner.syntaxes(), false).judge(text, &mut scan.calls);
    let findings = scan.diagnostics.iter().chain(&judged.findings);
    findings.map(|found| found.code).collect()
}

#[test]
fn syntaxes_that_lower_a_code_exist() {
    let syntaxes = syntax::all();
    let mut names: Vec<_> = syntaxes.iter().map(|syntax| syntax.name()).collect();
    names.push(NATIVE);
    for info in CODES {
        for syntax in info.lowered_by {
            assert!(names.contains(syntax), "{}: {syntax}", info.name);
        }
    }
}

#[test]
fn a_code_is_explained() {
    let folder = Folder::new();
    insta::assert_snapshot!(folder.run(&["codes", "duplicate_key"]).expect(0).stdout);
    let json = folder.run(&["codes", "duplicate_key", "--json"]).expect(0).stdout;
    let page: serde_json::Value = serde_json::from_str(&json).expect("it is JSON");
    assert_eq!(page["severity"], "error");
    assert_eq!(
        page["warning_in"],
        serde_json::json!(["execute_block", "scissors_cat"])
    );
}

#[test]
fn the_list_has_every_code() {
    let folder = Folder::new();
    let list = folder.run(&["codes"]).expect(0).stdout;
    let json = folder.run(&["codes", "--json"]).expect(0).stdout;
    let json: Vec<serde_json::Value> = serde_json::from_str(&json).expect("it is JSON");
    assert_eq!(json.len(), CODES.len());
    for info in CODES {
        assert!(list.contains(&format!(" {} ", info.name)), "{}", info.name);
    }
}

#[test]
fn the_list_of_syntaxes_has_every_syntax() {
    let folder = Folder::new();
    let list = folder.run(&["syntaxes"]).expect(0).stdout;
    let json = folder.run(&["syntaxes", "--json"]).expect(0).stdout;
    let json: Vec<serde_json::Value> = serde_json::from_str(&json).expect("it is JSON");
    assert_eq!(json.len(), syntax::all().len());
    for syntax in syntax::all() {
        assert!(list.contains(syntax.name()) && list.contains(syntax.description()));
    }
}
