//! Creation of workspaces: below a parent, or as the root of a new org.

use orgmem_hierarchy::{OrgId, WorkspaceId};
use orgmem_policies::drafts::WorkspaceDraft;
use orgmem_policies::rules::RuleViolation;
use orgmem_policies::{Permission, ServerAction, ServerPass, TreePass};
use orgmem_types as wire;
use uuid::Uuid;

use super::drafting::Drafting;
use super::wire::redactions;
use super::{App, AppError, Idempotency};
use crate::auth::VerifiedClaims;

impl App {
    /// Creates a workspace. Without a parent it is the root of a new org, which only an admin may create.
    ///
    /// # Errors
    /// [`AppError`]: an invalid field, a parent that the caller may not change, an id that is taken, a tree that would
    /// exceed its limits.
    pub async fn create_workspace(
        &self,
        auth: &VerifiedClaims,
        request: wire::CreateWorkspace,
        idempotency: Option<Idempotency>,
    ) -> Result<wire::Workspace, AppError> {
        let (parent_id, id) = (request.parent_id, request.id);
        let make = |request, with: &Drafting| {
            let wire::CreateWorkspace { name, role, metadata, .. } = request;
            Ok(WorkspaceDraft::check(&name, role.as_deref(), metadata, with.scrubber)?)
        };
        match parent_id {
            Some(parent) => {
                let draft = self.draft(auth, parent, Permission::AddChild, request, make).await?;
                let id = id.unwrap_or_else(|| self.store.new_id());
                self.create_child(auth, id, parent, draft, idempotency).await
            }
            None => {
                let draft = self.draft_for_server(auth, ServerAction::CreateOrg, request, make).await?;
                let id = id.unwrap_or_else(|| self.new_root(auth, idempotency.as_ref()));
                self.create_org(auth, id, draft, idempotency).await
            }
        }
    }

    async fn create_child(
        &self,
        auth: &VerifiedClaims,
        id: Uuid,
        parent: Uuid,
        draft: WorkspaceDraft,
        idempotency: Option<Idempotency>,
    ) -> Result<wire::Workspace, AppError> {
        let limits = self.tree_limits;
        self.write(auth.call(parent).idempotent(idempotency), move |call| {
            let (id, parent) = (WorkspaceId::from(id), call.workspace);
            let pass = call.pass(|caller, tree| TreePass::create(caller, tree, id, parent, limits))?;
            let created = call.tx.create_workspace(&pass, &draft)?;
            created.ok_or(RuleViolation::WorkspaceTaken(id))?;
            // the stored response describes the new workspace, and is erased with it
            call.workspace = id;
            let created = call.workspace_row(id)?;
            Ok(wire::Workspace { redactions: redactions(&draft.fields().redactions), ..created })
        })
        .await
    }

    async fn create_org(
        &self,
        auth: &VerifiedClaims,
        id: Uuid,
        draft: WorkspaceDraft,
        idempotency: Option<Idempotency>,
    ) -> Result<wire::Workspace, AppError> {
        let root = WorkspaceId::from(id);
        self.write(auth.call(id).in_org(OrgId::of_root(root)).idempotent(idempotency), move |call| {
            let pass = ServerPass::grant(&call.caller, ServerAction::CreateOrg)?;
            let created = call.tx.create_org(&pass, root, &draft)?;
            created.ok_or(RuleViolation::WorkspaceTaken(root))?;
            let created = call.workspace_row(root)?;
            Ok(wire::Workspace { redactions: redactions(&draft.fields().redactions), ..created })
        })
        .await
    }
}
