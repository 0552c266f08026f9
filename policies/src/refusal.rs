//! Refusals of operations.

use orgmem_hierarchy::{ChangeRefusal, Reason};

use crate::{Permission, Role, ServerAction};

/// Why an operation is refused. The variant determines the status of the response.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// 404: the workspace does not exist or is hidden from the caller.
    #[error("no such workspace, or not yours to see")]
    NotFound,
    /// 403: the caller may know of the workspace but lacks permission.
    #[error(transparent)]
    Forbidden(#[from] Forbidden),
    /// 409: the tree does not allow the change.
    #[error(transparent)]
    Tree(#[from] ChangeRefusal),
}

/// A missing permission.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Forbidden {
    /// The role never has this permission.
    #[error("{} may not {}; {} may", article(*.role), .action.phrase(), roles_with(*.action))]
    Role {
        /// Role of the caller.
        role: Role,
        /// The missing permission.
        action: Permission,
    },
    /// The role has this permission for other workspaces only.
    #[error("{} may {} it is bound to{}, not elsewhere", article(*.role), .action.phrase(), or_below(*.role))]
    Elsewhere {
        /// Role of the caller.
        role: Role,
        /// The missing permission.
        action: Permission,
    },
    /// Only the author and its operators delete a memory.
    #[error("only the author of a memory, or an operator of that workspace, may delete it")]
    OthersMemory,
    /// Only the author edits a memory.
    #[error("only its author may edit a memory; commit a memory of your own instead")]
    NotAuthor,
    /// An operator is bound by the budget of its own workspace.
    #[error("the budget of a workspace binds its own operator; an operator above it or an admin may set it")]
    OwnBudget,
    /// Only an admin may do this.
    #[error("only an admin may {}", .0.phrase())]
    AdminOnly(ServerAction),
    /// The workspace may not write this scope.
    #[error("{}", .0.plain())]
    Scope(Reason),
    /// The workspace may not write this namespace.
    #[error("the workspace may not write namespace `{name}`: {rule}; it may write {allowed}")]
    Namespace {
        /// The name.
        name: String,
        /// Who may write it.
        rule: &'static str,
        /// The names that the workspace may write.
        allowed: String,
    },
    /// Records are written at the root of their tree.
    #[error("records belong to the whole tree; write them at its root")]
    RecordsBelowRoot,
    /// A source is bound to a tree.
    #[error("a source is bound to a whole tree; issue its token for the root")]
    SourceBelowRoot,
    /// A token may not have more permissions than its issuer.
    #[error("an operator issues only agent tokens; ask an admin for a token of role `{0}`")]
    TokenRole(Role),
    /// A call is for one end user.
    #[error(
        "the token or a header of the call names another `{field}`: a call is for one end user and one session; leave \
         `{field}` out, or use another token"
    )]
    OtherEndUser {
        /// The field that differs.
        field: &'static str,
    },
    /// A token of an end user changes the memories of that user only.
    #[error(
        "the token is bound to one end user or session, and the memory is of another `{field}` or of none; a token that is \
         not bound may change it"
    )]
    NotOfEndUser {
        /// The field that differs.
        field: &'static str,
    },
    /// A token of an end user has no permission that concerns others.
    #[error("a token that is bound to an end user or a session may not {0}; use one that is not bound")]
    BoundToken(&'static str),
    /// Only agents act for one end user.
    #[error("only tokens of agents are bound to an end user or a session, not one of role `{0}`")]
    BoundRole(Role),
    /// The role may not claim this provenance.
    #[error("`source` `{claimed}` may not be claimed by {}; use {allowed}", article(*.role))]
    Source {
        /// The claimed provenance.
        claimed: &'static str,
        /// The sources that the role may claim.
        role: Role,
        /// The accepted form.
        allowed: &'static str,
    },
}

const fn article(role: Role) -> &'static str {
    match role {
        Role::Source => "a source",
        Role::Agent => "an agent",
        Role::Viewer => "a viewer",
        Role::Operator => "an operator",
        Role::Admin => "an admin",
    }
}

const fn or_below(role: Role) -> &'static str {
    match role {
        Role::Source | Role::Agent => "",
        Role::Viewer | Role::Operator | Role::Admin => " or one below it",
    }
}

/// The least powerful roles with this permission.
fn roles_with(action: Permission) -> &'static str {
    use crate::permission::AllowedOn;
    if action.allowed(Role::Viewer) != AllowedOn::Nowhere { "a viewer" } else { "an operator" }
}
