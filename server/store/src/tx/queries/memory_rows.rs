//! Rows of memories and of their index.

use diesel::prelude::*;
use orgmem_hierarchy::{OrgId, Scope};
use orgmem_policies::Role;
use orgmem_policies::drafts::AuthoredFields;
use orgmem_policies::rules::{Expiry, ExpiryRule};
use uuid::Uuid;

use super::authored_columns::AuthoredColumns;
use super::insert::{Outgoing, write_rows};
use crate::StoreError;
use crate::cache::PartitionKey;
use crate::columns::{Id, PartitionScope, TextEnum, Time};
use crate::contract::{Memory, MemoryLocation, MemoryStatus};
use crate::schema::{memories, memory_index};

/// A row of `memories`.
#[derive(Clone, Debug, Queryable, Selectable, Insertable, AsChangeset)]
#[diesel(table_name = memories, primary_key(org_id, id), treat_none_as_null = true, treat_none_as_default_value = false)]
pub(crate) struct MemoryRow {
    pub(crate) org_id: Id,
    pub(crate) id: Id,
    pub(crate) author_id: Id,
    pub(crate) scope: TextEnum<Scope>,
    pub(crate) team_id: Id,
    pub(crate) status: TextEnum<MemoryStatus>,
    pub(crate) content: Option<String>,
    pub(crate) content_hash: Vec<u8>,
    #[diesel(embed)]
    pub(crate) authored: AuthoredColumns,
    pub(crate) writer_role: TextEnum<Role>,
    pub(crate) run_id: Option<Id>,
    pub(crate) supersedes: Option<Id>,
    pub(crate) superseded_by: Option<Id>,
    pub(crate) version: i64,
    pub(crate) seq: i64,
    pub(crate) org_version: i64,
    pub(crate) created_at: Time,
    pub(crate) updated_at: Time,
    pub(crate) expires_at: Option<Time>,
    /// None: the current default profile.
    pub(crate) profile_id: Option<Id>,
    /// The rule of `expires_at`; none also for rows of before that rule was stored.
    pub(crate) expiry_rule: Option<TextEnum<ExpiryRule>>,
}

impl MemoryRow {
    pub(crate) fn partition(&self) -> PartitionKey {
        PartitionKey::of_memories(self.author_id.workspace(), self.scope.0, self.team_id.team())
    }

    /// Bytes that the memory counts for budgets; 0 without content. The migration of the column and `VERSION_BYTES` use the
    /// same columns.
    pub(crate) fn bytes(&self) -> i64 {
        self.content.as_ref().map_or(0, |content| self.authored.bytes(content))
    }

    /// The subject and the session.
    pub(crate) fn end_user(&self) -> (Option<&str>, Option<&str>) {
        (self.authored.subject.as_deref(), self.authored.session_id.as_deref())
    }

    /// Partition and status, without content.
    pub(crate) fn location(&self) -> MemoryLocation {
        MemoryLocation {
            author: self.author_id.workspace(),
            scope: self.scope.0,
            team: self.team_id.team(),
            status: self.status.0,
            expiry: self.expiry(),
            superseded_by: self.superseded_by.map(|id| id.0),
        }
    }

    /// The end of the memory, with its rule.
    pub(crate) fn expiry(&self) -> Option<Expiry> {
        self.expires_at.map(|at| Expiry { at: at.0, rule: self.expiry_rule.map(|rule| rule.0) })
    }

    /// The row with this end.
    pub(crate) fn expiring(self, expiry: Option<Expiry>) -> Self {
        let rule = expiry.and_then(|expiry| expiry.rule).map(TextEnum);
        Self { expires_at: expiry.map(|expiry| Time(expiry.at)), expiry_rule: rule, ..self }
    }

    /// The row without the author's content, labels and metadata. Each column that stays is named, so the compiler asks
    /// whether a new one does.
    pub(crate) fn emptied(self) -> Self {
        Self {
            content: None,
            content_hash: Vec::new(),
            authored: self.authored.erased(),
            org_id: self.org_id,
            id: self.id,
            author_id: self.author_id,
            scope: self.scope,
            team_id: self.team_id,
            status: self.status,
            writer_role: self.writer_role,
            run_id: self.run_id,
            supersedes: self.supersedes,
            superseded_by: self.superseded_by,
            version: self.version,
            seq: self.seq,
            org_version: self.org_version,
            created_at: self.created_at,
            updated_at: self.updated_at,
            expires_at: self.expires_at,
            profile_id: self.profile_id,
            expiry_rule: self.expiry_rule,
        }
    }

    /// Whether both have the same content and attributes, regardless of times and role.
    pub(crate) fn has_same_content_as(&self, other: &Self) -> bool {
        self.content == other.content && self.authored == other.authored && self.expires_at == other.expires_at
    }

    /// The fields that the author wrote.
    pub(crate) fn authored_fields(&self) -> Result<AuthoredFields, StoreError> {
        let unreadable = |reason: &str| StoreError::unreadable("memories", self.id.0, reason);
        let content = self.content.clone().ok_or_else(|| unreadable("no content"))?;
        self.authored.clone().read(content, self.expires_at).map_err(unreadable)
    }

    pub(crate) fn is_expired(&self, now: Time) -> bool {
        self.expires_at.is_some_and(|at| at <= now)
    }
}

impl TryFrom<MemoryRow> for Memory {
    type Error = StoreError;

    fn try_from(row: MemoryRow) -> Result<Self, StoreError> {
        let unreadable = |reason: &str| StoreError::unreadable("memories", row.id.0, reason);
        let content = row.content.ok_or_else(|| unreadable("no content"))?;
        Ok(Self {
            id: row.id.0,
            author: row.author_id.workspace(),
            scope: row.scope.0,
            team: row.team_id.team(),
            authored: row.authored.read(content, row.expires_at).map_err(unreadable)?,
            role: row.writer_role.0,
            run_id: row.run_id.map(|id| id.0),
            profile_id: row.profile_id.map(|id| id.0),
            supersedes: row.supersedes.map(|id| id.0),
            version: row.version,
            created_at: row.created_at.0,
            updated_at: row.updated_at.0,
            passage: None,
            page: None,
        })
    }
}

/// The key of an item in `memory_index`.
pub(crate) fn index_key(org: OrgId, partition: PartitionKey, id: Uuid) -> (Id, Id, TextEnum<PartitionScope>, Id, Id) {
    (org.into(), partition.author.into(), partition.row_scope(), Id::of_team(partition.team), Id(id))
}

/// A row of `memory_index`.
#[derive(Clone, Debug, Queryable, Selectable, Insertable)]
#[diesel(table_name = memory_index, treat_none_as_default_value = false)]
pub(crate) struct IndexRow {
    pub(crate) org_id: Id,
    pub(crate) author_id: Id,
    pub(crate) scope: TextEnum<PartitionScope>,
    pub(crate) team_id: Id,
    pub(crate) memory_id: Id,
    pub(crate) org_version: i64,
    pub(crate) expires_at: Option<Time>,
    pub(crate) doc: Option<Vec<u8>>,
    pub(crate) folded: Option<String>,
    pub(crate) model: Option<i32>,
    pub(crate) vector: Option<Vec<u8>>,
}

pub(crate) fn insert(out: &mut Outgoing<'_>, rows: Vec<MemoryRow>) -> Result<(), StoreError> {
    write_rows!(out, rows, rows => diesel::insert_into(memories::table).values(rows));
    Ok(())
}

pub(crate) fn insert_index(out: &mut Outgoing<'_>, rows: Vec<IndexRow>) -> Result<(), StoreError> {
    write_rows!(out, rows, rows => diesel::insert_into(memory_index::table).values(rows));
    Ok(())
}
