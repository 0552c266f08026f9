//! Passes for tokens: nobody hands out more than they have.

use orgmem_hierarchy::{Tree, WorkspaceId};

use crate::{Caller, Forbidden, Permission, Refusal, Role, ServerAction, TokenPass, permit, permit_server};

impl TokenPass {
    /// Lets `caller` issue a token of `role` bound to `workspace`.
    ///
    /// # Errors
    /// [`Refusal`] as [`permit`] gives it; [`Forbidden::TokenRole`] when an operator asks for anything but an agent's.
    ///
    /// # Source
    /// product.md, section 3: an operator issues agent tokens for its subtree, an admin any.
    pub fn bound_to(caller: &Caller, tree: &Tree, workspace: WorkspaceId, role: Role) -> Result<Self, Refusal> {
        permit(caller, Permission::ManageTokens, tree, workspace)?;
        if role == Role::Admin {
            permit_server(caller, ServerAction::ManageAdminTokens)?;
            return Ok(Self { bound: None, role });
        }
        if role != Role::Agent && caller.role() != Role::Admin {
            return Err(Forbidden::TokenRole(role).into());
        }
        Ok(Self { bound: Some((tree.org(), workspace)), role })
    }

    /// Lets `caller` issue an admin token, which is bound to no workspace.
    ///
    /// # Errors
    /// [`Forbidden::AdminOnly`].
    pub fn admin(caller: &Caller) -> Result<Self, Refusal> {
        permit_server(caller, ServerAction::ManageAdminTokens)?;
        Ok(Self { bound: None, role: Role::Admin })
    }
}
