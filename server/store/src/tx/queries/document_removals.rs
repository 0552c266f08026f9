//! Documents: deletion, redaction and expiry.

use diesel::prelude::*;
use orgmem_hierarchy::OrgId;
use orgmem_policies::audit::{AuditAction, EventKind};
use orgmem_policies::drafts::ReasonDraft;
use orgmem_policies::{ForgetPass, RedactPass};
use uuid::Uuid;

use super::Tx;
use super::document_rows::DocumentRow;
use super::document_writes::document_record;
use crate::StoreError;
use crate::columns::{TextEnum, Time};
use crate::contract::{ForgetOutcome, MemoryStatus, Redacted, VersionConflict};
use crate::schema::{document_versions, documents};

const TABLES: [&str; 3] = ["documents", "document_versions", "document_passages"];

impl Tx<'_> {
    /// Deletes the content of a document and its earlier versions. The row remains with this status. Returns the number
    /// of earlier versions.
    pub(super) fn empty_document(&mut self, row: &DocumentRow, status: MemoryStatus) -> Result<usize, StoreError> {
        let org_version = self.touch(row.org_id.org())?;
        let row = DocumentRow { org_version, ..row.clone() };
        self.remove_passages(&row, org_version, None)?;
        let earlier = document_versions::table
            .filter(document_versions::org_id.eq(row.org_id))
            .filter(document_versions::document_id.eq(row.id));
        let sizes: Vec<i64> = earlier.select(document_versions::size_bytes).load(self.writing()?)?;
        diesel::delete(earlier).execute(self.writing()?)?;
        self.count_document(&row, 0, -row.size_bytes - sizes.iter().sum::<i64>(), false)?;
        for table in TABLES {
            self.pending.deleted_from.push(table);
        }
        let emptied = DocumentRow {
            status: TextEnum(status),
            version: row.version + 1,
            updated_at: Time(self.now),
            ..row.emptied()
        };
        diesel::update(documents::table.find((emptied.org_id, emptied.id))).set(&emptied).execute(self.writing()?)?;
        Ok(sizes.len())
    }

    pub(crate) fn delete_document(
        &mut self,
        pass: &ForgetPass,
        id: Uuid,
        if_match: Option<i64>,
    ) -> Result<ForgetOutcome, StoreError> {
        let now = self.now;
        let row = self.document_row(pass.org(), id)?.filter(|row| row.author_id == pass.author().into());
        let Some(row) = row.filter(|row| row.location().is_live(now)) else { return Ok(ForgetOutcome::NoMemory) };
        if let Some(expected) = if_match.filter(|&expected| expected != row.version) {
            return Ok(ForgetOutcome::Conflict(VersionConflict { expected, current: Some(row.version) }));
        }
        self.forget_document(&row)?;
        Ok(ForgetOutcome::Done)
    }

    /// Deletes a live document.
    pub(super) fn forget_document(&mut self, row: &DocumentRow) -> Result<(), StoreError> {
        self.empty_document(row, MemoryStatus::Deleted)?;
        self.record(document_record(AuditAction::DeleteDocument, row, "deleted"))?;
        Ok(())
    }

    pub(crate) fn redact_document(
        &mut self,
        pass: &RedactPass,
        id: Uuid,
        reason: &ReasonDraft,
    ) -> Result<Option<Redacted>, StoreError> {
        let row = self.document_row(pass.org(), id)?.filter(|row| row.author_id == pass.author().into());
        let Some(row) = row else { return Ok(None) };
        match row.status.0 {
            MemoryStatus::Redacted => {
                let known = self.redaction(pass.org(), id)?;
                Ok(known.map(|redaction| Redacted { redaction, versions: 0, before: true }))
            }
            MemoryStatus::Live => self.redact_live_document(&row, reason.as_str(), pass.by()).map(Some),
            _ => Ok(None),
        }
    }

    pub(super) fn redact_live_document(
        &mut self,
        row: &DocumentRow,
        reason: &str,
        by: &str,
    ) -> Result<Redacted, StoreError> {
        let versions = self.empty_document(row, MemoryStatus::Redacted)?;
        let redaction = self.store_redaction((row.org_id, row.id, row.author_id), reason, by)?;
        let record = document_record(AuditAction::RedactDocument, row, "redacted").context_field("reason", reason);
        self.record(record)?;
        Ok(Redacted { redaction, versions, before: false })
    }

    /// Deletes the content of documents that are still expired.
    pub(crate) fn reclaim_documents(&mut self, org: OrgId, ids: &[Uuid]) -> Result<(), StoreError> {
        for &id in ids {
            let now = self.now;
            let row = self.document_row(org, id)?.filter(DocumentRow::is_live);
            let Some(row) = row.filter(|row| !row.location().is_live(now)) else { continue };
            self.empty_document(&row, MemoryStatus::Deleted)?;
            let record = document_record(AuditAction::ExpireDocuments, &row, "expired");
            self.record(record.event_kind(Some(EventKind::DocumentChanged)))?;
        }
        Ok(())
    }
}
