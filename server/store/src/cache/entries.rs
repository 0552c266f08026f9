//! Entries that were read of one version of an org, for as long as it is that version.

use std::collections::HashMap;

use foldhash::quality::RandomState;
use orgmem_hierarchy::WorkspaceId;
use parking_lot::RwLock;

use super::{EntryRow, Versioned};

/// Rows of entries by workspace and key, all of one version; those that were asked for, also where there was none.
#[derive(Default)]
pub(crate) struct EntryCache(RwLock<Option<Versioned<EntryRows>>>);

#[derive(Default)]
struct EntryRows {
    by_key: HashMap<WorkspaceId, HashMap<String, Option<EntryRow>, RandomState>, RandomState>,
    bytes: usize,
}

impl EntryCache {
    /// What one org's rows take at most. When they take more, all go, and those that are asked for come back.
    const MOST_BYTES: usize = 256 << 10;
    /// Greater ones are not kept: reading them costs more than looking them up.
    const ROW_BYTES: usize = 8 << 10;
    /// Of both tables a slot, and what a row is without its texts.
    const SLOT_BYTES: usize = 256;

    /// The row at this version, if it is known whether there is one.
    #[allow(clippy::option_option, reason = "that there is no row is known as well")]
    pub(crate) fn known(&self, version: i64, workspace: WorkspaceId, key: &str) -> Option<Option<EntryRow>> {
        let kept = self.0.read();
        let kept = kept.as_ref().filter(|kept| kept.version == version)?;
        kept.value.by_key.get(&workspace)?.get(key).cloned()
    }

    /// Keeps what is at a key at this version, unless newer rows are here already. Older ones go.
    pub(crate) fn keep(&self, version: i64, workspace: WorkspaceId, key: &str, row: Option<&EntryRow>) {
        let value = row.and_then(|row| row.value.as_ref()).map_or(0, String::len);
        let bytes = Self::SLOT_BYTES + 2 * key.len() + value;
        let mut kept = self.0.write();
        if bytes > Self::ROW_BYTES || kept.as_ref().is_some_and(|kept| kept.version > version) {
            return;
        }
        let has_room = |kept: &Versioned<EntryRows>| kept.value.bytes + bytes <= Self::MOST_BYTES;
        let rows = match kept.as_mut() {
            Some(kept) if kept.version == version && has_room(kept) => &mut kept.value,
            _ => &mut kept.insert(Versioned { version, value: EntryRows::default() }).value,
        };
        rows.by_key.entry(workspace).or_default().insert(key.to_owned(), row.cloned());
        rows.bytes += bytes;
    }

    /// Begins anew at this version. What is read of older ones is not kept any more.
    pub(crate) fn begin_at(&self, version: i64) {
        *self.0.write() = Some(Versioned { version, value: EntryRows::default() });
    }

    /// About how much memory they take.
    pub(crate) fn bytes(&self) -> usize {
        self.0.read().as_ref().map_or(0, |kept| kept.value.bytes)
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
        }
    }

    fn value_of(entries: &EntryCache, version: i64, key: &str) -> Option<Option<String>> {
        entries.known(version, WORKSPACE, key).map(|row| row.and_then(|row| row.value))
    }

    #[test]
    fn rows_are_those_of_the_version_that_is_asked_for() {
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
    fn they_take_no_more_than_they_may() {
        let entries = EntryCache::default();
        let long = "x".repeat(EntryCache::ROW_BYTES);
        entries.keep(1, WORKSPACE, "long", Some(&row("long", &long)));
        assert_eq!((value_of(&entries, 1, "long"), entries.bytes()), (None, 0));
        for n in 0..1_000 {
            let key = n.to_string();
            entries.keep(1, WORKSPACE, &key, Some(&row(&key, &long[..1_000])));
            assert!(entries.bytes() <= EntryCache::MOST_BYTES);
            assert_eq!(value_of(&entries, 1, &key), Some(Some(long[..1_000].to_owned())));
        }
        assert_eq!(value_of(&entries, 1, "0"), None);
    }
}
