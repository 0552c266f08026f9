//! Free space on the disk of the embedded database.

use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::config::Settings;

/// The disk of the data folder.
pub(crate) struct Disk {
    folder: PathBuf,
    min_free_bytes: u64,
    free_bytes: AtomicU64,
}

/// Too little space for further writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct DiskShortage {
    /// At the last measurement.
    pub(crate) free_bytes: u64,
    /// The setting.
    pub(crate) min_free_bytes: u64,
}

impl Disk {
    /// The disk of these settings, measured once. `None` with PostgreSQL, whose server has the data.
    pub(crate) fn open(settings: &Settings) -> Option<Self> {
        if settings.database_url.is_some() {
            return None;
        }
        let disk = Self {
            folder: settings.data_dir.clone(),
            min_free_bytes: settings.store.min_free_bytes,
            free_bytes: AtomicU64::new(u64::MAX),
        };
        if let Err(error) = disk.measure() {
            tracing::warn!(%error, "cannot measure the free space of the data folder");
        }
        Some(disk)
    }

    /// Measures the space that this process may use.
    pub(crate) fn measure(&self) -> std::io::Result<()> {
        #[cfg(unix)]
        {
            let disk = rustix::fs::statvfs(&self.folder)?;
            self.free_bytes.store(disk.f_bavail.saturating_mul(disk.f_frsize), Ordering::Relaxed);
        }
        Ok(())
    }

    /// Free bytes at the last measurement.
    pub(crate) fn free_bytes(&self) -> u64 {
        self.free_bytes.load(Ordering::Relaxed)
    }

    pub(crate) fn shortage(&self) -> Option<DiskShortage> {
        let shortage = DiskShortage { free_bytes: self.free_bytes(), min_free_bytes: self.min_free_bytes };
        (shortage.free_bytes < shortage.min_free_bytes).then_some(shortage)
    }
}
