//! Whole runs with more markers than the syntaxes have: what adding syntaxes costs all others.
//!
//! ```text
//! cargo bench --bench markers -- MARKERS FILE…
//! ```
//!
//! Looks for this many anchors in all (0: only those of the syntaxes), the further ones from formats that toolscan does
//! not read, on one thread. Prints the seconds and what was found, as JSON.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use toolscan::scan::Context;
use toolscan::syntax::{self, Claim, Draft, Mark, Syntax, Written};
use toolscan::{ScanOptions, Scanner};

#[path = "common/run.rs"]
mod run;

use run::{calls, directory, options, pool, run, sources};

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Markers of other formats; behind them their like with a number.
const OTHERS: &[&str] = &[
    "<tool_call",
    "</tool_call",
    "<function=",
    "</function",
    "<parameter=",
    "</parameter",
    "<function_call",
    "<|python_tag|>",
    "<|python_start|>",
    "<|eom_id|>",
    "<|tool_call",
    "<|tool_list",
    "<|tool_output",
    "<invoke ",
    "</invoke",
    "<minimax:tool",
    "<seed:tool",
    "<longcat_tool",
    "[TOOL_CALLS]",
    "[TOOL_RESULTS]",
    "[ARGS]",
    "<|action_start|>",
    "<|action_end|>",
    "<|plugin|>",
    "<|START_ACTION|>",
    "<|END_ACTION|>",
    "<|channel|>",
    "<|constrain|>",
    "<|message|>",
    "<|start|>assistant",
    "<arg_key>",
    "<arg_value>",
    "<tool_sep>",
    "functools[",
    "<｜tool▁calls▁begin",
    "<｜tool▁call▁end",
    "<｜DSML｜",
    "<steptml:",
    "<|tools_prefix|>",
    "<|tools_suffix|>",
    "<|content_invoke",
    "<|observation|>",
    "<tool_response>",
    "<tool_code>",
    "tool_outputs\n",
    "Action Input:",
];

/// A format that is looked for and never there.
struct Others(Vec<Vec<u8>>);

impl Syntax for Others {
    fn name(&self) -> &'static str {
        "others"
    }

    fn description(&self) -> &'static str {
        "markers of formats that are not read"
    }

    fn example(&self) -> &'static str {
        ""
    }

    fn anchors(&self) -> Vec<Vec<u8>> {
        self.0.clone()
    }

    fn recognise(&self, _: &str, _: usize) -> Option<Mark> {
        None
    }

    fn parse(&self, mark: Mark, _: &mut Context<'_, '_>) -> Claim {
        Claim::Text {
            resume: mark.span.end,
        }
    }

    fn write(&self, _: &[Draft], _: &mut String) -> Vec<Written> {
        Vec::new()
    }
}

/// A scanner that looks for this many anchors.
fn scanner(anchors: usize) -> Scanner {
    let scanner = |others: &[Vec<u8>]| {
        let mut syntaxes = syntax::all();
        syntaxes.push(Arc::new(Others(others.to_vec())));
        Scanner::new(syntaxes, ScanOptions::default())
    };
    let numbered =
        (0..).map(|number| format!("<|{}call_{number:02}", char::from(b'a' + (number % 26) as u8)));
    let mut more = OTHERS.iter().map(|&marker| marker.to_owned()).chain(numbered);
    let mut others = Vec::new();
    // An anchor that begins with another one does not count.
    while scanner(&others).anchors().len() < anchors {
        others.push(more.next().expect("the numbers have no end").into_bytes());
    }
    scanner(&others)
}

fn main() {
    let mut words = std::env::args().skip(1).filter(|word| word != "--bench");
    let anchors = words.next().and_then(|word| word.parse().ok());
    let files: Vec<PathBuf> = words.map(PathBuf::from).collect();
    let (Some(anchors), false) = (anchors, files.is_empty()) else {
        // Also what `cargo bench` without arguments comes to.
        println!("say the number of markers and the files");
        return;
    };
    let scanner = scanner(anchors);
    let anchors = scanner.anchors().len();
    let options = options(scanner);
    let (pool, directory) = (pool(1), directory());
    let start = Instant::now();
    let summary = run(&options, &sources(&files), &pool, directory.path());
    let seconds = start.elapsed().as_secs_f64();
    println!(
        "{{\"seconds\": {seconds}, \"anchors\": {anchors}, \"calls\": {}, \"records\": {}}}",
        calls(&summary),
        summary.records
    );
}
