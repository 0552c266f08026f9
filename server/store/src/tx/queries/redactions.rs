//! Redaction of memories: deletes the content and stores a redaction record.

use std::collections::HashMap;

use diesel::prelude::*;
use orgmem_hierarchy::{OrgId, Scope};
use orgmem_policies::drafts::ReasonDraft;
use orgmem_policies::rules::MemoryChange;
use orgmem_policies::{AuditPass, ErasePass, ReadPass, RedactPass, ServerPass, UserView};
use sha2::{Digest, Sha256};
use uuid::Uuid;

use super::Tx;
use super::audit_log::Below;
use super::audit_records::memory_record;
use super::memory_rows::{MemoryRow, index_key};
use crate::StoreError;
use crate::cache::{Effect, PartitionKey};
use crate::columns::{Id, TextEnum, Time, row_limit};
use crate::contract::{Erasure, MemoryStatus, Redacted, RedactionCursor, RedactionPage, RedactionRecord, Tombstone};
use crate::engine::RowContext;
use crate::schema::{memories, memory_index, redactions};

/// Redactions per statement.
const BATCH: usize = 500;

/// Statements per page, so that a page scans at most 20,000 redactions.
const MAX_BATCHES: usize = 40;

#[derive(Clone, Debug, Queryable, Selectable, Insertable)]
#[diesel(table_name = redactions, treat_none_as_default_value = false)]
struct RedactionRow {
    org_id: Id,
    memory_id: Id,
    author_id: Id,
    reason: String,
    redacted_by: String,
    redacted_at: Time,
    /// The [`kind_hash`] of its kind, or the kind itself in rows of earlier versions.
    kind: Option<String>,
    /// The [`kind_hash`] of its subject.
    subject: Option<String>,
    /// The [`kind_hash`] of its session.
    session_id: Option<String>,
}

/// A hash of the kind of a redacted memory, which decides whether the profile of a reader hides the tombstone. The id
/// makes hashes of equal kinds differ.
fn kind_hash(memory: Uuid, kind: &str) -> String {
    let digest = Sha256::new().chain_update(memory.as_bytes()).chain_update(kind).finalize();
    format!("{KIND_HASH}{}", hex::encode(digest))
}

const KIND_HASH: &str = "sha256:";

/// Whether the profile of the reader excludes the kind of a redacted memory. `kind` is that of its row.
fn is_excluded(pass: &ReadPass, memory: Uuid, kind: &str) -> bool {
    pass.excludes(kind) || pass.excluded_kinds().iter().any(|excluded| kind_hash(memory, excluded) == kind)
}

/// Whether the reader may know of a redacted memory with these hashes of its subject and session.
fn is_of_reader(users: &UserView, row: &RedactionRow) -> bool {
    let permits = |limit: Option<Option<&str>>, hash: &Option<String>| match (limit, hash) {
        (None, _) | (_, None) => true,
        (Some(named), Some(hash)) => named.is_some_and(|named| kind_hash(row.memory_id.0, named) == *hash),
    };
    permits(users.subject(), &row.subject) && permits(users.session(), &row.session_id)
}

impl From<RedactionRow> for RedactionRecord {
    fn from(row: RedactionRow) -> Self {
        Self {
            memory: row.memory_id.0,
            author: row.author_id.workspace(),
            reason: row.reason,
            by: row.redacted_by,
            at: row.redacted_at.0,
        }
    }
}

impl Tx<'_> {
    pub(crate) fn redaction(&mut self, org: OrgId, memory: Uuid) -> Result<Option<RedactionRecord>, StoreError> {
        let row: Option<RedactionRow> = redactions::table
            .find((Id::from(org), Id(memory)))
            .select(RedactionRow::as_select())
            .first(self.conn()?)
            .optional()
            .row_context("redactions", memory)?;
        Ok(row.map(RedactionRecord::from))
    }

    pub(crate) fn tombstone(&mut self, pass: &ReadPass, id: Uuid) -> Result<Option<Tombstone>, StoreError> {
        let row = self.memory_row(pass.org(), id)?.filter(|row| row.status.0 == MemoryStatus::Redacted);
        let Some(row) = row else { return Ok(None) };
        let PartitionKey { author, scope, team, .. } = row.partition();
        let part = pass.reach().parts().iter().find(|part| part.author() == author && part.covers(scope, team));
        let Some(via) = part.map(|part| part.via()) else { return Ok(None) };
        let redaction: Option<RedactionRow> = redactions::table
            .find((row.org_id, row.id))
            .select(RedactionRow::as_select())
            .first(self.conn()?)
            .optional()
            .row_context("redactions", id)?;
        let version = row.version;
        let redaction = redaction.filter(|row| is_of_reader(pass.users(), row));
        let readable = redaction.filter(|row| row.kind.as_ref().is_some_and(|kind| !is_excluded(pass, id, kind)));
        Ok(readable.map(|row| Tombstone { memory: id, author, scope, team, version, at: row.redacted_at.0, via }))
    }

    pub(crate) fn redactions(
        &mut self,
        pass: &AuditPass,
        before: Option<RedactionCursor>,
        limit: usize,
    ) -> Result<RedactionPage, StoreError> {
        let (mut below, mut page, mut at) = (Below::default(), RedactionPage::default(), before);
        for _ in 0..MAX_BATCHES {
            let mut rows = redactions::table.filter(redactions::org_id.eq(Id::from(pass.org()))).into_boxed();
            if let Some((time, id)) = at {
                let (time, id) = (Time(time), Id(id));
                let is_earlier = redactions::redacted_at.lt(time);
                let is_same_time = redactions::redacted_at.eq(time).and(redactions::memory_id.lt(id));
                rows = rows.filter(is_earlier.or(is_same_time));
            }
            let found: Vec<RedactionRow> = rows
                .order((redactions::redacted_at.desc(), redactions::memory_id.desc()))
                .limit(row_limit(BATCH))
                .select(RedactionRow::as_select())
                .load(self.drained()?)
                .row_context("redactions", pass.top())?;
            let is_last = found.len() < BATCH;
            for row in found {
                if !self.is_covered(&mut below, pass, row.author_id.workspace())? {
                    at = Some((row.redacted_at.0, row.memory_id.0));
                    continue;
                }
                if page.rows.len() == limit {
                    page.next = at;
                    return self.with_scopes(pass.org(), page);
                }
                at = Some((row.redacted_at.0, row.memory_id.0));
                page.rows.push((row.into(), None));
            }
            if is_last {
                return self.with_scopes(pass.org(), page);
            }
        }
        page.next = at;
        self.with_scopes(pass.org(), page)
    }

    /// Adds the scopes of the memories.
    fn with_scopes(&mut self, org: OrgId, mut page: RedactionPage) -> Result<RedactionPage, StoreError> {
        let ids: Vec<Id> = page.rows.iter().map(|(row, _)| Id(row.memory)).collect();
        let scopes: Vec<(Id, TextEnum<Scope>)> = memories::table
            .filter(memories::org_id.eq(Id::from(org)))
            .filter(memories::id.eq_any(ids))
            .select((memories::id, memories::scope))
            .load(self.drained()?)
            .row_context("memories", org)?;
        let scopes: HashMap<Uuid, Scope> = scopes.into_iter().map(|(id, scope)| (id.0, scope.0)).collect();
        for (row, scope) in &mut page.rows {
            *scope = scopes.get(&row.memory).copied();
        }
        Ok(page)
    }

    pub(crate) fn erasures(&mut self, pass: &ServerPass, org: OrgId) -> Result<Vec<Erasure>, StoreError> {
        self.receipts(pass, org)
    }

    pub(crate) fn redact_memory(
        &mut self,
        pass: &RedactPass,
        id: Uuid,
        reason: &ReasonDraft,
    ) -> Result<Option<Redacted>, StoreError> {
        let row = self.memory_row(pass.org(), id)?.filter(|row| row.author_id == pass.author().into());
        let Some(row) = row else { return Ok(None) };
        if row.status.0 == MemoryStatus::Redacted {
            let known = self.redaction(pass.org(), id)?;
            return Ok(known.map(|redaction| Redacted { redaction, versions: 0, before: true }));
        }
        if row.content.is_none() {
            return Ok(None);
        }
        let (redaction, versions) = self.redact_row(row, reason.as_str(), pass.by())?;
        Ok(Some(Redacted { redaction, versions, before: false }))
    }

    pub(crate) fn erase(&mut self, pass: &ErasePass, reason: &ReasonDraft) -> Result<Erasure, StoreError> {
        self.erase_all(pass, reason)
    }

    /// Stores the redaction of a document, by its org, id and author. Readers get no tombstone of it.
    pub(super) fn store_redaction(
        &mut self,
        (org_id, memory_id, author_id): (Id, Id, Id),
        reason: &str,
        by: &str,
    ) -> Result<RedactionRecord, StoreError> {
        let (reason, redacted_by, redacted_at) = (reason.to_owned(), by.to_owned(), Time(self.now));
        let row = RedactionRow {
            org_id,
            memory_id,
            author_id,
            reason,
            redacted_by,
            redacted_at,
            kind: None,
            subject: None,
            session_id: None,
        };
        diesel::insert_into(redactions::table).values(&row).execute(self.writing()?)?;
        Ok(row.into())
    }

    /// Deletes the content and the earlier versions of a memory. Returns the redaction record and the number of earlier
    /// versions.
    pub(crate) fn redact_row(
        &mut self,
        row: MemoryRow,
        reason: &str,
        by: &str,
    ) -> Result<(RedactionRecord, usize), StoreError> {
        let org = row.org_id.org();
        let org_version = self.touch(org)?;
        let versions = self.erase_versions(&row, org_version)?;
        self.uncount_content(&row, org_version)?;
        let redaction = RedactionRow {
            org_id: row.org_id,
            memory_id: row.id,
            author_id: row.author_id,
            reason: reason.to_owned(),
            redacted_by: by.to_owned(),
            redacted_at: Time(self.now),
            // a memory that is expired or superseded has no readers
            kind: row.location().is_live(self.now).then(|| kind_hash(row.id.0, &row.authored.kind)),
            subject: row.authored.subject.as_deref().map(|subject| kind_hash(row.id.0, subject)),
            session_id: row.authored.session_id.as_deref().map(|session| kind_hash(row.id.0, session)),
        };
        diesel::insert_into(redactions::table).values(&redaction).execute(self.writing()?)?;
        let record = memory_record(MemoryChange::Redacted, &row);
        self.record(record.context_field("reason", reason))?;
        let row = MemoryRow {
            status: TextEnum(MemoryStatus::Redacted),
            version: row.version + 1,
            org_version,
            updated_at: Time(self.now),
            expires_at: None,
            expiry_rule: None,
            ..row.emptied()
        };
        diesel::update(memories::table.find((row.org_id, row.id))).set(&row).execute(self.writing()?)?;
        Ok((redaction.into(), versions))
    }

    /// Deletes the index entry and the earlier versions of a memory, removes its kind and session from its episodes, and
    /// queues the clean-up of the files. The caller empties the row of the memory. Returns the number of earlier versions.
    pub(crate) fn erase_versions(&mut self, row: &MemoryRow, org_version: i64) -> Result<usize, StoreError> {
        for table in ["memories", "memory_index", "memory_versions"] {
            self.pending.deleted_from.push(table);
        }
        self.remove_from_index(row, org_version)?;
        self.forget_index(row, org_version)?;
        self.strip_episodes_of(row)?;
        self.drop_versions(row.org_id.org(), row.id.0)
    }

    /// Makes every server free the cached content soon, where a removal is applied only at the next read. The marker is
    /// an empty `folded`.
    fn forget_index(&mut self, row: &MemoryRow, org_version: i64) -> Result<(), StoreError> {
        self.forget_index_row(row.org_id.org(), row.partition(), row.id.0, org_version)
    }

    /// The same for any item of a partition.
    pub(crate) fn forget_index_row(
        &mut self,
        org: OrgId,
        partition: PartitionKey,
        id: Uuid,
        org_version: i64,
    ) -> Result<(), StoreError> {
        diesel::update(memory_index::table.find(index_key(org, partition, id)))
            .set((memory_index::org_version.eq(org_version), memory_index::folded.eq(Some(""))))
            .execute(self.writing()?)?;
        self.note_purged(org, partition, org_version, Effect::Purge(id));
        Ok(())
    }
}
