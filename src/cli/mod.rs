//! What was typed, and what the run needs of it. The doc comments of the arguments are the help.

use std::path::PathBuf;

use clap::builder::PossibleValuesParser;
use clap::{Args, Parser, Subcommand, ValueEnum};
use toolscan::{CODES, Code, Think, nearest, syntax};

pub(crate) mod config;
mod generate;
mod ingest;
mod merge;
mod scan;
mod settings;
mod sniff;
mod stats;
mod suggest;
mod tools;

pub(crate) use generate::GenerateArgs;
pub(crate) use ingest::IngestArgs;
pub(crate) use merge::MergeArgs;
pub(crate) use scan::ScanArgs;
pub(crate) use settings::Settings;
pub(crate) use sniff::SniffArgs;
pub(crate) use stats::StatsArgs;
pub(crate) use tools::ToolsArgs;

/// Finds, parses and judges the tool calls that language models write, in any log, and writes Parquet tables
/// about them.
#[derive(Parser)]
#[command(name = "toolscan", version, max_term_width = 100, after_help = EXAMPLES)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
    /// When to use colours; the default asks the terminal, `NO_COLOR` and `CLICOLOR_FORCE`.
    #[arg(
        long,
        global = true,
        value_enum,
        default_value_t,
        value_name = "WHEN",
        hide_possible_values = true
    )]
    pub(crate) color: Color,
}

const EXAMPLES: &str = "\
Examples:
  toolscan ingest logs/*.jsonl --out calls.parquet
  toolscan sniff logs/*.jsonl
  toolscan stats calls.parquet --by model
  toolscan explain completion.txt
  toolscan codes invalid_json

Exit codes: 0 done, 1 a failure while running, 2 wrong usage.";

/// What to do.
#[derive(Subcommand)]
pub(crate) enum Command {
    Ingest(Box<IngestArgs>),
    Merge(MergeArgs),
    Sniff(SniffArgs),
    Stats(StatsArgs),
    Explain(ExplainArgs),
    Generate(GenerateArgs),
    Syntaxes(SyntaxesArgs),
    Codes(CodesArgs),
    Completions(CompletionsArgs),
    #[command(hide = true)]
    Docs(DocsArgs),
}

/// When to use colours.
#[derive(Clone, Copy, Default, ValueEnum)]
pub(crate) enum Color {
    #[default]
    Auto,
    Always,
    Never,
}

impl Color {
    /// Makes this the choice of everything that prints.
    pub(crate) fn apply(self) {
        let choice = match self {
            Self::Auto => return,
            Self::Always => anstream::ColorChoice::Always,
            Self::Never => anstream::ColorChoice::Never,
        };
        choice.write_global();
    }
}

/// Draw one text's calls and findings, each finding under the bytes that it is about.
#[derive(Args)]
#[command(after_help = "\
Examples:
  toolscan explain completion.txt
  pbpaste | toolscan explain --syntax execute_block
  jq -r .completion log.jsonl | head -1 | toolscan explain -")]
pub(crate) struct ExplainArgs {
    /// A file with the text of one completion; `-` is stdin.
    #[arg(default_value = "-")]
    pub(crate) file: PathBuf,
    #[command(flatten)]
    pub(crate) scan: ScanArgs,
    #[command(flatten)]
    pub(crate) tools: ToolsArgs,
}

/// List the syntaxes that toolscan knows.
#[derive(Args)]
pub(crate) struct SyntaxesArgs {
    /// Print a JSON array instead.
    #[arg(long)]
    pub(crate) json: bool,
}

/// List the codes of all findings, or say everything about one of them.
#[derive(Args)]
#[command(after_help = "\
Examples:
  toolscan codes
  toolscan codes invalid_json
  toolscan codes --json | jq -r '.[] | select(.severity == \"error\") | .code'")]
pub(crate) struct CodesArgs {
    /// The code to explain: what it means, why it matters, how to mend it, an example.
    #[arg(value_parser = code)]
    pub(crate) code: Option<Code>,
    /// Print JSON instead.
    #[arg(long)]
    pub(crate) json: bool,
}

/// Print a script that completes toolscan's arguments in a shell.
#[derive(Args)]
#[command(after_help = "\
Examples:
  toolscan completions bash > ~/.local/share/bash-completion/completions/toolscan
  toolscan completions zsh > ~/.zfunc/_toolscan
  toolscan completions fish > ~/.config/fish/completions/toolscan.fish")]
pub(crate) struct CompletionsArgs {
    /// The shell.
    #[arg(value_enum)]
    pub(crate) shell: clap_complete::Shell,
}

/// Write the pages about syntaxes, codes and tables.
#[derive(Args)]
pub(crate) struct DocsArgs {
    /// The folder to write them to.
    pub(crate) folder: PathBuf,
}

/// What to do with reasoning.
#[derive(Clone, Copy, ValueEnum)]
pub(crate) enum ThinkArg {
    /// Hide what is inside from every syntax and report calls in it.
    Hide,
    /// Take the tags as plain text.
    Scan,
}

impl From<ThinkArg> for Think {
    fn from(think: ThinkArg) -> Self {
        match think {
            ThinkArg::Hide => Self::Hide,
            ThinkArg::Scan => Self::Scan,
        }
    }
}

/// Accepts the name of a syntax.
pub(crate) fn syntax_names() -> PossibleValuesParser {
    let names = syntax::all()
        .iter()
        .map(|syntax| syntax.name())
        .collect::<Vec<_>>();
    PossibleValuesParser::new(names)
}

fn code(name: &str) -> Result<Code, String> {
    let names = CODES.iter().map(|info| info.name);
    Code::from_name(name).ok_or_else(|| match nearest(name, names) {
        Some(meant) => format!("did you mean `{meant}`?"),
        None => "`toolscan codes` lists all of them".to_owned(),
    })
}
