//! Commits of single memories and of batches.

use std::sync::Arc;

use chrono::{DateTime, Utc};
use orgmem_hierarchy::{Scope, WorkspaceId};
use orgmem_policies::drafts::{FieldRedaction, MemoryDraft, MemoryInput};
use orgmem_policies::rules::{self, CommitPlan};
use orgmem_policies::{ActPass, Namespace, Permission, Role, WritePass};
use orgmem_store::{Committed, ReadyMemory};
use orgmem_types as wire;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::append_episode::claim_input;
use super::call::WriteCall;
use super::drafting::Drafting;
use super::end_user::Writer;
use super::wire::{redactions, source_of};
use super::{App, AppError, Idempotency};
use crate::auth::VerifiedClaims;
use crate::decode;
use crate::telemetry::MemoryOperation;

/// Maximum number of memories of a batch.
///
/// Source: `docs/spec/memories.md`, "Batches".
pub(crate) const MAX_BATCH: usize = 500;

/// Memories of a batch that are committed together, at most.
const PART: usize = 64;

/// The same while a write of another org waits.
const SHORT_PART: usize = 8;

/// A checked memory with its requested sharing, and the fields that its response repeats.
pub(super) struct Ready {
    memory: ReadyMemory,
    run: Option<Uuid>,
    ungated: bool,
    namespace: String,
    kind: String,
    expires_at: Option<DateTime<Utc>>,
    redactions: Vec<FieldRedaction>,
    scope: Scope,
    team: Option<WorkspaceId>,
    /// The namespace that the request names instead of scope and team.
    target: Option<Namespace>,
}

impl Ready {
    /// The memory of a request for `target`, whose scope, team and label it has.
    pub(super) fn into_namespace(self, target: Namespace) -> Self {
        Self { target: Some(target), ..self }
    }

    /// The title as it will be stored.
    pub(super) fn title(&self) -> Option<&str> {
        self.memory.draft().fields().title.as_ref().map(|title| title.as_str())
    }

    pub(super) fn redactions(&self) -> Vec<wire::Redaction> {
        redactions(&self.redactions)
    }
}

impl App {
    /// Commits one memory as the workspace. Searches that start after the response find it.
    ///
    /// # Errors
    /// [`AppError`]: an invalid field, a scope or team that the workspace may not write, a rule of
    /// [`check_commit`](rules::check_commit).
    pub async fn commit_memory(
        &self,
        auth: &VerifiedClaims,
        workspace: Uuid,
        request: wire::CommitMemory,
        idempotency: Option<Idempotency>,
    ) -> Result<wire::CommittedMemory, AppError> {
        let operation = if request.id.is_some() { MemoryOperation::Upsert } else { MemoryOperation::Create };
        let (writer, now) = (auth.writer(), self.now());
        let make = move |request, with: &Drafting| prepare(request, &writer, now, with);
        let ready = self.draft(auth, workspace, Permission::WriteMemories, request, make).await?;
        self.commit_ready(auth, workspace, operation, ready, idempotency).await
    }

    /// Commits one checked memory.
    pub(super) async fn commit_ready(
        &self,
        auth: &VerifiedClaims,
        workspace: Uuid,
        operation: MemoryOperation,
        ready: Ready,
        idempotency: Option<Idempotency>,
    ) -> Result<wire::CommittedMemory, AppError> {
        let ready = Arc::new(ready);
        let draft = Arc::clone(&ready);
        let is_embedded = self.embedding.is_some();
        let committing = self.write(auth.call(workspace).idempotent(idempotency), move |call| {
            call.spend_writes(Permission::WriteMemories, 1, is_embedded)?;
            commit(call, &draft)
        });
        let receipt = self.measured(operation, committing).await?;
        self.note_memories(auth, workspace, receipt.live());
        Ok(receipt.into_wire(&ready))
    }

    /// Commits up to 500 memories independently; the refusal of one does not affect the others.
    ///
    /// # Errors
    /// [`AppError`] of the batch itself; the error of a memory is in its item.
    pub async fn commit_batch(
        &self,
        auth: &VerifiedClaims,
        workspace: Uuid,
        request: wire::CommitBatch,
        idempotency: Option<Idempotency>,
    ) -> Result<wire::BatchResponse, AppError> {
        if request.memories.is_empty() || request.memories.len() > MAX_BATCH {
            return Err(AppError::Field {
                field: "memories",
                expected: format!("a list of 1 to {MAX_BATCH} memories"),
            });
        }
        let (writer, now) = (auth.writer(), self.now());
        let make = move |request: wire::CommitBatch, with: &Drafting| {
            let check = |memory: serde_json::Value| {
                let request = decode::json_value(&memory).map_err(|fault| AppError::Item(fault.to_string()))?;
                prepare(request, &writer, now, with)
            };
            let checked = request.memories.into_iter().map(check);
            let ready = checked.map(|ready| ready.map_err(|refused| Box::new(refused.problem())));
            Ok(ready.collect::<Vec<Result<Ready, Box<wire::Problem>>>>())
        };
        let ready = Arc::new(self.draft(auth, workspace, Permission::WriteMemories, request, make).await?);
        let committing = self.commit_parts(auth, workspace, &ready, idempotency);
        let receipts = self.measured(MemoryOperation::Create, committing).await?;
        self.note_memories(auth, workspace, receipts.iter().filter_map(ReceiptItem::live));
        let response_item = |(item, ready): (ReceiptItem, &Result<Ready, _>)| match (item, ready) {
            (ReceiptItem::Committed(receipt), Ok(ready)) => Some(wire::BatchItem::Committed(receipt.into_wire(ready))),
            (ReceiptItem::Refused(problem), _) => Some(wire::BatchItem::Refused(problem)),
            (ReceiptItem::Committed(_), Err(_)) => None,
        };
        let items: Vec<wire::BatchItem> = receipts.into_iter().zip(ready.iter()).filter_map(response_item).collect();
        let committed = items.iter().filter(|item| matches!(item, wire::BatchItem::Committed(_))).count();
        Ok(wire::BatchResponse { committed, refused: items.len() - committed, items })
    }

    /// Commits the memories of a batch part by part, so that the writes of others come between the parts. With a key,
    /// each part has one of its own: a request that is repeated after a failure continues where it ended.
    async fn commit_parts(
        &self,
        auth: &VerifiedClaims,
        workspace: Uuid,
        ready: &Arc<Vec<Result<Ready, Box<wire::Problem>>>>,
        idempotency: Option<Idempotency>,
    ) -> Result<Vec<ReceiptItem>, AppError> {
        let is_embedded = self.embedding.is_some();
        let mut receipts = Vec::with_capacity(ready.len());
        while receipts.len() < ready.len() {
            let (start, drafts) = (receipts.len(), Arc::clone(ready));
            let key = idempotency.as_ref().map(|key| key.of_part(part_number(start)));
            let spec = auth.call(workspace).idempotent(key).writes_many();
            let committing = self.write(spec, move |call| {
                // a caller without the permission gets one refusal instead of one per item
                let author = call.workspace;
                call.pass(|caller, tree| ActPass::grant(caller, Permission::WriteMemories, tree, author))?;
                if start == 0 {
                    call.spend_writes(Permission::WriteMemories, drafts.len(), is_embedded)?;
                }
                let mut items = Vec::with_capacity(PART);
                for memory in drafts.iter().skip(start).take(PART) {
                    if items.len() >= SHORT_PART && call.tx.others_wait() {
                        break;
                    }
                    items.push(commit_item(call, memory)?);
                }
                Ok(items)
            });
            match committing.await {
                Ok(part) => receipts.extend(part),
                Err(error) if start == 0 || idempotency.is_some() => return Err(error),
                // earlier parts are committed, and the caller learns which
                Err(error) => {
                    let problem = error.problem();
                    receipts.resize_with(ready.len(), || ReceiptItem::Refused(problem.clone()));
                }
            }
        }
        Ok(receipts)
    }
}

/// The number of the part that begins at the memory `start`. A server of an earlier version, to which a repeated request
/// may come, has whole parts only and counts them.
fn part_number(start: usize) -> usize {
    if start.is_multiple_of(PART) { start / PART } else { start }
}

/// Commits a memory of a batch.
///
/// # Errors
/// Those of the store; a refusal is the item's own.
fn commit_item(call: &mut WriteCall<'_>, memory: &Result<Ready, Box<wire::Problem>>) -> Result<ReceiptItem, AppError> {
    Ok(match memory.as_ref().map(|ready| commit(call, ready)) {
        Ok(Ok(receipt)) => ReceiptItem::Committed(receipt),
        Ok(Err(AppError::Store(error))) => return Err(error.into()),
        Ok(Err(refused)) => ReceiptItem::Refused(refused.problem()),
        Err(problem) => ReceiptItem::Refused(wire::Problem::clone(problem)),
    })
}

/// Checks and scrubs one memory.
pub(super) fn prepare(
    mut request: wire::CommitMemory,
    writer: &Writer,
    now: DateTime<Utc>,
    with: &Drafting,
) -> Result<Ready, AppError> {
    writer.fill(&mut request.subject, &mut request.session_id)?;
    let (scope, team, ungated) = (request.scope, request.team.map(WorkspaceId::from), request.ungated);
    let input = MemoryInput {
        content: request.content,
        namespace: request.namespace,
        kind: request.kind,
        source: request.source.map(source_of),
        confidence: request.confidence,
        tags: request.tags,
        metadata: request.metadata,
        claims: request.claims.map(|claims| claims.into_iter().map(claim_input).collect()),
        subject: request.subject,
        title: request.title,
        session_id: request.session_id,
        session_only: request.session_only,
        run_id: request.run_id,
        profile_id: request.profile_id,
        pin: request.pin,
        expires_at: request.expires_at,
        ttl_seconds: request.ttl_seconds,
        supersedes: request.supersedes,
        id: request.id,
        created_at: None,
        occurred_at: request.occurred_at,
    };
    let draft = MemoryDraft::check(input, writer.role, with.limits, with.scrubber, now)?;
    let fields = draft.fields();
    Ok(Ready {
        run: fields.run_id,
        ungated,
        namespace: fields.namespace.to_string(),
        kind: fields.kind.to_string(),
        expires_at: fields.expires_at,
        redactions: fields.redactions.clone(),
        memory: draft.into(),
        scope,
        team,
        target: None,
    })
}

/// The outcome of a commit, stored for the idempotency key. It outlives the memory, so it contains no content; the
/// response takes the other fields from the repeated request.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct CommitReceipt {
    id: Uuid,
    /// The run that the memory is pending in.
    #[serde(default, rename = "held_by")]
    pending_in: Option<Uuid>,
    version: i64,
    created_at: DateTime<Utc>,
    expires_at: Option<DateTime<Utc>>,
}

#[derive(Debug, Serialize, Deserialize)]
enum ReceiptItem {
    Committed(CommitReceipt),
    Refused(wire::Problem),
}

impl ReceiptItem {
    fn live(&self) -> Option<Uuid> {
        match self {
            Self::Committed(receipt) => receipt.live(),
            Self::Refused(_) => None,
        }
    }
}

impl CommitReceipt {
    /// The id of the memory, unless it is pending in a run.
    fn live(&self) -> Option<Uuid> {
        self.pending_in.is_none().then_some(self.id)
    }

    pub(super) fn into_wire(self, ready: &Ready) -> wire::CommittedMemory {
        wire::CommittedMemory {
            id: self.id,
            scope: ready.scope,
            team: ready.team.map(WorkspaceId::uuid),
            namespace: ready.namespace.clone(),
            kind: ready.kind.clone(),
            version: self.version,
            created_at: self.created_at,
            expires_at: self.expires_at,
            run_id: self.pending_in.or(ready.run),
            pending: self.pending_in.is_some(),
            redactions: ready.redactions(),
        }
    }
}

fn commit(call: &mut WriteCall<'_>, ready: &Ready) -> Result<CommitReceipt, AppError> {
    match call.gate(ready.run, ready.ungated)? {
        Some(run) => stage(call, run, ready),
        None => commit_now(call, ready),
    }
}

/// Commits a memory of a call that no run can gate.
///
/// # Errors
/// [`AppError::NoOpenRun`] where the request names a run and the memory does not say `ungated`.
pub(super) fn commit_ungated(call: &mut WriteCall<'_>, ready: &Ready) -> Result<CommitReceipt, AppError> {
    call.refuse_run(ready.ungated)?;
    commit_now(call, ready)
}

/// Commits a memory of an agent that a platform passes on, and returns its id.
pub(super) fn commit_for_platform(call: &mut WriteCall<'_>, ready: &Ready) -> Result<Uuid, AppError> {
    let (author, sharing) = (call.workspace, (ready.scope, ready.team));
    let pass = call.pass(|caller, tree| WritePass::resume(caller, tree, author, sharing, Role::Agent))?;
    let plan = call.plan_commit(&pass, &ready.memory)?;
    Ok(call.tx.commit_memory(&pass, &ready.memory, &plan)?.id)
}

fn commit_now(call: &mut WriteCall<'_>, ready: &Ready) -> Result<CommitReceipt, AppError> {
    let pass = call.writes(ready)?;
    let plan = call.plan_commit(&pass, &ready.memory)?;
    let Committed { id, version, created_at, expires_at } = call.tx.commit_memory(&pass, &ready.memory, &plan)?;
    Ok(CommitReceipt { id, pending_in: None, version, created_at, expires_at })
}

/// Stages a memory in an open run. The rules of a commit apply already.
pub(super) fn stage(call: &mut WriteCall<'_>, run: Uuid, ready: &Ready) -> Result<CommitReceipt, AppError> {
    let pass = call.writes(ready)?;
    let fields = ready.memory.draft().fields();
    let id = fields.id.unwrap_or_else(|| call.tx.new_id());
    let facts = call.tx.stage_facts(&pass, run, &ready.memory, id)?;
    let plan = rules::check_stage(&pass, id, fields, facts, call.tx.now())?;
    let Committed { id, version, created_at, .. } = call.tx.stage_memory(&pass, run, &ready.memory, plan)?;
    Ok(CommitReceipt { id, pending_in: Some(run), version, created_at, expires_at: ready.expires_at })
}

impl WriteCall<'_> {
    fn writes(&mut self, ready: &Ready) -> Result<WritePass, AppError> {
        let author = self.workspace;
        self.pass(|caller, tree| match &ready.target {
            Some(namespace) => WritePass::grant_in(caller, tree, author, namespace),
            None => WritePass::grant(caller, tree, author, ready.scope, ready.team),
        })
    }

    /// Checks a commit against the rules and the current state of the store.
    pub(super) fn plan_commit(&mut self, pass: &WritePass, memory: &ReadyMemory) -> Result<CommitPlan, AppError> {
        let fields = memory.draft().fields();
        let id = fields.id.unwrap_or_else(|| self.tx.new_id());
        let facts = self.tx.commit_facts(pass, memory, id)?;
        Ok(rules::check_commit(pass, id, fields, facts, self.tx.now())?)
    }
}
