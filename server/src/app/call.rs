//! Calls: the caller, workspace and snapshot of a request, and the permissions of the caller in that snapshot.

use std::collections::HashMap;
use std::sync::Arc;

use orgmem_hierarchy::{OrgId, Tree, WorkspaceId};
use orgmem_policies::{Caller, Forbidden, Permission, Refusal, permit};
use orgmem_store::{Actor, AuditRecord, Difference, PendingAuditEntry, ReadPlan, ReadTx, Requester, WriteTx};
use orgmem_types as wire;
use parking_lot::Mutex;
use serde::Serialize;
use serde::de::DeserializeOwned;
use uuid::Uuid;

use super::budgets::Meter;
use super::fetched_records::FetchedRecords;
use super::wire::make_visible;
use super::{App, AppError, Idempotency};
use crate::auth::VerifiedClaims;

/// Fields of the details of audit rows and events that contain ids of other workspaces.
const FIELDS_WITH_WORKSPACES: [&str; 3] = ["through", "parent_id", "from_id"];

/// The parameters of a call, before admission.
#[derive(Clone)]
pub(super) struct CallSpec<'c> {
    claims: &'c VerifiedClaims,
    workspace: Uuid,
    plan: ReadPlan,
    org: Option<OrgId>,
    idempotency: Option<Idempotency>,
    writes_many: bool,
}

impl VerifiedClaims {
    /// A call as this workspace, with [`ReadPlan::Cached`] by default.
    pub(super) fn call(&self, workspace: Uuid) -> CallSpec<'_> {
        CallSpec { claims: self, workspace, plan: ReadPlan::Cached, org: None, idempotency: None, writes_many: false }
    }
}

impl CallSpec<'_> {
    pub(super) fn claims(&self) -> &VerifiedClaims {
        self.claims
    }

    pub(super) fn plan(self, plan: ReadPlan) -> Self {
        Self { plan, ..self }
    }

    /// Sets the org of a write, for a workspace that may not exist yet.
    pub(super) fn in_org(self, org: OrgId) -> Self {
        Self { org: Some(org), ..self }
    }

    /// Has a commit of its own, because it writes many rows.
    pub(super) fn writes_many(self) -> Self {
        Self { writes_many: true, ..self }
    }

    pub(super) fn idempotent(self, idempotency: Option<Idempotency>) -> Self {
        Self { idempotency, ..self }
    }
}

/// An admitted call and its snapshot.
pub(super) struct Call<'t, Tx: ?Sized> {
    pub(super) tx: &'t mut Tx,
    pub(super) caller: Caller,
    /// The org of the workspace; the caller may know that it exists.
    pub(super) org: OrgId,
    pub(super) workspace: WorkspaceId,
    /// The run that the request names.
    pub(super) run: Option<Uuid>,
    pub(super) meter: &'t Meter,
    /// Stale claims that the call found.
    pub(super) differences: Vec<Difference>,
    /// Records of sources.
    pub(super) fetched: FetchedRecords,
}

pub(super) type ReadCall<'t> = Call<'t, dyn ReadTx + 't>;
pub(super) type WriteCall<'t> = Call<'t, dyn WriteTx + 't>;

impl App {
    /// Checks that the caller is admitted and may read as this workspace.
    ///
    /// # Errors
    /// [`AppError::NotAdmitted`] when the token was revoked or its workspace was removed; otherwise [`AppError`]
    /// by the caller's role and position.
    pub async fn admit_as(&self, auth: &VerifiedClaims, workspace: Uuid) -> Result<(), AppError> {
        self.read(auth.call(workspace), |call| {
            let id = call.workspace;
            call.pass(|caller, tree| permit(caller, Permission::ReadMemories, tree, id))
        })
        .await
    }

    /// The org of the token's workspace; `None` for a workspace that does not exist, and for a token without one. It is
    /// looked up at most once while it is cached.
    ///
    /// # Errors
    /// [`AppError::Store`].
    pub(crate) async fn org_of_caller(&self, auth: &VerifiedClaims) -> Result<Option<OrgId>, AppError> {
        let Some(workspace) = auth.identity().workspace else { return Ok(None) };
        match self.store.org_hint(workspace) {
            Some(org) => Ok(Some(org)),
            None => self.store.read(ReadPlan::PointLookup, move |tx| Ok(tx.org_of(workspace)?)).await,
        }
    }

    /// Whose turn the work for a request takes. The org is known once it is cached.
    pub(crate) fn requester(&self, auth: &VerifiedClaims) -> Requester {
        let identity = auth.identity();
        let org = identity.workspace.and_then(|workspace| self.store.org_hint(workspace));
        Requester { org, caller: identity.jti }
    }

    /// Admits the caller and reads one snapshot, without a workspace.
    pub(super) async fn read_server<T, F>(&self, auth: &VerifiedClaims, plan: ReadPlan, mut f: F) -> Result<T, AppError>
    where
        T: Send + 'static,
        F: FnMut(&mut dyn ReadTx, &Caller) -> Result<T, AppError> + Send + 'static,
    {
        let identity = auth.identity().clone();
        let requester = self.requester(auth);
        let read = move |tx: &mut dyn ReadTx| {
            let token_status = tx.token_status(identity.workspace, identity.jti)?;
            let caller = Caller::admit(&identity, &token_status)?;
            f(tx, &caller)
        };
        self.store.read_for(requester, plan, read).await
    }

    /// Admits the caller and reads one snapshot as one workspace. A read that meets claims about records of sources that are
    /// not cached ends, and runs once more with their answers: no snapshot is open while a source is asked.
    pub(super) async fn read<T, F>(&self, spec: CallSpec<'_>, f: F) -> Result<T, AppError>
    where
        T: Send + 'static,
        F: FnMut(&mut ReadCall<'_>) -> Result<T, AppError> + Send + 'static,
    {
        let (workspace, run) = (WorkspaceId::from(spec.workspace), spec.claims.run());
        // the meter counts both runs once
        let shared = Arc::new(Mutex::new((f, Meter::new(&self.budget_rates))));
        let first = FetchedRecords::new(self.record_sources.clone());
        let run_with = |fetched: FetchedRecords| {
            let shared = Arc::clone(&shared);
            self.read_server(spec.claims, spec.plan, move |tx, caller| {
                let org = known_org(tx, caller, workspace)?.ok_or(AppError::WORKSPACE_NOT_FOUND)?;
                let mut locked = shared.lock();
                let (f, meter) = &mut *locked;
                let (tx, caller, fetched) = (&mut *tx, caller.clone(), fetched.clone());
                let differences = Vec::new();
                let mut call: ReadCall<'_> = Call { tx, caller, org, workspace, run, meter, differences, fetched };
                let response = f(&mut call)?;
                Ok((response, org, call.fetched.wanted()))
            })
        };
        let (response, org, wanted) = run_with(first.clone()).await?;
        match &self.record_sources {
            Some(sources) if !wanted.is_empty() => {
                let answers = sources.fetch(org, wanted, self.requester(spec.claims)).await;
                Ok(run_with(first.with(answers)).await?.0)
            }
            _ => Ok(response),
        }
    }

    /// As [`read`](Self::read); also appends the audit record, if any, to the access log. On return the row is
    /// buffered, or durable if the settings require it.
    pub(super) async fn read_audited<T, R, F>(&self, spec: CallSpec<'_>, mut f: F) -> Result<T, AppError>
    where
        T: Send + 'static,
        R: Into<Option<AuditRecord>>,
        F: FnMut(&mut ReadCall<'_>) -> Result<(T, R), AppError> + Send + 'static,
    {
        let (request, run, context) = (spec.claims.request(), spec.claims.run(), spec.claims.context());
        let reading = self.read(spec, move |call| {
            let (response, record) = f(call)?;
            let differences = std::mem::take(&mut call.differences);
            let entry = record.into().map(|record| {
                let record = record.with_differences(differences);
                let actor = Actor::caller(&call.caller, Some(call.workspace), request.clone(), run);
                let actor = actor.with_context(context.clone());
                PendingAuditEntry { actor, at: call.tx.now(), record }
            });
            Ok((response, call.org, entry))
        });
        let (response, org, entry) = reading.await?;
        if let Some(entry) = entry {
            self.access.reads.append(org, entry).await?;
        }
        Ok(response)
    }

    /// Writes the buffered episodes of this workspace, so that its activity includes them.
    pub(super) async fn flush_episodes(&self, auth: &VerifiedClaims, workspace: Uuid) {
        // an org that is not cached has no recent reads; a caller who may not know the org causes no write
        let Some(org) = self.cached_org(auth, workspace) else { return };
        if let Err(error) = self.access.reads.flush_episodes(org, workspace.into()).await {
            tracing::warn!(%error, "activity is read without reads that could not be written");
        }
    }

    /// Admits the caller and runs `f` as one workspace in a write transaction, once per idempotency key. A caller who
    /// may not know the org locks nothing.
    pub(super) async fn write<T, F>(&self, spec: CallSpec<'_>, mut f: F) -> Result<T, AppError>
    where
        T: Serialize + DeserializeOwned + Send + 'static,
        F: FnMut(&mut WriteCall<'_>) -> Result<T, AppError> + Send + 'static,
    {
        let (org, idempotency) = (self.org_to_lock(&spec).await?, spec.idempotency.clone());
        let work =
            admitted(&spec, org, self.with_meter(Meter::new(&self.budget_rates)), move |call| match &idempotency {
                None => f(call),
                Some(idempotency) => idempotency.answer(call, &mut f),
            });
        if spec.writes_many { self.store.write_many(org, work).await } else { self.store.write(org, work).await }
    }

    /// As [`write`](Self::write), but rolls the transaction back and ignores the idempotency key.
    pub(super) async fn dry_run<T, F>(&self, spec: CallSpec<'_>, f: F) -> Result<T, AppError>
    where
        T: Send + 'static,
        F: FnMut(&mut WriteCall<'_>) -> Result<T, AppError> + Send + 'static,
    {
        let org = self.org_to_lock(&spec).await?;
        self.store.dry_run(org, admitted(&spec, org, self.with_meter(Meter::off(&self.budget_rates)), f)).await
    }

    /// A write does not wait for sources, but uses cached answers.
    fn with_meter(&self, meter: Meter) -> (Meter, FetchedRecords) {
        (meter, FetchedRecords::new(self.record_sources.clone()))
    }

    async fn org_to_lock(&self, spec: &CallSpec<'_>) -> Result<OrgId, AppError> {
        match spec.org.or_else(|| self.cached_org(spec.claims, spec.workspace)) {
            Some(org) => Ok(org),
            None => self.read(spec.claims.call(spec.workspace), |call| Ok(call.org)).await,
        }
    }

    /// The cached org of `workspace`, if the caller may know it. It is never stale, because a workspace never leaves
    /// its org, and only selects the row to lock: the transaction admits the caller.
    fn cached_org(&self, auth: &VerifiedClaims, workspace: Uuid) -> Option<OrgId> {
        let org = self.store.org_hint(workspace.into())?;
        match auth.identity().workspace {
            Some(own) => self.store.org_hint(own).filter(|&own| own == org),
            None => Some(org),
        }
    }
}

/// The org of a workspace, if the caller may know it. A caller of one org never causes a lookup in another one.
pub(super) fn known_org(
    tx: &mut dyn ReadTx,
    caller: &Caller,
    workspace: WorkspaceId,
) -> Result<Option<OrgId>, AppError> {
    Ok(match caller.org() {
        Some(own) => tx.is_in_org(own, workspace)?.then_some(own),
        None => tx.org_of(workspace)?,
    })
}

/// Wraps `f` for the store: the caller is admitted first, in the same transaction.
fn admitted<T, F>(
    spec: &CallSpec<'_>,
    org: OrgId,
    (meter, fetched): (Meter, FetchedRecords),
    mut f: F,
) -> impl FnMut(&mut dyn WriteTx) -> Result<T, AppError> + Send + use<T, F>
where
    T: 'static,
    F: FnMut(&mut WriteCall<'_>) -> Result<T, AppError> + Send + 'static,
{
    let identity = spec.claims.identity().clone();
    let (workspace, request, run) = (WorkspaceId::from(spec.workspace), spec.claims.request(), spec.claims.run());
    let context = spec.claims.context();
    move |tx| {
        let token_status = tx.token_status(identity.workspace, identity.jti)?;
        let caller = Caller::admit(&identity, &token_status)?;
        tx.set_actor(Actor::caller(&caller, Some(workspace), request.clone(), run).with_context(context.clone()));
        let fetched = fetched.clone();
        f(&mut Call { tx, caller, org, workspace, run, meter: &meter, differences: Vec::new(), fetched })
    }
}

impl<Tx: ReadTx + ?Sized> Call<'_, Tx> {
    /// Requests a pass from `policies` for the tree of this snapshot.
    pub(super) fn pass<P>(&mut self, grant: impl FnOnce(&Caller, &Tree) -> Result<P, Refusal>) -> Result<P, AppError> {
        let decision = grant(&self.caller, &*self.tx.tree(self.org)?);
        match decision {
            Ok(pass) => Ok(pass),
            Err(refusal) => Err(self.refused(refusal)?),
        }
    }

    /// The names of workspaces; for an agent with visible escapes of hidden characters, because others chose them.
    pub(super) fn names(&mut self, ids: &[WorkspaceId]) -> Result<WorkspaceNames, AppError> {
        let stored = self.tx.names(self.org, ids)?;
        Ok(WorkspaceNames { stored, is_for_agent: !self.caller.role().is_person() })
    }

    /// Removes the ids of workspaces that the caller may not see from the details of an audit row or event.
    pub(super) fn hide_others(&mut self, details: &mut wire::Object) -> Result<(), AppError> {
        let Some(top) = self.caller.workspace() else { return Ok(()) };
        let tree = self.tx.tree(self.org)?;
        for field in FIELDS_WITH_WORKSPACES {
            let named = details.get(field).and_then(|id| id.as_str()).and_then(|id| Uuid::try_parse(id).ok());
            if named.is_some_and(|named| !tree.is_within(named.into(), top)) {
                details.remove(field);
            }
        }
        Ok(())
    }

    /// The error for a refusal: 410 for a removed workspace that the caller may know; reasons contain workspace names.
    fn refused(&mut self, refusal: Refusal) -> Result<AppError, AppError> {
        Ok(match refusal {
            Refusal::NotFound if self.was_removed_below()? => AppError::Gone(self.workspace),
            Refusal::Forbidden(Forbidden::Scope(reason)) => {
                let names = self.names(reason.about().as_slice())?;
                AppError::Scope(reason.say(|id| names.of(id)))
            }
            other => other.into(),
        })
    }

    /// Whether the workspace was removed and the caller's role covers its nearest live ancestor.
    fn was_removed_below(&mut self) -> Result<bool, AppError> {
        if !self.caller.role().is_person() {
            return Ok(false);
        }
        let mut current = self.workspace;
        loop {
            let Some(row) = self.tx.workspaces(self.org, &[current])?.pop() else { return Ok(false) };
            if row.removed_at.is_none() {
                let tree = self.tx.tree(self.org)?;
                let covered = self.caller.workspace().is_none_or(|top| tree.is_within(current, top));
                return Ok(current != self.workspace && covered);
            }
            match row.parent {
                Some(parent) => current = parent,
                // the whole org was removed; only the tokens of admins are still admitted
                None => return Ok(self.caller.workspace().is_none()),
            }
        }
    }
}

/// Makes hidden characters of a text that others wrote visible, if the caller is an agent.
pub(super) fn show_to(caller: &Caller, text: &mut String) {
    if !caller.role().is_person() {
        make_visible(text);
    }
}

#[derive(Default)]
pub(super) struct WorkspaceNames {
    stored: HashMap<WorkspaceId, String>,
    is_for_agent: bool,
}

impl WorkspaceNames {
    /// The name as the caller receives it, or the id where the name is not known.
    pub(super) fn of(&self, id: WorkspaceId) -> String {
        let mut name = self.stored(id);
        if self.is_for_agent {
            make_visible(&mut name);
        }
        name
    }

    /// The name as it is stored, for the frame of a quotation, which has a form of its own for hidden characters.
    pub(super) fn stored(&self, id: WorkspaceId) -> String {
        self.stored.get(&id).cloned().unwrap_or_else(|| id.to_string())
    }
}
