//! Refusals: what a caller is told when the answer is no.

use orgmem_hierarchy::{ChangeRefusal, Reason};

use crate::{Permission, Role, ServerAction};

/// Why something is refused, and with it how it is answered.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// 404: there is no such workspace, or the caller may not know of it. The two are one.
    #[error("no such workspace, or not yours to see")]
    NotFound,
    /// 403: the caller may know of it, but not do this.
    #[error(transparent)]
    Forbidden(#[from] Forbidden),
    /// 409: the tree does not allow the change.
    #[error(transparent)]
    Tree(#[from] ChangeRefusal),
}

/// What the caller may not do, and who may.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Forbidden {
    /// The role never does this.
    #[error("{} may not {}; {} may", article(*.role), .action.phrase(), who_may(*.action))]
    Role {
        /// The caller's role.
        role: Role,
        /// What was tried.
        action: Permission,
    },
    /// The role does this elsewhere.
    #[error("{} may {} it is bound to{}, not elsewhere", article(*.role), .action.phrase(), or_below(*.role))]
    Elsewhere {
        /// The caller's role.
        role: Role,
        /// What was tried.
        action: Permission,
    },
    /// What another wrote is not deleted.
    #[error("a memory is deleted by its author, or by who operates that workspace")]
    OthersMemory,
    /// What another wrote is not edited.
    #[error("a memory is edited as its author alone; commit one of your own that says otherwise")]
    NotAuthor,
    /// For admins alone.
    #[error("only an admin may {}", .0.phrase())]
    AdminOnly(ServerAction),
    /// The scope may not be written from here.
    #[error("{}", .0.plain())]
    Scope(Reason),
    /// A token may not be issued with more than the issuer has.
    #[error("an operator issues agent tokens alone; ask an admin for a token of role `{0}`")]
    TokenRole(Role),
    /// A provenance that the caller may not claim.
    #[error("`source` `{claimed}` may not be claimed by {}; use {allowed}", article(*.role))]
    Source {
        /// What was claimed.
        claimed: &'static str,
        /// By whom.
        role: Role,
        /// What would be accepted.
        allowed: &'static str,
    },
}

const fn article(role: Role) -> &'static str {
    match role {
        Role::Agent => "an agent",
        Role::Viewer => "a viewer",
        Role::Operator => "an operator",
        Role::Admin => "an admin",
    }
}

const fn or_below(role: Role) -> &'static str {
    match role {
        Role::Agent => "",
        Role::Viewer | Role::Operator | Role::Admin => " or one below it",
    }
}

/// The least powerful roles that do this somewhere.
fn who_may(action: Permission) -> &'static str {
    use crate::permission::AllowedOn;
    if action.allowed(Role::Viewer) != AllowedOn::Nowhere { "a viewer" } else { "an operator" }
}
