//! Decisions about callers and workspaces. Every pass depends on them.

use orgmem_hierarchy::{Tree, WorkspaceId};

use crate::permission::AllowedOn;
use crate::{Caller, Forbidden, Permission, Refusal, ServerAction};

/// Whether `caller` has the permission `action` for `workspace` of `tree`.
///
/// # Errors
/// [`Refusal::NotFound`] when the tree is hidden from the caller or the workspace is not live in it; otherwise
/// [`Refusal::Forbidden`].
///
/// # Complexity
/// O(depth of `workspace`).
///
/// # Source
/// `docs/spec/callers.md`, "401, 403, 404 and 410".
pub fn permit(caller: &Caller, action: Permission, tree: &Tree, workspace: WorkspaceId) -> Result<(), Refusal> {
    if !caller.knows(tree.org()) || !tree.contains(workspace) {
        return Err(Refusal::NotFound);
    }
    if caller.user().is_bound() && !action.is_of_one_user() {
        return Err(Forbidden::BoundToken(action.phrase()).into());
    }
    let role = caller.role();
    let bound = caller.workspace();
    let allowed = match action.allowed(role) {
        AllowedOn::Nowhere => return Err(Forbidden::Role { role, action }.into()),
        AllowedOn::Everywhere => true,
        AllowedOn::Own => bound == Some(workspace),
        AllowedOn::Subtree => bound.is_some_and(|top| tree.is_within(workspace, top)),
    };
    if allowed { Ok(()) } else { Err(Forbidden::Elsewhere { role, action }.into()) }
}

/// Whether `caller` may perform `action` on the server.
///
/// # Errors
/// [`Forbidden::AdminOnly`].
pub fn permit_server(caller: &Caller, action: ServerAction) -> Result<(), Refusal> {
    if action.allowed(caller.role()) { Ok(()) } else { Err(Forbidden::AdminOnly(action).into()) }
}
