//! `toolscan generate`.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;
use std::process::ExitCode;

use toolscan::generate::{Generator, Settings};
use toolscan::{Error, syntax};

use crate::cli::GenerateArgs;

pub(crate) fn run(args: &GenerateArgs) -> Result<ExitCode, Error> {
    let syntaxes = syntax::all();
    let chosen = match &args.syntax[..] {
        [] => syntaxes,
        names => names
            .iter()
            .filter_map(|name| syntaxes.iter().find(|syntax| syntax.name() == name).cloned())
            .collect(),
    };
    let settings = Settings {
        seed: args.seed,
        no_call_rate: args.no_call_rate,
        fault_rate: args.fault_rate,
        model_count: args.model_count,
        paragraphs: args.paragraphs,
    };
    let mut generator = Generator::new(settings, chosen);
    if args.out == Path::new("-") {
        let written = write(args, &mut generator, &mut io::stdout().lock(), &mut io::sink());
        return match written {
            // Who reads a log with `head` has seen enough of it.
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(ExitCode::SUCCESS),
            written => written
                .map(|()| ExitCode::SUCCESS)
                .map_err(|error| failed(&args.out, error)),
        };
    }
    let truth = args.out.with_extension("truth.jsonl");
    let mut log_file = File::create(&args.out).map_err(|error| failed(&args.out, error))?;
    let mut truth_file = File::create(&truth).map_err(|error| failed(&truth, error))?;
    write(args, &mut generator, &mut log_file, &mut truth_file).map_err(|error| failed(&args.out, error))?;
    super::say(&format!(
        "{} records in {}, what is true of them in {}\n",
        args.records,
        args.out.display(),
        truth.display()
    ));
    Ok(ExitCode::SUCCESS)
}

fn write(
    args: &GenerateArgs,
    generator: &mut Generator,
    log: &mut dyn Write,
    truth: &mut dyn Write,
) -> io::Result<()> {
    let mut log = BufWriter::with_capacity(1 << 20, log);
    let mut truth = BufWriter::with_capacity(1 << 20, truth);
    for _ in 0..args.records {
        let made = generator.make();
        let record = made.record.to_string();
        writeln!(log, "{}", if args.ascii { ascii(&record) } else { record })?;
        writeln!(truth, "{}", made.truth)?;
    }
    log.flush()?;
    truth.flush()
}

/// JSON text with everything that is not ASCII escaped.
fn ascii(json: &str) -> String {
    let mut out = String::with_capacity(json.len() * 2);
    for character in json.chars() {
        if character.is_ascii() {
            out.push(character);
            continue;
        }
        for unit in character.encode_utf16(&mut [0; 2]) {
            out.push_str(&format!("\\u{unit:04x}"));
        }
    }
    out
}

fn failed(path: &Path, error: io::Error) -> Error {
    Error::io("write", path.display(), error)
}
