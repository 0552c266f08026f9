//! Entries: the working state of one workspace, key by key.

use chrono::{DateTime, Utc};

/// A live entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Its key.
    pub key: String,
    /// Its value: JSON as text.
    pub value: String,
    /// Starts at 1 and only grows, also over deletion and expiry.
    pub version: i64,
    /// From this instant on it is absent.
    pub expires_at: Option<DateTime<Utc>>,
    /// When it was last put.
    pub updated_at: DateTime<Utc>,
}

/// The version that a write named is not the one that is there. Nothing was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VersionConflict {
    /// The version that was named; 0 for "must not exist".
    pub expected: i64,
    /// The version that is there; none when the entry is absent.
    pub current: Option<i64>,
}
