//! Printing, for readers that may leave early.

use std::io::{self, IsTerminal, Write};

use comfy_table::Table;
use toolscan::Error;

use super::visible;

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

/// Prints text for programs, in which a terminal that shows it all the same sees no commands.
///
/// # Errors
///
/// As [`print`].
pub(crate) fn print_data(text: &str) -> Result<(), Error> {
    if io::stdout().is_terminal() {
        return print(&visible::lines(text));
    }
    print(text)
}

/// Says what stopped the run: names in it may be anybody's.
pub(crate) fn complain(error: &Error) {
    say(&visible::lines(&format!("toolscan: {error}\n")));
}

/// Says something to the person at the terminal, on stderr. Where nobody listens nothing is lost.
pub(crate) fn say(text: &str) {
    let _ = anstream::stderr().lock().write_all(text.as_bytes());
}

/// Prints a JSON value on stdout, indented, with a line break behind it.
///
/// # Errors
///
/// As [`print`].
pub(crate) fn print_json(value: &serde_json::Value) -> Result<(), Error> {
    print(&visible::json(&format!("{value:#}\n")))
}

/// Width to fill on stdout: that of the terminal, or 120 columns where there is none.
pub(crate) fn stdout_width() -> usize {
    usize::from(width(&Table::new()))
}

/// Width to fill on stderr.
pub(crate) fn stderr_width() -> u16 {
    width(Table::new().use_stderr())
}

fn width(table: &Table) -> u16 {
    table.width().map_or(120, |width| width.clamp(40, 160))
}
