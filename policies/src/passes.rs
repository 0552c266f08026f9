//! Passes: proofs of permission that the store requires. Their fields are private; only the deciding functions of this
//! crate create them.
//!
//! ```compile_fail
//! use orgmem_policies::ReadPass;
//! # fn steal(org: orgmem_hierarchy::OrgId, reach: orgmem_hierarchy::Reach) {
//! let pass = ReadPass { org, reach, role: orgmem_policies::Role::Agent, profile: Default::default(), users: Default::default(), withheld: Vec::new() };
//! # }
//! ```
//!
//! ```compile_fail
//! use orgmem_policies::ActPass;
//! # fn steal(org: orgmem_hierarchy::OrgId, workspace: orgmem_hierarchy::WorkspaceId) {
//! let pass = ActPass { org, workspace, user: Default::default() };
//! # }
//! ```

use std::sync::Arc;

use orgmem_hierarchy::{OrgId, Reach, Scope, TreeChange, WorkspaceId};

use crate::scrub::Scrubbed;
use crate::{CallUser, EndUser, ProfileRef, ProfileSettings, Role, ServerAction, UserView};

/// Defines a pass for one org: its fields are private to this crate, and every field has a getter of its name.
/// `field: Type` is copied out, `field: Type => Target` is borrowed as `&Target`.
macro_rules! pass {
    ($(#[$meta:meta])* $pass:ident { $($(#[$doc:meta])* $field:ident: $type:ty $(=> $target:ty)?,)* }) => {
        $(#[$meta])*
        #[derive(Clone, Debug)]
        pub struct $pass {
            pub(crate) org: OrgId,
            $(pub(crate) $field: $type,)*
        }

        impl $pass {
            /// The org of the pass.
            #[must_use]
            pub fn org(&self) -> OrgId {
                self.org
            }

            $(crate::passes::pass!(@getter $(#[$doc])* $field: $type $(=> $target)?);)*
        }
    };
    (@getter $(#[$doc:meta])* $field:ident: $type:ty) => {
        $(#[$doc])*
        #[must_use]
        pub fn $field(&self) -> $type {
            self.$field
        }
    };
    (@getter $(#[$doc:meta])* $field:ident: $type:ty => $target:ty) => {
        $(#[$doc])*
        #[must_use]
        pub fn $field(&self) -> &$target {
            &self.$field
        }
    };
}

pub(crate) use pass;

/// Permits reading memories as one workspace, within its reach and its profile.
#[derive(Clone, Debug)]
pub struct ReadPass {
    pub(crate) org: OrgId,
    pub(crate) reach: Reach,
    pub(crate) role: Role,
    pub(crate) profile: Arc<ProfileSettings>,
    pub(crate) users: UserView,
    pub(crate) withheld: Vec<WithheldByProfile>,
}

/// Authors whose memories a profile may hide, besides the profile of the pass.
#[derive(Clone, Debug)]
pub struct WithheldByProfile {
    /// The authors, each in one value only.
    pub authors: Vec<WorkspaceId>,
    /// The profile that decides.
    pub profile: Arc<ProfileSettings>,
    /// The end users whose memories the profile shows.
    pub users: UserView,
}

impl WithheldByProfile {
    /// Whether the profile hides memories of this kind, subject and session that belong to `profile`.
    #[must_use]
    pub fn hides(&self, kind: &str, profile: Option<uuid::Uuid>, user: (Option<&str>, Option<&str>)) -> bool {
        self.profile.excludes(kind) || !self.profile.permits_profile(profile) || !self.users.permits(user.0, user.1)
    }
}

impl ReadPass {
    /// The org of the pass.
    #[must_use]
    pub fn org(&self) -> OrgId {
        self.org
    }

    /// The reading workspace.
    #[must_use]
    pub fn reader(&self) -> WorkspaceId {
        self.reach.reader()
    }

    /// The reach, narrowed by the profile.
    #[must_use]
    pub fn reach(&self) -> &Reach {
        &self.reach
    }

    /// Whether this caller receives the memory quoted: an agent does if it is GLOBAL or by another author.
    ///
    /// Source: `docs/spec/secrets.md`, "Quoting".
    #[must_use]
    pub fn quotes(&self, scope: Scope, author: WorkspaceId) -> bool {
        !self.role.is_person() && self.frames(scope, author)
    }

    /// Whether an agent receives the memory quoted: if it is GLOBAL or by another author.
    ///
    /// Source: `docs/spec/secrets.md`, "Quoting".
    #[must_use]
    pub fn frames(&self, scope: Scope, author: WorkspaceId) -> bool {
        scope == Scope::Global || author != self.reader()
    }

    /// Kinds of memories hidden from the reader.
    #[must_use]
    pub fn excluded_kinds(&self) -> &[String] {
        &self.profile.excluded_kinds
    }

    /// Whether memories of this kind are hidden from the reader.
    #[must_use]
    pub fn excludes(&self, kind: &str) -> bool {
        self.profile.excludes(kind)
    }

    /// The profiles that a readable memory must belong to, all at once; empty if any.
    #[must_use]
    pub fn within(&self) -> &[ProfileRef] {
        &self.profile.within
    }

    /// Whether own memories of this profile are readable.
    #[must_use]
    pub fn permits_profile(&self, profile: Option<uuid::Uuid>) -> bool {
        self.profile.permits_profile(profile)
    }

    /// The end users and sessions whose memories are readable.
    #[must_use]
    pub fn users(&self) -> &UserView {
        &self.users
    }

    /// Profiles that hide memories of some authors, in a pass for a subtree.
    #[must_use]
    pub fn withheld(&self) -> &[WithheldByProfile] {
        &self.withheld
    }

    /// The pass with the quoting rules of an agent, for any caller.
    #[must_use]
    pub fn as_agents_read(self) -> Self {
        Self { role: Role::Agent, ..self }
    }

    /// The pass restricted to a part of its reach.
    #[must_use]
    pub fn narrowed(self, keep: impl Fn(&orgmem_hierarchy::Readable) -> bool) -> Self {
        Self { reach: self.reach.narrowed(keep), ..self }
    }
}

pass! {
    /// Permits writing one memory with this author, scope and team.
    WritePass {
        /// The writing workspace.
        author: WorkspaceId,
        /// Scope of the memory.
        scope: Scope,
        /// Leader of the bound team.
        team: Option<WorkspaceId>,
        /// Role of the writer, recorded with the memory.
        role: Role,
        /// The end user that the call is for.
        user: CallUser => CallUser,
    }
}

pass! {
    /// Permits editing memories of one author, as that author.
    EditPass {
        /// Author of the memories.
        author: WorkspaceId,
        /// Role of the editor, recorded with the new version.
        role: Role,
        /// The end user that the call is for.
        user: CallUser => CallUser,
    }
}

pass! {
    /// Permits deleting memories of one author.
    ForgetPass {
        /// Author of the memories.
        author: WorkspaceId,
        /// The end user that the call is for.
        user: CallUser => CallUser,
    }
}

pass! {
    /// Permits redacting memories of one author.
    RedactPass {
        /// Author of the memories.
        author: WorkspaceId,
        /// Subject of the caller, for the audit log.
        by: String => str,
    }
}

/// Extent of an erasure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Erasing {
    /// The data of this end user in the whole org.
    Subject(Scrubbed),
    /// The content of these workspaces, removed in the same transaction.
    Workspaces(Vec<WorkspaceId>),
    /// The content of all workspaces of the org, live or removed.
    Org,
}

pass! {
    /// Permits an erasure in one org.
    ErasePass {
        /// Extent of the erasure.
        what: Erasing => Erasing,
        /// Subject of the caller, for the audit log.
        by: String => str,
    }
}

pass! {
    /// Permits reading one workspace: its row, entries, episodes and subtree.
    ViewPass {
        /// The workspace read.
        workspace: WorkspaceId,
        /// The end user that the call is for.
        user: CallUser => CallUser,
    }
}

pass! {
    /// Permits writing to one workspace: its row, entries and episodes.
    ActPass {
        /// The workspace acted as.
        workspace: WorkspaceId,
        /// The end user that the call is for.
        user: CallUser => CallUser,
    }
}

pass! {
    /// Permits writing the records of one tree.
    RecordPass {
        /// The root of the tree.
        root: WorkspaceId,
    }
}

pass! {
    /// Permits setting the budget of one workspace.
    BudgetPass {
        /// The workspace whose budget it is.
        workspace: WorkspaceId,
    }
}

pass! {
    /// Permits one change that the tree allows.
    TreePass {
        /// The planned change.
        change: TreeChange => TreeChange,
    }
}

pass! {
    /// Permits listing the workspaces of one org that the caller may know of.
    OrgPass {
        /// The highest listed workspace.
        top: WorkspaceId,
        /// Whether its descendants are listed.
        with_subtree: bool,
    }
}

/// Permits issuing one token with this role for this workspace.
#[derive(Clone, Debug)]
pub struct TokenPass {
    pub(crate) bound: Option<(OrgId, WorkspaceId)>,
    pub(crate) role: Role,
    pub(crate) user: EndUser,
}

impl TokenPass {
    /// The bound org and workspace; `None` for an admin token.
    #[must_use]
    pub fn bound(&self) -> Option<(OrgId, WorkspaceId)> {
        self.bound
    }

    /// Role of the token.
    #[must_use]
    pub fn role(&self) -> Role {
        self.role
    }

    /// The end user and session that the token is bound to.
    #[must_use]
    pub fn user(&self) -> &EndUser {
        &self.user
    }
}

/// Permits one action on the server.
#[derive(Clone, Debug)]
pub struct ServerPass {
    pub(crate) action: ServerAction,
}

impl ServerPass {
    /// Extent of the erasure.
    #[must_use]
    pub fn action(&self) -> ServerAction {
        self.action
    }
}
