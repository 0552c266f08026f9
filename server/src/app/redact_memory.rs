//! Redaction of single memories and of lists.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use orgmem_hierarchy::WorkspaceId;
use orgmem_policies::audit::AuditAction;
use orgmem_policies::drafts::ReasonDraft;
use orgmem_policies::{ActPass, AuditPass, Permission, RedactPass};
use orgmem_store::{AuditRecord, MemoryReads, ReadPlan, ReadsByRole, Redacted};
use orgmem_types as wire;
use serde::Serialize;
use serde::de::DeserializeOwned;
use uuid::Uuid;

use super::call::{WorkspaceNames, WriteCall};
use super::wire::redactions;
use super::{App, AppError, Idempotency};
use crate::auth::VerifiedClaims;
use crate::telemetry::MemoryOperation;

/// Maximum number of memories of a call.
pub(crate) const MAX_AT_ONCE: usize = 500;

impl App {
    /// Removes the content of a memory and of all its versions permanently. A tombstone with the reason remains. A
    /// repetition returns the first redaction. A dry run changes nothing.
    ///
    /// # Errors
    /// [`AppError`]: an invalid reason, a memory that the workspace cannot read, an author outside the caller's role.
    pub async fn redact_memory(
        &self,
        auth: &VerifiedClaims,
        workspace: Uuid,
        memory: Uuid,
        request: wire::RedactMemory,
        dry_run: bool,
        idempotency: Option<Idempotency>,
    ) -> Result<wire::RedactedMemory, AppError> {
        let reason = ReasonDraft::check(&request.reason, self.scrubber)?;
        let redacting = self.write_or_dry_run(auth, workspace, dry_run, idempotency, move |call| {
            call.may_redact()?;
            redact(call, memory, &reason)
        });
        let mut redacted = self.measured(MemoryOperation::Delete, redacting).await?;
        self.list_readers(auth, workspace, dry_run, vec![&mut redacted]).await?;
        Ok(redacted)
    }

    /// Redacts up to 500 memories for one reason independently; the refusal of one does not affect the others. A dry
    /// run changes nothing.
    ///
    /// # Errors
    /// [`AppError`] of the call itself; the error of a memory is in its item.
    pub async fn redact_memories(
        &self,
        auth: &VerifiedClaims,
        workspace: Uuid,
        request: wire::RedactMemories,
        dry_run: bool,
        idempotency: Option<Idempotency>,
    ) -> Result<wire::RedactionResponse, AppError> {
        let wire::RedactMemories { memories, reason } = request;
        if memories.is_empty() || memories.len() > MAX_AT_ONCE {
            return Err(AppError::Field { field: "memories", expected: format!("a list of 1 to {MAX_AT_ONCE} ids") });
        }
        let reason = ReasonDraft::check(&reason, self.scrubber)?;
        let redacting = self.write_or_dry_run(auth, workspace, dry_run, idempotency, move |call| {
            // a caller without the permission gets one refusal instead of one per item
            call.may_redact()?;
            let mut items = Vec::with_capacity(memories.len());
            for &memory in &memories {
                items.push(match redact(call, memory, &reason) {
                    Ok(redacted) => wire::RedactionItem::Redacted(redacted),
                    Err(AppError::Store(error)) => return Err(error.into()),
                    Err(refused) => wire::RedactionItem::Refused(refused.problem()),
                });
            }
            let redacted = items.iter().filter(|item| matches!(item, wire::RedactionItem::Redacted(_))).count();
            Ok(wire::RedactionResponse { redacted, refused: items.len() - redacted, items })
        });
        let mut response = self.measured(MemoryOperation::Delete, redacting).await?;
        let redacted = response.items.iter_mut().filter_map(|item| match item {
            wire::RedactionItem::Redacted(redacted) => Some(redacted),
            wire::RedactionItem::Refused(_) => None,
        });
        let redacted = redacted.collect();
        self.list_readers(auth, workspace, dry_run, redacted).await?;
        Ok(response)
    }

    async fn write_or_dry_run<T, F>(
        &self,
        auth: &VerifiedClaims,
        workspace: Uuid,
        dry_run: bool,
        idempotency: Option<Idempotency>,
        work: F,
    ) -> Result<T, AppError>
    where
        T: Serialize + DeserializeOwned + Send + 'static,
        F: FnMut(&mut WriteCall<'_>) -> Result<T, AppError> + Send + 'static,
    {
        if !dry_run {
            return self.write(auth.call(workspace).idempotent(idempotency), work).await;
        }
        self.dry_run(auth.call(workspace), work).await
    }

    /// Adds the earlier readers of the redacted memories and their runs. A dry run adds a row to the access log here,
    /// because it has no row of a redaction.
    async fn list_readers(
        &self,
        auth: &VerifiedClaims,
        workspace: Uuid,
        dry_run: bool,
        redacted: Vec<&mut wire::RedactedMemory>,
    ) -> Result<(), AppError> {
        let memories: Vec<Uuid> = redacted.iter().map(|redacted| redacted.id).collect();
        if memories.is_empty() {
            return Ok(());
        }
        let lookup = async {
            self.write_reads(auth, workspace).await?;
            self.read_audited(auth.call(workspace).plan(ReadPlan::Scan), move |call| {
                let pass = call.pass(AuditPass::everywhere)?;
                let reads = call.tx.memory_reads(&pass, &memories)?;
                let readers: Vec<WorkspaceId> = reads.counts.keys().map(|(_, reader, _)| *reader).collect();
                let names = call.names(&readers)?;
                let record = AuditRecord::new(AuditAction::ReadAccessLog, call.workspace)
                    .context_field("memories", memories.len());
                Ok(((reads, names), dry_run.then_some(record)))
            })
            .await
        };
        let (reads, names) = match lookup.await {
            Ok(found) => found,
            Err(error) if dry_run => return Err(error),
            // the redaction is committed; a repetition returns the readers
            Err(error) => {
                tracing::warn!(%error, "a redaction is answered without those who had read what it took out");
                (MemoryReads { partial: true, ..MemoryReads::default() }, WorkspaceNames::default())
            }
        };
        for redacted in redacted {
            add_readers(redacted, &reads, &names);
            redacted.dry_run = dry_run;
        }
        Ok(())
    }
}

fn add_readers(redacted: &mut wire::RedactedMemory, reads: &MemoryReads, names: &WorkspaceNames) {
    let counts = reads.counts.iter().filter(|((memory, ..), _)| *memory == redacted.id);
    let mut by_workspace: BTreeMap<WorkspaceId, ReadsByRole> = BTreeMap::new();
    let mut runs: BTreeSet<Uuid> = BTreeSet::new();
    for ((_, reader, run), count) in counts {
        *by_workspace.entry(*reader).or_default() += *count;
        runs.extend(run);
    }
    let reader = |(id, reads): (WorkspaceId, ReadsByRole)| wire::MemoryReader {
        workspace_id: id.uuid(),
        name: names.of(id),
        reads: reads.agents + reads.people,
        reads_by_people: reads.people,
    };
    redacted.readers = by_workspace.into_iter().map(reader).collect();
    redacted.readers.sort_by_key(|reader| (Reverse(reader.reads), reader.workspace_id));
    redacted.runs = runs.into_iter().collect();
    redacted.readers_partial = reads.partial;
}

impl WriteCall<'_> {
    fn may_redact(&mut self) -> Result<(), AppError> {
        let workspace = self.workspace;
        self.pass(|caller, tree| ActPass::grant(caller, Permission::RedactMemories, tree, workspace)).map(drop)
    }

    /// A pass to redact a memory that the workspace of this call can read, or wrote, in any state.
    fn redact_pass(&mut self, memory: Uuid) -> Result<RedactPass, AppError> {
        let reader = self.workspace;
        let location = self.tx.memory_location(self.org, memory)?.ok_or(AppError::MEMORY_NOT_FOUND)?;
        if location.author != reader {
            let reads = self.reads(reader)?;
            self.tx.memory(&reads, memory)?.ok_or(AppError::MEMORY_NOT_FOUND)?;
        }
        self.pass(|caller, tree| RedactPass::grant(caller, tree, reader, location.author))
    }
}

fn redact(call: &mut WriteCall<'_>, memory: Uuid, reason: &ReasonDraft) -> Result<wire::RedactedMemory, AppError> {
    let pass = call.redact_pass(memory)?;
    let redacted = call.tx.redact_memory(&pass, memory, reason)?.ok_or(AppError::MEMORY_NOT_FOUND)?;
    Ok(into_wire(redacted, reason))
}

fn into_wire(redacted: Redacted, reason: &ReasonDraft) -> wire::RedactedMemory {
    let Redacted { redaction, versions, before } = redacted;
    wire::RedactedMemory {
        id: redaction.memory,
        redacted_at: redaction.at,
        redacted_by: redaction.by,
        reason: redaction.reason,
        versions,
        already: before,
        redactions: redactions(reason.redactions()),
        readers: Vec::new(),
        runs: Vec::new(),
        readers_partial: false,
        dry_run: false,
        older_backups: super::erase::older_backups(redaction.at),
    }
}
