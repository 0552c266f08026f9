//! Rows that are kept in memory as the tables have them.

use chrono::{DateTime, Utc};
use diesel::prelude::*;
use orgmem_hierarchy::{OrgId, WorkspaceId};

use crate::columns::{Id, Time};
use crate::contract::Entry;
use crate::schema::{entries, orgs};

/// An org's lock and clock.
#[derive(Clone, Debug, Queryable, Selectable, Insertable)]
#[diesel(table_name = orgs, treat_none_as_default_value = false)]
pub(crate) struct OrgRow {
    pub(crate) org_id: Id,
    /// How many groups of writes there were.
    pub(crate) version: i64,
    /// The group that last changed the tree.
    pub(crate) tree_version: i64,
    /// The group that last revoked tokens.
    pub(crate) auth_version: i64,
    /// Index rows that left the index in this group or before it are gone.
    pub(crate) index_floor: i64,
    /// The number of the last memory.
    pub(crate) last_seq: i64,
    pub(crate) created_at: Time,
    /// The number of the last row of the access log.
    pub(crate) access_seq: i64,
    /// The number of the last row of it that is sealed.
    pub(crate) sealed_seq: i64,
    /// The number of the last event.
    pub(crate) event_seq: i64,
    /// The group that last changed a profile; 0 where there never was one.
    pub(crate) profile_version: i64,
}

impl OrgRow {
    /// Stands for an org that is not there (yet): version 0, while those that are there begin with 1.
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
        }
    }
}

/// An entry, or without a value what is left of one: the version, which is not used again.
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
}

impl EntryRow {
    pub(crate) fn is_of(&self, org: OrgId, workspace: WorkspaceId, key: &str) -> bool {
        self.org_id == Id::from(org) && self.workspace_id == Id::from(workspace) && self.key == key
    }

    /// The entry, unless it is absent at `now`.
    pub(crate) fn live(self, now: DateTime<Utc>) -> Option<Entry> {
        let Self { key, value, version, expires_at, updated_at, .. } = self;
        let expires_at = expires_at.map(|at| at.0);
        if expires_at.is_some_and(|at| at <= now) {
            return None;
        }
        value.map(|value| Entry { key, value, version, expires_at, updated_at: updated_at.0 })
    }
}
