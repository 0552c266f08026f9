//! Gated runs: start, read, outputs, end.

use std::sync::Arc;

use chrono::{DateTime, Utc};
use orgmem_hierarchy::WorkspaceId;
use orgmem_policies::audit::AuditAction;
use orgmem_policies::drafts::{MemoryDraft, RunDraft};
use orgmem_policies::{
    ActPass, Finish, Gate, MAX_PENDING_PER_RUN, NoOpenRun, Permission, ReadPass, Role, RunEnding, RunStatus, ViewPass,
    WritePass, gate, quote,
};
use orgmem_store::{AuditRecord, PendingMemory, ReadPlan, ReadTx, ReadyMemory, Run, RunFilter};
use orgmem_types as wire;
use serde_json::{Value, json};
use uuid::Uuid;

use super::call::{Call, WriteCall};
use super::commit_memory::{CommitReceipt, Ready, prepare, stage};
use super::drafting::Drafting;
use super::node_output::{self, OutputMemory};
use super::wire::{object, redactions, role, source};
use super::{App, AppError, Idempotency, Listing, cursor};
use crate::auth::VerifiedClaims;
use crate::decode;
use crate::telemetry::MemoryOperation;

/// Default and maximum size of a page of runs or of pending memories.
const PAGE: usize = 50;
const PAGE_MAX: usize = 200;

/// Maximum number of memories of an output.
pub(crate) const MAX_WRITES: usize = 500;

impl App {
    /// Starts a run of the workspace. Memories committed with its id are pending until it completes.
    ///
    /// # Errors
    /// [`AppError::Draft`] for an invalid session or label.
    ///
    /// # Source
    /// `docs/spec/runs.md`, "Calls".
    pub async fn start_run(
        &self,
        auth: &VerifiedClaims,
        workspace: Uuid,
        request: wire::StartRun,
        idempotency: Option<Idempotency>,
    ) -> Result<wire::Run, AppError> {
        let draft = RunDraft::check(request.session_id.as_deref(), request.label.as_deref(), self.scrubber)?;
        let timeout = self.run_timeout;
        self.write(auth.call(workspace).idempotent(idempotency), move |call| {
            let pass = call.run_pass()?;
            let (started_by, until) = (call.caller.subject().to_owned(), call.tx.now() + timeout);
            let run = call.tx.start_run(&pass, &draft, &started_by, until)?;
            Ok(wire::Run { redactions: redactions(draft.redactions()), ..into_wire(run) })
        })
        .await
    }

    /// The runs of the workspace, newest first.
    pub async fn list_runs(
        &self,
        auth: &VerifiedClaims,
        workspace: Uuid,
        request: wire::ListRuns,
    ) -> Result<Listing<wire::Run>, AppError> {
        let limit = cursor::limit(request.limit, PAGE, PAGE_MAX);
        let before = cursor::decode("runs", request.cursor.as_deref())?;
        let filter = RunFilter { status: request.status.map(status_of), session_id: request.session_id, before };
        self.read_audited(auth.call(workspace).plan(ReadPlan::Scan), move |call| {
            let id = call.workspace;
            let pass = call.pass(|caller, tree| ViewPass::grant(caller, Permission::ReadMemories, tree, id))?;
            let rows = call.tx.runs(&pass, &filter, limit + 1)?;
            let page = Listing::cut(rows, limit, "runs", |run| run.id).map(into_wire);
            let record = AuditRecord::new(AuditAction::ReadRun, id).context_field("runs", page.items.len());
            Ok((page, record))
        })
        .await
    }

    /// A run with a page of its pending memories, and the cursor of the next page.
    ///
    /// # Errors
    /// [`AppError::NotFound`] for a run of another workspace.
    pub async fn read_run(
        &self,
        auth: &VerifiedClaims,
        workspace: Uuid,
        run: Uuid,
        request: wire::ReadRun,
    ) -> Result<(wire::RunDetail, Option<String>), AppError> {
        let limit = cursor::limit(request.limit, PAGE, PAGE_MAX);
        let after: Option<i64> = cursor::decode("pending", request.cursor.as_deref())?;
        self.read_audited(auth.call(workspace).plan(ReadPlan::Scan), move |call| {
            let id = call.workspace;
            let pass = call.pass(|caller, tree| ViewPass::grant(caller, Permission::ReadMemories, tree, id))?;
            let reads = call.reads(id)?;
            let found = call.run(run)?;
            let rows = call.tx.pending_memories(&pass, run, after.unwrap_or_default(), limit + 1)?;
            let Listing { items, next } = Listing::cut(rows, limit, "pending", |memory| memory.number);
            let name = call.names(&[id])?.of(id);
            let record = AuditRecord::new(AuditAction::ReadRun, id)
                .in_run(Some(run))
                .about(items.iter().map(|memory| (memory.id, 0)));
            let pending = items.into_iter().map(|memory| pending(&reads, id, &name, memory)).collect();
            Ok(((wire::RunDetail { run: into_wire(found), pending }, next), record))
        })
        .await
    }

    /// Stages the memories of a node's output in a run, all or none.
    ///
    /// # Errors
    /// [`AppError::RunOver`] when the run is over; the error of the first invalid memory.
    pub async fn stage_output(
        &self,
        auth: &VerifiedClaims,
        workspace: Uuid,
        run: Uuid,
        output: wire::RunOutput,
        idempotency: Option<Idempotency>,
    ) -> Result<wire::StagedOutput, AppError> {
        let memories = node_output::memories(output)?;
        if memories.len() > MAX_WRITES {
            let expected = format!("at most {MAX_WRITES} memories in the whole output");
            return Err(AppError::Field { field: "__lf_memory_writes", expected });
        }
        let (role, now) = (auth.identity().role, self.now());
        let make = move |memories: Vec<OutputMemory>, with: &Drafting| {
            let mut ready = Vec::with_capacity(memories.len());
            for OutputMemory { path, fields } in memories {
                let item = format!("`{path}`");
                let memory = output_memory(run, fields, role, now, with).map_err(|error| error.about(&item))?;
                ready.push((item, memory));
            }
            Ok(ready)
        };
        let ready = self.draft(auth, workspace, Permission::WriteMemories, memories, make).await?;
        let (paths, ready): (Vec<String>, Vec<Ready>) = ready.into_iter().unzip();
        let ready = Arc::new(ready);
        let drafts = Arc::clone(&ready);
        let staging = self.write(auth.call(workspace).idempotent(idempotency), move |call| {
            call.run_pass()?;
            call.run(run)?.status.takes_writes()?;
            let stage_one =
                |(ready, path): (&Ready, &String)| stage(call, run, ready).map_err(|error| error.about(path));
            drafts.iter().zip(&paths).map(stage_one).collect::<Result<Vec<CommitReceipt>, AppError>>()
        });
        let receipts = self.measured(MemoryOperation::Create, staging).await?;
        let items: Vec<_> =
            receipts.into_iter().zip(ready.iter()).map(|(receipt, ready)| receipt.into_wire(ready)).collect();
        Ok(wire::StagedOutput { run_id: run, buffered: items.len(), items })
    }

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
        let scrubber = self.scrubber;
        let finishing = self.write(auth.call(workspace).idempotent(idempotency), move |call| {
            let pass = call.run_pass()?;
            if call.run(run)?.status.finish(ending)? == Finish::DoneBefore {
                return Ok(into_wire(call.run(run)?));
            }
            let mut committed = Vec::new();
            if ending == RunEnding::Completed {
                let workspace = call.workspace;
                let view =
                    call.pass(|caller, tree| ViewPass::grant(caller, Permission::WriteMemories, tree, workspace))?;
                let limit = usize::try_from(MAX_PENDING_PER_RUN).unwrap_or(usize::MAX);
                for memory in call.tx.pending_memories(&view, run, 0, limit)? {
                    // nobody could read a memory that has expired in the meantime
                    if memory.staged.authored.expires_at.is_some_and(|at| at <= call.tx.now()) {
                        continue;
                    }
                    let (id, partition) = (memory.id, (memory.scope, memory.team));
                    let item = format!("memory {id} of the run cannot be committed");
                    call.commit_staged(memory, scrubber).map_err(|error| error.about(&item))?;
                    committed.push(partition);
                }
            }
            call.tx.finish_run(&pass, run, ending, &committed)?;
            Ok(into_wire(call.run(run)?))
        });
        self.measured(MemoryOperation::Create, finishing).await
    }
}

impl<Tx: ReadTx + ?Sized> Call<'_, Tx> {
    fn run(&mut self, run: Uuid) -> Result<Run, AppError> {
        self.tx.run(self.org, self.workspace, run)?.ok_or(AppError::RUN_NOT_FOUND)
    }
}

impl WriteCall<'_> {
    /// A pass to start and end runs, by the permission to write memories.
    fn run_pass(&mut self) -> Result<ActPass, AppError> {
        let workspace = self.workspace;
        self.pass(|caller, tree| ActPass::grant(caller, Permission::WriteMemories, tree, workspace))
    }

    /// Commits a pending memory under the current tree, rules and scrubbing rules.
    fn commit_staged(
        &mut self,
        mut pending: PendingMemory,
        scrubber: &orgmem_policies::scrub::Scrubber,
    ) -> Result<(), AppError> {
        let (author, partition, wrote) = (self.workspace, (pending.scope, pending.team), pending.role);
        let pass = self.pass(|caller, tree| WritePass::resume(caller, tree, author, partition, wrote))?;
        if let Some(profile) = pending.staged.profile_id
            && self.tx.profile(self.org, author, profile)?.is_none()
        {
            // the profile was deleted in the meantime; its memories belong to the default profile
            pending.staged.profile_id = None;
        }
        let memory: ReadyMemory = MemoryDraft::resume(pending.staged, wrote, scrubber)?.into();
        let plan = self.plan_commit(&pass, &memory)?;
        self.tx.commit_staged(&pass, &memory, &plan)?;
        Ok(())
    }

    /// The open run that a memory has to be staged in: the run that the memory names, or else the run of the request.
    ///
    /// # Errors
    /// [`AppError::NoOpenRun`] when that is no open run of this workspace and the memory is not `ungated`.
    pub(super) fn gate(&mut self, named: Option<Uuid>, ungated: bool) -> Result<Option<Uuid>, AppError> {
        let Some(id) = named.or(self.run) else { return Ok(None) };
        let status = self.tx.run(self.org, self.workspace, id)?.map(|run| run.status);
        Ok(match gate(id, status, ungated)? {
            Gate::Stage => Some(id),
            Gate::CommitNow => None,
        })
    }

    /// Refuses the run of the request, for memories that are always committed at once.
    ///
    /// # Errors
    /// [`AppError::NoOpenRun`], unless the caller sent `ungated`.
    pub(super) fn refuse_run(&self, ungated: bool) -> Result<(), AppError> {
        match self.run {
            Some(run) if !ungated => Err(NoOpenRun::Ungateable(run).into()),
            Some(_) | None => Ok(()),
        }
    }
}

/// Checks a memory of an output; its default scope is LOCAL.
fn output_memory(
    run: Uuid,
    mut fields: wire::Object,
    role: Role,
    now: DateTime<Utc>,
    with: &Drafting,
) -> Result<Ready, AppError> {
    fields.entry("scope").or_insert(json!("LOCAL"));
    decode::rewrite_scope(&mut fields);
    let write = Value::Object(fields);
    let request: wire::CommitMemory = decode::json_value(&write).map_err(|fault| AppError::Item(fault.to_string()))?;
    if request.run_id.is_some_and(|other| other != run) {
        return Err(AppError::Field { field: "run_id", expected: "the run itself, or absent".into() });
    }
    if request.ungated {
        return Err(AppError::Field { field: "ungated", expected: "absent: an output is always pending".into() });
    }
    prepare(request, role, now, with)
}

fn pending(reads: &ReadPass, author: WorkspaceId, name: &str, memory: PendingMemory) -> wire::PendingMemory {
    let PendingMemory { id, scope, team, role: wrote, staged, held_at, .. } = memory;
    let is_quoted = reads.quotes(scope, author);
    let fields = if is_quoted { staged.authored.with_visible_labels() } else { staged.authored };
    let content = if is_quoted { quote::quote(id, scope, name, &fields.content) } else { fields.content };
    wire::PendingMemory {
        id,
        scope,
        team: team.map(WorkspaceId::uuid),
        content,
        title: fields.title,
        namespace: fields.namespace,
        kind: fields.kind,
        source: source(fields.source),
        role: role(wrote),
        confidence: fields.confidence,
        tags: fields.tags,
        metadata: fields.metadata.as_deref().and_then(object),
        subject: fields.subject,
        session_id: fields.session_id,
        pin: fields.pin,
        expires_at: fields.expires_at,
        supersedes: staged.supersedes,
        held_at,
    }
}

fn into_wire(run: Run) -> wire::Run {
    wire::Run {
        run_id: run.id,
        workspace_id: run.workspace.uuid(),
        status: status(run.status),
        session_id: run.session_id,
        label: run.label,
        started_by: run.started_by,
        started_at: run.started_at,
        times_out_at: run.times_out_at,
        finished_at: run.finished_at,
        write_count: run.written,
        dropped_count: run.dropped,
        redactions: Vec::new(),
    }
}

fn status(status: RunStatus) -> wire::RunStatus {
    match status {
        RunStatus::Open => wire::RunStatus::Open,
        RunStatus::Completed => wire::RunStatus::Completed,
        RunStatus::Failed => wire::RunStatus::Failed,
        RunStatus::Cancelled => wire::RunStatus::Cancelled,
        RunStatus::TimedOut => wire::RunStatus::TimedOut,
    }
}

fn status_of(status: wire::RunStatus) -> RunStatus {
    match status {
        wire::RunStatus::Open => RunStatus::Open,
        wire::RunStatus::Completed => RunStatus::Completed,
        wire::RunStatus::Failed => RunStatus::Failed,
        wire::RunStatus::Cancelled => RunStatus::Cancelled,
        wire::RunStatus::TimedOut => RunStatus::TimedOut,
    }
}
