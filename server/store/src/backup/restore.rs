//! A restore: the image of a backup in an empty folder, completed by the removals that were made since.

use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use chrono::{DateTime, Utc};
use orgmem_policies::chain::SealKey;
use serde::Serialize;
use sha2::{Digest, Sha256};

use super::create::verify_audit_logs;
use super::folder::{BackupFolder, make_private, sync_folder};
use super::manifest::{CHUNK_BYTES, Manifest};
use super::{BackupError, io_error};
use crate::transfer::{DatabaseRemovals, OnProgress, TransferProgress};
use crate::{StoreConfig, sqlite};

/// The folder within the target in which the database is restored until it is complete.
const WORK: &str = "restoring";

/// Which backup is restored, and to which folder.
#[derive(Clone)]
pub struct RestoreOptions {
    /// The newest backup not after this time; by default the newest of all.
    pub at: Option<DateTime<Utc>>,
    /// The data folder, which is empty or does not exist.
    pub to: PathBuf,
    /// The name of the database in it.
    pub database: &'static str,
    /// The keys of the audit log. Without keys the log is not verified.
    pub keys: Vec<SealKey>,
}

/// A restored backup.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Restored {
    /// The name of the backup.
    pub name: String,
    /// All writes acknowledged before are in it.
    pub taken_at: DateTime<Utc>,
    /// The newest intact backup of the folder, whose removals are repeated, if it is another one.
    pub newest: Option<String>,
    /// The faults of newer backups, whose removals are therefore not known.
    pub damaged: Vec<String>,
    /// The size of the database.
    pub bytes: u64,
    /// Rows of the audit logs that were verified; `None` without keys.
    pub audit_rows: Option<u64>,
    /// The first fault of an audit log.
    pub audit_fault: Option<String>,
}

/// A restore in progress. Nothing of it remains if it is dropped before [`finish`](Self::finish).
#[derive(Debug)]
pub struct Restoring {
    restored: Restored,
    target: Target,
    folder: BackupFolder,
    /// The names of later backups whose removals are not read yet, oldest first.
    later: Vec<String>,
    database: &'static str,
}

impl Restoring {
    /// Verifies a backup and writes its database into a folder within the target. Blocks.
    ///
    /// # Errors
    /// [`BackupError`]; nothing remains then.
    ///
    /// # Complexity
    /// O(size of the database); the memory does not depend on it.
    pub fn begin(folder: &Path, options: RestoreOptions, progress: OnProgress<'_>) -> Result<Self, BackupError> {
        let folder = BackupFolder::existing(folder)?;
        let mut backups = folder.backups()?;
        let until = options.at.map_or(backups.len(), |at| backups.partition_point(|(_, taken_at)| *taken_at <= at));
        let later = backups.split_off(until);
        let Some((name, _)) = backups.pop() else {
            let first = later.first().map(|(name, _)| format!("; the first one is {name}")).unwrap_or_default();
            return Err(BackupError::Refused(format!("the folder has no backup of that time or before{first}")));
        };
        let manifest = folder.manifest(&name)?;
        let target = Target::prepare(&options.to)?;
        let database = target.work().join(options.database);
        assemble(&folder, &manifest, &database, progress)?;
        if let Some(fault) = sqlite::check_file(&database)? {
            return Err(BackupError::Damaged(format!("its database has a fault: {fault}")));
        }
        let (audit_rows, audit_fault) = verify_audit_logs(&database, &options.keys)?;
        let restored = Restored {
            name,
            taken_at: manifest.taken_at,
            newest: None,
            damaged: Vec::new(),
            bytes: manifest.bytes,
            audit_rows,
            audit_fault,
        };
        let later = later.into_iter().map(|(name, _)| name).collect();
        Ok(Self { restored, target, folder, later, database: options.database })
    }

    /// The restored backup.
    #[must_use]
    pub const fn restored(&self) -> &Restored {
        &self.restored
    }

    /// The database, to repeat removals in it.
    #[must_use]
    pub fn config(&self) -> StoreConfig {
        StoreConfig::sqlite(self.target.work().join(self.database))
    }

    /// The removals that the next later backup records, newest first; `None` after the last one. The source of the previous
    /// call is not used any more. Damaged backups are noted and left out.
    ///
    /// A later backup has almost all removals of those between. Only the older ones record the removal of a memory that was
    /// pending in the restored backup and removed from a database that was itself restored.
    ///
    /// # Errors
    /// [`BackupError`] when its database cannot be written or read.
    pub fn next_removals(&mut self, progress: OnProgress<'_>) -> Result<Option<DatabaseRemovals>, BackupError> {
        while let Some(name) = self.later.pop() {
            let path = self.target.work().join("later.db");
            // the previous one, of which no connection is open
            for suffix in ["", "-wal", "-shm"] {
                let _ = fs::remove_file(self.target.work().join(format!("later.db{suffix}")));
            }
            let read = self.folder.manifest(&name);
            match read.and_then(|manifest| assemble(&self.folder, &manifest, &path, progress)) {
                Ok(()) => {
                    self.restored.newest.get_or_insert(name);
                    let removals = DatabaseRemovals::open(&StoreConfig::sqlite(&path))?;
                    return Ok(Some(removals));
                }
                Err(BackupError::Damaged(fault)) => self.restored.damaged.push(format!("{name}: {fault}")),
                Err(error) => return Err(error),
            }
        }
        Ok(None)
    }

    /// Moves the database to its place. No store and no source of removals is open any more.
    ///
    /// # Errors
    /// [`BackupError`]; nothing remains then.
    pub fn finish(mut self) -> Result<Restored, BackupError> {
        let from = self.target.work().join(self.database);
        for suffix in ["-wal", "-shm"] {
            let name = format!("{}{suffix}", self.database);
            let rest = self.target.work().join(name);
            if rest.exists() {
                return Err(BackupError::Refused(format!("`{}` is still in use", rest.display())));
            }
        }
        let to = self.target.path.join(self.database);
        if to.exists() {
            let reason = format!("`{}` was made meanwhile; stop its server, and restore again", to.display());
            return Err(BackupError::Refused(reason));
        }
        fs::rename(&from, &to).map_err(io_error(&to))?;
        sync_folder(&self.target.path)?;
        self.target.made = false;
        Ok(self.restored.clone())
    }
}

/// The target folder with the work folder. Dropping it removes the work folder, and the target if this restore made it.
#[derive(Debug)]
struct Target {
    path: PathBuf,
    made: bool,
}

impl Target {
    fn prepare(path: &Path) -> Result<Self, BackupError> {
        let made = !path.exists();
        if !made {
            for entry in fs::read_dir(path).map_err(io_error(path))? {
                // an interrupted restore leaves its work folder only
                if entry.map_err(io_error(path))?.file_name() != WORK {
                    return Err(BackupError::Refused(format!(
                        "`{}` is not empty; name an empty folder",
                        path.display()
                    )));
                }
            }
        }
        make_private(path).map_err(io_error(path))?;
        let target = Self { path: path.to_owned(), made };
        target.remove_work().map_err(io_error(path))?;
        let work = target.work();
        make_private(&work).map_err(io_error(&work))?;
        Ok(target)
    }

    fn work(&self) -> PathBuf {
        self.path.join(WORK)
    }

    fn remove_work(&self) -> io::Result<()> {
        match fs::remove_dir_all(self.work()) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        }
    }
}

impl Drop for Target {
    fn drop(&mut self) {
        // the next restore removes what remains
        let _ = self.remove_work();
        if self.made {
            let _ = fs::remove_dir(&self.path);
        }
    }
}

/// Writes the database of a backup into a new file, and verifies every chunk and the whole.
fn assemble(
    folder: &BackupFolder,
    manifest: &Manifest,
    to: &Path,
    progress: OnProgress<'_>,
) -> Result<(), BackupError> {
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut file = options.open(to).map_err(io_error(to))?;
    let (mut sha256, mut remaining) = (Sha256::new(), manifest.bytes);
    let total = manifest.chunks.len() as u64;
    for (number, hash) in manifest.chunks.iter().enumerate() {
        let bytes = usize::try_from(remaining).unwrap_or(usize::MAX).min(CHUNK_BYTES);
        let chunk = folder.chunk(hash, bytes)?;
        sha256.update(&chunk);
        file.write_all(&chunk).map_err(io_error(to))?;
        remaining -= bytes as u64;
        progress(TransferProgress { step: "restore", unit: "chunks", rows: number as u64 + 1, total });
    }
    if hex::encode(sha256.finalize()) != manifest.sha256 {
        return Err(BackupError::Damaged("its chunks are not the database that its manifest names".to_owned()));
    }
    file.sync_all().map_err(io_error(to))
}
