//! Changes of a workspace: name, role, metadata and parent.

use orgmem_hierarchy::{TreeLimits, WorkspaceId};
use orgmem_policies::drafts::WorkspaceChange;
use orgmem_policies::scrub::Scrubber;
use orgmem_policies::{ActPass, Permission, TreePass};
use orgmem_store::{ReadPlan, ReadTx};
use orgmem_types as wire;
use orgmem_types::Object;
use serde_json::Value;
use uuid::Uuid;

use super::call::Call;
use super::drafting::Drafting;
use super::wire::{object, redactions};
use super::{App, AppError};
use crate::auth::VerifiedClaims;

/// A checked request.
struct ChangeRequest {
    change: WorkspaceChange,
    scrubber: &'static Scrubber,
    /// Members to replace in the metadata.
    merge: Option<Object>,
    /// `None` without a move, `Some(None)` for a move out of the tree.
    new_parent: Option<Option<WorkspaceId>>,
    limits: TreeLimits,
}

impl App {
    /// Applies all changes of the request or none. A new parent moves the workspace with its subtree.
    ///
    /// # Errors
    /// [`AppError`]: an invalid field, a workspace or parent that the caller may not change, a move that the tree does
    /// not allow.
    pub async fn patch_workspace(
        &self,
        auth: &VerifiedClaims,
        id: Uuid,
        request: wire::PatchWorkspace,
    ) -> Result<wire::Workspace, AppError> {
        let request = self.parse_request(auth, id, request).await?;
        self.write(auth.call(id), move |call| {
            let (edit, relocation) = request.passes(call)?;
            let change = request.merged(call)?;
            if let Some(pass) = edit {
                call.tx.patch_workspace(&pass, &change)?;
            }
            if let Some(pass) = relocation {
                call.check_room(&pass)?;
                call.tx.change_tree(&pass)?;
            }
            let changed = call.workspace_row(call.workspace)?;
            Ok(wire::Workspace { redactions: redactions(&change.fields().redactions), ..changed })
        })
        .await
    }

    /// The effect of [`patch_workspace`](Self::patch_workspace) on the reach of workspaces; changes nothing.
    ///
    /// # Errors
    /// As for [`patch_workspace`](Self::patch_workspace).
    pub async fn preview_patch(
        &self,
        auth: &VerifiedClaims,
        id: Uuid,
        request: wire::PatchWorkspace,
    ) -> Result<wire::TreePreview, AppError> {
        let request = self.parse_request(auth, id, request).await?;
        self.read(auth.call(id).plan(ReadPlan::Scan), move |call| {
            let (_, relocation) = request.passes(call)?;
            request.merged(call)?;
            match relocation {
                Some(relocation) => {
                    call.check_room(&relocation)?;
                    call.preview(&relocation)
                }
                None => Ok(call.no_preview()),
            }
        })
        .await
    }

    async fn parse_request(
        &self,
        auth: &VerifiedClaims,
        id: Uuid,
        request: wire::PatchWorkspace,
    ) -> Result<ChangeRequest, AppError> {
        let (parent_id, merge_metadata) = (request.parent_id, request.merge_metadata.clone());
        let edits =
            request.name.is_some() || request.role.is_some() || request.metadata.is_some() || merge_metadata.is_some();
        let only_moves = parent_id.is_some() && !edits;
        let permission = if only_moves { Permission::MoveWorkspace } else { Permission::EditWorkspace };
        let make = |request, with: &Drafting| {
            let wire::PatchWorkspace { name, role, metadata, .. } = request;
            let role = role.as_ref().map(|role| role.as_deref());
            Ok(WorkspaceChange::check(name.as_deref(), role, metadata, with.scrubber)?)
        };
        let change = self.draft(auth, id, permission, request, make).await?;
        Ok(ChangeRequest {
            change,
            scrubber: self.scrubber,
            merge: merge_metadata,
            new_parent: parent_id.map(|parent| parent.map(WorkspaceId::from)),
            limits: self.tree_limits,
        })
    }
}

impl ChangeRequest {
    /// The change with the members of `merge` in the metadata that it sets, or else in the stored metadata.
    fn merged<Tx: ReadTx + ?Sized>(&self, call: &mut Call<'_, Tx>) -> Result<WorkspaceChange, AppError> {
        let Some(merge) = &self.merge else { return Ok(self.change.clone()) };
        let stored = match &self.change.fields().metadata {
            Some(metadata) => metadata.as_ref().map(ToString::to_string),
            None => call.tx.workspaces(call.org, &[call.workspace])?.pop().and_then(|row| row.metadata),
        };
        let mut metadata = stored.as_deref().and_then(object).unwrap_or_default();
        for (name, value) in merge {
            match value {
                Value::Null => metadata.remove(name),
                value => metadata.insert(name.clone(), value.clone()),
            };
        }
        Ok(self.change.with_metadata(metadata, self.scrubber)?)
    }

    /// The passes to change the row and to move the workspace, each only if the request needs it.
    fn passes<Tx: ReadTx + ?Sized>(
        &self,
        call: &mut Call<'_, Tx>,
    ) -> Result<(Option<ActPass>, Option<TreePass>), AppError> {
        let id = call.workspace;
        let edits = !self.change.is_empty() || self.merge.is_some();
        let edit = match edits || self.new_parent.flatten().is_none() {
            true => Some(call.pass(|caller, tree| ActPass::grant(caller, Permission::EditWorkspace, tree, id))?),
            false => None,
        };
        let relocation = match self.new_parent {
            Some(Some(parent)) => {
                Some(call.pass(|caller, tree| TreePass::relocate(caller, tree, id, parent, self.limits))?)
            }
            // a root has no parent already
            Some(None) if call.tx.tree(call.org)?.root() != id => return Err(AppError::LeavesTree(id)),
            Some(None) | None => None,
        };
        Ok((edit, relocation))
    }
}
