//! Writes a corpus to a directory: log files and what is true of them (`truth.json`). The same flags give the same
//! bytes.
//!
//! ```text
//! corpus DIRECTORY [--mib 1024] [--calls 0.4] [--quote-formats]
//! ```
//!
//! Eight files: four in UTF-8, two in ASCII with `\u` escapes, two of these with spaces behind colons and commas.

use std::error::Error;
use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::PathBuf;

#[path = "../../../common/mod.rs"]
mod common;

use common::corpus::{Corpus, Settings, Spelling};

const SPELLINGS: [Spelling; 8] = [
    Spelling::Utf8,
    Spelling::Utf8,
    Spelling::Utf8,
    Spelling::Utf8,
    Spelling::Ascii,
    Spelling::Ascii,
    Spelling::AsciiSpaced,
    Spelling::AsciiSpaced,
];

fn main() -> Result<(), Box<dyn Error>> {
    let Arguments {
        directory,
        bytes,
        settings,
    } = Arguments::parse()?;
    fs::create_dir_all(&directory)?;
    let mut corpus = Corpus::new(settings);
    let mut line = Vec::new();
    for (index, &spelling) in SPELLINGS.iter().enumerate() {
        let path = directory.join(format!("part-{index}.jsonl"));
        let mut file = BufWriter::with_capacity(1 << 20, File::create(path)?);
        let end = bytes * (index + 1) / SPELLINGS.len();
        while corpus.truth().bytes < end {
            line.clear();
            corpus.record(spelling, &mut line);
            file.write_all(&line)?;
        }
        file.flush()?;
    }
    let truth = corpus.truth().json();
    fs::write(directory.join("truth.json"), &truth)?;
    print!("{truth}");
    Ok(())
}

struct Arguments {
    directory: PathBuf,
    bytes: usize,
    settings: Settings,
}

impl Arguments {
    fn parse() -> Result<Self, Box<dyn Error>> {
        let mut directory = None;
        let mut bytes = 1 << 30;
        let mut settings = Settings::with_calls(0.4);
        let mut words = std::env::args().skip(1);
        while let Some(word) = words.next() {
            let mut value = || words.next().ok_or_else(|| format!("{word} needs a value"));
            match word.as_str() {
                "--mib" => bytes = value()?.parse::<usize>()? << 20,
                "--calls" => settings.with_calls = value()?.parse()?,
                "--quote-formats" => settings.quotes_formats = true,
                _ => directory = Some(PathBuf::from(word)),
            }
        }
        let directory = directory.ok_or("say the directory to write to")?;
        Ok(Self {
            directory,
            bytes,
            settings,
        })
    }
}
