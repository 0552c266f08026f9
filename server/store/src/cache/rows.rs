//! Rows that are cached as the tables store them.

use chrono::{DateTime, Utc};
use diesel::prelude::*;
use orgmem_hierarchy::{OrgId, WorkspaceId};

use crate::columns::{Id, Time};
use crate::contract::Entry;
use crate::schema::{entries, orgs};

/// The row of an org: its lock and its counters. A version is the number of a group of writes.
#[derive(Clone, Debug, Queryable, Selectable, Insertable)]
#[diesel(table_name = orgs, treat_none_as_default_value = false)]
pub(crate) struct OrgRow {
    pub(crate) org_id: Id,
    /// The number of groups of writes.
    pub(crate) version: i64,
    /// Version of the last change of the tree.
    pub(crate) tree_version: i64,
    /// Version of the last revocation of tokens.
    pub(crate) auth_version: i64,
    /// Index rows of memories that left the index up to this version are deleted.
    pub(crate) index_floor: i64,
    /// The number of the last memory.
    pub(crate) last_seq: i64,
    pub(crate) created_at: Time,
    /// The number of the last audit row.
    pub(crate) access_seq: i64,
    /// The number of the last sealed audit row.
    pub(crate) sealed_seq: i64,
    /// The number of the last event.
    pub(crate) event_seq: i64,
    /// Version of the last change of a profile or a budget; 0 if neither was ever stored.
    pub(crate) profile_version: i64,
    /// A write of an episode with an id up to this one is noted for the text blocks. None if the org has no blocks.
    pub(crate) episodes_bound: Option<Id>,
}

impl OrgRow {
    /// The row of an org that does not exist (yet), with version 0. Existing orgs start at version 1.
    pub(crate) fn absent(org: OrgId) -> Self {
        let created_at = Time(DateTime::UNIX_EPOCH);
        let org_id = org.into();
        Self {
            org_id,
            version: 0,
            tree_version: 0,
            auth_version: 0,
            index_floor: 0,
            last_seq: 0,
            created_at,
            access_seq: 0,
            sealed_seq: 0,
            event_seq: 0,
            profile_version: 0,
            episodes_bound: None,
        }
    }
}

/// An entry or, without a value, its tombstone, which preserves the version so that it is never reused.
#[derive(Clone, Debug, Queryable, Selectable, Insertable)]
#[diesel(table_name = entries, treat_none_as_default_value = false)]
pub(crate) struct EntryRow {
    pub(crate) org_id: Id,
    pub(crate) workspace_id: Id,
    pub(crate) key: String,
    pub(crate) value: Option<String>,
    pub(crate) version: i64,
    pub(crate) expires_at: Option<Time>,
    pub(crate) updated_at: Time,
    pub(crate) subject: Option<String>,
}

impl EntryRow {
    pub(crate) fn is_of(&self, org: OrgId, workspace: WorkspaceId, key: &str) -> bool {
        self.org_id == Id::from(org) && self.workspace_id == Id::from(workspace) && self.key == key
    }

    /// The entry; none for a tombstone or an entry that has expired at `now`.
    pub(crate) fn live(self, now: DateTime<Utc>) -> Option<Entry> {
        let Self { key, value, version, expires_at, updated_at, subject, .. } = self;
        let expires_at = expires_at.map(|at| at.0);
        if expires_at.is_some_and(|at| at <= now) {
            return None;
        }
        value.map(|value| Entry { key, value, version, expires_at, updated_at: updated_at.0, subject })
    }
}
