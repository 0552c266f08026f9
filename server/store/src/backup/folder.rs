//! The folder of backups: its files, its lock, and the chunks.

use std::collections::HashSet;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use chrono::{DateTime, Utc};
use serde::Serialize;
use sha2::{Digest, Sha256};

use super::manifest::{CHUNK_BYTES, FORMAT, Manifest, VERSION, is_hash};
use super::{BackupError, io_error};

/// The name of the manifest of a time. Names sort by time.
const NAME: &str = "%Y%m%dT%H%M%S%.6fZ";

/// What a new folder has before its format is written.
const BEFORE_FORMAT: [&str; 4] = ["lock", "backups", "chunks", "format.part"];

/// A backup in a folder.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct BackupListing {
    /// Its name.
    pub name: String,
    /// All writes acknowledged before are in it.
    pub taken_at: DateTime<Utc>,
    /// The size of the database.
    pub bytes: u64,
    /// Why it cannot be restored, if its manifest is damaged.
    pub fault: Option<String>,
}

/// The backups of a folder, oldest first. Verifies the manifests, not the chunks.
///
/// # Errors
/// [`BackupError`] when the folder has no backups.
pub fn list_backups(folder: &Path) -> Result<Vec<BackupListing>, BackupError> {
    let folder = BackupFolder::existing(folder)?;
    let listing = |(name, taken_at): (String, DateTime<Utc>)| match folder.manifest(&name) {
        Ok(manifest) => BackupListing { name, taken_at, bytes: manifest.bytes, fault: None },
        Err(error) => BackupListing { name, taken_at, bytes: 0, fault: Some(error.to_string()) },
    };
    Ok(folder.backups()?.into_iter().map(listing).collect())
}

/// A folder of backups that this process uses.
#[derive(Debug)]
pub(super) struct BackupFolder {
    path: PathBuf,
    _lock: Option<File>,
}

impl BackupFolder {
    /// Opens a folder to add a backup, or makes it. Excludes other processes.
    pub(super) fn writable(path: &Path) -> Result<Self, BackupError> {
        let failed = io_error(path);
        make_private(path).map_err(failed)?;
        let format = path.join("format");
        if !format.exists() {
            for entry in fs::read_dir(path).map_err(io_error(path))? {
                // a first backup that was interrupted at once leaves these
                if !BEFORE_FORMAT.iter().any(|name| entry.as_ref().is_ok_and(|entry| entry.file_name() == *name)) {
                    let reason = format!("`{}` is not empty and has no backups; name another folder", path.display());
                    return Err(BackupError::Refused(reason));
                }
            }
        }
        let file = path.join("lock");
        let lock = OpenOptions::new().create(true).truncate(false).write(true).open(&file).map_err(io_error(&file))?;
        match lock.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(in_use(path)),
            Err(TryLockError::Error(source)) => return Err(BackupError::Io { path: file, source }),
        }
        let folder = Self { path: path.to_owned(), _lock: Some(lock) };
        for sub in [folder.manifests(), folder.chunks()] {
            make_private(&sub).map_err(io_error(&sub))?;
        }
        if format.exists() {
            folder.check_format()?;
        } else {
            write_whole(&format, format!("{FORMAT} {VERSION}\n").as_bytes()).map_err(io_error(&format))?;
        }
        folder.remove_partial()?;
        Ok(folder)
    }

    /// Opens a folder to read it, also a read-only one. Excludes a process that adds or drops backups.
    pub(super) fn existing(path: &Path) -> Result<Self, BackupError> {
        if !path.join("format").exists() {
            return Err(BackupError::Refused(format!("`{}` is not a folder of backups", path.display())));
        }
        let lock = match File::open(path.join("lock")) {
            Ok(lock) => match lock.try_lock_shared() {
                Ok(()) => Some(lock),
                Err(TryLockError::WouldBlock) => return Err(in_use(path)),
                // a file system without locks has no other process either that could hold one
                Err(TryLockError::Error(_)) => None,
            },
            Err(_) => None,
        };
        let folder = Self { path: path.to_owned(), _lock: lock };
        folder.check_format()?;
        Ok(folder)
    }

    fn check_format(&self) -> Result<(), BackupError> {
        let path = self.path.join("format");
        let found = fs::read_to_string(&path).map_err(io_error(&path))?;
        if found.trim_end() == format!("{FORMAT} {VERSION}") {
            return Ok(());
        }
        let found: String = found.chars().take(40).filter(|c| !c.is_control()).collect();
        let reason =
            format!("`{}` has the format `{found}`; this program uses {FORMAT} {VERSION}", self.path.display());
        Err(BackupError::Refused(reason))
    }

    fn manifests(&self) -> PathBuf {
        self.path.join("backups")
    }

    fn chunks(&self) -> PathBuf {
        self.path.join("chunks")
    }

    /// The folder of a backup that is not complete yet.
    pub(super) fn partial(&self) -> PathBuf {
        self.path.join("partial")
    }

    /// Removes what an interrupted backup left.
    pub(super) fn remove_partial(&self) -> Result<(), BackupError> {
        let manifests = self.manifests();
        for entry in fs::read_dir(&manifests).map_err(io_error(&manifests))? {
            let path = entry.map_err(io_error(&manifests))?.path();
            if path.extension().is_some_and(|extension| extension == "part") {
                fs::remove_file(&path).map_err(io_error(&path))?;
            }
        }
        let partial = self.partial();
        match fs::remove_dir_all(&partial) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(io_error(&partial)(error)),
            _ => Ok(()),
        }
    }

    /// The names and times of all backups, oldest first.
    pub(super) fn backups(&self) -> Result<Vec<(String, DateTime<Utc>)>, BackupError> {
        let path = self.manifests();
        let mut backups = Vec::new();
        for entry in fs::read_dir(&path).map_err(io_error(&path))? {
            let name = entry.map_err(io_error(&path))?.file_name().to_string_lossy().into_owned();
            let Some(name) = name.strip_suffix(".json") else { continue };
            if let Ok(time) = chrono::NaiveDateTime::parse_from_str(name, NAME) {
                backups.push((name.to_owned(), time.and_utc()));
            }
        }
        backups.sort_unstable();
        Ok(backups)
    }

    fn manifest_path(&self, name: &str) -> PathBuf {
        self.manifests().join(format!("{name}.json"))
    }

    pub(super) fn manifest(&self, name: &str) -> Result<Manifest, BackupError> {
        Manifest::read(&self.manifest_path(name))
    }

    /// Writes the manifest of a backup, which makes the backup visible. Returns its name.
    pub(super) fn add(&self, manifest: &Manifest) -> Result<String, BackupError> {
        let name = manifest.taken_at.format(NAME).to_string();
        let path = self.manifest_path(&name);
        if path.exists() {
            return Err(BackupError::Refused(format!("there is a backup of {name} already; the clock was set back")));
        }
        write_whole(&path, &manifest.to_file()).map_err(io_error(&path))?;
        sync_folder(&self.manifests())?;
        Ok(name)
    }

    /// Removes the manifest of a backup.
    pub(super) fn drop_backup(&self, name: &str) -> Result<(), BackupError> {
        let path = self.manifest_path(name);
        fs::remove_file(&path).map_err(io_error(&path))
    }

    fn chunk_path(&self, hash: &str) -> PathBuf {
        self.chunks().join(hash.get(..2).unwrap_or_default()).join(hash)
    }

    /// Stores a chunk unless it is there and intact, and reads a new one back. Returns whether it was written.
    pub(super) fn put(&self, hash: &str, chunk: &[u8]) -> Result<bool, BackupError> {
        let path = self.chunk_path(hash);
        match self.chunk(hash, chunk.len()) {
            Ok(_) => return Ok(false),
            // the image has the bytes, so a damaged chunk is replaced
            Err(BackupError::Damaged(_)) => {}
            Err(error) => return Err(error),
        }
        if let Some(folder) = path.parent() {
            make_private(folder).map_err(io_error(folder))?;
        }
        write_whole(&path, chunk).map_err(io_error(&path))?;
        self.chunk(hash, chunk.len())?;
        Ok(true)
    }

    /// Reads and verifies a chunk.
    ///
    /// # Errors
    /// [`BackupError::Damaged`] when it is missing or differs.
    pub(super) fn chunk(&self, hash: &str, bytes: usize) -> Result<Vec<u8>, BackupError> {
        let path = self.chunk_path(hash);
        let damaged = |reason: &str| BackupError::Damaged(format!("`{}` {reason}", path.display()));
        let file = match File::open(&path) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Err(damaged("is missing")),
            Err(error) => return Err(io_error(&path)(error)),
        };
        let mut chunk = Vec::with_capacity(bytes);
        let read = file.take(CHUNK_BYTES as u64 + 1).read_to_end(&mut chunk);
        read.map_err(io_error(&path))?;
        if chunk.len() != bytes {
            return Err(damaged(&format!("has {} bytes, not {bytes}", chunk.len())));
        }
        if hex::encode(Sha256::digest(&chunk)) != hash {
            return Err(damaged("was changed"));
        }
        Ok(chunk)
    }

    /// Makes the names of new chunks durable.
    pub(super) fn sync_chunks(&self, hashes: &[String]) -> Result<(), BackupError> {
        let folders: HashSet<PathBuf> =
            hashes.iter().filter_map(|hash| self.chunk_path(hash).parent().map(Path::to_owned)).collect();
        folders.iter().try_for_each(|folder| sync_folder(folder))?;
        sync_folder(&self.chunks())
    }

    /// Deletes the chunks that are not in `used`. Returns their number and size.
    pub(super) fn drop_unused(&self, used: &HashSet<String>) -> Result<(u64, u64), BackupError> {
        let (mut chunks, mut bytes) = (0, 0);
        let path = self.chunks();
        for folder in fs::read_dir(&path).map_err(io_error(&path))? {
            let folder = folder.map_err(io_error(&path))?.path();
            for file in fs::read_dir(&folder).map_err(io_error(&folder))? {
                let file = file.map_err(io_error(&folder))?;
                let name = file.file_name().to_string_lossy().into_owned();
                if is_hash(&name) && used.contains(&name) {
                    continue;
                }
                let path = file.path();
                bytes += file.metadata().map_err(io_error(&path))?.len();
                chunks += 1;
                fs::remove_file(&path).map_err(io_error(&path))?;
            }
        }
        Ok((chunks, bytes))
    }
}

fn in_use(path: &Path) -> BackupError {
    BackupError::Refused(format!("another backup or restore uses `{}`", path.display()))
}

/// Makes a folder for the owner only, unless it exists.
pub(super) fn make_private(path: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(path)
}

/// Writes a file that has its name when it is complete and durable.
fn write_whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let part = path.with_extension("part");
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let written = options.open(&part).and_then(|mut file| {
        file.write_all(bytes)?;
        file.sync_all()?;
        fs::rename(&part, path)
    });
    if written.is_err() {
        // the first error matters
        let _ = fs::remove_file(&part);
    }
    written
}

/// Makes the names of the files in a folder durable.
pub(super) fn sync_folder(path: &Path) -> Result<(), BackupError> {
    if cfg!(unix) { File::open(path).and_then(|folder| folder.sync_all()).map_err(io_error(path)) } else { Ok(()) }
}
