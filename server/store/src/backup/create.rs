//! A new backup: an image of the database at one moment, verified, then stored in chunks.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use chrono::{DateTime, Utc};
use orgmem_policies::chain::SealKey;
use serde::Serialize;
use sha2::{Digest, Sha256};

use super::folder::{BackupFolder, make_private};
use super::manifest::{CHUNK_BYTES, FORMAT, Manifest, VERSION};
use super::retention::{Dropped, Retention, apply};
use super::{BackupError, io_error};
use crate::transfer::{OnProgress, TransferProgress, source};
use crate::{StoreConfig, sqlite};

/// How a backup is made.
#[derive(Clone, Default)]
pub struct BackupOptions {
    /// Which backups are dropped afterwards.
    pub retention: Retention,
    /// The keys of the audit log. Without keys the log is not verified.
    pub keys: Vec<SealKey>,
}

/// A backup that was made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct BackedUp {
    /// Its name.
    pub name: String,
    /// All writes acknowledged before are in it.
    pub taken_at: DateTime<Utc>,
    /// The size of the database.
    pub bytes: u64,
    /// Number of its chunks.
    pub chunks: u64,
    /// Chunks that the folder did not have.
    pub new_chunks: u64,
    /// Their size.
    pub new_bytes: u64,
    /// Rows of the audit logs that were verified; `None` without keys.
    pub audit_rows: Option<u64>,
    /// The first fault of an audit log. The backup is complete nevertheless: it is the database as it is.
    pub audit_fault: Option<String>,
    /// What the retention dropped.
    pub dropped: Dropped,
}

/// Adds a backup of a SQLite database to `folder`, which is made if it does not exist. A server may use the database.
/// Blocks.
///
/// # Errors
/// [`BackupError`]; the folder then has no new backup, and the next one removes what remains.
///
/// # Complexity
/// O(size of the database), twice its size on the disk of the folder while it runs; the memory does not depend on it,
/// except for 64 bytes for each chunk.
pub fn backup(
    config: &StoreConfig,
    folder: &Path,
    options: &BackupOptions,
    progress: OnProgress<'_>,
) -> Result<BackedUp, BackupError> {
    let StoreConfig::Sqlite { path, .. } = config else {
        return Err(BackupError::Refused("PostgreSQL has tools of its own for backups".to_owned()));
    };
    let schema = source(config)?.applied()?.pop().unwrap_or_default();
    let folder = BackupFolder::writable(folder)?;
    let partial = folder.partial();
    make_private(&partial).map_err(io_error(&partial))?;
    let image = partial.join("orgmem.db");
    let mut report = |rows, total| progress(TransferProgress { step: "copy", unit: "pages", rows, total });
    let taken_at = sqlite::copy(path, &image, &mut report)??;
    if let Some(fault) = sqlite::check_file(&image)? {
        return Err(BackupError::Refused(format!("the database is damaged: {fault}; restore an earlier backup")));
    }
    let (audit_rows, audit_fault) = verify_audit_logs(&image, &options.keys)?;
    let stored = store_chunks(&folder, &image, progress)?;
    folder.remove_partial()?;
    let manifest = Manifest {
        format: FORMAT.to_owned(),
        version: VERSION,
        taken_at,
        schema,
        bytes: stored.bytes,
        sha256: stored.sha256,
        chunk_bytes: CHUNK_BYTES,
        chunks: stored.chunks,
    };
    let name = folder.add(&manifest)?;
    let dropped = apply(&folder, &name, options.retention, taken_at)?;
    Ok(BackedUp {
        name,
        taken_at,
        bytes: manifest.bytes,
        chunks: manifest.chunks.len() as u64,
        new_chunks: stored.new_chunks,
        new_bytes: stored.new_bytes,
        audit_rows,
        audit_fault,
        dropped,
    })
}

/// Verifies the audit logs of all orgs in a database file: the number of their rows, and the first fault.
pub(super) fn verify_audit_logs(image: &Path, keys: &[SealKey]) -> Result<(Option<u64>, Option<String>), BackupError> {
    if keys.is_empty() {
        return Ok((None, None));
    }
    let mut rows = source(&StoreConfig::sqlite(image))?;
    rows.begin_read()?;
    let mut verified = 0;
    for org in rows.orgs()? {
        match rows.check_chain(org, keys)? {
            Ok(rows) => verified += rows,
            Err(fault) => return Ok((Some(verified), Some(format!("org {}: {fault}", org.0)))),
        }
    }
    rows.roll_back();
    Ok((Some(verified), None))
}

struct Stored {
    bytes: u64,
    sha256: String,
    chunks: Vec<String>,
    new_chunks: u64,
    new_bytes: u64,
}

/// Stores the image in chunks. Each is read back, those that were there too.
fn store_chunks(folder: &BackupFolder, image: &Path, progress: OnProgress<'_>) -> Result<Stored, BackupError> {
    let mut file = File::open(image).map_err(io_error(image))?;
    let total = file.metadata().map_err(io_error(image))?.len().div_ceil(CHUNK_BYTES as u64);
    let mut stored = Stored { bytes: 0, sha256: String::new(), chunks: Vec::new(), new_chunks: 0, new_bytes: 0 };
    let (mut sha256, mut chunk) = (Sha256::new(), Vec::with_capacity(CHUNK_BYTES));
    loop {
        fill(&mut file, &mut chunk).map_err(io_error(image))?;
        if chunk.is_empty() {
            break;
        }
        sha256.update(&chunk);
        let hash = hex::encode(Sha256::digest(&chunk));
        if folder.put(&hash, &chunk)? {
            stored.new_chunks += 1;
            stored.new_bytes += chunk.len() as u64;
        }
        stored.bytes += chunk.len() as u64;
        stored.chunks.push(hash);
        progress(TransferProgress { step: "write", unit: "chunks", rows: stored.chunks.len() as u64, total });
    }
    folder.sync_chunks(&stored.chunks)?;
    stored.sha256 = hex::encode(sha256.finalize());
    Ok(stored)
}

/// Reads the next chunk; an empty one at the end of the file.
fn fill(file: &mut File, chunk: &mut Vec<u8>) -> io::Result<()> {
    chunk.clear();
    file.take(CHUNK_BYTES as u64).read_to_end(chunk).map(drop)
}
