//! Passes for tokens. Nobody issues a token with more permissions than its own.

use orgmem_hierarchy::{Tree, WorkspaceId};

use crate::{Caller, Forbidden, Permission, Refusal, Role, ServerAction, TokenPass, permit, permit_server};

impl TokenPass {
    /// Permits `caller` to issue a token of `role` for `workspace`.
    ///
    /// # Errors
    /// [`Refusal`] of [`permit`]; [`Forbidden::TokenRole`] when an operator requests another role than agent;
    /// [`Forbidden::SourceBelowRoot`].
    ///
    /// # Source
    /// `docs/spec/callers.md`, "Issuing tokens".
    pub fn bound_to(caller: &Caller, tree: &Tree, workspace: WorkspaceId, role: Role) -> Result<Self, Refusal> {
        permit(caller, Permission::ManageTokens, tree, workspace)?;
        if role == Role::Admin {
            permit_server(caller, ServerAction::ManageAdminTokens)?;
            return Ok(Self { bound: None, role });
        }
        if role != Role::Agent && caller.role() != Role::Admin {
            return Err(Forbidden::TokenRole(role).into());
        }
        if role == Role::Source && workspace != tree.root() {
            return Err(Forbidden::SourceBelowRoot.into());
        }
        Ok(Self { bound: Some((tree.org(), workspace)), role })
    }

    /// Permits `caller` to issue an admin token, which has no bound workspace.
    ///
    /// # Errors
    /// [`Forbidden::AdminOnly`].
    pub fn admin(caller: &Caller) -> Result<Self, Refusal> {
        permit_server(caller, ServerAction::ManageAdminTokens)?;
        Ok(Self { bound: None, role: Role::Admin })
    }
}
