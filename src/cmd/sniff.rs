//! `toolscan sniff`: how logs would be read, and why.

use std::fmt::Write;
use std::process::ExitCode;
use std::sync::Arc;

use serde_json::{Value, json};
use toolscan::Error;
use toolscan::input::{Head, Limits, Source, expand, head};
use toolscan::record::{Fields, Format, Sniff};

use super::print::{print, print_json};
use super::visible;
use crate::cli::SniffArgs;

/// Bytes of a completion that are shown.
const SHOWN_BYTES: usize = 300;

pub(crate) fn run(args: &SniffArgs) -> Result<ExitCode, Error> {
    let fields = Arc::new(Fields::default());
    let mut sniffed = Vec::new();
    for source in expand(&args.inputs)? {
        let look = |head: &Head<'_>| Sniff::of(&fields, head.records.iter().copied());
        let sniff = head(&source, Limits::default(), &fields, look)
            .map_err(|cause| Error::io("read", &source.name, cause))?;
        sniffed.push((source, sniff));
    }
    if args.json {
        print_json(
            &sniffed
                .iter()
                .map(|(source, sniff)| describe(source, sniff))
                .collect(),
        )?;
    } else {
        let pages: Vec<_> = sniffed
            .iter()
            .map(|(source, sniff)| page(source, sniff))
            .collect();
        print(&pages.join("\n"))?;
    }
    Ok(ExitCode::SUCCESS)
}

fn describe(source: &Source, sniff: &Sniff) -> Value {
    let formats: serde_json::Map<_, _> = sniff
        .formats
        .iter()
        .map(|&(name, count)| (name.to_owned(), json!(count)))
        .collect();
    json!({
        "source": source.name,
        "format": sniff.format().map(|(name, _)| name),
        "confidence": sniff.format().map(|(_, share)| share),
        "why": why(sniff),
        "records": sniff.records,
        "formats": formats,
        "text": sniff.found.text,
        "id": sniff.found.id,
        "model": sniff.found.model,
        "tools": sniff.found.tools,
        "first_completion": sniff.example,
        "first_id": sniff.named[0],
        "first_model": sniff.named[1],
        "hint": sniff.format().is_none().then(|| hint(sniff)),
    })
}

fn page(source: &Source, sniff: &Sniff) -> String {
    let mut page = format!("{}\n", visible::line(&source.name));
    let mut say = |name: &str, text: &str| {
        writeln!(page, "  {name:17} {text}").expect("strings take everything");
    };
    let Some((name, share)) = sniff.format() else {
        say("format", "not known");
        say("hint", &visible::line(&hint(sniff)));
        return page;
    };
    let about = name.parse::<Format>().map_or("", Format::about);
    say("format", &format!("{name}: {about}"));
    say("confidence", &format!("{:.0} %", 100.0 * share));
    say("why", &why(sniff));
    let found = [
        ("text at", sniff.found.text),
        ("id at", sniff.found.id),
        ("model at", sniff.found.model),
        ("tools at", sniff.found.tools),
    ];
    for (name, path) in found {
        say(name, path.unwrap_or("-"));
    }
    if let [Some(id), _] = &sniff.named {
        say("first id", &visible::line(&visible::shorten(id, SHOWN_BYTES)));
    }
    if let [_, Some(model)] = &sniff.named {
        say(
            "first model",
            &visible::line(&visible::shorten(model, SHOWN_BYTES)),
        );
    }
    if let Some(text) = &sniff.example {
        say(
            "first completion",
            &visible::line(&visible::shorten(text, SHOWN_BYTES)),
        );
    }
    if let Some(lacks) = &sniff.lacks {
        say("not all", &visible::line(lacks));
    }
    page
}

/// By what the format was recognised, and in how many records.
fn why(sniff: &Sniff) -> String {
    let Some(&(name, count)) = sniff.formats.first() else {
        return format!("none of the first {} records has a known shape", sniff.records);
    };
    let of = format!("{count} of the first {} records", sniff.records);
    let signs = name.parse::<Format>().map_or(&[][..], Format::signs);
    let signs: Vec<_> = signs
        .iter()
        .map(|signs| format!("`{}`", signs.join("`, `")))
        .collect();
    let mut why = match &signs[..] {
        [] => of,
        signs => format!("{of} have {}", signs.join(", or ")),
    };
    let others: Vec<_> = sniff.formats[1..]
        .iter()
        .map(|(name, count)| format!("{name} ({count})"))
        .collect();
    if !others.is_empty() {
        why += &format!("; the others: {}", others.join(", "));
    }
    why
}

fn hint(sniff: &Sniff) -> String {
    match (&sniff.lacks, sniff.records) {
        (_, 0) => "there are no records in it".to_owned(),
        (Some(lacks), _) => format!(
            "say where the text is, such as `toolscan ingest … --map 'text=turns[role=assistant].content, id=id'`; \
             the first record says: {lacks}"
        ),
        (None, _) => "say where the text is with `--map`".to_owned(),
    }
}
