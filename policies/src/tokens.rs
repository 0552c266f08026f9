//! Passes for tokens. Nobody issues a token with more permissions than its own.

use orgmem_hierarchy::{Tree, WorkspaceId};

use crate::{Caller, EndUser, Forbidden, Permission, Refusal, Role, ServerAction, TokenPass, permit, permit_server};

impl TokenPass {
    /// Permits `caller` to issue a token of `role` for `workspace`, bound to `user` if it names one.
    ///
    /// # Errors
    /// [`Refusal`] of [`permit`]; [`Forbidden::TokenRole`] when an operator requests another role than agent;
    /// [`Forbidden::SourceBelowRoot`]; [`Forbidden::BoundRole`] for a `user` of another role than agent.
    ///
    /// # Source
    /// `docs/spec/callers.md`, "Issuing tokens".
    pub fn bound_to(
        caller: &Caller,
        tree: &Tree,
        workspace: WorkspaceId,
        role: Role,
        user: &EndUser,
    ) -> Result<Self, Refusal> {
        permit(caller, Permission::ManageTokens, tree, workspace)?;
        if role == Role::Admin && user.is_nobody() {
            permit_server(caller, ServerAction::ManageAdminTokens)?;
            return Ok(Self { bound: None, role, user: EndUser::default() });
        }
        if !user.is_nobody() && role != Role::Agent {
            return Err(Forbidden::BoundRole(role).into());
        }
        if role != Role::Agent && caller.role() != Role::Admin {
            return Err(Forbidden::TokenRole(role).into());
        }
        if role == Role::Source && workspace != tree.root() {
            return Err(Forbidden::SourceBelowRoot.into());
        }
        Ok(Self { bound: Some((tree.org(), workspace)), role, user: user.clone() })
    }

    /// Permits `caller` to issue an admin token, which has no bound workspace.
    ///
    /// # Errors
    /// [`Forbidden::AdminOnly`].
    pub fn admin(caller: &Caller) -> Result<Self, Refusal> {
        permit_server(caller, ServerAction::ManageAdminTokens)?;
        Ok(Self { bound: None, role: Role::Admin, user: EndUser::default() })
    }
}
