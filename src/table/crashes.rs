//! What becomes of the output when the disk refuses, or the process is killed, at any one operation.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::Arc;

use rayon::{ThreadPool, ThreadPoolBuilder};
use serde_json::Map;
use tempfile::TempDir;

use super::faults::{Fault, Faults};
use super::files::Files;
use super::place::{Place, finish_killed_run};
use super::{Output, OutputPaths, Rows, Writing};
use crate::error::Error;

/// A directory, by the names and contents of its files.
type Listing = BTreeMap<String, Vec<u8>>;

fn listing(directory: &Path) -> Listing {
    let entries = fs::read_dir(directory).expect("it can be listed");
    let file = |entry: fs::DirEntry| {
        let name = entry.file_name().into_string().expect("names are ASCII");
        (name, fs::read(entry.path()).expect("it can be read"))
    };
    entries
        .map(|entry| file(entry.expect("it can be listed")))
        .collect()
}

/// A directory in memory where the system has one: nothing here is about the disk itself.
fn directory() -> TempDir {
    let memory = Path::new("/dev/shm");
    let made = if memory.is_dir() {
        TempDir::new_in(memory)
    } else {
        TempDir::new()
    };
    made.expect("a directory can be made")
}

fn pool() -> Arc<ThreadPool> {
    let pool = ThreadPoolBuilder::new().num_threads(1).build();
    Arc::new(pool.expect("a pool can be made"))
}

fn paths(directory: &TempDir) -> OutputPaths {
    OutputPaths::from_arg(&directory.path().join("calls.parquet"))
}

/// A run that writes tables which differ by `options`.
fn run(files: Files, paths: &OutputPaths, options: &str, pool: &Arc<ThreadPool>) -> Result<(), Error> {
    let place = Arc::new(Place::on(files, paths.clone()));
    let writing = Writing {
        options,
        force: false,
    };
    let mut output = Output::create(&place, writing, pool)?;
    let mut rows = Rows::new(false);
    output.write(rows.finish())?;
    output.commit(rows.take_stats().batch(), Map::new())
}

const OLD: &str = r#"{"run":"old"}"#;
const NEW: &str = r#"{"run":"new"}"#;

/// What stands there after a whole run.
fn outcome(options: &str, pool: &Arc<ThreadPool>) -> Listing {
    let directory = directory();
    run(Files::default(), &paths(&directory), options, pool).expect("the disk is sound");
    listing(directory.path())
}

/// Lets a run over old output fail at every operation in turn, and hands what it left to `check`, with the number of
/// the operation and what the run said.
fn at_every_operation(
    fault: Fault,
    pool: &Arc<ThreadPool>,
    mut check: impl FnMut(usize, Result<(), Error>, &TempDir),
) {
    for at in 0.. {
        let directory = directory();
        let paths = paths(&directory);
        run(Files::default(), &paths, OLD, pool).expect("the disk is sound");
        let faults = Faults::at(at, fault);
        let said = run(Files::failing(&faults), &paths, NEW, pool);
        check(at, said, &directory);
        if faults.done() <= at {
            assert!(at > 20, "there were operations to fail");
            return;
        }
    }
}

#[test]
fn wherever_it_is_killed_the_output_is_the_old_or_the_new_and_the_next_run_clears_up() {
    let pool = pool();
    let (old, new) = (outcome(OLD, &pool), outcome(NEW, &pool));
    let (mut kept, mut replaced) = (0, 0);
    at_every_operation(Fault::Kill, &pool, |at, _, directory| {
        let paths = paths(directory);
        finish_killed_run(&paths).expect("the disk is sound again");
        let mut left = listing(directory.path());
        left.retain(|name, _| !name.starts_with(".toolscan-"));
        assert!(
            left == old || left == new,
            "at {at}: {:?}",
            left.keys().collect::<Vec<_>>()
        );
        if left == old {
            kept += 1;
        } else {
            replaced += 1;
        }

        run(Files::default(), &paths, NEW, &pool).unwrap_or_else(|error| panic!("at {at}: {error}"));
        assert_eq!(listing(directory.path()), new, "at {at}");
    });
    assert!(kept > 10 && replaced > 3, "{kept} kept, {replaced} replaced");
}

#[test]
fn a_run_over_what_a_killed_one_left_is_as_safe() {
    let pool = pool();
    let new = outcome(NEW, &pool);
    at_every_operation(Fault::Kill, &pool, |at, _, killed| {
        let before = listing(killed.path());
        // The next run is killed where it finishes or clears away what the first left.
        for again in 0..12 {
            let directory = directory();
            for (name, bytes) in &before {
                fs::write(directory.path().join(name), bytes).expect("it can be written");
            }
            let paths = paths(&directory);
            let _ = run(
                Files::failing(&Faults::at(again, Fault::Kill)),
                &paths,
                NEW,
                &pool,
            );
            run(Files::default(), &paths, NEW, &pool)
                .unwrap_or_else(|error| panic!("at {at}, then at {again}: {error}"));
            assert_eq!(listing(directory.path()), new, "at {at}, then at {again}");
        }
    });
}

#[test]
fn whatever_the_disk_refuses_the_output_is_the_old_or_the_new_and_nothing_is_left() {
    let pool = pool();
    let (old, new) = (outcome(OLD, &pool), outcome(NEW, &pool));
    at_every_operation(Fault::Refusal, &pool, |at, said, directory| {
        finish_killed_run(&paths(directory)).expect("the disk is sound again");
        let mut left = listing(directory.path());
        let is_new = left == new;
        if said.is_err() && !is_new {
            // A lock without a name could not be cleared away; the next run takes it.
            left.retain(|name, bytes| !(name.ends_with("-lock") && bytes.is_empty()));
            assert_eq!(
                left.keys().collect::<Vec<_>>(),
                old.keys().collect::<Vec<_>>(),
                "at {at}"
            );
            assert!(left == old, "at {at}");
        } else {
            assert!(is_new, "at {at}");
        }
    });
}

#[test]
fn a_journal_that_names_files_elsewhere_is_not_followed() {
    let pool = pool();
    let directory = directory();
    let paths = paths(&directory);
    run(Files::default(), &paths, OLD, &pool).expect("the disk is sound");
    let manifest = fs::read_to_string(paths.manifest()).expect("it is there");
    let journal = manifest.replace("calls.errors.parquet", "../errors.parquet");
    assert_ne!(journal, manifest);
    let lock = directory.path().join(".toolscan-calls.parquet-lock");
    fs::write(&lock, journal).expect("it can be written");
    finish_killed_run(&paths).expect("it is passed over");
    assert!(lock.exists(), "nothing was put in place");
    run(Files::default(), &paths, NEW, &pool).expect("the next run clears it away");
    assert_eq!(listing(directory.path()), outcome(NEW, &pool));
}

#[test]
fn one_run_at_a_time() {
    let pool = pool();
    let directory = directory();
    let paths = paths(&directory);
    let place = Arc::new(Place::new(paths.clone()));
    let first = Output::create(&place, Writing::default(), &pool).expect("the place is free");
    let second = run(Files::default(), &paths, NEW, &pool).expect_err("the place is taken");
    assert!(second.to_string().contains("another run"), "{second}");
    assert_eq!(second.exit_code(), 1);
    drop(first);
    assert_eq!(
        listing(directory.path()),
        Listing::new(),
        "the first took all away"
    );
    run(Files::default(), &paths, NEW, &pool).expect("the place is free again");
}

#[test]
fn what_others_wrote_is_replaced_by_force_alone() {
    let pool = pool();
    let directory = directory();
    let paths = paths(&directory);
    for file in [&paths.errors, &paths.manifest()] {
        fs::write(file, "somebody's").expect("it can be written");
        let refused = run(Files::default(), &paths, NEW, &pool).expect_err("it is refused");
        assert!(refused.to_string().contains("--force"), "{refused}");
        assert_eq!(refused.exit_code(), 2);
        assert_eq!(fs::read(file).expect("it is there"), b"somebody's");
        assert_eq!(listing(directory.path()).len(), 1, "nothing is left");

        let place = Arc::new(Place::new(paths.clone()));
        let writing = Writing {
            options: NEW,
            force: true,
        };
        drop(Output::create(&place, writing, &pool).expect("it is given up"));
        fs::write(file, "").expect("it can be written");
        run(Files::default(), &paths, NEW, &pool).expect("an empty file holds nothing");
        run(Files::default(), &paths, OLD, &pool).expect("toolscan wrote these");
        for path in paths
            .named()
            .map(|(_, path)| path.to_owned())
            .iter()
            .chain([&paths.manifest()])
        {
            fs::remove_file(path).expect("it can be removed");
        }
    }
}
