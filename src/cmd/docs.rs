//! `toolscan docs DIR`: the pages that are made from the program's own lists.

use std::path::Path;
use std::process::ExitCode;

use toolscan::{CODES, Error, Example, syntax};

use super::codes;
use crate::cli::DocsArgs;

pub(crate) fn run(args: &DocsArgs) -> Result<ExitCode, Error> {
    let pages = [
        ("syntaxes.md", syntaxes_page()),
        ("codes.md", codes_page()),
        ("tables.md", format!("{MADE}\n{}", toolscan::table::docs())),
    ];
    for (name, text) in pages {
        write(&args.folder.join(name), &text)?;
    }
    Ok(ExitCode::SUCCESS)
}

fn write(path: &Path, text: &str) -> Result<(), Error> {
    std::fs::write(path, text).map_err(|cause| Error::io("write", path.display(), cause))
}

const MADE: &str = "<!-- Made by `toolscan docs docs`; edit the source instead. -->\n";

fn syntaxes_page() -> String {
    let mut page = format!("{MADE}\n# Syntaxes\n");
    for syntax in syntax::all() {
        page += &format!("\n## `{}`\n\n{}\n\n", syntax.name(), syntax.description());
        page += &fenced(syntax.example());
    }
    page
}

fn codes_page() -> String {
    let mut page = format!("{MADE}\n# Codes\n\n");
    page += "Every finding has one of these codes. `toolscan codes CODE` prints its section. `--strict` makes every\nwarning an error.\n\n";
    page += "| code | severity | meaning |\n|---|---|---|\n";
    for info in CODES {
        let name = info.name;
        page += &format!(
            "| [`{name}`](#{name}) | {} | {} |\n",
            codes::severity(info),
            info.meaning
        );
    }
    for info in CODES {
        page += &format!("\n## {}\n\n{}\n{}\n\n", info.name, info.meaning, info.why);
        page += &format!(
            "Severity: {}. To mend it: {}\n\n",
            codes::severity(info),
            info.mend
        );
        page += &match info.example {
            Example::Event(event) => format!("{}: {event}\n", codes::kind(info)),
            _ => format!("{}:\n\n{}", codes::kind(info), fenced(&codes::example(info))),
        };
    }
    page
}

/// `text` in a Markdown fence that it cannot close.
fn fenced(text: &str) -> String {
    let line_break = if text.ends_with('\n') { "" } else { "\n" };
    format!("````text\n{text}{line_break}````\n")
}
