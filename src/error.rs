//! What can go wrong outside: with arguments, files and disks. Broken text is no error but a diagnostic.

use std::io;

/// Something that stops a run. Displays as `what: where: why, and how to mend it`.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The program was used wrongly: an argument, an option or the config file.
    #[error("{0}")]
    Usage(String),
    /// The system refused something.
    #[error("cannot {action}: {place}: {cause}{}", hint(.cause))]
    Io {
        /// What was being done, e.g. `open`, `write`.
        action: &'static str,
        /// The file, and the part of it if that is known.
        place: String,
        /// The system's reason.
        #[source]
        cause: io::Error,
    },
    /// Something else refused: the Parquet writer, say.
    #[error("cannot {action}: {place}: {reason}")]
    Failed {
        /// What was being done.
        action: &'static str,
        /// The file, and the part of it if that is known.
        place: String,
        /// Why it failed, and how to mend it if that is known.
        reason: String,
    },
}

impl Error {
    /// The system refused `action` on `place`.
    pub fn io(action: &'static str, place: impl ToString, cause: io::Error) -> Self {
        let place = place.to_string();
        Self::Io { action, place, cause }
    }

    /// `action` on `place` failed because of `reason`.
    pub fn failed(action: &'static str, place: impl ToString, reason: impl ToString) -> Self {
        Self::Failed {
            action,
            place: place.to_string(),
            reason: reason.to_string(),
        }
    }

    /// The exit code of a run that this error stops: 2 for wrong usage, else 1.
    pub fn exit_code(&self) -> u8 {
        match self {
            Self::Usage(_) => 2,
            Self::Io { .. } | Self::Failed { .. } => 1,
        }
    }
}

/// How to mend what the system complains about, where that can be said.
fn hint(cause: &io::Error) -> &'static str {
    match cause.kind() {
        io::ErrorKind::NotFound => "; check the path",
        io::ErrorKind::PermissionDenied => "; check who may read and write there",
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => "; make room or write elsewhere",
        _ => "",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn says_what_where_and_how_to_mend() {
        let missing = Error::io("open", "logs/a.jsonl", io::ErrorKind::NotFound.into());
        assert_eq!(
            missing.to_string(),
            "cannot open: logs/a.jsonl: entity not found; check the path"
        );
        assert_eq!(missing.exit_code(), 1);
        assert_eq!(Error::Usage(String::new()).exit_code(), 2);
    }
}
