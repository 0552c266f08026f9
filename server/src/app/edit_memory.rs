//! Edits of memories and restores of earlier versions.

use chrono::{DateTime, Utc};
use orgmem_hierarchy::WorkspaceId;
use orgmem_policies::drafts::{FieldRedaction, MemoryEdit, MemoryEditInput};
use orgmem_policies::{EditPass, Forbidden, Permission, Role, rules};
use orgmem_store::{Edited, NoEdit, ReadyEdit, VersionChange, VersionConflict};
use orgmem_types as wire;
use uuid::Uuid;

use super::append_episode::claim_input;
use super::call::WriteCall;
use super::drafting::Drafting;
use super::wire::{redactions, source_of};
use super::{App, AppError, Idempotency};
use crate::auth::VerifiedClaims;
use crate::telemetry::MemoryOperation;

impl App {
    /// Changes the fields of the request, as the author of the memory; with `if_match` only if that is the current
    /// version. The previous version remains in the history. A request that changes nothing creates no version.
    ///
    /// # Errors
    /// [`AppError`]: an invalid field, a memory that the workspace cannot read or did not write;
    /// [`AppError::MemoryConflict`] when the current version is another; [`AppError::NoOpenRun`] in a run.
    pub async fn edit_memory(
        &self,
        auth: &VerifiedClaims,
        workspace: Uuid,
        memory: Uuid,
        request: wire::PatchMemory,
        if_match: Option<i64>,
    ) -> Result<wire::CommittedMemory, AppError> {
        let (role, now) = (auth.identity().role, self.now());
        let make = move |request, with: &Drafting| prepare_edit(request, role, now, with);
        let (redactions, edit) = self.draft(auth, workspace, Permission::WriteMemories, request, make).await?;
        let is_embedded = self.embedding.is_some();
        let editing = self.write(auth.call(workspace), move |call| {
            let edited = call.change_memory(memory, if_match, &edit, is_embedded)?;
            Ok(into_wire(memory, edited, &redactions))
        });
        let edited = self.measured(MemoryOperation::Update, editing).await?;
        self.note_memories(auth, workspace, [memory]);
        Ok(edited)
    }

    /// Restores an earlier version as a new version, as the author of the memory.
    ///
    /// # Errors
    /// As for [`App::edit_memory`]; [`AppError::NotFound`] also for an unknown version.
    pub async fn restore_memory(
        &self,
        auth: &VerifiedClaims,
        workspace: Uuid,
        memory: Uuid,
        request: wire::RestoreMemory,
        if_match: Option<i64>,
        idempotency: Option<Idempotency>,
    ) -> Result<wire::RestoredMemory, AppError> {
        let is_embedded = self.embedding.is_some();
        let restoring = self.write(auth.call(workspace).idempotent(idempotency), move |call| {
            let restored =
                call.change_memory(memory, if_match, &VersionChange::Restore(request.version), is_embedded)?;
            // the stored response outlives the memory, so it contains no content
            Ok(wire::RestoredMemory { id: memory, version: restored.version })
        });
        let restored = self.measured(MemoryOperation::Update, restoring).await?;
        self.note_memories(auth, workspace, [memory]);
        Ok(restored)
    }
}

/// Checks and scrubs an edit.
pub(super) fn prepare_edit(
    request: wire::PatchMemory,
    role: Role,
    now: DateTime<Utc>,
    with: &Drafting,
) -> Result<(Vec<FieldRedaction>, VersionChange), AppError> {
    let edit = MemoryEdit::check(input(request), role, with.limits, with.scrubber, now)?;
    let redactions = edit.fields().redactions.clone();
    Ok((redactions, VersionChange::Edit(Box::new(ReadyEdit::from(edit)))))
}

impl WriteCall<'_> {
    /// Changes a memory that the workspace of this call can read, as its author.
    pub(super) fn change_memory(
        &mut self,
        id: Uuid,
        if_match: Option<i64>,
        change: &VersionChange,
        is_embedded: bool,
    ) -> Result<Edited, AppError> {
        let pass = self.edit_pass(id)?;
        self.spend_writes(Permission::WriteMemories, 1, is_embedded)?;
        self.refuse_edit_in_run()?;
        let facts = self.tx.edit_facts(&pass, id, if_match, change)?.map_err(|reason| match reason {
            NoEdit::NoMemory => AppError::MEMORY_NOT_FOUND,
            NoEdit::NoVersion => AppError::VERSION_NOT_FOUND,
            NoEdit::Conflict(VersionConflict { expected, current }) => {
                AppError::MemoryConflict { id, expected, current }
            }
        })?;
        let plan = rules::check_edit(facts)?;
        Ok(self.tx.edit_memory(&pass, &plan, change)?)
    }

    /// A pass to edit a memory that the workspace of this call can read.
    fn edit_pass(&mut self, memory: Uuid) -> Result<EditPass, AppError> {
        let reader = self.workspace;
        let reads = self.reads(reader)?;
        let (found, _) = self.tx.memory(&reads, memory)?.ok_or(AppError::MEMORY_NOT_FOUND)?;
        let (subject, session) = (found.authored.subject.as_deref(), found.authored.session_id.as_deref());
        if let Err(field) = self.caller.user().check_write(subject, session) {
            return Err(AppError::Forbidden(Forbidden::NotOfEndUser { field }));
        }
        self.pass(|caller, tree| EditPass::grant(caller, tree, reader, found.author))
    }
}

fn into_wire(id: Uuid, edited: Edited, found: &[FieldRedaction]) -> wire::CommittedMemory {
    wire::CommittedMemory {
        run_id: edited.run,
        pending: false,
        id,
        scope: edited.scope,
        team: edited.team.map(WorkspaceId::uuid),
        namespace: edited.namespace,
        kind: edited.kind,
        version: edited.version,
        created_at: edited.created_at,
        expires_at: edited.expires_at,
        redactions: redactions(found),
    }
}

fn input(request: wire::PatchMemory) -> MemoryEditInput {
    MemoryEditInput {
        content: request.content,
        namespace: request.namespace,
        kind: request.kind,
        source: request.source.map(source_of),
        confidence: request.confidence,
        tags: request.tags,
        metadata: request.metadata,
        claims: request.claims.map(|claims| claims.map(|claims| claims.into_iter().map(claim_input).collect())),
        subject: request.subject,
        title: request.title,
        session_id: request.session_id,
        session_only: request.session_only,
        pin: request.pin,
        expires_at: request.expires_at,
        ttl_seconds: request.ttl_seconds,
    }
}
