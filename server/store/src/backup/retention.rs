//! Which backups a folder retains.

use std::collections::HashSet;

use chrono::{DateTime, TimeDelta, Utc};
use serde::Serialize;

use super::BackupError;
use super::folder::BackupFolder;

/// Which backups are retained after a new one. Without limits all are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Retention {
    /// At most this number; the newest ones.
    pub keep: Option<usize>,
    /// None that is older than this number of days.
    pub keep_days: Option<u32>,
}

/// What a retention dropped.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Dropped {
    /// The names of dropped backups.
    pub backups: Vec<String>,
    /// Chunks that no backup has any more, with those of interrupted backups.
    pub chunks: u64,
    /// Their size.
    pub bytes: u64,
    /// The first damaged manifest. It may name any chunk, so no chunk is deleted as long as it exists.
    pub damaged: Option<String>,
}

/// Drops backups, except for `newest`, and the chunks that no backup has.
pub(super) fn apply(
    folder: &BackupFolder,
    newest: &str,
    retention: Retention,
    now: DateTime<Utc>,
) -> Result<Dropped, BackupError> {
    let mut dropped = Dropped::default();
    let backups = folder.backups()?;
    let beyond = retention.keep.map_or(0, |keep| backups.len().saturating_sub(keep));
    let oldest = retention.keep_days.map(|days| now - TimeDelta::days(i64::from(days)));
    for (number, (name, taken_at)) in backups.into_iter().enumerate() {
        let is_old = oldest.is_some_and(|oldest| taken_at < oldest);
        if name != newest && (number < beyond || is_old) {
            folder.drop_backup(&name)?;
            dropped.backups.push(name);
        }
    }
    let mut used = HashSet::new();
    for (name, _) in folder.backups()? {
        match folder.manifest(&name) {
            Ok(manifest) => used.extend(manifest.chunks),
            Err(error) => {
                dropped.damaged = Some(error.to_string());
                return Ok(dropped);
            }
        }
    }
    (dropped.chunks, dropped.bytes) = folder.drop_unused(&used)?;
    Ok(dropped)
}
