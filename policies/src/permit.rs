//! The decision about a caller and a workspace; every pass goes through it.

use orgmem_hierarchy::{Tree, WorkspaceId};

use crate::permission::AllowedOn;
use crate::{Caller, Forbidden, Permission, Refusal, ServerAction};

/// Whether `caller` may do `action` in, to or as `workspace` of `tree`.
///
/// # Errors
/// [`Refusal::NotFound`] when the tree is not the caller's or the workspace is not live in it; [`Refusal::Forbidden`]
/// with the reason when it is, but the role does not do this there.
///
/// # Complexity
/// O(depth of `workspace`).
///
/// # Source
/// product.md, section 3.
pub fn permit(caller: &Caller, action: Permission, tree: &Tree, workspace: WorkspaceId) -> Result<(), Refusal> {
    if !caller.knows(tree.org()) || !tree.contains(workspace) {
        return Err(Refusal::NotFound);
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

/// Whether `caller` may do `action` to the server as a whole.
///
/// # Errors
/// [`Forbidden::AdminOnly`].
pub fn permit_server(caller: &Caller, action: ServerAction) -> Result<(), Refusal> {
    if action.allowed(caller.role()) { Ok(()) } else { Err(Forbidden::AdminOnly(action).into()) }
}
