//! `toolscan syntaxes`: what can be found.

use std::process::ExitCode;

use serde_json::json;
use toolscan::Error;
use toolscan::syntax::{self, SharedSyntax};

use super::print::{print, print_json};
use crate::cli::SyntaxesArgs;

pub(crate) fn run(args: &SyntaxesArgs) -> Result<ExitCode, Error> {
    let syntaxes = syntax::all();
    if args.json {
        print_json(&syntaxes.iter().map(describe).collect())?;
    } else {
        print(&list(&syntaxes))?;
    }
    Ok(ExitCode::SUCCESS)
}

fn describe(syntax: &SharedSyntax) -> serde_json::Value {
    json!({
        "syntax": syntax.name(),
        "description": syntax.description(),
        "example": syntax.example(),
    })
}

fn list(syntaxes: &[SharedSyntax]) -> String {
    let mut text = String::new();
    for syntax in syntaxes {
        text += &format!("{:16}{}\n", syntax.name(), syntax.description());
        for line in syntax.example().lines() {
            text += &format!("{:16}  {line}\n", "");
        }
        text.push('\n');
    }
    text + "Name them in `--syntax`; the rules of each are in docs/rules.md.\n"
}
