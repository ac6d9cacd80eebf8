//! `toolscan codes`: the table of all findings, or one of them explained.

use std::process::ExitCode;

use serde_json::json;
use toolscan::{CODES, Code, CodeInfo, EXAMPLE_TOOLS, Error, Example};

use super::print::{print, print_json};
use crate::cli::CodesArgs;

pub(crate) fn run(args: &CodesArgs) -> Result<ExitCode, Error> {
    let one = args.code.map(Code::info);
    match (one, args.json) {
        (Some(info), true) => print_json(&describe(info))?,
        (Some(info), false) => print(&page(info))?,
        (None, true) => print_json(&CODES.iter().map(describe).collect())?,
        (None, false) => print(&list())?,
    }
    Ok(ExitCode::SUCCESS)
}

fn describe(info: &CodeInfo) -> serde_json::Value {
    json!({
        "code": info.name,
        "severity": info.severity.name(),
        "warning_in": info.lowered_by,
        "meaning": info.meaning,
        "why": info.why,
        "mend": info.mend,
        "example": example(info),
    })
}

/// The example as text.
pub(crate) fn example(info: &CodeInfo) -> String {
    match info.example {
        Example::Text(text) | Example::Judged(text) | Example::Event(text) => text.to_owned(),
        Example::Record(line) => line
            .escape_ascii()
            .to_string()
            .replace("\\\"", "\"")
            .replace("\\\\", "\\"),
    }
}

fn list() -> String {
    let mut text = String::new();
    for info in CODES {
        text += &format!("{:8} {:24}{}\n", info.severity.name(), info.name, info.meaning);
    }
    text + "\n`toolscan codes CODE` says why one matters and how to mend it.\n"
}

fn page(info: &CodeInfo) -> String {
    let mut text = format!(
        "{} ({})\n\n{}\n{}\n\n",
        info.name,
        severity(info),
        info.meaning,
        info.why
    );
    text += &format!("To mend it: {}\n\n{}:\n\n", info.mend, kind(info));
    let mut indented = |lines: &str| {
        for line in lines.lines() {
            text += &format!("    {}\n", super::visible::line(line));
        }
    };
    indented(&example(info));
    if matches!(info.example, Example::Judged(_)) {
        indented("\n--tools:\n\n");
        indented(EXAMPLE_TOOLS);
    }
    text
}

/// The severity in words, with the syntaxes that lower it.
pub(crate) fn severity(info: &CodeInfo) -> String {
    match info.lowered_by {
        [] => info.severity.name().to_owned(),
        lowered => format!("{}; in {} a warning", info.severity.name(), lowered.join(", ")),
    }
}

/// What the example is.
pub(crate) fn kind(info: &CodeInfo) -> &'static str {
    match info.example {
        Example::Text(_) => "A completion that earns it",
        Example::Judged(_) => "A completion that earns it, with the tools below",
        Example::Record(_) => "A line of a log that earns it",
        Example::Event(_) => "What earns it",
    }
}
