//! Options that say which tools were offered.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::{Args, ValueEnum};
use toolscan::Error;
use toolscan::validate::tools::{Dialect, MEOWSTIK, Schema, Toolset};

use super::config::Config;

/// The name of the registry that is built in.
const BUILT_IN: &str = "meowstik";

/// Which tools the calls are held against.
#[derive(Args)]
pub(crate) struct ToolsArgs {
    /// Hold the calls against the tools in this JSON file, or the built-in `meowstik`; repeatable, later files win.
    #[arg(long, value_name = "FILE", help_heading = "Tools")]
    pub(crate) tools: Vec<PathBuf>,
    /// How the schemas are written: JSON Schema, or as the Berkeley Function Calling Leaderboard does.
    #[arg(
        long,
        value_enum,
        value_name = "json-schema|bfcl",
        hide_possible_values = true,
        help_heading = "Tools"
    )]
    pub(crate) tools_dialect: Option<DialectArg>,
}

/// How schemas are written.
#[derive(Clone, Copy, ValueEnum)]
pub(crate) enum DialectArg {
    /// JSON Schema, the draft that `$schema` names.
    JsonSchema,
    /// Types such as `dict`, `float` and `tuple`; no arguments but those listed.
    Bfcl,
}

impl From<DialectArg> for Dialect {
    fn from(dialect: DialectArg) -> Self {
        match dialect {
            DialectArg::JsonSchema => Self::JsonSchema,
            DialectArg::Bfcl => Self::Bfcl,
        }
    }
}

impl ToolsArgs {
    /// The dialect that was asked for, the config file's else.
    pub(crate) fn dialect(&self, config: &Config) -> Dialect {
        self.tools_dialect.map_or(config.tools_dialect, Into::into)
    }

    /// Reads the registries, the config file's where none are named.
    ///
    /// # Errors
    ///
    /// [`Error::Usage`] for a file that cannot be read, or holds no tools that can be used.
    pub(crate) fn read(&self, config: &Config) -> Result<Option<Toolset>, Error> {
        let files = if self.tools.is_empty() {
            &config.tools
        } else {
            &self.tools
        };
        let dialect = self.dialect(config);
        let mut tools: Option<Toolset> = None;
        for file in files {
            let read = read(file, dialect)?;
            tools = Some(tools.unwrap_or_default().and(read));
        }
        Ok(tools)
    }
}

/// The file that a config file in `folder` names. The built-in registry stands in no folder.
pub(super) fn in_folder(folder: &Path, file: &Path) -> PathBuf {
    if file == Path::new(BUILT_IN) {
        file.to_owned()
    } else {
        folder.join(file)
    }
}

fn read(file: &Path, dialect: Dialect) -> Result<Toolset, Error> {
    let name = file.display().to_string();
    let (text, dialect) = if file == Path::new(BUILT_IN) {
        (MEOWSTIK.to_owned(), Dialect::JsonSchema)
    } else {
        let text = fs::read_to_string(file)
            .map_err(|cause| Error::Usage(Error::io("read the tools", &name, cause).to_string()))?;
        (text, dialect)
    };
    let compile = |schema: &str| Schema::compile(schema, dialect).map(Arc::new);
    Toolset::read(&name, &text, &compile)
        .map_err(|reason| Error::Usage(format!("cannot use the tools: {name}: {reason}")))
}
