//! Rows of profiles and the queries that load them.

use std::sync::Arc;

use diesel::prelude::*;
use orgmem_hierarchy::{OrgId, Scope, WorkspaceId};
use orgmem_policies::{Injection, Isolation, ProfileRef, ProfileSettings, Retention, Sharing, Strategy};
use uuid::Uuid;

use super::{Condition, Conn, Tx};
use crate::StoreError;
use crate::cache::Defaults;
use crate::columns::{Id, TextEnum, Time};
use crate::contract::Profile;
use crate::engine::RowContext;
use crate::schema::profiles;

pub(crate) const TABLE: &str = "profiles";

#[derive(Clone, Debug, Queryable, Selectable, Insertable, AsChangeset)]
#[diesel(table_name = profiles, primary_key(org_id, id), treat_none_as_null = true, treat_none_as_default_value = false)]
pub(crate) struct ProfileRow {
    pub(crate) org_id: Id,
    pub(crate) id: Id,
    pub(crate) workspace_id: Id,
    pub(crate) name: String,
    pub(crate) is_default: bool,
    pub(crate) isolation: TextEnum<Isolation>,
    pub(crate) excluded_kinds: String,
    pub(crate) max_age_seconds: Option<i64>,
    pub(crate) max_entries: Option<i64>,
    pub(crate) strategy: TextEnum<Strategy>,
    pub(crate) inject_limit: i64,
    pub(crate) inject_scopes: String,
    pub(crate) min_confidence: Option<f64>,
    pub(crate) token_budget: Option<i64>,
    pub(crate) seed_count: i64,
    pub(crate) org_version: i64,
    pub(crate) created_at: Time,
    pub(crate) updated_at: Time,
    pub(crate) retention_due_at: Option<Time>,
    pub(crate) subjects: TextEnum<Sharing>,
    pub(crate) sessions: TextEnum<Sharing>,
    pub(crate) page_scope: TextEnum<Scope>,
}

impl ProfileRow {
    pub(crate) fn settings(&self) -> Result<ProfileSettings, StoreError> {
        let unreadable = |reason: &str| StoreError::unreadable(TABLE, self.id.0, reason);
        let scopes: Vec<String> =
            serde_json::from_str(&self.inject_scopes).map_err(|_| unreadable("its scopes are not a list"))?;
        let scopes: Result<Vec<Scope>, _> = scopes.iter().map(|scope| scope.parse()).collect();
        Ok(ProfileSettings {
            isolation: self.isolation.0,
            excluded_kinds: serde_json::from_str(&self.excluded_kinds)
                .map_err(|_| unreadable("its excluded kinds are not a list"))?,
            subjects: self.subjects.0,
            sessions: self.sessions.0,
            retention: Retention { max_age_seconds: self.max_age_seconds, max_entries: self.max_entries },
            injection: Injection {
                strategy: self.strategy.0,
                limit: self.inject_limit,
                scopes: scopes.map_err(|_| unreadable("an unknown scope"))?,
                min_confidence: self.min_confidence,
                token_budget: self.token_budget,
            },
            page_scope: self.page_scope.0,
            within: match self.isolation.0 {
                Isolation::Profile => vec![ProfileRef { id: self.id.0, is_default: self.is_default }],
                Isolation::Tree | Isolation::Team | Isolation::Isolated => Vec::new(),
            },
        })
    }

    pub(crate) fn read(self) -> Result<Profile, StoreError> {
        Ok(Profile {
            settings: self.settings()?,
            id: self.id.0,
            workspace: self.workspace_id.workspace(),
            name: self.name,
            is_default: self.is_default,
            seed_count: self.seed_count,
            created_at: Some(self.created_at.0),
            updated_at: Some(self.updated_at.0),
        })
    }
}

/// Encodes a list as JSON, the format of the list columns.
pub(crate) fn list<'w>(words: impl IntoIterator<Item = &'w str>) -> String {
    serde_json::Value::from_iter(words).to_string()
}

impl Tx<'_> {
    pub(crate) fn profile_rows(&mut self, org: OrgId, workspace: WorkspaceId) -> Result<Vec<ProfileRow>, StoreError> {
        profiles::table
            .filter(profiles::org_id.eq(Id::from(org)))
            .filter(profiles::workspace_id.eq(Id::from(workspace)))
            .order(profiles::name)
            .select(ProfileRow::as_select())
            .load(self.conn()?)
            .row_context(TABLE, workspace)
    }

    pub(crate) fn profile_row(
        &mut self,
        org: OrgId,
        workspace: WorkspaceId,
        id: Uuid,
    ) -> Result<Option<ProfileRow>, StoreError> {
        profiles::table
            .find((Id::from(org), Id(id)))
            .filter(profiles::workspace_id.eq(Id::from(workspace)))
            .select(ProfileRow::as_select())
            .first(self.conn()?)
            .optional()
            .row_context(TABLE, id)
    }

    pub(crate) fn default_row(&mut self, org: OrgId, workspace: WorkspaceId) -> Result<Option<ProfileRow>, StoreError> {
        profiles::table
            .filter(profiles::org_id.eq(Id::from(org)))
            .filter(profiles::workspace_id.eq(Id::from(workspace)))
            .filter(Condition(super::IS_DEFAULT))
            .select(ProfileRow::as_select())
            .first(self.conn()?)
            .optional()
            .row_context(TABLE, workspace)
    }
}

/// Applies the rows that changed after version `after`, up to `until`, to the default settings in `known`.
pub(crate) fn load(
    conn: &mut Conn,
    org: OrgId,
    mut known: Defaults,
    after: i64,
    until: i64,
) -> Result<Defaults, StoreError> {
    let rows: Vec<ProfileRow> = profiles::table
        .filter(profiles::org_id.eq(Id::from(org)))
        .filter(profiles::org_version.gt(after))
        .filter(profiles::org_version.le(until))
        .select(ProfileRow::as_select())
        .load(conn)
        .row_context(TABLE, org)?;
    // a profile that is no longer the default was replaced by another one, whose row changed at the same version
    for row in rows.into_iter().filter(|row| row.is_default) {
        let settings = row.settings()?;
        match settings.changes_nothing() && settings.page_scope == Scope::Local {
            true => known.remove(&row.workspace_id.workspace()),
            false => known.insert(row.workspace_id.workspace(), Arc::new(settings)),
        };
    }
    Ok(known)
}
