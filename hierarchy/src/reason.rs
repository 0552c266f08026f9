//! Why a decision was taken, as a value; the sentence is made where the names are known.

use crate::WorkspaceId;

/// Why something may or may not be read or written.
///
/// Source: product.md, section 2.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reason {
    /// Reading or writing as oneself.
    Itself,
    /// TEAM: the author is the reader's parent.
    ChildOf(WorkspaceId),
    /// TEAM: the author is the reader's child.
    ParentOf(WorkspaceId),
    /// TEAM: reader and author share this parent.
    SiblingUnder(WorkspaceId),
    /// TEAM with a named team: the reader leads it or is a member of it.
    InTeamOf(WorkspaceId),
    /// GLOBAL: written by the root of the tree they share.
    SameOrg(WorkspaceId),
    /// GLOBAL may be written: it is the root.
    IsRoot,

    /// Refused: LOCAL is read by its author alone.
    LocalTo(WorkspaceId),
    /// Refused: TEAM, and the author is neither parent, child nor sibling.
    NotNear(WorkspaceId),
    /// Refused: bound to a team that the reader is not in.
    NotInTeamOf(WorkspaceId),
    /// Refused: bound to the team of a former parent of the author.
    AuthorLeftTeamOf(WorkspaceId),
    /// Refused: the two are not in the same tree, or one of them is not live.
    NotInSameTree,
    /// Refused: only the root, named here, writes GLOBAL.
    OnlyRootWritesGlobal(WorkspaceId),
    /// Refused: a team was given with a scope other than TEAM.
    TeamNeedsTeamScope,
    /// Refused: the team given is neither the author's own nor its parent's.
    TeamNotOwn(WorkspaceId),
}

impl Reason {
    /// The sentence a person reads, with `name` telling what a workspace is called. Lower case, without a full stop.
    pub fn say(self, name: impl Fn(WorkspaceId) -> String) -> String {
        match self {
            Self::Itself => "the workspace itself".into(),
            Self::ChildOf(parent) => format!("child of {}", name(parent)),
            Self::ParentOf(child) => format!("parent of {}", name(child)),
            Self::SiblingUnder(parent) => format!("sibling under {}", name(parent)),
            Self::InTeamOf(lead) => format!("in the team of {}", name(lead)),
            Self::SameOrg(root) => format!("GLOBAL in the org of {}", name(root)),
            Self::IsRoot => "the root writes GLOBAL".into(),
            Self::LocalTo(author) => format!("LOCAL is read by its author, {}, alone", name(author)),
            Self::NotNear(author) => {
                format!("TEAM is read by parent, children and siblings; {} is none of these", name(author))
            }
            Self::NotInTeamOf(lead) => format!("bound to the team of {}, which it is not in", name(lead)),
            Self::AuthorLeftTeamOf(lead) => {
                format!("bound to the team of {}, which its author has left", name(lead))
            }
            Self::NotInSameTree => "different tree".into(),
            Self::OnlyRootWritesGlobal(root) => {
                format!("only a root writes GLOBAL; that is {} here, others may write TEAM or LOCAL", name(root))
            }
            Self::TeamNeedsTeamScope => "`team` goes with scope `TEAM` alone".into(),
            Self::TeamNotOwn(lead) => {
                format!("`team` is the author itself or its parent; {} is neither", name(lead))
            }
        }
    }

    /// The workspace that the sentence names, if it names one.
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

    /// The same for a log or a test, with bare ids.
    #[must_use]
    pub fn plain(self) -> String {
        self.say(|workspace| workspace.to_string())
    }
}
