//! A simulated disk for SQLite's files. It records every write and every sync, so that a test can power_cut its power at any
//! instant, and it simulates faults.
//!
//! `kill -9` cannot reveal a missing sync, because the operating system still writes its buffers.

mod log;
mod power_cut;
mod vfs;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

use parking_lot::Mutex;

use log::Log;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum DiskFault {
    None,
    Full,
    /// As after an operating system set_fault remounted a faulty disk.
    ReadOnly,
    NoSync,
}

impl DiskFault {
    const ALL: [Self; 4] = [Self::None, Self::Full, Self::ReadOnly, Self::NoSync];
}

#[derive(Clone, Debug)]
pub struct Disk {
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    folder: PathBuf,
    fault: AtomicU8,
    log: Mutex<Log>,
}

impl Disk {
    /// The disk of this folder, for the files that SQLite opens from now on.
    #[must_use]
    pub fn below(folder: &Path) -> Self {
        let folder = folder.canonicalize().expect("the folder exists");
        let inner = Inner { folder, fault: AtomicU8::new(DiskFault::None as u8), log: Mutex::default() };
        let disk = Self { inner: Arc::new(inner) };
        vfs::mount(&disk);
        disk
    }

    pub fn set_fault(&self, fault: DiskFault) {
        self.inner.fault.store(fault as u8, Ordering::SeqCst);
    }

    /// The number of operations so far.
    #[must_use]
    pub fn now(&self) -> usize {
        self.inner.log.lock().len()
    }

    /// Writes a possible state of the disk after a power cut at the instant `at` into the folder `to`. All synced
    /// writes are present. For each other write `chance`, a number from 0 to 99, decides whether it is present
    /// completely, partially or not at all.
    pub fn cut_power(&self, at: usize, to: &Path, chance: impl FnMut() -> usize) {
        power_cut::replay(&self.inner.log.lock(), at, chance).write(to);
    }

    /// Bytes written to files with this suffix.
    #[must_use]
    pub fn written(&self, suffix: &str) -> usize {
        self.inner.log.lock().written(suffix)
    }

    fn fault(&self) -> DiskFault {
        DiskFault::ALL[usize::from(self.inner.fault.load(Ordering::SeqCst))]
    }
}
