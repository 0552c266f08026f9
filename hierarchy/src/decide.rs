//! The rules of reading and writing. Everything else in orgmem that speaks of visibility asks here.

use crate::{Reason, Relation, Scope, Tree, Via, WorkspaceId};

/// A reading that is allowed: by which way, and why.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Grant {
    /// The way it came into reach.
    pub via: Via,
    /// Why it is in reach.
    pub reason: Reason,
}

impl Grant {
    const fn new(via: Via, reason: Reason) -> Self {
        Self { via, reason }
    }
}

impl Tree {
    /// Whether `reader` can read now what `author` wrote with `scope` and, for TEAM, `team`.
    ///
    /// # Errors
    /// The [`Reason`] why not.
    ///
    /// # Complexity
    /// O(1): two look-ups, and a third for the parent that siblings share.
    ///
    /// # Source
    /// product.md, section 2, the table.
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

    /// TEAM bound to `lead`, by another workspace. Who stays in that team is decided by the tree as it is now.
    fn read_bound(&self, author: WorkspaceId, near: Option<Relation>, lead: WorkspaceId) -> Result<Grant, Reason> {
        let author_leads = lead == author;
        if !author_leads && self.parent(author) != Some(lead) {
            return Err(Reason::AuthorLeftTeamOf(lead));
        }
        match near {
            // the reader is in the team that the author leads
            Some(Relation::Parent) if author_leads => Ok(Grant::new(Via::Parent, Reason::InTeamOf(lead))),
            // the reader leads the team that the author is a member of
            Some(Relation::Child) if !author_leads => Ok(Grant::new(Via::Child, Reason::InTeamOf(lead))),
            // both are members of it
            Some(Relation::Sibling) if !author_leads => Ok(Grant::new(Via::Sibling, Reason::InTeamOf(lead))),
            _ => Err(Reason::NotInTeamOf(lead)),
        }
    }

    /// Whether `author` may write now with `scope` and, for TEAM, `team`.
    ///
    /// # Errors
    /// The [`Reason`] why not.
    ///
    /// # Source
    /// product.md, section 2, "Writing".
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
