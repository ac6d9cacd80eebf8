//! Options and config file together: what the scan needs.

use toolscan::syntax::{self, SharedSyntax};
use toolscan::{Error, ScanOptions, Scanner};

use super::ScanArgs;
use super::config::Config;

/// What to look for, resolved: options win over the config file, the config file over the defaults.
pub(crate) struct Settings {
    /// The config file's other parts.
    pub(crate) config: Config,
    /// The syntaxes, in the order of the list of all syntaxes.
    pub(crate) syntaxes: Vec<SharedSyntax>,
    /// How to scan.
    pub(crate) options: ScanOptions,
}

impl Settings {
    /// Reads the config file and applies the options.
    ///
    /// # Errors
    ///
    /// As [`Config::load`].
    pub(crate) fn resolve(args: &ScanArgs) -> Result<Self, Error> {
        let config = Config::load(args.config.as_deref())?;
        let options = ScanOptions {
            think: args.think.into(),
            strict: args.strict,
        };
        let syntaxes = chosen(args, &config);
        Ok(Self {
            config,
            syntaxes,
            options,
        })
    }

    /// A scanner for these settings.
    pub(crate) fn scanner(&self) -> Scanner {
        Scanner::new(self.syntaxes.clone(), self.options)
    }
}

fn chosen(args: &ScanArgs, config: &Config) -> Vec<SharedSyntax> {
    let mut syntaxes = syntax::configured(&config.gadget_block);
    let named = if args.syntax.is_empty() {
        config.syntaxes.as_ref()
    } else {
        Some(&args.syntax)
    };
    if let Some(named) = named {
        syntaxes.retain(|syntax| named.iter().any(|name| name == syntax.name()));
    }
    syntaxes
}
