//! A disk that a test has in its hands, for the files of SQLite: it remembers every write and what was made durable, so
//! that its power can be cut at any instant, and it fails when it is told to.
//!
//! `kill -9` leaves what the system has not written yet in the system's memory, so it cannot see a sync that is missing.
//! A disk can.

mod cut;
mod log;
mod vfs;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

use parking_lot::Mutex;

use log::Log;

/// What is wrong with a disk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Trouble {
    /// Nothing.
    None,
    /// No file can grow.
    Full,
    /// Nothing can be written: a system that found its disk wanting has mounted it anew.
    ReadOnly,
    /// What was written cannot be made durable.
    NoSync,
}

impl Trouble {
    const ALL: [Self; 4] = [Self::None, Self::Full, Self::ReadOnly, Self::NoSync];
}

/// The disk of one folder.
#[derive(Clone, Debug)]
pub struct Disk {
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    folder: PathBuf,
    trouble: AtomicU8,
    log: Mutex<Log>,
}

impl Disk {
    /// The disk below this folder: whatever SQLite opens there from now on goes through it.
    #[must_use]
    pub fn below(folder: &Path) -> Self {
        let folder = folder.canonicalize().expect("a folder that is there");
        let inner = Inner { folder, trouble: AtomicU8::new(Trouble::None as u8), log: Mutex::default() };
        let disk = Self { inner: Arc::new(inner) };
        vfs::put_in(&disk);
        disk
    }

    /// Has this trouble from now on, until it has another or none.
    pub fn has(&self, trouble: Trouble) {
        self.inner.trouble.store(trouble as u8, Ordering::SeqCst);
    }

    /// This instant, counted in what the disk has done.
    #[must_use]
    pub fn now(&self) -> usize {
        self.inner.log.lock().len()
    }

    /// Writes into the folder `to` what a disk of this history may hold after its power was cut at this instant. What was
    /// made durable by then is there. Of each write that was not, `chance` decides, which gives a number from 0 to 99:
    /// whether all of it is there, none, or its beginning.
    ///
    /// # Panics
    /// When the files cannot be written.
    pub fn cut_power(&self, at: usize, to: &Path, chance: impl FnMut() -> usize) {
        cut::replay(&self.inner.log.lock(), at, chance).write(to);
    }

    /// How many bytes were written into files whose names end so.
    #[must_use]
    pub fn written(&self, name_ends: &str) -> usize {
        self.inner.log.lock().written(name_ends)
    }

    fn trouble(&self) -> Trouble {
        Trouble::ALL[usize::from(self.inner.trouble.load(Ordering::SeqCst))]
    }
}
