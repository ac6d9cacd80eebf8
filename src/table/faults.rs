//! A disk that fails when a test says so.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Fails at one operation.
#[derive(Debug)]
pub(super) struct Faults {
    at: usize,
    fault: Fault,
    done: AtomicUsize,
}

/// What happens there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fault {
    /// The disk refuses, and then works again.
    Refusal,
    /// The process is killed: nothing reaches the disk from there on, no cleaning up either.
    Kill,
}

impl Faults {
    /// Fails at the operation of this number, from 0.
    pub(super) fn at(at: usize, fault: Fault) -> Arc<Self> {
        let done = AtomicUsize::new(0);
        Arc::new(Self { at, fault, done })
    }

    /// How many operations there were.
    pub(super) fn done(&self) -> usize {
        self.done.load(Ordering::SeqCst)
    }

    pub(super) fn step(&self) -> io::Result<()> {
        let number = self.done.fetch_add(1, Ordering::SeqCst);
        let fails = match self.fault {
            Fault::Refusal => number == self.at,
            Fault::Kill => number >= self.at,
        };
        if fails {
            return Err(io::ErrorKind::StorageFull.into());
        }
        Ok(())
    }
}
