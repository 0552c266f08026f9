//! The passes: evidence of a decision, which the store demands. Their fields are private and they are made in this
//! crate alone, by the functions that decide.
//!
//! ```compile_fail
//! use orgmem_policies::ReadPass;
//! # fn steal(org: orgmem_hierarchy::OrgId, reach: orgmem_hierarchy::Reach) {
//! let pass = ReadPass { org, reach, by: orgmem_policies::Role::Agent, profile: Default::default() };
//! # }
//! ```
//!
//! ```compile_fail
//! use orgmem_policies::ActPass;
//! # fn steal(org: orgmem_hierarchy::OrgId, workspace: orgmem_hierarchy::WorkspaceId) {
//! let pass = ActPass { org, workspace };
//! # }
//! ```

use std::sync::Arc;

use orgmem_hierarchy::{OrgId, Reach, Scope, TreeChange, WorkspaceId};

use crate::scrub::Scrubbed;
use crate::{ProfileSettings, Role, ServerAction};

/// May read memories as one workspace: carries all that it can read now, by the tree and by its profile.
#[derive(Clone, Debug)]
pub struct ReadPass {
    pub(crate) org: OrgId,
    pub(crate) reach: Reach,
    pub(crate) by: Role,
    pub(crate) profile: Arc<ProfileSettings>,
}

impl ReadPass {
    /// The org it is good for.
    #[must_use]
    pub fn org(&self) -> OrgId {
        self.org
    }

    /// The workspace that reads.
    #[must_use]
    pub fn reader(&self) -> WorkspaceId {
        self.reach.reader()
    }

    /// What it can read now.
    #[must_use]
    pub fn reach(&self) -> &Reach {
        &self.reach
    }

    /// Whether this caller gets a memory's content quoted: an agent does, when it is GLOBAL or another's.
    ///
    /// Source: product.md, section 4.2, "What others wrote is quoted".
    #[must_use]
    pub fn quotes(&self, scope: Scope, author: WorkspaceId) -> bool {
        !self.by.is_person() && self.frames(scope, author)
    }

    /// Whether a memory's content is quoted where it goes to an agent, whoever fetches it: when it is GLOBAL or
    /// another's.
    ///
    /// Source: product.md, section 4.2, "What others wrote is quoted".
    #[must_use]
    pub fn frames(&self, scope: Scope, author: WorkspaceId) -> bool {
        scope == Scope::Global || author != self.reader()
    }

    /// Kinds of memories that are not there for the reader.
    #[must_use]
    pub fn excluded_kinds(&self) -> &[String] {
        &self.profile.excluded_kinds
    }

    /// Whether memories of this kind are not there for the reader.
    #[must_use]
    pub fn excludes(&self, kind: &str) -> bool {
        self.profile.excludes(kind)
    }

    /// The same pass by an agent's eyes: what others wrote is quoted, whoever asks.
    #[must_use]
    pub fn as_agents_read(self) -> Self {
        Self { by: Role::Agent, ..self }
    }

    /// The same pass for a part of its reach.
    #[must_use]
    pub fn narrowed(self, keep: impl Fn(&orgmem_hierarchy::Readable) -> bool) -> Self {
        Self { reach: self.reach.narrowed(keep), ..self }
    }
}

/// May write one memory with this author, scope and team.
#[derive(Clone, Debug)]
pub struct WritePass {
    pub(crate) org: OrgId,
    pub(crate) author: WorkspaceId,
    pub(crate) scope: Scope,
    pub(crate) team: Option<WorkspaceId>,
    pub(crate) by: Role,
}

impl WritePass {
    /// The org it is good for.
    #[must_use]
    pub fn org(&self) -> OrgId {
        self.org
    }

    /// The workspace that writes.
    #[must_use]
    pub fn author(&self) -> WorkspaceId {
        self.author
    }

    /// The scope it was given for.
    #[must_use]
    pub fn scope(&self) -> Scope {
        self.scope
    }

    /// The team it is bound to, if any.
    #[must_use]
    pub fn team(&self) -> Option<WorkspaceId> {
        self.team
    }

    /// The role that writes; recorded with the memory, and nobody can claim it.
    #[must_use]
    pub fn role(&self) -> Role {
        self.by
    }
}

/// May edit what one author wrote, as that author.
#[derive(Clone, Debug)]
pub struct EditPass {
    pub(crate) org: OrgId,
    pub(crate) author: WorkspaceId,
    pub(crate) by: Role,
}

impl EditPass {
    /// The org it is good for.
    #[must_use]
    pub fn org(&self) -> OrgId {
        self.org
    }

    /// Whose memories.
    #[must_use]
    pub fn author(&self) -> WorkspaceId {
        self.author
    }

    /// The role that edits; recorded with the new version, and nobody can claim it.
    #[must_use]
    pub fn role(&self) -> Role {
        self.by
    }
}

/// May forget what one author wrote.
#[derive(Clone, Debug)]
pub struct ForgetPass {
    pub(crate) org: OrgId,
    pub(crate) author: WorkspaceId,
}

impl ForgetPass {
    /// The org it is good for.
    #[must_use]
    pub fn org(&self) -> OrgId {
        self.org
    }

    /// Whose memories.
    #[must_use]
    pub fn author(&self) -> WorkspaceId {
        self.author
    }
}

/// May redact what one author wrote.
#[derive(Clone, Debug)]
pub struct RedactPass {
    pub(crate) org: OrgId,
    pub(crate) author: WorkspaceId,
    pub(crate) by: String,
}

impl RedactPass {
    /// The org it is good for.
    #[must_use]
    pub fn org(&self) -> OrgId {
        self.org
    }

    /// Whose memories.
    #[must_use]
    pub fn author(&self) -> WorkspaceId {
        self.author
    }

    /// Who redacts, by the name for the log.
    #[must_use]
    pub fn by(&self) -> &str {
        &self.by
    }
}

/// What is erased.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Erasing {
    /// What all authors of the org stored about this end user.
    Subject(Scrubbed),
    /// All that these workspaces, which are removed by the same write, held.
    Workspaces(Vec<WorkspaceId>),
    /// All that any workspace of the org ever held.
    Org,
}

/// May erase, in one org.
#[derive(Clone, Debug)]
pub struct ErasePass {
    pub(crate) org: OrgId,
    pub(crate) what: Erasing,
    pub(crate) by: String,
}

impl ErasePass {
    /// The org it is good for.
    #[must_use]
    pub fn org(&self) -> OrgId {
        self.org
    }

    /// What.
    #[must_use]
    pub fn what(&self) -> &Erasing {
        &self.what
    }

    /// Who erases, by the name for the log.
    #[must_use]
    pub fn by(&self) -> &str {
        &self.by
    }
}

/// May read what belongs to one workspace: its row, its entries, its episodes, the tree below it.
#[derive(Clone, Debug)]
pub struct ViewPass {
    pub(crate) org: OrgId,
    pub(crate) workspace: WorkspaceId,
}

impl ViewPass {
    /// The org it is good for.
    #[must_use]
    pub fn org(&self) -> OrgId {
        self.org
    }

    /// The workspace that is looked at.
    #[must_use]
    pub fn workspace(&self) -> WorkspaceId {
        self.workspace
    }
}

/// May write what belongs to one workspace: its entries, its episodes, its row.
#[derive(Clone, Debug)]
pub struct ActPass {
    pub(crate) org: OrgId,
    pub(crate) workspace: WorkspaceId,
}

impl ActPass {
    /// The org it is good for.
    #[must_use]
    pub fn org(&self) -> OrgId {
        self.org
    }

    /// The workspace that is acted as.
    #[must_use]
    pub fn workspace(&self) -> WorkspaceId {
        self.workspace
    }
}

/// May carry out one change of one tree, which the tree allows.
#[derive(Clone, Debug)]
pub struct TreePass {
    pub(crate) org: OrgId,
    pub(crate) change: TreeChange,
}

impl TreePass {
    /// The org it is good for.
    #[must_use]
    pub fn org(&self) -> OrgId {
        self.org
    }

    /// The change.
    #[must_use]
    pub fn change(&self) -> &TreeChange {
        &self.change
    }
}

/// May list the workspaces of one org that the caller knows of: those below its top.
#[derive(Clone, Debug)]
pub struct OrgPass {
    pub(crate) org: OrgId,
    pub(crate) top: WorkspaceId,
    pub(crate) below: bool,
}

impl OrgPass {
    /// The org it is good for.
    #[must_use]
    pub fn org(&self) -> OrgId {
        self.org
    }

    /// The highest workspace that is listed.
    #[must_use]
    pub fn top(&self) -> WorkspaceId {
        self.top
    }

    /// Whether those below it are listed too.
    #[must_use]
    pub fn with_subtree(&self) -> bool {
        self.below
    }
}

/// May issue one token, with this role, bound to this workspace.
#[derive(Clone, Debug)]
pub struct TokenPass {
    pub(crate) bound: Option<(OrgId, WorkspaceId)>,
    pub(crate) role: Role,
}

impl TokenPass {
    /// The org and workspace that the token is bound to; none for an admin token.
    #[must_use]
    pub fn bound(&self) -> Option<(OrgId, WorkspaceId)> {
        self.bound
    }

    /// The role of the token.
    #[must_use]
    pub fn role(&self) -> Role {
        self.role
    }
}

/// May do one thing to the server as a whole.
#[derive(Clone, Debug)]
pub struct ServerPass {
    pub(crate) action: ServerAction,
}

impl ServerPass {
    /// What.
    #[must_use]
    pub fn action(&self) -> ServerAction {
        self.action
    }
}
