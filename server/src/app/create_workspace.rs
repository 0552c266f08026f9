//! Creating a workspace: below a parent, or as the root of a new org.

use orgmem_hierarchy::{OrgId, WorkspaceId};
use orgmem_policies::drafts::WorkspaceDraft;
use orgmem_policies::rules::RuleViolation;
use orgmem_policies::{ServerAction, ServerPass, TreePass};
use orgmem_store::ReadPlan;
use orgmem_types as wire;
use uuid::Uuid;

use super::wire::redactions;
use super::{App, AppError, Idempotency};
use crate::auth::VerifiedClaims;

impl App {
    /// Creates the workspace; without a parent as a new root, which is an admin's to make.
    ///
    /// # Errors
    /// [`AppError`]: a field out of its limits, a parent that is not the caller's to change, an id that is taken, a
    /// tree that would outgrow its limits.
    pub async fn create_workspace(
        &self,
        who: &VerifiedClaims,
        request: wire::CreateWorkspace,
        idempotency: Option<Idempotency>,
    ) -> Result<wire::Workspace, AppError> {
        let wire::CreateWorkspace { name, parent_id, id, role, metadata } = request;
        let draft = WorkspaceDraft::check(&name, role.as_deref(), metadata, self.scrubber)?;
        match parent_id {
            Some(parent) => {
                let id = id.unwrap_or_else(|| self.store.new_id());
                self.create_child(who, id, parent, draft, idempotency).await
            }
            None => {
                let id = id.unwrap_or_else(|| self.new_root(who, idempotency.as_ref()));
                self.create_org(who, id, draft, idempotency).await
            }
        }
    }

    async fn create_child(
        &self,
        who: &VerifiedClaims,
        id: Uuid,
        parent: Uuid,
        draft: WorkspaceDraft,
        idempotency: Option<Idempotency>,
    ) -> Result<wire::Workspace, AppError> {
        let limits = self.tree_limits;
        self.write(who.call(parent).idempotent(idempotency), move |call| {
            let (id, parent) = (WorkspaceId::from(id), call.workspace);
            let pass = call.pass(|caller, tree| TreePass::create(caller, tree, id, parent, limits))?;
            let created = call.tx.create_workspace(&pass, &draft)?;
            created.ok_or(RuleViolation::WorkspaceTaken(id))?;
            // what is remembered of this call tells of the new workspace, and goes with it
            call.workspace = id;
            let created = call.workspace_row(id)?;
            Ok(wire::Workspace { redactions: redactions(&draft.fields().redactions), ..created })
        })
        .await
    }

    async fn create_org(
        &self,
        who: &VerifiedClaims,
        id: Uuid,
        draft: WorkspaceDraft,
        idempotency: Option<Idempotency>,
    ) -> Result<wire::Workspace, AppError> {
        let root = WorkspaceId::from(id);
        // who may not create an org does not get to lock one
        self.read_server(who, ReadPlan::Cached, |_, caller| {
            Ok(ServerPass::grant(caller, ServerAction::CreateOrg).map(drop)?)
        })
        .await?;
        self.write(who.call(id).in_org(OrgId::of_root(root)).idempotent(idempotency), move |call| {
            let pass = ServerPass::grant(&call.caller, ServerAction::CreateOrg)?;
            let created = call.tx.create_org(&pass, root, &draft)?;
            created.ok_or(RuleViolation::WorkspaceTaken(root))?;
            let created = call.workspace_row(root)?;
            Ok(wire::Workspace { redactions: redactions(&draft.fields().redactions), ..created })
        })
        .await
    }
}
