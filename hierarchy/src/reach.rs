//! Whole sets: whom a workspace reads, and who reads a memory.

use crate::{Scope, Tree, Via, WorkspaceId};

/// One part of what a workspace can read: of one author, the memories of one kind of sharing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Readable {
    /// Every memory by this workspace, which is the reader.
    Own(WorkspaceId),
    /// The TEAM memories by `author` that name no team or name `lead`'s.
    Team {
        /// Who wrote them: the reader's parent, a child or a sibling.
        author: WorkspaceId,
        /// The one team that reader and author are both in.
        lead: WorkspaceId,
        /// What the author is to the reader.
        via: Via,
    },
    /// The GLOBAL memories by this root.
    Org(WorkspaceId),
}

impl Readable {
    /// Who wrote these memories.
    #[must_use]
    pub fn author(&self) -> WorkspaceId {
        match *self {
            Self::Own(author) | Self::Org(author) | Self::Team { author, .. } => author,
        }
    }

    /// By which way they are in reach.
    #[must_use]
    pub fn via(&self) -> Via {
        match *self {
            Self::Own(_) => Via::Itself,
            Self::Team { via, .. } => via,
            Self::Org(_) => Via::Org,
        }
    }

    /// Whether a memory by this author with `scope` and `team` is one of them.
    #[must_use]
    pub fn covers(&self, scope: Scope, team: Option<WorkspaceId>) -> bool {
        match *self {
            Self::Own(_) => true,
            Self::Team { lead, .. } => scope == Scope::Team && team.is_none_or(|named| named == lead),
            Self::Org(_) => scope == Scope::Global,
        }
    }
}

/// Everything a workspace can read now, in parts that do not overlap.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reach {
    reader: WorkspaceId,
    parts: Vec<Readable>,
}

impl Reach {
    /// Who reads.
    #[must_use]
    pub fn reader(&self) -> WorkspaceId {
        self.reader
    }

    /// The parts, the reader's own first and the org's last.
    #[must_use]
    pub fn parts(&self) -> &[Readable] {
        &self.parts
    }

    /// What is left of it when only `keep` is wanted. It can narrow a reach, never widen it.
    #[must_use]
    pub fn narrowed(mut self, keep: impl Fn(&Readable) -> bool) -> Self {
        self.parts.retain(keep);
        self
    }
}

/// Who can read one memory now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Audience {
    /// Everyone in the tree.
    WholeOrg,
    /// These workspaces, the author first.
    These(Vec<WorkspaceId>),
}

impl Tree {
    /// What `reader` can read now; none where it is not live in this tree.
    ///
    /// It says as a set what [`Tree::read`] says of one memory; a property holds the two together.
    ///
    /// # Complexity
    /// O(children of `reader` + children of its parent).
    ///
    /// # Source
    /// product.md, section 2.
    #[must_use]
    pub fn reach(&self, reader: WorkspaceId) -> Option<Reach> {
        if !self.contains(reader) {
            return None;
        }
        let parent = self.parent(reader);
        let team = |author, lead, via| Readable::Team { author, lead, via };
        let mut parts = vec![Readable::Own(reader)];
        parts.extend(parent.map(|parent| team(parent, parent, Via::Parent)));
        parts.extend(self.children(reader).map(|child| team(child, reader, Via::Child)));
        if let Some(parent) = parent {
            parts.extend(self.siblings(reader).map(|sibling| team(sibling, parent, Via::Sibling)));
            parts.push(Readable::Org(self.root()));
        }
        Some(Reach { reader, parts })
    }

    /// Who can read now what `author` wrote with `scope` and `team`; none where the author is not live here.
    ///
    /// # Complexity
    /// O(children of `author` + children of its parent).
    #[must_use]
    pub fn audience(&self, author: WorkspaceId, scope: Scope, team: Option<WorkspaceId>) -> Option<Audience> {
        if !self.contains(author) {
            return None;
        }
        let mut who = vec![author];
        match scope {
            Scope::Local => {}
            Scope::Global => return Some(Audience::WholeOrg),
            Scope::Team => {
                let parent = self.parent(author);
                if team.is_none() || team == parent {
                    who.extend(parent);
                    who.extend(self.siblings(author));
                }
                if team.is_none_or(|lead| lead == author) {
                    who.extend(self.children(author));
                }
            }
        }
        Some(Audience::These(who))
    }
}
