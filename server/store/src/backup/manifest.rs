//! The manifest of a backup: its chunks in order, and the hash of the whole.

use std::fs;
use std::path::Path;

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::{BackupError, io_error};
use crate::transfer::json_line;

pub(super) const FORMAT: &str = "orgmem-backup";
pub(super) const VERSION: u32 = 1;

/// The size of a chunk. A smaller one would copy less after a small change, and need more files.
pub(super) const CHUNK_BYTES: usize = 256 << 10;

/// The largest manifest: that of the largest database has 34 MB.
const MAX_BYTES: u64 = 256 << 20;

/// A backup. Its file has it in the first line, and the SHA-256 of that line in the second.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Manifest {
    pub(super) format: String,
    pub(super) version: u32,
    /// All writes acknowledged before are in the backup.
    pub(super) taken_at: DateTime<Utc>,
    /// The newest migration of the schema.
    pub(super) schema: String,
    /// The size of the database.
    pub(super) bytes: u64,
    /// Of the database.
    pub(super) sha256: String,
    pub(super) chunk_bytes: usize,
    /// The SHA-256 of each chunk, in hexadecimal.
    pub(super) chunks: Vec<String>,
}

impl Manifest {
    pub(super) fn to_file(&self) -> Vec<u8> {
        let mut file = json_line(self);
        let hash = hex::encode(Sha256::digest(&file));
        file.extend_from_slice(hash.as_bytes());
        file.push(b'\n');
        file
    }

    /// Reads and verifies a manifest.
    ///
    /// # Errors
    /// [`BackupError::Damaged`] when it is not as it was written; [`BackupError::Refused`] for one of a newer program.
    pub(super) fn read(path: &Path) -> Result<Self, BackupError> {
        let damaged = |reason: &str| BackupError::Damaged(format!("`{}` {reason}", path.display()));
        if fs::metadata(path).map_err(io_error(path))?.len() > MAX_BYTES {
            return Err(damaged("is too long for a manifest"));
        }
        let file = fs::read(path).map_err(io_error(path))?;
        let text = std::str::from_utf8(&file).map_err(|_| damaged("is not UTF-8"))?;
        let end = text.find('\n').ok_or_else(|| damaged("is incomplete"))? + 1;
        let (line, hash) = text.split_at(end);
        if hash.trim_end() != hex::encode(Sha256::digest(line)) {
            return Err(damaged("was changed or is incomplete"));
        }
        let read: Self = serde_json::from_str(line).map_err(|_| {
            BackupError::Refused(format!(
                "`{}` was written by another release; restore it with that one",
                path.display()
            ))
        })?;
        let is_consistent = read.format == FORMAT
            && read.version == VERSION
            && read.chunk_bytes == CHUNK_BYTES
            && read.chunks.len() as u64 == read.bytes.div_ceil(CHUNK_BYTES as u64)
            && read.chunks.iter().all(|hash| is_hash(hash));
        if is_consistent { Ok(read) } else { Err(damaged("has an inconsistent list of chunks")) }
    }
}

/// Whether `name` is a SHA-256 in lower-case hexadecimal, and so a safe name of a file.
pub(super) fn is_hash(name: &str) -> bool {
    name.len() == 64 && name.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}
