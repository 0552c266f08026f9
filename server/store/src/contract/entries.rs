//! Entries: the key/value working state of a workspace.

use chrono::{DateTime, Utc};

/// A live entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Unique within the workspace.
    pub key: String,
    /// JSON as text.
    pub value: String,
    /// Starts at 1 and increases with each put, also across deletion and expiry.
    pub version: i64,
    /// Inclusive instant of expiry: the entry is absent from then on.
    pub expires_at: Option<DateTime<Utc>>,
    /// Time of the last write.
    pub updated_at: DateTime<Utc>,
    /// The end user concerned.
    pub subject: Option<String>,
}

/// The expected version of a write differs from the current one. Nothing was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VersionConflict {
    /// The expected version; 0 for "must not exist".
    pub expected: i64,
    /// The current version; none if the entry is absent.
    pub current: Option<i64>,
}
