//! The place of a run's output: one run at a time holds it, clears what a killed one left there, and changes all of it
//! at once. docs/reliability.md tells the protocol.

use std::fs::{self, File, TryLockError};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use parquet::file::metadata::ParquetMetaDataReader;
use serde_json::{Map, Value};

use super::files::{Files, Scratch};
use super::manifest::{self, TableFile, hexadecimal};
use super::paths::{OutputPaths, directory_of};
use crate::error::Error;

/// Where the output of one run goes, and what it has there on its way.
///
/// Beside the tables to be stand the scratch files and one file more, which is the lock, then the journal, then the
/// manifest: its last renaming ends the run.
pub struct Place {
    paths: OutputPaths,
    files: Files,
    /// The locked file, from [`Place::claim`] until the output is in place or was given up.
    held: Mutex<Option<Arc<File>>>,
}

/// A table that is whole, in its scratch file.
pub(super) struct Complete {
    pub(super) table: &'static str,
    pub(super) scratch: Scratch,
    pub(super) rows: u64,
}

impl Place {
    /// The place of these files. Nothing is touched yet.
    pub fn new(paths: OutputPaths) -> Self {
        Self::on(Files::default(), paths)
    }

    pub(super) fn on(files: Files, paths: OutputPaths) -> Self {
        Self {
            paths,
            files,
            held: Mutex::default(),
        }
    }

    /// The files that will stand there.
    pub fn paths(&self) -> &OutputPaths {
        &self.paths
    }

    /// Takes the place for one run: no other has it, what a killed one left is finished or cleared away, and only what
    /// toolscan wrote, or what `force` gives up, will be replaced.
    pub(super) fn claim(&self, force: bool) -> Result<(), Error> {
        let directory = directory_of(&self.paths.calls);
        fs::create_dir_all(directory)
            .map_err(|cause| Error::io("create directory", directory.display(), cause))?;
        let mut held = self.held();
        loop {
            let lock = self.lock()?;
            if self.finish_earlier(&lock)? {
                continue;
            }
            *held = Some(lock);
            break;
        }
        drop(held);
        self.clear_and_check(force).inspect_err(|_| self.abandon())
    }

    fn clear_and_check(&self, force: bool) -> Result<(), Error> {
        for scratch in self.scratch_paths() {
            let removed = self.files.remove(&scratch);
            removed.map_err(|cause| Error::io("remove", scratch.display(), cause))?;
        }
        if let Some(lock) = &*self.held() {
            let emptied = self.files.empty(lock);
            emptied.map_err(|cause| Error::io("write", self.lock_path().display(), cause))?;
        }
        let targets = self.paths.named().map(|(_, path)| path.to_owned());
        for target in targets.iter().chain([&self.paths.manifest()]) {
            check_target(target, force)?;
        }
        Ok(())
    }

    /// Opens the lock file and locks it; another run may rename or remove it in between.
    fn lock(&self) -> Result<Arc<File>, Error> {
        let path = self.lock_path();
        loop {
            let opened = self.files.open_or_create(&path);
            let file = opened.map_err(|cause| Error::io("create", path.display(), cause))?;
            match file.try_lock() {
                Ok(()) if is_same(&file, &path) => return Ok(Arc::new(file)),
                Ok(()) => {}
                Err(TryLockError::WouldBlock) => {
                    let reason = "another run is writing there; wait for it, or choose another --out";
                    return Err(Error::failed(
                        "write the tables",
                        self.paths.calls.display(),
                        reason,
                    ));
                }
                Err(TryLockError::Error(cause)) => {
                    return Err(Error::io("lock", path.display(), cause));
                }
            }
        }
    }

    /// Puts in place what a run had complete when it was killed. True if there was something, and then the lock file
    /// is gone.
    fn finish_earlier(&self, mut lock: &File) -> Result<bool, Error> {
        let failed = |cause| Error::io("finish an earlier run", self.paths.calls.display(), cause);
        let mut journal = Vec::new();
        lock.read_to_end(&mut journal).map_err(failed)?;
        let Some(tables) = manifest::tables(&journal) else {
            return Ok(false);
        };
        let is_there = |table: &TableFile| {
            table.is_at(&self.scratch_path(&table.table)) || table.is_at(&self.target_path(table))
        };
        if !tables.iter().all(is_there) {
            return Ok(false);
        }
        for table in &tables {
            let scratch = self.scratch_path(&table.table);
            if table.is_at(&scratch) {
                let renamed = self.files.rename(&scratch, &self.target_path(table));
                renamed.map_err(failed)?;
            }
        }
        self.end().map_err(failed)?;
        Ok(true)
    }

    /// A new scratch file for a table.
    pub(super) fn scratch(&self, table: &str) -> Result<Scratch, Error> {
        let path = self.scratch_path(table);
        let place = path.display().to_string();
        let created = self.files.create(path);
        created.map_err(|cause| Error::io("create", place, cause))
    }

    /// Brings the tables to the disk and puts them in place, all or none, with a manifest that says `about` of them.
    ///
    /// Once the journal is on the disk, the output exists: whatever happens then, the next run or reader finishes it.
    pub(super) fn publish(&self, tables: &[Complete], about: Map<String, Value>) -> Result<(), Error> {
        let listed: Vec<TableFile> = tables.iter().map(|table| self.listed(table)).collect();
        let journal = manifest::text(about, &listed);
        let lock = self.held().clone().expect("the place was claimed");
        let written = self.files.write_all(&lock, journal.as_bytes());
        written.map_err(|cause| Error::io("write", self.paths.manifest().display(), cause))?;
        self.sync(tables, &lock)?;

        let mut held = self.held();
        for (count, table) in listed.iter().enumerate() {
            let target = self.target_path(table);
            let renamed = self.files.rename(&self.scratch_path(&table.table), &target);
            if let Err(cause) = renamed {
                if count > 0 {
                    *held = None;
                }
                return Err(Error::io("rename into place", target.display(), cause));
            }
        }
        *held = None;
        self.end()
            .map_err(|cause| Error::io("rename into place", self.paths.manifest().display(), cause))
    }

    /// The journal becomes the manifest, and the lock is gone.
    fn end(&self) -> io::Result<()> {
        self.files.rename(&self.lock_path(), &self.paths.manifest())?;
        self.files.sync_directory(directory_of(&self.paths.calls));
        Ok(())
    }

    /// Waits until all files are on the disk; at once, because a disk does that in the time of one.
    fn sync(&self, tables: &[Complete], lock: &File) -> Result<(), Error> {
        let files = tables.iter().map(|table| (table.table, &table.scratch.file));
        std::thread::scope(|threads| {
            let waiting: Vec<_> = files
                .chain([("manifest", lock)])
                .map(|(name, file)| (name, threads.spawn(|| self.files.sync(file))))
                .collect();
            for (name, thread) in waiting {
                let synced = thread.join().expect("waiting for a disk does not panic");
                synced.map_err(|cause| Error::io("sync", self.scratch_path(name).display(), cause))?;
            }
            Ok(())
        })
    }

    fn listed(&self, table: &Complete) -> TableFile {
        let (bytes, digest) = table.scratch.written();
        let target = self
            .paths
            .named()
            .into_iter()
            .find(|(name, _)| *name == table.table);
        let file = target.and_then(|(_, path)| path.file_name()).unwrap_or_default();
        TableFile {
            table: table.table.to_owned(),
            file: file.to_string_lossy().into_owned(),
            rows: table.rows,
            bytes,
            xxh3_64: hexadecimal(digest),
        }
    }

    /// Gives the place up, if it is held: what is not whole is taken away, and earlier output stays as it was.
    pub(super) fn abandon(&self) {
        self.remove_unfinished(&mut self.held());
    }

    /// Gives the place up for a program that is about to end: what is not whole is taken away, and nothing can be put
    /// in place any more. True if there was something to take away. Call it once.
    pub fn abandon_for_good(&self) -> bool {
        let mut held = self.held();
        let was_held = self.remove_unfinished(&mut held);
        std::mem::forget(held);
        was_held
    }

    fn remove_unfinished(&self, held: &mut Option<Arc<File>>) -> bool {
        // Locked until the names are gone: they may belong to the next run then.
        let Some(_lock) = held.take() else {
            return false;
        };
        for path in self.scratch_paths().into_iter().chain([self.lock_path()]) {
            // What cannot be removed, the next run removes.
            let _ = self.files.remove(&path);
        }
        true
    }

    fn held(&self) -> MutexGuard<'_, Option<Arc<File>>> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn target_path(&self, table: &TableFile) -> PathBuf {
        self.paths.calls.with_file_name(&table.file)
    }

    fn scratch_paths(&self) -> [PathBuf; 4] {
        self.paths.named().map(|(table, _)| self.scratch_path(table))
    }

    fn scratch_path(&self, table: &str) -> PathBuf {
        self.paths.hidden(&format!("{table}.tmp"))
    }

    fn lock_path(&self) -> PathBuf {
        self.paths.hidden("lock")
    }
}

/// Puts in place what a run had complete when it was killed, for somebody who wants to read it.
///
/// # Errors
///
/// When there is something and it cannot be put in place.
pub fn finish_killed_run(paths: &OutputPaths) -> Result<(), Error> {
    let place = Place::new(paths.clone());
    let path = place.lock_path();
    let is_journal = fs::metadata(&path).is_ok_and(|found| found.len() > 0);
    if !is_journal {
        return Ok(());
    }
    match place.lock() {
        Ok(lock) => place.finish_earlier(&lock).map(drop),
        // The run is alive and about to end.
        Err(Error::Failed { .. }) => Ok(()),
        Err(error) => Err(error),
    }
}

/// Refuses to replace what is no ordinary file, and what others wrote unless `force` gives it up.
fn check_target(target: &Path, force: bool) -> Result<(), Error> {
    let Ok(found) = fs::metadata(target) else {
        return Ok(());
    };
    let refuse = |reason: &str| Err(Error::Usage(format!("--out: {} {reason}", target.display())));
    if !found.is_file() {
        return refuse("is no ordinary file; name another output");
    }
    if force || found.len() == 0 || is_table(target) || manifest::is_manifest(target) {
        return Ok(());
    }
    refuse("was not written by toolscan; name another output, or replace it with --force")
}

/// Whether a file is a table that toolscan wrote.
fn is_table(path: &Path) -> bool {
    let metadata = File::open(path)
        .ok()
        .and_then(|file| ParquetMetaDataReader::new().parse_and_finish(&file).ok());
    let entries = metadata
        .as_ref()
        .and_then(|metadata| metadata.file_metadata().key_value_metadata());
    entries.is_some_and(|entries| entries.iter().any(|entry| entry.key == "toolscan.table"))
}

fn is_same(file: &File, path: &Path) -> bool {
    let own = file.try_clone().and_then(same_file::Handle::from_file);
    own.is_ok_and(|own| same_file::Handle::from_path(path).is_ok_and(|other| own == other))
}
