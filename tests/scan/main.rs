//! Tests of the scanner: the cases in `tests/syntax/`, and what holds for every text.

mod cases;
mod compare;
mod floors;
mod hostile;
mod mutants;
mod promises;
mod referees;
mod stream;
mod texts;
mod toy;
