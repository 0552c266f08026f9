//! Entries: the working state of one workspace, key by key.

use chrono::{DateTime, Utc};
use orgmem_policies::drafts::EntryDraft;
use orgmem_policies::{ActPass, ViewPass};

use crate::StoreError;

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

/// Reading entries. One that has expired by [`ReadTx::now`](crate::ReadTx::now) is absent.
///
/// Source: product.md, section 4.3.
pub trait ReadEntries {
    /// One live entry.
    fn entry(&mut self, pass: &ViewPass, key: &str) -> Result<Option<Entry>, StoreError>;

    /// Live entries whose keys begin with `prefix` and are behind `after`, in the order of the keys' bytes; the first
    /// `limit` of them.
    ///
    /// # Complexity
    /// O(entries given + keys between them that are absent).
    fn list_entries(
        &mut self,
        pass: &ViewPass,
        prefix: &str,
        after: Option<&str>,
        limit: usize,
    ) -> Result<Vec<Entry>, StoreError>;
}

/// Changing entries.
///
/// Source: product.md, section 4.3.
pub trait WriteEntries {
    /// Puts an entry, on the version that the draft names if it names one. Without an expiry it clears an earlier one.
    ///
    /// # Returns
    /// The entry's version now, or why it is as it was.
    fn put_entry(&mut self, pass: &ActPass, draft: &EntryDraft) -> Result<Result<i64, VersionConflict>, StoreError>;

    /// Drops an entry, on the version `if_match` alone where that is given; 0 stands for "must not exist". Its versions
    /// are not used again.
    ///
    /// # Returns
    /// Whether there was one, or why it is as it was.
    fn drop_entry(
        &mut self,
        pass: &ActPass,
        key: &str,
        if_match: Option<i64>,
    ) -> Result<Result<bool, VersionConflict>, StoreError>;
}
