//! Printing to stdout, for readers that may leave early.

use std::io::{self, Write};

use toolscan::Error;

/// Prints `text` on stdout. A reader that has closed the pipe has seen enough: that is no error.
///
/// # Errors
///
/// [`Error::Io`] when stdout cannot be written for another reason.
pub(crate) fn print(text: &str) -> Result<(), Error> {
    let mut out = anstream::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(cause) if cause.kind() != io::ErrorKind::BrokenPipe => Err(Error::io("write", "stdout", cause)),
        _ => Ok(()),
    }
}

/// Prints a JSON value on stdout, indented, with a line break behind it.
///
/// # Errors
///
/// As [`print`].
pub(crate) fn print_json(value: &serde_json::Value) -> Result<(), Error> {
    print(&format!("{value:#}\n"))
}

/// Width to fill: that of the terminal, or 100 columns where there is none.
pub(crate) fn width() -> usize {
    terminal_width().map_or(100, |width| width.clamp(40, 160))
}

fn terminal_width() -> Option<usize> {
    comfy_table::Table::new().use_stderr().width().map(usize::from)
}
