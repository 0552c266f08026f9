//! The rules of reading and writing. All decisions on visibility are made here.

use crate::{Reason, Relation, Scope, Tree, Via, WorkspaceId};

/// A permitted read with its reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Grant {
    /// How the memory is in reach.
    pub via: Via,
    /// The rule that permits the read.
    pub reason: Reason,
}

impl Grant {
    const fn new(via: Via, reason: Reason) -> Self {
        Self { via, reason }
    }
}

impl Tree {
    /// Whether `reader` may currently read memories by `author` with `scope` and, for TEAM, `team`.
    ///
    /// # Errors
    /// The [`Reason`] of the refusal.
    ///
    /// # Complexity
    /// O(1): two look-ups, and a third for the shared parent of siblings.
    ///
    /// # Source
    /// `docs/spec/tree.md`, "Reach".
    pub fn read(
        &self,
        reader: WorkspaceId,
        author: WorkspaceId,
        scope: Scope,
        team: Option<WorkspaceId>,
    ) -> Result<Grant, Reason> {
        let near = self.near_relation(reader, author).ok_or(Reason::NotInSameTree)?;
        match (scope, near) {
            (_, Some(Relation::Itself)) => Ok(Grant::new(Via::Itself, Reason::Itself)),
            (Scope::Local, _) => Err(Reason::LocalTo(author)),
            (Scope::Global, _) => Ok(Grant::new(Via::Org, Reason::SameOrg(self.root()))),
            (Scope::Team, near) => match team {
                None => self.read_team(reader, author, near).ok_or(Reason::NotNear(author)),
                Some(lead) => self.read_bound(author, near, lead),
            },
        }
    }

    fn read_team(&self, reader: WorkspaceId, author: WorkspaceId, near: Option<Relation>) -> Option<Grant> {
        match near? {
            Relation::Parent => Some(Grant::new(Via::Parent, Reason::ChildOf(author))),
            Relation::Child => Some(Grant::new(Via::Child, Reason::ParentOf(author))),
            Relation::Sibling => {
                self.parent(reader).map(|parent| Grant::new(Via::Sibling, Reason::SiblingUnder(parent)))
            }
            Relation::Itself | Relation::Ancestor | Relation::Descendant | Relation::Distant => None,
        }
    }

    /// TEAM bound to `lead`, written by another workspace. The current tree decides who is in that team.
    fn read_bound(&self, author: WorkspaceId, near: Option<Relation>, lead: WorkspaceId) -> Result<Grant, Reason> {
        let author_leads = lead == author;
        if !author_leads && self.parent(author) != Some(lead) {
            return Err(Reason::AuthorLeftTeamOf(lead));
        }
        match near {
            // the author leads the team and the reader is a member
            Some(Relation::Parent) if author_leads => Ok(Grant::new(Via::Parent, Reason::InTeamOf(lead))),
            // the reader leads the team and the author is a member
            Some(Relation::Child) if !author_leads => Ok(Grant::new(Via::Child, Reason::InTeamOf(lead))),
            // both are members
            Some(Relation::Sibling) if !author_leads => Ok(Grant::new(Via::Sibling, Reason::InTeamOf(lead))),
            _ => Err(Reason::NotInTeamOf(lead)),
        }
    }

    /// Whether `author` may currently write with `scope` and, for TEAM, `team`.
    ///
    /// # Errors
    /// The [`Reason`] of the refusal.
    ///
    /// # Source
    /// `docs/spec/tree.md`, "Writing".
    pub fn write(&self, author: WorkspaceId, scope: Scope, team: Option<WorkspaceId>) -> Result<Reason, Reason> {
        if !self.contains(author) {
            return Err(Reason::NotInSameTree);
        }
        match (scope, team) {
            (Scope::Local | Scope::Global, Some(_)) => Err(Reason::TeamNeedsTeamScope),
            (Scope::Local, None) | (Scope::Team, None) => Ok(Reason::Itself),
            (Scope::Team, Some(lead)) if lead == author || self.parent(author) == Some(lead) => {
                Ok(Reason::InTeamOf(lead))
            }
            (Scope::Team, Some(lead)) => Err(Reason::TeamNotOwn(lead)),
            (Scope::Global, None) if author == self.root() => Ok(Reason::IsRoot),
            (Scope::Global, None) => Err(Reason::OnlyRootWritesGlobal(self.root())),
        }
    }
}
