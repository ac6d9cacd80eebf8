//! `toolscan docs DIR`: the pages that are made from the program's own lists.

use std::path::Path;
use std::process::ExitCode;

use toolscan::record::Format;
use toolscan::{CODES, EXAMPLE_TOOLS, Error, Example, syntax};

use super::codes;
use crate::cli::DocsArgs;

pub(crate) fn run(args: &DocsArgs) -> Result<ExitCode, Error> {
    let pages = [
        ("syntaxes.md", syntaxes_page()),
        ("codes.md", codes_page()),
        ("formats.md", formats_page()),
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
        if matches!(info.example, Example::Judged(_)) {
            page += &format!("\n{}", fenced(EXAMPLE_TOOLS));
        }
    }
    page
}

fn formats_page() -> String {
    let mut page = format!("{MADE}{FORMATS}");
    page += "\n## All formats\n\nIn the order in which they are tried. `toolscan ingest --input-format NAME` names one.\n";
    for format in Format::all() {
        page += &format!("\n### `{}`\n\n{}.\n\n", format.name(), format.about());
        let signs = format.signs().iter().map(|signs| code(signs).join(", "));
        let signs: Vec<_> = signs.collect();
        page += &format!("- recognised by {}\n", signs.join("; or "));
        let [texts, ids, models, tools] = format.places();
        for (name, paths) in [
            ("completions", texts),
            ("id", ids),
            ("model", models),
            ("tools", tools),
        ] {
            if !paths.is_empty() {
                page += &format!("- {name}: {}\n", code(&paths).join(", "));
            }
        }
    }
    page
}

fn code(words: &[impl AsRef<str>]) -> Vec<String> {
    words.iter().map(|word| format!("`{}`", word.as_ref())).collect()
}

const FORMATS: &str = "
# Formats of logs

What a record is taken for is found by itself: a source by its first 64 records, and each record on its own where it
is not like them. `toolscan sniff FILE` shows the result and why; `--input-format NAME` says it, `--map` describes a
house format (docs/recipes.md). Where `--text-field`, `--map` or the config file say where the text is, nothing is guessed.

## What is asked, in order

1. The format of most of the source's first 64 records, where the record has its signs.
2. The plain rule: the first of `completion`, `response`, `output`, `text`, `generated_text`, `content`; then
   `choices[].message.content` and `choices[].text`; then the assistant turns of `messages[]` and `conversations[]`.
3. Every format below whose signs the record has.

A record that gives nothing is one row in `errors`: `missing_text`, with the detail `no_completion` where its format is
known and it holds none (a user's line in a session), `provider_error` where it holds what the provider says went
wrong, and none where nobody knows its shape; `repeated_record` where it repeats answers that stand earlier in the file.

## Paths

Keys joined by dots; `[]` is each element of a list, `[key=a|b]` each element whose `key` is `a` or `b`. A sign is a path
that leads to something, `path=a|b` to one of these strings, `path:kind` to a value of this kind.

## Messages

Wherever a message stands, these are understood: `content`, `parts`, `value`, `text`, each a string or a list of parts;
parts `text`, `output_text`, `thinking`, `reasoning`, any `…tool_use`, `tool_call`, and Gemini's and Bedrock's, which
have no type; `reasoning_content`, `reasoning`, `thinking`; `tool_calls`, `invalid_tool_calls`, `function_call`. The plain
rule takes parts of type `text` alone for text.

## Channels

What a model thought, where it is logged apart from the text, is a row of its own in `completions`: `channel` is
`reasoning`, `choice` that of the text beside it. It is hidden from every syntax as text between think tags is: a call
in it is `call_in_think`, and it has no row in `calls`. `--think scan` does not change that. `think_bytes` is all of it.
The stats and the summary count the rows of channel `text` alone as completions. `finish_reason` stands on the text's row;
on the reasoning's where there is no text and no call.

## Calls that the provider parsed

They are rows of `calls` with `syntax = native`. Where a message has them both as parts and as a list, they are the
same ones and counted once. `leaked_call`: a call stands in the text beside such calls, or although the record shows
tools that were offered and `finish_reason` says that the model stopped by itself. `truncated_call`: `finish_reason` says
that a limit cut the completion, and the cut goes through a call in the text or the arguments of a native one.

## Streams

Where a source's first lines are server-sent events (`data: …`) or mostly chunks, each streamed answer is one record, put
together where it is read: OpenAI's chat chunks by `id` and `index`, in any mixture; Anthropic's events from `message_start`
to the next; the events of Responses, of which the last one repeats all. Its `line` and `record_offset` are those of its
first chunk, and records come in the order of these. Chunks are parts of a record, as lines are of a value that spans them;
blank lines, comments, event names and `[DONE]` are none. Every other line is a record as anywhere.

An answer ends with the event that says so, with `[DONE]`, with the source, or when every choice of it has a
`finish_reason` and 64 lines more have come. One that was cut is read as far as it came, without a `finish_reason`.
No more is held than `--max-record-bytes` of chunks and 4,096 answers: beyond that the oldest comes out as far as it has
come, and what follows of it is a record of its own. Text completions are joined as events alone, because their chunks look
like whole ones. A stream that was logged as one text or list, in a gateway's `response_body` say, is joined as well.
";

/// `text` in a Markdown fence that it cannot close.
fn fenced(text: &str) -> String {
    let line_break = if text.ends_with('\n') { "" } else { "\n" };
    format!("````text\n{text}{line_break}````\n")
}
