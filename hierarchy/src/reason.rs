//! Reasons of decisions as values. Callers that know the workspaces' names turn them into sentences.

use crate::WorkspaceId;

/// Why a read or write is permitted or refused.
///
/// Source: `docs/spec/tree.md`, "Reasons".
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reason {
    /// A workspace reads or writes its own memories.
    Itself,
    /// TEAM: the author is the reader's parent.
    ChildOf(WorkspaceId),
    /// TEAM: the author is the reader's child.
    ParentOf(WorkspaceId),
    /// TEAM: reader and author share this parent.
    SiblingUnder(WorkspaceId),
    /// TEAM with a bound team: the reader leads it or is a member.
    InTeamOf(WorkspaceId),
    /// GLOBAL: the author is the root of the reader's tree.
    SameOrg(WorkspaceId),
    /// GLOBAL may be written: the writer is the root.
    IsRoot,

    /// Refused: only the author reads LOCAL.
    LocalTo(WorkspaceId),
    /// Refused: TEAM, and the author is not the parent, a child or a sibling.
    NotNear(WorkspaceId),
    /// Refused: bound to a team that the reader is not in.
    NotInTeamOf(WorkspaceId),
    /// Refused: bound to the team of a former parent of the author.
    AuthorLeftTeamOf(WorkspaceId),
    /// Refused: the workspaces are in different trees, or one is not live.
    NotInSameTree,
    /// Refused: only this root writes GLOBAL.
    OnlyRootWritesGlobal(WorkspaceId),
    /// Refused: a team was given with a scope other than TEAM.
    TeamNeedsTeamScope,
    /// Refused: the team is neither the author's own nor its parent's.
    TeamNotOwn(WorkspaceId),
}

impl Reason {
    /// The reason as a sentence in lower case without a full stop; `name` resolves the names of workspaces.
    pub fn say(self, name: impl Fn(WorkspaceId) -> String) -> String {
        match self {
            Self::Itself => "the workspace itself".into(),
            Self::ChildOf(parent) => format!("child of {}", name(parent)),
            Self::ParentOf(child) => format!("parent of {}", name(child)),
            Self::SiblingUnder(parent) => format!("sibling under {}", name(parent)),
            Self::InTeamOf(lead) => format!("in the team of {}", name(lead)),
            Self::SameOrg(root) => format!("GLOBAL in the org of {}", name(root)),
            Self::IsRoot => "the root writes GLOBAL".into(),
            Self::LocalTo(author) => format!("only its author, {}, reads LOCAL", name(author)),
            Self::NotNear(author) => {
                format!("only parent, children and siblings read TEAM; {} is not one of them", name(author))
            }
            Self::NotInTeamOf(lead) => format!("bound to the team of {}, which it is not in", name(lead)),
            Self::AuthorLeftTeamOf(lead) => {
                format!("bound to the team of {}, which its author has left", name(lead))
            }
            Self::NotInSameTree => "different tree".into(),
            Self::OnlyRootWritesGlobal(root) => {
                format!("only a root writes GLOBAL; that is {} here, others may write TEAM or LOCAL", name(root))
            }
            Self::TeamNeedsTeamScope => "`team` needs scope `TEAM`".into(),
            Self::TeamNotOwn(lead) => {
                format!("`team` is the author itself or its parent; {} is neither", name(lead))
            }
        }
    }

    /// The workspace whose name the sentence needs.
    #[must_use]
    pub const fn about(self) -> Option<WorkspaceId> {
        match self {
            Self::ChildOf(id)
            | Self::ParentOf(id)
            | Self::SiblingUnder(id)
            | Self::InTeamOf(id)
            | Self::SameOrg(id)
            | Self::LocalTo(id)
            | Self::NotNear(id)
            | Self::NotInTeamOf(id)
            | Self::AuthorLeftTeamOf(id)
            | Self::OnlyRootWritesGlobal(id)
            | Self::TeamNotOwn(id) => Some(id),
            Self::Itself | Self::IsRoot | Self::NotInSameTree | Self::TeamNeedsTeamScope => None,
        }
    }

    /// The sentence with ids instead of names, for logs and tests.
    #[must_use]
    pub fn plain(self) -> String {
        self.say(|workspace| workspace.to_string())
    }
}
