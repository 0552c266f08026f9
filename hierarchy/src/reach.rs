//! Reach and audience as sets.

use crate::{Scope, Tree, Via, WorkspaceId};

/// A part of a reach: the memories of one author shared in one way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Readable {
    /// All memories of the reader itself.
    Own(WorkspaceId),
    /// TEAM memories by `author` that name no team or the team of `lead`.
    Team {
        /// The author: the reader's parent, a child or a sibling.
        author: WorkspaceId,
        /// The only team that contains both reader and author.
        lead: WorkspaceId,
        /// Relation of the author to the reader.
        via: Via,
    },
    /// GLOBAL memories of this root.
    Org(WorkspaceId),
}

impl Readable {
    /// The author of these memories.
    #[must_use]
    pub fn author(&self) -> WorkspaceId {
        match *self {
            Self::Own(author) | Self::Org(author) | Self::Team { author, .. } => author,
        }
    }

    /// How they are in reach.
    #[must_use]
    pub fn via(&self) -> Via {
        match *self {
            Self::Own(_) => Via::Itself,
            Self::Team { via, .. } => via,
            Self::Org(_) => Via::Org,
        }
    }

    /// Whether the part contains memories of this author with `scope` and `team`.
    #[must_use]
    pub fn covers(&self, scope: Scope, team: Option<WorkspaceId>) -> bool {
        match *self {
            Self::Own(_) => true,
            Self::Team { lead, .. } => scope == Scope::Team && team.is_none_or(|named| named == lead),
            Self::Org(_) => scope == Scope::Global,
        }
    }
}

/// Everything that a workspace can currently read, in disjoint parts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reach {
    reader: WorkspaceId,
    parts: Vec<Readable>,
}

impl Reach {
    /// The reading workspace.
    #[must_use]
    pub fn reader(&self) -> WorkspaceId {
        self.reader
    }

    /// The parts, the reader's own first and GLOBAL last.
    #[must_use]
    pub fn parts(&self) -> &[Readable] {
        &self.parts
    }

    /// The reach restricted to the parts that satisfy `keep`.
    #[must_use]
    pub fn narrowed(mut self, keep: impl Fn(&Readable) -> bool) -> Self {
        self.parts.retain(keep);
        self
    }
}

/// The current readers of one memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Audience {
    /// The whole tree.
    WholeOrg,
    /// These workspaces, the author first.
    These(Vec<WorkspaceId>),
}

impl Tree {
    /// The current reach of `reader`; `None` if it is not live in this tree.
    ///
    /// Consistent with [`Tree::read`]; a property test compares the two.
    ///
    /// # Complexity
    /// O(children of `reader` + children of its parent).
    ///
    /// # Source
    /// `docs/spec/tree.md`, "Reach".
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

    /// All memories of the subtree of `top`, and the current reach of `top` outside of it: the union of the reaches of the
    /// subtree's workspaces. `None` if `top` is not live in this tree.
    ///
    /// # Complexity
    /// O(subtree of `top` + children of its parent).
    ///
    /// # Source
    /// `docs/spec/search.md`, "Search over workspaces".
    #[must_use]
    pub fn subtree_reach(&self, top: WorkspaceId) -> Option<Reach> {
        let own = self.reach(top)?;
        let inside = self.subtree(top).map(|(id, _)| Readable::Own(id));
        let outside = own.parts.into_iter().filter(|part| !matches!(part.via(), Via::Itself | Via::Child));
        Some(Reach { reader: top, parts: inside.chain(outside).collect() })
    }

    /// The memories of these workspaces themselves, for a reader above them: nothing of their teams and of the org. Workspaces
    /// that are not live in this tree, and repeated ones, are omitted. `None` if `top` is not live.
    ///
    /// # Complexity
    /// O(`authors`).
    ///
    /// # Source
    /// `docs/spec/plugin.md`, "Search".
    #[must_use]
    pub fn own_reach(&self, top: WorkspaceId, authors: &[WorkspaceId]) -> Option<Reach> {
        if !self.contains(top) {
            return None;
        }
        let mut live: Vec<WorkspaceId> = authors.iter().copied().filter(|author| self.contains(*author)).collect();
        live.sort_unstable();
        live.dedup();
        Some(Reach { reader: top, parts: live.into_iter().map(Readable::Own).collect() })
    }

    /// The current readers of memories by `author` with `scope` and `team`; `None` if the author is not live in this
    /// tree.
    ///
    /// # Complexity
    /// O(children of `author` + children of its parent).
    #[must_use]
    pub fn audience(&self, author: WorkspaceId, scope: Scope, team: Option<WorkspaceId>) -> Option<Audience> {
        if !self.contains(author) {
            return None;
        }
        let mut readers = vec![author];
        match scope {
            Scope::Local => {}
            Scope::Global => return Some(Audience::WholeOrg),
            Scope::Team => {
                let parent = self.parent(author);
                if team.is_none() || team == parent {
                    readers.extend(parent);
                    readers.extend(self.siblings(author));
                }
                if team.is_none_or(|lead| lead == author) {
                    readers.extend(self.children(author));
                }
            }
        }
        Some(Audience::These(readers))
    }
}
