//! Finds the workspace of a profile or a memory by its id.

use orgmem_hierarchy::{OrgId, WorkspaceId};
use orgmem_policies::{Permission, ViewPass};
use orgmem_store::{LocatedKind, MemoryLabels, ReadPlan};
use orgmem_types as wire;
use uuid::Uuid;

use super::{App, AppError};
use crate::auth::VerifiedClaims;

impl App {
    /// The profile or memory with this id, and its workspace, whose memories the caller must be permitted to read.
    ///
    /// # Errors
    /// [`AppError::NotFound`]; [`AppError::AmbiguousId`] when several orgs have the id.
    ///
    /// # Complexity
    /// O(orgs) for an admin, otherwise independent of other orgs.
    pub async fn locate(&self, auth: &VerifiedClaims, id: Uuid) -> Result<wire::Located, AppError> {
        let found = self
            .read_server(auth, ReadPlan::PointLookup, move |tx, caller| {
                let own = match caller.workspace() {
                    Some(workspace) => Some(tx.org_of(workspace)?.ok_or(AppError::LOCATED_NOT_FOUND)?),
                    None => None,
                };
                let mut found = tx.located(own, id)?;
                // a default profile that was never changed has the id of its workspace
                let implied = WorkspaceId::from(id);
                if let Some(org) = tx.org_of(implied)?
                    && !found.iter().any(|row| row.workspace == implied)
                {
                    found.push(orgmem_store::Located { org, workspace: implied, kind: LocatedKind::Profile });
                }
                found.retain(|row| caller.knows(row.org));
                match found.as_slice() {
                    [] => Err(AppError::LOCATED_NOT_FOUND),
                    [one] => Ok(*one),
                    _ => Err(AppError::AmbiguousId(id)),
                }
            })
            .await?;
        let orgmem_store::Located { org, workspace, kind } = found;
        self.read(auth.call(workspace.uuid()), move |call| {
            let granted = call.pass(|caller, tree| ViewPass::grant(caller, Permission::ReadMemories, tree, workspace));
            if kind == LocatedKind::Memory && granted.is_ok() {
                let reads = call.reads(workspace)?;
                let labels = call.tx.memory_labels(call.org, id)?;
                let is_shown =
                    |labels: MemoryLabels| reads.users().permits(labels.subject.as_deref(), labels.session.as_deref());
                if !reads.users().is_open() && !labels.is_some_and(is_shown) {
                    return Err(AppError::LOCATED_NOT_FOUND);
                }
            }
            match (granted, kind) {
                (Ok(_), _) => Ok(located(id, org, workspace, kind)),
                // as for one that does not exist
                (Err(AppError::Forbidden(_)), LocatedKind::Memory) | (Err(AppError::NotFound { .. }), _) => {
                    Err(AppError::LOCATED_NOT_FOUND)
                }
                (Err(refusal), _) => Err(refusal),
            }
        })
        .await
    }
}

fn located(id: Uuid, org: OrgId, workspace: WorkspaceId, kind: LocatedKind) -> wire::Located {
    let kind = match kind {
        LocatedKind::Profile => wire::LocatedKind::Profile,
        LocatedKind::Memory => wire::LocatedKind::Memory,
    };
    wire::Located { id, kind, workspace_id: workspace.uuid(), org_id: org.uuid() }
}
