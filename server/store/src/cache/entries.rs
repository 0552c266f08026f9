//! A cache of entries, valid for one version of an org.

use std::collections::HashMap;

use foldhash::quality::RandomState;
use orgmem_hierarchy::WorkspaceId;
use parking_lot::RwLock;

use super::{EntryRow, Versioned};

/// Rows that were read at one version, by workspace and key. `None` records that a key has no row.
#[derive(Default)]
pub(crate) struct EntryCache(RwLock<Option<Versioned<EntryRows>>>);

#[derive(Default)]
struct EntryRows {
    by_key: HashMap<WorkspaceId, HashMap<String, Option<EntryRow>, RandomState>, RandomState>,
    bytes: usize,
}

impl EntryCache {
    /// The maximum for one org. Beyond it the cache is cleared and fills again on demand.
    const MAX_BYTES: usize = 256 << 10;
    /// Larger rows are not cached: the read of their value costs more than the lookup that the cache saves.
    const MAX_ROW_BYTES: usize = 8 << 10;
    /// The estimated size of a slot in both maps and of a row without its texts.
    const SLOT_BYTES: usize = 256;

    /// The row of a key at this version: `None` if it is not cached, `Some(None)` if there is no row.
    #[allow(clippy::option_option, reason = "the absence of a row is cached too")]
    pub(crate) fn known(&self, version: i64, workspace: WorkspaceId, key: &str) -> Option<Option<EntryRow>> {
        let cached = self.0.read();
        let cached = cached.as_ref().filter(|cached| cached.version == version)?;
        cached.value.by_key.get(&workspace)?.get(key).cloned()
    }

    /// Caches the row of a key at this version. Drops rows of older versions; does nothing if the cache is newer.
    pub(crate) fn keep(&self, version: i64, workspace: WorkspaceId, key: &str, row: Option<&EntryRow>) {
        let value = row.and_then(|row| row.value.as_ref()).map_or(0, String::len);
        let bytes = Self::SLOT_BYTES + 2 * key.len() + value;
        let mut cached = self.0.write();
        if bytes > Self::MAX_ROW_BYTES || cached.as_ref().is_some_and(|cached| cached.version > version) {
            return;
        }
        let fits = |cached: &Versioned<EntryRows>| cached.value.bytes + bytes <= Self::MAX_BYTES;
        let rows = match cached.as_mut() {
            Some(cached) if cached.version == version && fits(cached) => &mut cached.value,
            _ => &mut cached.insert(Versioned { version, value: EntryRows::default() }).value,
        };
        rows.by_key.entry(workspace).or_default().insert(key.to_owned(), row.cloned());
        rows.bytes += bytes;
    }

    /// Clears the cache and sets its version. Rows of older versions are not cached any more.
    pub(crate) fn begin_at(&self, version: i64) {
        *self.0.write() = Some(Versioned { version, value: EntryRows::default() });
    }

    /// The estimated size in bytes.
    pub(crate) fn bytes(&self) -> usize {
        self.0.read().as_ref().map_or(0, |cached| cached.value.bytes)
    }
}

#[cfg(test)]
mod tests {
    use chrono::DateTime;
    use uuid::Uuid;

    use super::*;
    use crate::columns::{Id, Time};

    const WORKSPACE: WorkspaceId = WorkspaceId::NIL;

    fn row(key: &str, value: &str) -> EntryRow {
        EntryRow {
            org_id: Id(Uuid::from_u128(1)),
            workspace_id: WORKSPACE.into(),
            key: key.to_owned(),
            value: Some(value.to_owned()),
            version: 1,
            expires_at: None,
            updated_at: Time(DateTime::UNIX_EPOCH),
            subject: None,
        }
    }

    fn value_of(entries: &EntryCache, version: i64, key: &str) -> Option<Option<String>> {
        entries.known(version, WORKSPACE, key).map(|row| row.and_then(|row| row.value))
    }

    #[test]
    fn cached_rows_are_returned_only_for_their_version() {
        let entries = EntryCache::default();
        entries.keep(3, WORKSPACE, "plan", Some(&row("plan", "old")));
        entries.keep(3, WORKSPACE, "gone", None);
        assert_eq!(value_of(&entries, 3, "plan"), Some(Some("old".into())));
        assert_eq!(value_of(&entries, 3, "gone"), Some(None));
        assert_eq!((value_of(&entries, 3, "other"), value_of(&entries, 4, "plan")), (None, None));
        entries.keep(4, WORKSPACE, "plan", Some(&row("plan", "new")));
        entries.keep(3, WORKSPACE, "plan", Some(&row("plan", "old")));
        assert_eq!((value_of(&entries, 3, "plan"), value_of(&entries, 4, "gone")), (None, None));
        assert_eq!(value_of(&entries, 4, "plan"), Some(Some("new".into())));
        entries.begin_at(5);
        entries.keep(4, WORKSPACE, "plan", Some(&row("plan", "old")));
        assert_eq!((value_of(&entries, 4, "plan"), entries.bytes()), (None, 0));
    }

    #[test]
    fn size_of_the_cache_and_of_its_rows_is_bounded() {
        let entries = EntryCache::default();
        let long = "x".repeat(EntryCache::MAX_ROW_BYTES);
        entries.keep(1, WORKSPACE, "long", Some(&row("long", &long)));
        assert_eq!((value_of(&entries, 1, "long"), entries.bytes()), (None, 0));
        for n in 0..1_000 {
            let key = n.to_string();
            entries.keep(1, WORKSPACE, &key, Some(&row(&key, &long[..1_000])));
            assert!(entries.bytes() <= EntryCache::MAX_BYTES);
            assert_eq!(value_of(&entries, 1, &key), Some(Some(long[..1_000].to_owned())));
        }
        assert_eq!(value_of(&entries, 1, "0"), None);
    }
}
