//! Namespaces: names for sets of memories with one scope. Which ones a workspace reads and writes follows from the tree.
//!
//! Source: `docs/spec/namespaces.md`.

use std::fmt;
use std::str::FromStr;

use orgmem_hierarchy::{Readable, Scope, Tree, WorkspaceId};
use uuid::Uuid;

use crate::{Forbidden, ProfileSettings};

/// A name for memories.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Namespace {
    /// LOCAL memories of this workspace.
    Workspace(WorkspaceId),
    /// TEAM memories bound to the team of this lead.
    Team(WorkspaceId),
    /// GLOBAL memories of the org of this root.
    Org(WorkspaceId),
    /// LOCAL memories with this label, of the workspace that uses the name.
    Custom(String),
}

/// A text that names no namespace.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`workspace:<id>`, `team:<lead id>`, `org:<root id>` or `custom:<label>`")]
pub struct UnknownNamespace;

impl Namespace {
    /// The namespace of a memory. TEAM memories that are bound to no team are in none: two teams read them.
    #[must_use]
    pub fn of(scope: Scope, team: Option<WorkspaceId>, author: WorkspaceId, label: &str) -> Option<Self> {
        match scope {
            Scope::Local if label == Self::UNLABELLED => Some(Self::Workspace(author)),
            Scope::Local => Some(Self::Custom(label.to_owned())),
            Scope::Team => team.map(Self::Team),
            Scope::Global => Some(Self::Org(author)),
        }
    }

    /// The label of memories whose commit gave none.
    pub const UNLABELLED: &'static str = "general";

    /// Whether a memory that `author` wrote is in this namespace. Labelled LOCAL memories are in two.
    #[must_use]
    pub fn contains(&self, scope: Scope, team: Option<WorkspaceId>, author: WorkspaceId, label: &str) -> bool {
        match self {
            Self::Workspace(id) => scope == Scope::Local && *id == author,
            Self::Custom(named) => scope == Scope::Local && named == label,
            Self::Team(lead) => scope == Scope::Team && team == Some(*lead),
            Self::Org(root) => scope == Scope::Global && *root == author,
        }
    }

    /// The scope of its memories.
    #[must_use]
    pub const fn scope(&self) -> Scope {
        match self {
            Self::Workspace(_) | Self::Custom(_) => Scope::Local,
            Self::Team(_) => Scope::Team,
            Self::Org(_) => Scope::Global,
        }
    }

    /// The team that its memories are bound to.
    #[must_use]
    pub const fn team(&self) -> Option<WorkspaceId> {
        match self {
            Self::Team(lead) => Some(*lead),
            Self::Workspace(_) | Self::Org(_) | Self::Custom(_) => None,
        }
    }

    /// The label of its memories, if the name has one.
    #[must_use]
    pub fn label(&self) -> Option<&str> {
        match self {
            Self::Custom(label) => Some(label),
            Self::Workspace(_) | Self::Team(_) | Self::Org(_) => None,
        }
    }

    /// The workspace in the name: itself, the lead of the team or the root of the org.
    #[must_use]
    pub const fn workspace(&self) -> Option<WorkspaceId> {
        match self {
            Self::Workspace(id) | Self::Team(id) | Self::Org(id) => Some(*id),
            Self::Custom(_) => None,
        }
    }

    /// The namespaces that `workspace` may currently write, the narrowest first; without the custom ones, which have no
    /// bound.
    #[must_use]
    pub fn writable(tree: &Tree, workspace: WorkspaceId) -> Vec<Self> {
        let all = Self::near(tree, workspace);
        all.into_iter().filter(|namespace| namespace.is_writable(tree, workspace)).collect()
    }

    /// The namespaces of which `workspace` may currently read memories under the settings of its default profile, the
    /// narrowest first; without the custom ones.
    #[must_use]
    pub fn readable(tree: &Tree, workspace: WorkspaceId, profile: &ProfileSettings) -> Vec<Self> {
        let all = Self::near(tree, workspace);
        all.into_iter().filter(|namespace| namespace.is_readable(tree, workspace, profile)).collect()
    }

    /// The namespaces that `workspace` can have a part in.
    fn near(tree: &Tree, workspace: WorkspaceId) -> Vec<Self> {
        let teams = tree.parent(workspace).into_iter().chain([workspace]).map(Self::Team);
        [Self::Workspace(workspace)].into_iter().chain(teams).chain([Self::Org(tree.root())]).collect()
    }

    /// Whether `workspace` may currently commit memories into it.
    #[must_use]
    pub fn is_writable(&self, tree: &Tree, workspace: WorkspaceId) -> bool {
        let is_own = match self {
            Self::Workspace(id) => *id == workspace,
            Self::Org(root) => *root == tree.root(),
            Self::Team(_) | Self::Custom(_) => true,
        };
        is_own && tree.write(workspace, self.scope(), self.team()).is_ok()
    }

    /// Whether a memory can exist in it that `workspace` may currently read: one of its own, or in its org one of the root.
    #[must_use]
    pub fn is_readable(&self, tree: &Tree, workspace: WorkspaceId, profile: &ProfileSettings) -> bool {
        let reads_org = |root: WorkspaceId| {
            root == tree.root() && tree.contains(workspace) && profile.permits(&Readable::Org(root))
        };
        self.is_writable(tree, workspace) || matches!(self, Self::Org(root) if reads_org(*root))
    }

    /// The refusal of a commit by `author`, with the namespaces that it may write. The same for a namespace of another
    /// workspace and of none.
    pub(crate) fn refused(&self, tree: &Tree, author: WorkspaceId) -> Forbidden {
        let rule = match self {
            Self::Workspace(_) => "only the workspace in its name writes it",
            Self::Team(_) => "only the lead of the team and its children write it",
            Self::Org(_) => "only the root of the org writes it",
            Self::Custom(_) => "the workspace is not in the tree",
        };
        let allowed: Vec<String> = Self::writable(tree, author).iter().map(|name| format!("`{name}`")).collect();
        Forbidden::Namespace { name: self.to_string(), rule, allowed: allowed.join(", ") }
    }
}

impl fmt::Display for Namespace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Workspace(id) => write!(f, "workspace:{id}"),
            Self::Team(lead) => write!(f, "team:{lead}"),
            Self::Org(root) => write!(f, "org:{root}"),
            Self::Custom(label) => write!(f, "custom:{label}"),
        }
    }
}

impl FromStr for Namespace {
    type Err = UnknownNamespace;

    fn from_str(text: &str) -> Result<Self, UnknownNamespace> {
        let (kind, rest) = text.split_once(':').ok_or(UnknownNamespace)?;
        let id = || Uuid::try_parse(rest).map(WorkspaceId::from).map_err(|_| UnknownNamespace);
        match kind {
            "workspace" => id().map(Self::Workspace),
            "team" => id().map(Self::Team),
            "org" => id().map(Self::Org),
            "custom" if !rest.trim().is_empty() => Ok(Self::Custom(rest.to_owned())),
            _ => Err(UnknownNamespace),
        }
    }
}
