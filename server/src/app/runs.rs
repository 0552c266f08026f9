//! Gated runs: start and read. `stage_output.rs` stages memories in them, `finish_run.rs` ends them.

use orgmem_hierarchy::WorkspaceId;
use orgmem_policies::audit::AuditAction;
use orgmem_policies::claims::{CheckedClaim, corrected, corrected_title};
use orgmem_policies::drafts::RunDraft;
use orgmem_policies::{ActPass, Gate, NoOpenRun, Permission, ReadPass, RunStatus, ViewPass, gate, quote};
use orgmem_store::{AuditRecord, PendingMemory, ReadPlan, ReadTx, Run, RunFilter};
use orgmem_types as wire;
use uuid::Uuid;

use super::call::{Call, WriteCall};
use super::claims::{Claimed, claims_to_wire};
use super::wire::{object, redactions, role, source};
use super::{App, AppError, Idempotency, Listing, cursor};
use crate::auth::VerifiedClaims;

/// Default and maximum size of a page of runs or of pending memories.
const PAGE: usize = 50;
const PAGE_MAX: usize = 200;

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
        mut request: wire::StartRun,
        idempotency: Option<Idempotency>,
    ) -> Result<wire::Run, AppError> {
        auth.writer().fill(&mut None, &mut request.session_id)?;
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
            call.name(None, filter.session_id.as_deref())?;
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
            let Listing { mut items, next } = Listing::cut(rows, limit, "pending", |memory| memory.number);
            items.retain(|memory| {
                let fields = &memory.staged.authored;
                reads.users().permits(fields.subject.as_deref(), fields.session_id.as_deref())
            });
            let name = call.names(&[id])?.stored(id);
            let record = AuditRecord::new(AuditAction::ReadRun, id)
                .in_run(Some(run))
                .about(items.iter().map(|memory| (memory.id, 0)));
            let checked = call.check_claims(
                items.iter().map(|memory| Claimed::untracked(memory.staged.authored.claims.as_deref())),
            )?;
            let is_person = call.caller.role().is_person();
            let to_wire = |(memory, checked): (PendingMemory, Vec<CheckedClaim>)| {
                let claims = claims_to_wire(&checked, is_person);
                wire::PendingMemory { claims, ..pending(&reads, id, &name, memory, &checked) }
            };
            let pending = items.into_iter().zip(checked).map(to_wire).collect();
            Ok(((wire::RunDetail { run: into_wire(found), pending }, next), record))
        })
        .await
    }
}

impl<Tx: ReadTx + ?Sized> Call<'_, Tx> {
    pub(super) fn run(&mut self, run: Uuid) -> Result<Run, AppError> {
        let users = self.users()?;
        let found = self.tx.run(self.org, self.workspace, run)?;
        found.filter(|run| users.permits(None, run.session_id.as_deref())).ok_or(AppError::RUN_NOT_FOUND)
    }

    /// A pass to start and end runs, by the permission to write memories.
    pub(super) fn run_pass(&mut self) -> Result<ActPass, AppError> {
        let workspace = self.workspace;
        self.pass(|caller, tree| ActPass::grant(caller, Permission::WriteMemories, tree, workspace))
    }
}

impl WriteCall<'_> {
    /// The open run that a memory has to be staged in: the run that the memory names, or else the run of the request.
    ///
    /// # Errors
    /// [`AppError::NoOpenRun`] when that is no open run of this workspace and the memory is not `ungated`.
    pub(super) fn gate(&mut self, named: Option<Uuid>, ungated: bool) -> Result<Option<Uuid>, AppError> {
        let Some(id) = named.or(self.run) else { return Ok(None) };
        let users = self.users()?;
        let found = self.tx.run(self.org, self.workspace, id)?;
        let status = found.filter(|run| users.permits(None, run.session_id.as_deref())).map(|run| run.status);
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

    /// Refuses the run of the request for an edit: it would be readable at once, also when the run fails.
    ///
    /// # Errors
    /// [`AppError::NoOpenRun`].
    pub(super) fn refuse_edit_in_run(&self) -> Result<(), AppError> {
        self.run.map_or(Ok(()), |run| Err(NoOpenRun::Edit(run).into()))
    }
}

fn pending(
    reads: &ReadPass,
    author: WorkspaceId,
    name: &str,
    memory: PendingMemory,
    checked: &[CheckedClaim],
) -> wire::PendingMemory {
    let PendingMemory { id, scope, team, role: wrote, staged, held_at, .. } = memory;
    let is_quoted = reads.quotes(scope, author);
    let fields = if is_quoted { staged.authored.with_visible_labels() } else { staged.authored };
    let content = match is_quoted {
        true => quote::quote(id, scope, name, &corrected(&fields.content, checked)),
        false => fields.content,
    };
    let title = fields.title.map(|title| match is_quoted {
        true => corrected_title(&title, checked).into_owned(),
        false => title,
    });
    wire::PendingMemory {
        id,
        scope,
        team: team.map(WorkspaceId::uuid),
        content,
        title,
        claims: None,
        namespace: fields.namespace,
        kind: fields.kind,
        source: source(fields.source),
        role: role(wrote),
        confidence: fields.confidence,
        tags: fields.tags,
        metadata: fields.metadata.as_deref().and_then(object),
        subject: fields.subject,
        session_id: fields.session_id,
        session_only: fields.session_only,
        pin: fields.pin,
        expires_at: fields.expires_at,
        supersedes: staged.supersedes,
        held_at,
    }
}

pub(super) fn into_wire(run: Run) -> wire::Run {
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
