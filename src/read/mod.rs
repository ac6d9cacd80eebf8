//! The tables read back: a run's files opened, its completions with their calls and findings, and what is counted of them.

mod batches;
mod count;
mod entry;
mod rows;
mod run;

pub use count::{By, Counts, Groups, Key, Unit, levels};
pub use entry::{Columns, Completion, Entries, Entry, Finding};
pub use rows::{Row, Rows};
pub use run::Run;
