//! Removals of another copy of the database, repeated here.

use std::collections::{BTreeMap, BTreeSet};

use chrono::{DateTime, Utc};
use diesel::prelude::*;
use orgmem_hierarchy::{OrgId, WorkspaceId};
use orgmem_policies::ServerPass;
use orgmem_policies::rules::MemoryChange;
use sha2::{Digest, Sha256};
use uuid::Uuid;

use super::Tx;
use super::document_rows::DocumentRow;
use super::memory_rows::MemoryRow;
use crate::StoreError;
use crate::columns::{Id, TextEnum, Time};
use crate::contract::{Erased, ErasedCounts, ErasedPart, Erasure, MemoryStatus, Removal, Removed, Repeated, SERVER};
use crate::engine::RowContext;
use crate::schema::{
    entries, episodes, erasures, grants, memories, memory_versions, pending_memories, redactions, tokens,
};

/// The reason of a redaction whose own is not known.
const REPEATED: &str = "redacted after the backup was made";

/// Who redacted a memory in the other copy, when and why.
struct Redaction<'r> {
    at: DateTime<Utc>,
    by: &'r str,
    reason: &'r str,
}

impl Tx<'_> {
    pub(crate) fn repeat_removals(&mut self, _: &ServerPass, removals: &[Removal]) -> Result<Repeated, StoreError> {
        let (org, mut repeated) = (self.org, Repeated::default());
        if org != SERVER && self.org_of(org.root())? != Some(org) {
            return Ok(repeated);
        }
        let mut dropped: BTreeMap<WorkspaceId, BTreeMap<&str, i64>> = BTreeMap::new();
        for removal in removals.iter().filter(|removal| OrgId::from(removal.org) == org) {
            match &removal.what {
                Removed::Redaction { memory, at, by, reason } => {
                    let redaction = Redaction { at: *at, by, reason };
                    repeated.redactions += u64::from(self.repeat_redaction(org, *memory, redaction)?);
                }
                Removed::Deletion { memory } => {
                    repeated.deletions += u64::from(self.repeat_deletion(org, *memory)?);
                }
                Removed::Episode { workspace, episode } => {
                    let is_new = self.repeat_episode_redaction(org, *workspace, *episode, REPEATED)?;
                    repeated.episodes += u64::from(is_new);
                }
                Removed::Entry { workspace, key_sha256, version } => {
                    dropped.entry((*workspace).into()).or_default().insert(key_sha256, *version);
                }
                Removed::Erasure { receipt, erased, reason, by, at } => {
                    let erasure = Erasure {
                        id: *receipt,
                        org,
                        what: Erased::Org,
                        reason: reason.clone(),
                        by: by.clone(),
                        at: *at,
                        counts: ErasedCounts::default(),
                        access_seq: None,
                    };
                    repeated.erasures += u64::from(self.repeat_erasure(erasure, erased)?);
                }
                Removed::Token { token, at, expires_at } => {
                    repeated.revocations += u64::from(self.repeat_revocation(org, *token, *at, *expires_at)?);
                }
                Removed::TokensOf { workspace, at } => {
                    let is_new = self.repeat_revocation_of_all(org, (*workspace).into(), *at)?;
                    repeated.revocations += u64::from(is_new);
                }
                Removed::Grant { grant, at } => {
                    repeated.grants += u64::from(self.repeat_grant_revocation(org, *grant, *at)?);
                }
            }
        }
        for (workspace, hashes) in dropped {
            repeated.entries += self.drop_entries_by_hash(org, workspace, &hashes)? as u64;
        }
        Ok(repeated)
    }

    fn repeat_redaction(&mut self, org: OrgId, memory: Uuid, redaction: Redaction<'_>) -> Result<bool, StoreError> {
        let pending = self.erase_pending_memory(org, memory)? > 0;
        let row = self.memory_row(org, memory)?.filter(|row| row.content.is_some());
        let document = self.document_row(org, memory)?.filter(DocumentRow::is_live);
        match (row, document) {
            (Some(row), _) => drop(self.redact_row(row, redaction.reason, redaction.by)?),
            (None, Some(row)) => drop(self.redact_live_document(&row, redaction.reason, redaction.by)?),
            (None, None) => return Ok(pending),
        }
        let here = redactions::table.find((Id::from(org), Id(memory)));
        diesel::update(here).set(redactions::redacted_at.eq(Time(redaction.at))).execute(self.writing()?)?;
        Ok(true)
    }

    fn repeat_deletion(&mut self, org: OrgId, memory: Uuid) -> Result<bool, StoreError> {
        let pending = self.erase_pending_memory(org, memory)? > 0;
        if let Some(row) = self.document_row(org, memory)?.filter(DocumentRow::is_live) {
            self.forget_document(&row)?;
            return Ok(true);
        }
        let row = self.memory_row(org, memory)?.filter(|row| row.content.is_some());
        let Some(row) = row else { return Ok(pending) };
        self.forget_row(row)?;
        Ok(true)
    }

    /// Deletes the content and the earlier versions of a memory.
    pub(crate) fn forget_row(&mut self, row: MemoryRow) -> Result<(), StoreError> {
        let org_version = self.touch(row.org_id.org())?;
        self.erase_versions(&row, org_version)?;
        self.uncount_content(&row, org_version)?;
        self.record_memory(MemoryChange::Forgotten, &row)?;
        let row = MemoryRow {
            status: TextEnum(MemoryStatus::Deleted),
            version: row.version + 1,
            org_version,
            updated_at: Time(self.now),
            expires_at: None,
            expiry_rule: None,
            ..row.emptied()
        };
        diesel::update(memories::table.find((row.org_id, row.id))).set(&row).execute(self.writing()?)?;
        Ok(())
    }

    /// Repeats an erasure unless its receipt is here.
    fn repeat_erasure(&mut self, erasure: Erasure, part: &ErasedPart) -> Result<bool, StoreError> {
        let org = erasure.org;
        let known: i64 = erasures::table
            .filter(erasures::org_id.eq(Id::from(org)))
            .filter(erasures::id.eq(Id(erasure.id)))
            .count()
            .get_result(self.drained()?)?;
        if known > 0 {
            return Ok(false);
        }
        let (what, counts) = match part {
            ErasedPart::Subject(hash) => {
                let mut digest = [0; 32];
                hex::decode_to_slice(hash, &mut digest)
                    .map_err(|reason| StoreError::unreadable("erasures", erasure.id, reason))?;
                let mut counts = ErasedCounts::default();
                if let Some(subject) = self.subjects_with(org, digest)? {
                    counts = self.erase_subject(org, &subject, &erasure.reason, &erasure.by)?;
                }
                (Erased::Subject(digest), counts)
            }
            ErasedPart::Workspaces(gone) => {
                let here: BTreeSet<WorkspaceId> = self.all_workspaces(org)?.into_iter().collect();
                let top = gone.first().map_or(WorkspaceId::NIL, |id| (*id).into());
                let gone: Vec<WorkspaceId> =
                    gone.iter().map(|id: &Uuid| (*id).into()).filter(|id| here.contains(id)).collect();
                (Erased::Workspace(top), self.erase_workspaces(org, &gone)?)
            }
            ErasedPart::Org => {
                let all = self.all_workspaces(org)?;
                (Erased::Org, self.erase_workspaces(org, &all)?)
            }
        };
        // without workspaces the counts are those of a subject, which may have no data here; the receipt is needed anyway,
        // so that a later backup of this database repeats the erasure too
        self.record_erasure(Erasure { what, counts, ..erasure })?;
        Ok(counts != ErasedCounts::default())
    }

    /// The end users of the org whose ids have this hash; at most one.
    fn subjects_with(&mut self, org: OrgId, hash: [u8; 32]) -> Result<Option<String>, StoreError> {
        let org = Id::from(org);
        macro_rules! find {
            ($table:ident, $column:ident) => {
                let subjects: Vec<Option<String>> = $table::table
                    .filter($table::org_id.eq(org))
                    .filter($table::$column.nullable().is_not_null())
                    .select($table::$column.nullable())
                    .distinct()
                    .load(self.drained()?)
                    .row_context(stringify!($table), "subjects")?;
                let has_hash = |subject: &String| <[u8; 32]>::from(Sha256::digest(subject)) == hash;
                if let Some(found) = subjects.into_iter().flatten().find(has_hash) {
                    return Ok(Some(found));
                }
            };
        }
        find!(memories, subject);
        find!(memory_versions, subject);
        find!(pending_memories, subject);
        find!(entries, subject);
        find!(episodes, subject);
        find!(grants, subject);
        find!(tokens, end_user);
        Ok(None)
    }
}
