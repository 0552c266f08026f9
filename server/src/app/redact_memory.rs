//! Redacting memories: one, or many.

use orgmem_policies::drafts::ReasonDraft;
use orgmem_policies::{ActPass, Action, RedactPass};
use orgmem_store::{Redacted, StoreError};
use orgmem_types as wire;
use uuid::Uuid;

use super::call::WriteCall;
use super::wire::redactions;
use super::{App, AppError, Idempotency};
use crate::auth::VerifiedClaims;
use crate::telemetry::Operation;

/// Memories redacted by one call, at most.
const MAX_AT_ONCE: usize = 500;

impl App {
    /// Takes the content of one memory out for good, with all its earlier versions. That there was one stays, with the
    /// reason. Done again, it tells of the first time.
    ///
    /// # Errors
    /// [`AppError`]: a reason out of its limits, a memory that this workspace cannot read or that is by an author whom
    /// the caller's role does not cover.
    pub async fn redact_memory(
        &self,
        who: &VerifiedClaims,
        workspace: Uuid,
        memory: Uuid,
        request: wire::RedactMemory,
        once: Option<Idempotency>,
    ) -> Result<wire::RedactedMemory, AppError> {
        let reason = ReasonDraft::check(&request.reason, self.scrubber)?;
        let redacting = self.write_as(who, workspace, once, move |call| {
            call.may_redact()?;
            redact(call, memory, &reason)
        });
        self.measured(Operation::Delete, redacting).await
    }

    /// Redacts up to 500 memories for one reason, each on its own: a refused one does not harm the others.
    ///
    /// # Errors
    /// [`AppError`] when the call itself cannot be accepted; what is wrong with one memory is in its item.
    pub async fn redact_memories(
        &self,
        who: &VerifiedClaims,
        workspace: Uuid,
        request: wire::RedactMemories,
        once: Option<Idempotency>,
    ) -> Result<wire::RedactionAnswer, AppError> {
        let wire::RedactMemories { memories, reason } = request;
        if memories.is_empty() || memories.len() > MAX_AT_ONCE {
            return Err(AppError::Field { field: "memories", expected: format!("a list of 1 to {MAX_AT_ONCE} ids") });
        }
        let reason = ReasonDraft::check(&reason, self.scrubber)?;
        let redacting = self.write_as(who, workspace, once, move |call| {
            // who may not redact here at all is refused as a whole
            call.may_redact()?;
            let mut items = Vec::with_capacity(memories.len());
            for &memory in &memories {
                items.push(match redact(call, memory, &reason) {
                    Ok(redacted) => wire::RedactionItem::Redacted(redacted),
                    Err(AppError::Store(error)) if !StoreError::is_refusal(&error) => return Err(error.into()),
                    Err(refused) => wire::RedactionItem::Refused(refused.problem()),
                });
            }
            let redacted = items.iter().filter(|item| matches!(item, wire::RedactionItem::Redacted(_))).count();
            Ok(wire::RedactionAnswer { redacted, refused: items.len() - redacted, items })
        });
        self.measured(Operation::Delete, redacting).await
    }
}

impl WriteCall<'_> {
    fn may_redact(&mut self) -> Result<(), AppError> {
        let at = self.workspace;
        self.pass(|caller, tree| ActPass::grant(caller, Action::RedactMemories, tree, at)).map(drop)
    }

    /// A pass to redact a memory that the workspace of this call wrote, whatever became of it, or can read.
    fn redacts(&mut self, memory: Uuid) -> Result<RedactPass, AppError> {
        let reader = self.workspace;
        let place = self.tx.memory_place(self.org, memory)?.ok_or(AppError::MEMORY_NOT_FOUND)?;
        if place.author != reader {
            let reads = self.reads(reader)?;
            self.tx.memory(&reads, memory)?.ok_or(AppError::MEMORY_NOT_FOUND)?;
        }
        self.pass(|caller, tree| RedactPass::grant(caller, tree, reader, place.author))
    }
}

fn redact(call: &mut WriteCall<'_>, memory: Uuid, reason: &ReasonDraft) -> Result<wire::RedactedMemory, AppError> {
    let pass = call.redacts(memory)?;
    let redacted = call.tx.redact_memory(&pass, memory, reason)?.ok_or(AppError::MEMORY_NOT_FOUND)?;
    Ok(told(redacted, reason))
}

fn told(redacted: Redacted, reason: &ReasonDraft) -> wire::RedactedMemory {
    let Redacted { redaction, versions, before } = redacted;
    wire::RedactedMemory {
        id: redaction.memory,
        redacted_at: redaction.at,
        redacted_by: redaction.by,
        reason: redaction.reason,
        versions,
        already: before,
        redactions: redactions(reason.redactions()),
        older_backups: super::erase::older_backups(redaction.at),
    }
}
