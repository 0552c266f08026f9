//! The list of redactions, and the tombstones of redacted memories.

use orgmem_hierarchy::WorkspaceId;
use orgmem_policies::audit::AuditAction;
use orgmem_policies::{AuditPass, ReadPass};
use orgmem_store::{AuditRecord, ReadPlan, RedactionCursor, RedactionPage, RedactionRecord, Tombstone};
use orgmem_types as wire;
use uuid::Uuid;

use super::call::ReadCall;
use super::{App, AppError, Listing, cursor};
use crate::auth::VerifiedClaims;

/// Default and maximum size of a page.
const PAGE: usize = 50;
const PAGE_MAX: usize = 200;

/// The content of a tombstone.
const REDACTED: &str = "[redacted]";

impl App {
    /// The redactions of memories of the workspace and of its descendants, newest first, for people.
    ///
    /// # Errors
    /// [`AppError::Forbidden`] for agents.
    ///
    /// # Source
    /// `docs/spec/erasure.md`, "The list of redactions".
    pub async fn list_redactions(
        &self,
        auth: &VerifiedClaims,
        workspace: Uuid,
        request: wire::PageQuery,
    ) -> Result<Listing<wire::RedactionEntry>, AppError> {
        let limit = cursor::limit(request.limit, PAGE, PAGE_MAX);
        let before: Option<RedactionCursor> = cursor::decode("redactions", request.cursor.as_deref())?;
        self.read_audited(auth.call(workspace).plan(ReadPlan::Scan), move |call| {
            let top = call.workspace;
            let pass = call.pass(|caller, tree| AuditPass::grant(caller, tree, top, true))?;
            let RedactionPage { rows, next } = call.tx.redactions(&pass, before, limit)?;
            let authors: Vec<WorkspaceId> = rows.iter().map(|(row, _)| row.author).collect();
            let names = call.names(&authors)?;
            let record = AuditRecord::new(AuditAction::ListRedactions, top).context_field("redactions", rows.len());
            let to_wire = |(row, scope): (RedactionRecord, _)| wire::RedactionEntry {
                memory_id: row.memory,
                workspace_id: row.author.uuid(),
                workspace_name: names.of(row.author),
                scope,
                redacted_at: row.at,
                redacted_by: row.by,
                reason: row.reason,
            };
            let items = rows.into_iter().map(to_wire).collect();
            Ok((Listing { items, next: next.map(|next| cursor::encode("redactions", &next)) }, record))
        })
        .await
    }
}

impl ReadCall<'_> {
    /// The tombstone of a memory that the workspace could read before its redaction, by the current tree. Its record
    /// names no memory, because the reader receives no content.
    ///
    /// # Errors
    /// [`AppError::NotFound`] for every other memory.
    pub(super) fn read_tombstone(
        &mut self,
        pass: &ReadPass,
        memory: Uuid,
    ) -> Result<(wire::ReadMemory, AuditRecord), AppError> {
        let Tombstone { memory, author, scope, team, version, at, via } =
            self.tx.tombstone(pass, memory)?.ok_or(AppError::MEMORY_NOT_FOUND)?;
        let tombstone = wire::Tombstone {
            id: memory,
            workspace_id: author.uuid(),
            workspace_name: self.names(&[author])?.of(author),
            scope,
            team: team.map(WorkspaceId::uuid),
            content: REDACTED.to_owned(),
            is_redacted: true,
            version,
            redacted_at: at,
            via,
        };
        let record =
            AuditRecord::new(AuditAction::ReadMemory, self.workspace).context_field("redacted", memory.to_string());
        Ok((wire::ReadMemory::Redacted(tombstone), record))
    }
}
