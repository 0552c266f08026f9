//! Export of the memories of all orgs as one array, as other platforms read it.

use std::sync::Arc;

use orgmem_hierarchy::{OrgId, WorkspaceId};
use orgmem_policies::audit::AuditAction;
use orgmem_policies::{ServerAction, ServerPass};
use orgmem_store::{AuditRecord, Memory, ReadPlan};
use orgmem_types as wire;
use uuid::Uuid;

use super::call::{ReadCall, WorkspaceNames};
use super::wire::{object, source};
use super::{App, AppError};
use crate::auth::VerifiedClaims;

/// Memories of a page. A page is a snapshot of its own.
const PAGE: usize = 200;

/// An export and its position.
pub struct MemoryExport {
    app: Arc<App>,
    auth: Arc<VerifiedClaims>,
    /// The org to read next; none at the end.
    org: Option<OrgId>,
    /// Whether other orgs follow.
    all: bool,
    /// The last memory of the org that was read.
    after: Option<Uuid>,
}

/// A page of an org.
struct Page {
    memories: Vec<wire::ExportedMemory>,
    /// The last memory that was read; none at the end of the org.
    last: Option<Uuid>,
}

impl App {
    /// Begins an export of the memories of one org, or of every org in the order of their ids.
    ///
    /// # Errors
    /// [`AppError::Forbidden`] for other callers than admins; [`AppError::NotFound`] without such an org.
    ///
    /// # Source
    /// `docs/spec/admin.md`, "Export of memories".
    pub async fn export_memories(
        self: Arc<Self>,
        auth: Arc<VerifiedClaims>,
        query: &wire::ExportMemories,
    ) -> Result<MemoryExport, AppError> {
        let only = query.org_id.map(OrgId::from);
        let first = self.read_server(&auth, ReadPlan::PointLookup, move |tx, caller| {
            let pass = ServerPass::grant(caller, ServerAction::ReadServer)?;
            let Some(org) = only else { return Ok(tx.next_org(&pass, None)?) };
            match tx.org_of(org.root())? {
                Some(found) if found == org => Ok(Some(org)),
                _ => Err(AppError::WORKSPACE_NOT_FOUND),
            }
        });
        let org = first.await?;
        Ok(MemoryExport { app: self, auth, org, all: only.is_none(), after: None })
    }
}

impl MemoryExport {
    /// The next memories, in the order of their ids within an org; none at the end.
    ///
    /// # Errors
    /// [`AppError`], also when the caller's token is revoked during the export.
    pub async fn next(&mut self) -> Result<Option<Vec<wire::ExportedMemory>>, AppError> {
        while let Some(org) = self.org {
            let page = self.page(org).await?;
            self.after = page.last;
            if page.last.is_none() {
                self.org = if self.all { self.org_after(org).await? } else { None };
            }
            if !page.memories.is_empty() {
                return Ok(Some(page.memories));
            }
        }
        Ok(None)
    }

    async fn page(&self, org: OrgId) -> Result<Page, AppError> {
        let after = self.after;
        let call = self.auth.call(org.root().uuid()).plan(ReadPlan::Scan);
        self.app
            .read_audited(call, move |call| {
                let pass = ServerPass::grant(&call.caller, ServerAction::ReadServer)?;
                let rows = call.tx.memories_by_id(&pass, org, after, PAGE)?;
                let last = rows.last().map(|memory| memory.id).filter(|_| rows.len() == PAGE);
                let rows = of_live_authors(call, rows)?;
                let shown: Vec<(Uuid, i64)> = rows.iter().map(|memory| (memory.id, memory.version)).collect();
                let authors: Vec<WorkspaceId> = rows.iter().map(|memory| memory.author).collect();
                let names = call.names(&authors)?;
                let record = AuditRecord::new(AuditAction::ExportMemories, org.root()).about(shown);
                let memories: Vec<_> = rows.into_iter().map(|memory| exported(&names, memory)).collect();
                let record = (!memories.is_empty()).then_some(record);
                Ok((Page { memories, last }, record))
            })
            .await
    }

    async fn org_after(&self, org: OrgId) -> Result<Option<OrgId>, AppError> {
        self.app
            .read_server(&self.auth, ReadPlan::PointLookup, move |tx, caller| {
                let pass = ServerPass::grant(caller, ServerAction::ReadServer)?;
                Ok(tx.next_org(&pass, Some(org))?)
            })
            .await
    }
}

/// Nobody reads the memories of a removed workspace.
fn of_live_authors(call: &mut ReadCall<'_>, mut rows: Vec<Memory>) -> Result<Vec<Memory>, AppError> {
    let tree = call.tx.tree(call.org)?;
    rows.retain(|memory| tree.contains(memory.author));
    Ok(rows)
}

fn exported(names: &WorkspaceNames, memory: Memory) -> wire::ExportedMemory {
    let fields = memory.authored;
    wire::ExportedMemory {
        id: Some(memory.id),
        team: memory.team.map(WorkspaceId::uuid),
        workspace_name: Some(names.of(memory.author)),
        title: fields.title,
        namespace: Some(fields.namespace),
        kind: Some(fields.kind),
        source: Some(source(fields.source)),
        confidence: Some(fields.confidence),
        tags: fields.tags,
        metadata: fields.metadata.as_deref().and_then(object),
        subject: fields.subject,
        session_id: fields.session_id,
        session_only: fields.session_only,
        pin: fields.pin,
        expires_at: fields.expires_at,
        created_at: Some(memory.created_at),
        ..wire::ExportedMemory::new(fields.content, memory.scope, memory.author.uuid())
    }
}
