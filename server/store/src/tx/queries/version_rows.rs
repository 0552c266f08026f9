//! Rows of earlier versions of memories.

use diesel::prelude::*;
use orgmem_hierarchy::Scope;
use orgmem_policies::Role;
use orgmem_policies::rules::ExpiryRule;

use super::authored_columns::{AuthoredColumns, VersionColumns};
use super::memory_rows::MemoryRow;
use crate::StoreError;
use crate::columns::{Id, TextEnum, Time};
use crate::contract::MemoryVersion;
use crate::schema::memory_versions;

#[derive(Clone, Debug, Queryable, Selectable, Insertable)]
#[diesel(table_name = memory_versions, treat_none_as_default_value = false)]
pub(crate) struct VersionRow {
    pub(crate) org_id: Id,
    pub(crate) memory_id: Id,
    pub(crate) version: i64,
    pub(crate) author_id: Id,
    pub(crate) scope: TextEnum<Scope>,
    pub(crate) team_id: Id,
    pub(crate) content: String,
    #[diesel(embed)]
    pub(crate) authored: VersionColumns,
    pub(crate) writer_role: TextEnum<Role>,
    pub(crate) written_at: Time,
    pub(crate) expires_at: Option<Time>,
    pub(crate) expiry_rule: Option<TextEnum<ExpiryRule>>,
}

impl VersionRow {
    /// The current version of a memory; none if its content is deleted.
    pub(crate) fn of(row: &MemoryRow) -> Option<Self> {
        Some(Self {
            org_id: row.org_id,
            memory_id: row.id,
            version: row.version,
            author_id: row.author_id,
            scope: row.scope,
            team_id: row.team_id,
            content: row.content.clone()?,
            authored: row.authored.clone().into(),
            writer_role: row.writer_role,
            written_at: row.updated_at,
            expires_at: row.expires_at,
            expiry_rule: row.expiry_rule,
        })
    }
}

impl TryFrom<VersionRow> for MemoryVersion {
    type Error = StoreError;

    fn try_from(row: VersionRow) -> Result<Self, StoreError> {
        let unreadable = |reason| StoreError::unreadable("memory_versions", (row.memory_id.0, row.version), reason);
        let authored = AuthoredColumns::from(row.authored).read(row.content, row.expires_at).map_err(unreadable)?;
        Ok(Self {
            version: row.version,
            scope: row.scope.0,
            team: row.team_id.team(),
            authored,
            role: row.writer_role.0,
            written_at: row.written_at.0,
        })
    }
}
