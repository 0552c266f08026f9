//! One call in one snapshot: who calls, about which workspace, and what they may do there.

use std::collections::HashMap;

use orgmem_hierarchy::{OrgId, Tree, WorkspaceId};
use orgmem_policies::{Caller, Forbidden, Permission, Refusal, Role, permit};
use orgmem_store::{Actor, AuditRecord, PendingAuditEntry, ReadPlan, ReadTx, WriteTx};
use orgmem_types as wire;
use serde::Serialize;
use serde::de::DeserializeOwned;
use uuid::Uuid;

use super::{App, AppError, Idempotency};
use crate::auth::VerifiedClaims;

/// What is told of a deed under these names is a workspace that may not be the caller's to see.
const NAMES_OTHERS: [&str; 3] = ["through", "parent_id", "from_id"];

/// A call that was admitted, in the snapshot in which it is answered.
pub(super) struct Call<'t, Tx: ?Sized> {
    pub(super) tx: &'t mut Tx,
    pub(super) caller: Caller,
    /// The org of the workspace that the call is about; the caller may know of it.
    pub(super) org: OrgId,
    pub(super) workspace: WorkspaceId,
    /// The run that the request says to be made in.
    pub(super) run: Option<Uuid>,
}

pub(super) type ReadCall<'t> = Call<'t, dyn ReadTx + 't>;
pub(super) type WriteCall<'t> = Call<'t, dyn WriteTx + 't>;

impl App {
    /// Whether the caller is admitted now and may read as this workspace, for protocols that answer whom they admit in
    /// words of their own.
    ///
    /// # Errors
    /// [`AppError::NotAdmitted`] when the token was revoked or its workspace is not live; else [`AppError`] as the
    /// caller's role and place give it.
    pub async fn admit_as(&self, who: &VerifiedClaims, workspace: Uuid) -> Result<(), AppError> {
        self.read_as(who, workspace, ReadPlan::Cached, |call| {
            let id = call.workspace;
            call.pass(|caller, tree| permit(caller, Permission::ReadMemories, tree, id))
        })
        .await
    }

    /// Admits the caller and answers from one snapshot.
    pub(super) async fn read_server<T, F>(&self, who: &VerifiedClaims, cost: ReadPlan, mut f: F) -> Result<T, AppError>
    where
        T: Send + 'static,
        F: FnMut(&mut dyn ReadTx, &Caller) -> Result<T, AppError> + Send + 'static,
    {
        let identity = who.identity().clone();
        let read = move |tx: &mut dyn ReadTx| {
            let token_status = tx.token_status(identity.workspace, identity.jti)?;
            let caller = Caller::admit(&identity, &token_status)?;
            f(tx, &caller)
        };
        self.store.read(cost, read).await
    }

    /// Admits the caller and answers about one workspace from one snapshot.
    pub(super) async fn read_as<T, F>(
        &self,
        who: &VerifiedClaims,
        workspace: Uuid,
        cost: ReadPlan,
        mut f: F,
    ) -> Result<T, AppError>
    where
        T: Send + 'static,
        F: FnMut(&mut ReadCall<'_>) -> Result<T, AppError> + Send + 'static,
    {
        let (workspace, run) = (WorkspaceId::from(workspace), who.run());
        self.read_server(who, cost, move |tx, caller| {
            let org = known_org(tx, caller, workspace)?;
            f(&mut Call { tx, caller: caller.clone(), org, workspace, run })
        })
        .await
    }

    /// The same for what the access log is to tell of: the row is on its way, or durable where the settings wish so,
    /// before the answer is given.
    pub(super) async fn read_audited<T, F>(
        &self,
        who: &VerifiedClaims,
        workspace: Uuid,
        cost: ReadPlan,
        mut f: F,
    ) -> Result<T, AppError>
    where
        T: Send + 'static,
        F: FnMut(&mut ReadCall<'_>) -> Result<(T, AuditRecord), AppError> + Send + 'static,
    {
        let entry = move |call: &mut ReadCall<'_>| f(call).map(|(answer, record)| (answer, Some(record)));
        self.read_maybe_audited(who, workspace, cost, entry).await
    }

    /// The same for what there may be nothing to tell of.
    pub(super) async fn read_maybe_audited<T, F>(
        &self,
        who: &VerifiedClaims,
        workspace: Uuid,
        cost: ReadPlan,
        mut f: F,
    ) -> Result<T, AppError>
    where
        T: Send + 'static,
        F: FnMut(&mut ReadCall<'_>) -> Result<(T, Option<AuditRecord>), AppError> + Send + 'static,
    {
        let (request, run) = (who.request(), who.run());
        let looked = self.read_as(who, workspace, cost, move |call| {
            let (answer, record) = f(call)?;
            let actor = || Actor::caller(&call.caller, Some(call.workspace), request.clone(), run);
            Ok((answer, call.org, record.map(|record| PendingAuditEntry { actor: actor(), at: call.tx.now(), record })))
        });
        let (answer, org, entry) = looked.await?;
        if let Some(entry) = entry {
            self.access.reads.append(org, entry).await?;
        }
        Ok(answer)
    }

    /// Writes what this server still holds of reads, if the activity of `workspace` is to tell of it. Nothing is written
    /// for who may not know the org.
    pub(super) async fn write_notes(&self, who: &VerifiedClaims, workspace: Uuid) {
        // of an org that is not in memory nothing was read here just now
        let Some(org) = self.remembered_org(who, workspace) else { return };
        if let Err(error) = self.access.reads.flush_episodes(org, workspace.into()).await {
            tracing::warn!(%error, "activity is read without the reads that could not be written");
        }
    }

    /// Admits the caller and changes something of one workspace. Nothing is locked for a caller who may not know the
    /// org.
    pub(super) async fn write_as<T, F>(
        &self,
        who: &VerifiedClaims,
        workspace: Uuid,
        idempotency: Option<Idempotency>,
        f: F,
    ) -> Result<T, AppError>
    where
        T: Serialize + DeserializeOwned + Send + 'static,
        F: FnMut(&mut WriteCall<'_>) -> Result<T, AppError> + Send + 'static,
    {
        let org = match self.remembered_org(who, workspace) {
            Some(org) => org,
            None => self.read_as(who, workspace, ReadPlan::Cached, |call| Ok(call.org)).await?,
        };
        self.write_in(who, org, workspace, idempotency, f).await
    }

    /// The org of `workspace`, when it is in memory and the caller may know of it: a workspace never leaves its org. It
    /// says which row to lock and nothing more; the caller is admitted in the transaction itself.
    fn remembered_org(&self, who: &VerifiedClaims, workspace: Uuid) -> Option<OrgId> {
        let org = self.store.org_hint(workspace.into())?;
        match who.identity().workspace {
            Some(own) => self.store.org_hint(own).filter(|&own| own == org),
            None => Some(org),
        }
    }

    /// The same where the org is known, because its root is being made.
    pub(super) async fn write_in<T, F>(
        &self,
        who: &VerifiedClaims,
        org: OrgId,
        workspace: Uuid,
        idempotency: Option<Idempotency>,
        mut f: F,
    ) -> Result<T, AppError>
    where
        T: Serialize + DeserializeOwned + Send + 'static,
        F: FnMut(&mut WriteCall<'_>) -> Result<T, AppError> + Send + 'static,
    {
        let run = admitted(who, org, workspace, move |call| match &idempotency {
            None => f(call),
            Some(idempotency) => idempotency.answer(call, &mut f),
        });
        self.store.write(org, run).await
    }

    /// What a change would do: carried out like one, and undone.
    pub(super) async fn rehearse_in<T, F>(
        &self,
        who: &VerifiedClaims,
        org: OrgId,
        workspace: Uuid,
        f: F,
    ) -> Result<T, AppError>
    where
        T: Send + 'static,
        F: FnMut(&mut WriteCall<'_>) -> Result<T, AppError> + Send + 'static,
    {
        self.store.dry_run(org, admitted(who, org, workspace, f)).await
    }
}

/// `f` as a job of the store, which admits the caller in its own transaction before anything else.
fn admitted<T, F>(
    who: &VerifiedClaims,
    org: OrgId,
    workspace: Uuid,
    mut f: F,
) -> impl FnMut(&mut dyn WriteTx) -> Result<T, AppError> + Send + 'static
where
    T: 'static,
    F: FnMut(&mut WriteCall<'_>) -> Result<T, AppError> + Send + 'static,
{
    let identity = who.identity().clone();
    let (workspace, request, run) = (WorkspaceId::from(workspace), who.request(), who.run());
    move |tx| {
        let token_status = tx.token_status(identity.workspace, identity.jti)?;
        let caller = Caller::admit(&identity, &token_status)?;
        tx.set_actor(Actor::caller(&caller, Some(workspace), request.clone(), run));
        f(&mut Call { tx, caller, org, workspace, run })
    }
}

/// The org of `workspace`, when the caller may know of it.
fn known_org(tx: &mut dyn ReadTx, caller: &Caller, workspace: WorkspaceId) -> Result<OrgId, AppError> {
    tx.org_of(workspace)?.filter(|&org| caller.knows(org)).ok_or(AppError::WORKSPACE_NOT_FOUND)
}

impl<Tx: ReadTx + ?Sized> Call<'_, Tx> {
    /// Asks `policies` for a pass, in the tree as it is now.
    pub(super) fn pass<P>(&mut self, grant: impl FnOnce(&Caller, &Tree) -> Result<P, Refusal>) -> Result<P, AppError> {
        let decision = grant(&self.caller, &*self.tx.tree(self.org)?);
        match decision {
            Ok(pass) => Ok(pass),
            Err(refusal) => Err(self.refused(refusal)?),
        }
    }

    /// What these workspaces are called now.
    pub(super) fn names(&mut self, ids: &[WorkspaceId]) -> Result<WorkspaceNames, AppError> {
        Ok(WorkspaceNames(self.tx.names(self.org, ids)?))
    }

    /// Takes the ids of workspaces that the caller may not see out of what is told of a deed.
    pub(super) fn hide_others(&mut self, entry: &mut wire::Object) -> Result<(), AppError> {
        let Some(top) = self.caller.workspace() else { return Ok(()) };
        let tree = self.tx.tree(self.org)?;
        for name in NAMES_OTHERS {
            let named = entry.get(name).and_then(|id| id.as_str()).and_then(|id| Uuid::try_parse(id).ok());
            if named.is_some_and(|named| !tree.is_within(named.into(), top)) {
                entry.remove(name);
            }
        }
        Ok(())
    }

    /// The answer to a refusal: a removed workspace is gone for those who may know it, and reasons have names in them.
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

    /// Whether the workspace was removed from where this caller may look: the first live workspace above it is the
    /// caller's to see.
    fn was_removed_below(&mut self) -> Result<bool, AppError> {
        if self.caller.role() == Role::Agent {
            return Ok(false);
        }
        let mut at = self.workspace;
        loop {
            let Some(row) = self.tx.workspaces(self.org, &[at])?.pop() else { return Ok(false) };
            if row.removed_at.is_none() {
                let tree = self.tx.tree(self.org)?;
                let covered = self.caller.workspace().is_none_or(|top| tree.is_within(at, top));
                return Ok(at != self.workspace && covered);
            }
            match row.parent {
                Some(parent) => at = parent,
                // the whole org was removed; only an admin still has a token that admits
                None => return Ok(self.caller.workspace().is_none()),
            }
        }
    }
}

/// Names of workspaces, by id.
#[derive(Default)]
pub(super) struct WorkspaceNames(HashMap<WorkspaceId, String>);

impl WorkspaceNames {
    /// The name; the id where it has none here.
    pub(super) fn of(&self, id: WorkspaceId) -> String {
        self.0.get(&id).cloned().unwrap_or_else(|| id.to_string())
    }
}
