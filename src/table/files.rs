//! What output asks of the disk, all in one place, so that tests can have any of it fail.

use std::fs::{self, File, OpenOptions};
use std::hash::Hasher as _;
use std::io::{self, Seek, Write};
use std::path::{Path, PathBuf};

use twox_hash::XxHash3_64;

/// The disk.
#[derive(Clone, Debug, Default)]
pub(super) struct Files {
    #[cfg(test)]
    faults: Option<std::sync::Arc<super::faults::Faults>>,
}

impl Files {
    /// A disk on which operations fail.
    #[cfg(test)]
    pub(super) fn failing(faults: &std::sync::Arc<super::faults::Faults>) -> Self {
        let faults = Some(std::sync::Arc::clone(faults));
        Self { faults }
    }

    #[cfg(not(test))]
    fn step(&self) -> io::Result<()> {
        Ok(())
    }

    #[cfg(test)]
    fn step(&self) -> io::Result<()> {
        self.faults.as_ref().map_or(Ok(()), |faults| faults.step())
    }

    /// Makes a file where there is none, readable for whom the user's umask lets read.
    pub(super) fn create(&self, path: PathBuf) -> io::Result<Scratch> {
        self.step()?;
        let file = File::create_new(&path)?;
        Ok(Scratch {
            file,
            files: self.clone(),
            digest: XxHash3_64::new(),
            bytes: 0,
        })
    }

    /// Opens a file to read and write it, whether it is there or not.
    pub(super) fn open_or_create(&self, path: &Path) -> io::Result<File> {
        self.step()?;
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).truncate(false);
        options.open(path)
    }

    /// Makes a file empty, to be written from its beginning.
    pub(super) fn empty(&self, mut file: &File) -> io::Result<()> {
        self.step()?;
        file.set_len(0)?;
        file.rewind()
    }

    /// Writes bytes behind those that were written before.
    pub(super) fn write_all(&self, mut file: &File, bytes: &[u8]) -> io::Result<()> {
        self.step()?;
        file.write_all(bytes)
    }

    /// Waits until a file is on the disk.
    pub(super) fn sync(&self, file: &File) -> io::Result<()> {
        self.step()?;
        file.sync_all()
    }

    /// Brings the names in a directory to the disk, as far as the system can: some file systems cannot.
    pub(super) fn sync_directory(&self, directory: &Path) {
        if cfg!(unix) && self.step().is_ok() {
            let _ = File::open(directory).and_then(|directory| directory.sync_all());
        }
    }

    /// Gives a file another name, in place of the file that has it.
    pub(super) fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.step()?;
        fs::rename(from, to)
    }

    /// Sees to it that there is no such file.
    pub(super) fn remove(&self, path: &Path) -> io::Result<()> {
        self.step()?;
        match fs::remove_file(path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        }
    }
}

/// A file on its way, and what it will be known by.
pub(super) struct Scratch {
    pub(super) file: File,
    files: Files,
    digest: XxHash3_64,
    bytes: u64,
}

impl Scratch {
    /// How many bytes were written, and their digest.
    pub(super) fn written(&self) -> (u64, u64) {
        (self.bytes, self.digest.finish())
    }
}

impl Write for Scratch {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.files.step()?;
        let written = self.file.write(bytes)?;
        self.digest.write(&bytes[..written]);
        self.bytes += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}
