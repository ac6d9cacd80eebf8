//! The arguments of `toolscan ingest`.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::Args;
use serde_json::json;
use toolscan::input::{Limits, Share};
use toolscan::pipeline::{Expectation, Offers, Options, Requests};
use toolscan::record::{Fields, Format, Path, PathError};
use toolscan::validate::tools::Toolset;
use toolscan::{Error, Think, syntax};

use super::config::{Config, FIELDS};
use super::suggest::unknown;
use super::{ScanArgs, Settings, ToolsArgs, syntax_names};

/// Read logs and write four Parquet tables: calls, errors, completions and stats.
#[derive(Args)]
#[command(after_help = "\
Examples:
  toolscan ingest logs/*.jsonl --out calls.parquet
  toolscan ingest logs/ --out tables/ --syntax execute_block --expect execute_block
  toolscan ingest old.jsonl.gz --out calls.parquet --text-field result.text
  kubectl logs my-pod | toolscan ingest - --out calls.parquet
  toolscan ingest run.jsonl --out calls.parquet --quiet --json | jq .adherent_rate

--out calls.parquet writes calls.parquet, calls.errors.parquet, calls.completions.parquet and
calls.stats.parquet; --out DIR/, or any name without an extension, writes calls.parquet,
errors.parquet, completions.parquet and stats.parquet into the folder. Tables appear whole
or not at all, and with them calls.manifest.json, which says what they were made of.

A line that cannot be read never stops a run: it is a row in the errors table.

What is expected of a completion: its record's own word, else the first glob in the config file's
[expect] that its model matches, else --expect.")]
pub(crate) struct IngestArgs {
    /// Logs to read: JSONL files, compressed or not, folders of them, globs (quoted ones too), or `-` for stdin.
    #[arg(required = true, value_name = "INPUT")]
    pub(crate) inputs: Vec<OsString>,
    /// Where the tables go: a file, such as calls.parquet, or a folder.
    #[arg(short, long, value_name = "PATH")]
    pub(crate) out: PathBuf,

    #[command(flatten)]
    pub(crate) scan: ScanArgs,

    #[command(flatten)]
    pub(crate) tools: ToolsArgs,
    /// Field with the tools that a record's model was offered, e.g. `request.body.tools`; they win over the files.
    #[arg(long, value_name = "PATH", help_heading = "Tools")]
    pub(crate) tools_field: Option<Path>,

    /// Take the tools, and the model where the log names none, from this file of batch requests, joined on `custom_id`.
    #[arg(long, value_name = "FILE", help_heading = "Tools")]
    pub(crate) join_requests: Option<PathBuf>,

    /// The syntax that the model was asked to use, where neither the record nor the config says it.
    #[arg(long, value_name = "SYNTAX", value_parser = syntax_names(), help_heading = "Fields")]
    pub(crate) expect: Option<String>,
    /// Field with the syntax that was asked for, e.g. `meta.format` [default: expected_syntax].
    #[arg(long, value_name = "PATH", help_heading = "Fields")]
    pub(crate) expect_field: Option<Path>,
    /// The format of all logs, one of those in docs/formats.md [default: found by itself].
    #[arg(long, value_name = "NAME", value_parser = input_format, help_heading = "Fields")]
    pub(crate) input_format: Option<Format>,
    /// Where the fields of a house format are, e.g. `text=turns[role=assistant].content, id=run.id`; also model,
    /// expected, tools, finish_reason. `[]` is each element, `[key=a|b]` each whose `key` is `a` or `b`.
    #[arg(long, value_name = "FIELD=PATH,…", value_parser = field_map, help_heading = "Fields")]
    pub(crate) map: Option<FieldMap>,
    /// Field with the completion's text, e.g. `result.text` or `samples[].output` [default: found by itself].
    #[arg(long, value_name = "PATH", help_heading = "Fields")]
    pub(crate) text_field: Option<Path>,
    /// Field with the record's id [default: found by itself].
    #[arg(long, value_name = "PATH", help_heading = "Fields")]
    pub(crate) id_field: Option<Path>,
    /// Field with the model's name [default: found by itself].
    #[arg(long, value_name = "PATH", help_heading = "Fields")]
    pub(crate) model_field: Option<Path>,
    /// The model of records that do not name one.
    #[arg(long, value_name = "NAME", help_heading = "Fields")]
    pub(crate) model: Option<String>,

    /// Check every whole line against the JSON standard, not only what toolscan reads of it.
    #[arg(long, help_heading = "Run")]
    pub(crate) validate_records: bool,
    /// Skip records larger than this, in bytes [default: 64 MiB].
    #[arg(long, value_name = "N", value_parser = positive, help_heading = "Run")]
    pub(crate) max_record_bytes: Option<usize>,
    /// Threads to use [default: one a core].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..), help_heading = "Run")]
    pub(crate) threads: Option<u16>,
    /// Bytes of a log that one thread takes at a time. The tables do not depend on it.
    #[arg(long, value_name = "N", value_parser = positive, hide = true)]
    pub(crate) shard_bytes: Option<usize>,
    /// Read this share of the inputs alone, such as `2/7`: a run of the sorted list, of about the same size as the others.
    /// `toolscan merge` puts the parts together.
    #[arg(long, value_name = "I/N", help_heading = "Run")]
    pub(crate) shard: Option<Share>,
    /// Replace files that toolscan did not write.
    #[arg(long, help_heading = "Run")]
    pub(crate) force: bool,
    /// Print one JSON object about the run on stdout.
    #[arg(long, help_heading = "Run")]
    pub(crate) json: bool,
    /// Print neither progress nor summary.
    #[arg(short, long, help_heading = "Run")]
    pub(crate) quiet: bool,
}

/// Field paths by role.
#[derive(Clone, Debug)]
pub(crate) struct FieldMap(Vec<(&'static str, Path)>);

fn field_map(text: &str) -> Result<FieldMap, String> {
    let mut map = Vec::new();
    for field in text.split(',').map(str::trim).filter(|field| !field.is_empty()) {
        let (name, path) = field
            .split_once('=')
            .ok_or_else(|| format!("`{field}` is no `FIELD=PATH`, such as `text=result.text`"))?;
        let name = name.trim();
        let Some(&role) = FIELDS.iter().find(|known| **known == name) else {
            return Err(unknown("field", name, FIELDS));
        };
        let path = path
            .trim()
            .parse()
            .map_err(|error: PathError| error.to_string())?;
        map.push((role, path));
    }
    Ok(FieldMap(map))
}

fn input_format(name: &str) -> Result<Format, String> {
    name.parse().map_err(|_| {
        let names: Vec<_> = Format::all().map(Format::name).collect();
        unknown("input format", name, &names)
    })
}

fn positive(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(0) => Err("it must be at least 1".to_owned()),
        Ok(number) => Ok(number),
        Err(_) => Err("expected a whole number of bytes".to_owned()),
    }
}

impl IngestArgs {
    /// What the run needs: options win over the config file, the config file over the defaults.
    ///
    /// # Errors
    ///
    /// [`Error::Usage`] for a field path in the config file that is none.
    pub(crate) fn options(
        &self,
        settings: &Settings,
        tools: Option<Toolset>,
        requests: Option<Requests>,
    ) -> Result<Options, Error> {
        let defaults = Limits::default();
        Ok(Options {
            scanner: settings.scanner(),
            strict: settings.options.strict,
            fields: self.fields(&settings.config)?,
            expectation: self.expectation(&settings.config)?,
            offers: Offers::new(tools, self.tools.dialect(&settings.config)),
            requests,
            model: self.model.clone(),
            validate_records: self.validate_records,
            limits: Limits {
                shard_bytes: self.shard_bytes.unwrap_or(defaults.shard_bytes),
                record_bytes: self.max_record_bytes.unwrap_or(defaults.record_bytes),
            },
        })
    }

    fn fields(&self, config: &Config) -> Result<Fields, Error> {
        let or = |option: &Option<Path>, role| match option.as_ref().or(self.mapped(role)) {
            Some(path) => Ok(Some(path.clone())),
            None => config.field(role),
        };
        Ok(Fields {
            text: or(&self.text_field, "text")?.into_iter().collect(),
            id: or(&self.id_field, "id")?,
            model: or(&self.model_field, "model")?,
            expected: or(&self.expect_field, "expected")?,
            finish_reason: or(&None, "finish_reason")?,
            tools: or(&self.tools_field, "tools")?,
            format: self.input_format,
        })
    }

    /// The path that `--map` has for a role.
    fn mapped(&self, role: &str) -> Option<&Path> {
        let FieldMap(map) = self.map.as_ref()?;
        map.iter().find(|(name, _)| *name == role).map(|(_, path)| path)
    }

    fn expectation(&self, config: &Config) -> Result<Expectation, Error> {
        let known = syntax::all().iter().map(|syntax| syntax.name()).collect();
        let mut expectation = Expectation::new(known);
        for (glob, syntax) in &config.expect {
            expectation = expectation.of_model(glob, syntax)?;
        }
        match &self.expect {
            Some(syntax) => expectation.of_all(syntax),
            None => Ok(expectation),
        }
    }

    /// The options that bear on the result, as JSON text: no paths, no thread count.
    pub(crate) fn describe(
        &self,
        settings: &Settings,
        tools: Option<&Toolset>,
        requests: Option<&Requests>,
    ) -> String {
        let config = &settings.config;
        let field = |option: &Option<Path>, role| {
            option
                .as_ref()
                .or(self.mapped(role))
                .map(ToString::to_string)
                .or_else(|| config.string(role))
        };
        let markers = &config.gadget_block;
        let think = match settings.options.think {
            Think::Hide => "hide",
            Think::Scan => "scan",
        };
        json!({
            "syntaxes": settings.syntaxes.iter().map(|syntax| syntax.name()).collect::<Vec<_>>(),
            "think": think,
            "strict": settings.options.strict,
            "text_field": field(&self.text_field, "text"),
            "id_field": field(&self.id_field, "id"),
            "model_field": field(&self.model_field, "model"),
            "expect_field": field(&self.expect_field, "expected"),
            "finish_reason_field": field(&None, "finish_reason"),
            "input_format": self.input_format.map(Format::name),
            "model": self.model,
            "expect": self.expect,
            "expect_by_model": config.expect,
            "gadget_block": { "start": markers.start, "end": markers.end, "arg": markers.arg },
            "tools": tools.map(Toolset::names),
            "tools_digest": tools.map(|tools| format!("{:016x}", tools.digest())),
            "tools_dialect": self.tools.dialect(config).name(),
            "tools_field": field(&self.tools_field, "tools"),
            "requests_digest": requests.map(|requests| format!("{:016x}", requests.digest())),
            "validate_records": self.validate_records,
            "max_record_bytes": self.max_record_bytes.unwrap_or(Limits::default().record_bytes),
        })
        .to_string()
    }
}
