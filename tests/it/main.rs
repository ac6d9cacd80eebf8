//! The program as its users see it: each module runs the built binary, one per subcommand and per promise.

mod support;

mod accounting;
mod codes;
mod config;
mod containers;
mod docs;
mod explain;
mod hostile;
mod ingest;
mod invariance;
mod logs;
mod merge;
mod read;
mod reliability;
mod rows;
mod stats;
mod streams;
mod tools;
mod truth;
mod usage;
mod zip;
