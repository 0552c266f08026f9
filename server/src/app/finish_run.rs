//! The end of a gated run.

use std::collections::HashMap;
use std::sync::Arc;

use orgmem_policies::drafts::{DraftFault, MemoryDraft, StagedFields};
use orgmem_policies::scrub::Scrubber;
use orgmem_policies::{ActPass, Finish, Forbidden, MAX_PENDING_PER_RUN, Permission, RunEnding, ViewPass, WritePass};
use orgmem_store::{PendingMemory, ReadPlan, ReadyMemory};
use orgmem_types as wire;
use parking_lot::Mutex;
use uuid::Uuid;

use super::call::WriteCall;
use super::runs::into_wire;
use super::{App, AppError, Idempotency};
use crate::auth::VerifiedClaims;
use crate::telemetry::MemoryOperation;

/// Drafts of pending memories, by id, with the fields that they were made from.
type StagedDrafts = HashMap<Uuid, (StagedFields, ReadyMemory)>;

fn max_pending() -> usize {
    usize::try_from(MAX_PENDING_PER_RUN).unwrap_or(usize::MAX)
}

impl App {
    /// Ends a run. `completed` commits all pending memories in one transaction, or none where one cannot be committed;
    /// other endings drop all. A repeated ending changes nothing.
    ///
    /// # Errors
    /// [`AppError::RunOver`] when the run has ended in another way; the refusal of the first memory that the current
    /// tree or rules do not allow, which leaves the run open.
    pub async fn finish_run(
        &self,
        auth: &VerifiedClaims,
        workspace: Uuid,
        run: Uuid,
        request: wire::FinishRun,
        idempotency: Option<Idempotency>,
    ) -> Result<wire::Run, AppError> {
        let ending = match request.status {
            wire::RunEnding::Completed => RunEnding::Completed,
            wire::RunEnding::Failed => RunEnding::Failed,
            wire::RunEnding::Cancelled => RunEnding::Cancelled,
        };
        let drafts = match ending {
            RunEnding::Completed => self.draft_staged(auth, workspace, run).await?,
            RunEnding::Failed | RunEnding::Cancelled => StagedDrafts::new(),
        };
        let scrubber = self.scrubber;
        // what the last attempt of the transaction committed
        let published = Arc::new(Mutex::new(Vec::new()));
        let publishing = Arc::clone(&published);
        let finishing = self.write(auth.call(workspace).idempotent(idempotency), move |call| {
            let mut published = publishing.lock();
            published.clear();
            let pass = call.run_pass()?;
            if call.run(run)?.status.finish(ending)? == Finish::DoneBefore {
                return Ok(into_wire(call.run(run)?));
            }
            if call.caller.user().is_bound() {
                let workspace = call.workspace;
                let view =
                    call.pass(|caller, tree| ViewPass::grant(caller, Permission::WriteMemories, tree, workspace))?;
                for memory in call.tx.pending_memories(&view, run, 0, max_pending())? {
                    let fields = &memory.staged.authored;
                    let (subject, session) = (fields.subject.as_deref(), fields.session_id.as_deref());
                    if let Err(field) = call.caller.user().check_write(subject, session) {
                        return Err(AppError::Forbidden(Forbidden::NotOfEndUser { field }));
                    }
                }
            }
            let mut committed = Vec::new();
            if ending == RunEnding::Completed {
                let workspace = call.workspace;
                let view =
                    call.pass(|caller, tree| ViewPass::grant(caller, Permission::WriteMemories, tree, workspace))?;
                for memory in call.tx.pending_memories(&view, run, 0, max_pending())? {
                    // nobody could read a memory that has expired in the meantime
                    if memory.staged.authored.expires_at.is_some_and(|at| at <= call.tx.now()) {
                        continue;
                    }
                    let (id, partition) = (memory.id, (memory.scope, memory.team));
                    let item = format!("memory {id} of the run cannot be committed");
                    call.commit_staged(memory, &drafts, scrubber).map_err(|error| error.about(&item))?;
                    committed.push(partition);
                    published.push(id);
                }
            }
            call.tx.finish_run(&pass, run, ending, &committed)?;
            Ok(into_wire(call.run(run)?))
        });
        let finished = self.measured(MemoryOperation::Create, finishing).await?;
        let published = std::mem::take(&mut *published.lock());
        self.note_memories(auth, workspace, published);
        Ok(finished)
    }

    /// Drafts the pending memories of a run before the write, which would delay all other writes by that work. The
    /// write drafts what is staged later, and what cannot be drafted, so that it reports the fault.
    async fn draft_staged(&self, auth: &VerifiedClaims, workspace: Uuid, run: Uuid) -> Result<StagedDrafts, AppError> {
        let pending = self
            .read(auth.call(workspace).plan(ReadPlan::Scan), move |call| {
                let id = call.workspace;
                call.pass(|caller, tree| ActPass::grant(caller, Permission::WriteMemories, tree, id))?;
                let view = call.pass(|caller, tree| ViewPass::grant(caller, Permission::WriteMemories, tree, id))?;
                Ok(call.tx.pending_memories(&view, run, 0, max_pending())?)
            })
            .await?;
        let bytes = pending.iter().map(|memory| memory.staged.authored.content.len()).sum();
        self.make_draft(self.requester(auth), bytes, pending, |pending, with| {
            let draft = |memory: PendingMemory| {
                let ready = resumed(&memory, with.scrubber).ok()?;
                Some((memory.id, (memory.staged, ready)))
            };
            Ok(pending.into_iter().filter_map(draft).collect())
        })
        .await
    }
}

/// Scrubs a pending memory with the current rules and analyses it.
fn resumed(memory: &PendingMemory, scrubber: &Scrubber) -> Result<ReadyMemory, DraftFault> {
    Ok(MemoryDraft::resume(memory.staged.clone(), memory.role, scrubber)?.into())
}

impl WriteCall<'_> {
    /// Commits a pending memory under the current tree, rules and scrubbing rules.
    fn commit_staged(
        &mut self,
        mut pending: PendingMemory,
        drafts: &StagedDrafts,
        scrubber: &Scrubber,
    ) -> Result<(), AppError> {
        let (author, partition, wrote) = (self.workspace, (pending.scope, pending.team), pending.role);
        let pass = self.pass(|caller, tree| WritePass::resume(caller, tree, author, partition, wrote))?;
        if let Some(profile) = pending.staged.profile_id
            && self.tx.profile(self.org, author, profile)?.is_none()
        {
            // the profile was deleted in the meantime; its memories belong to the default profile
            pending.staged.profile_id = None;
        }
        let drafted_now;
        let memory = match drafts.get(&pending.id) {
            Some((staged, drafted)) if *staged == pending.staged => drafted,
            Some(_) | None => {
                drafted_now = resumed(&pending, scrubber)?;
                &drafted_now
            }
        };
        let plan = self.plan_commit(&pass, memory)?;
        self.tx.commit_staged(&pass, memory, &plan)?;
        Ok(())
    }
}
