//! Tests of the scanner: the cases in `tests/syntax/`, and what holds for every text.

mod cases;
mod compare;
mod floors;
mod hostile;
mod promises;
mod stream;
mod texts;
mod toy;
