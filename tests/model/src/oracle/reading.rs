//! Who reads and writes what: the table of product.md, section 2, and the paragraph below it.

use uuid::Uuid;

use super::{Memory, Oracle, Scope};

/// What the author of a memory is to the one who reads it; the wire's `via`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Via {
    /// The reader itself.
    Itself,
    /// The reader's parent.
    Parent,
    /// A child of the reader.
    Child,
    /// Another child of the reader's parent.
    Sibling,
    /// The root, of what it shares with everybody.
    Org,
}

impl Via {
    /// The word on the wire.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Itself => "self",
            Self::Parent => "parent",
            Self::Child => "child",
            Self::Sibling => "sibling",
            Self::Org => "org",
        }
    }
}

impl Oracle {
    /// Whether `reader` can read now a memory that `author` shares so.
    #[must_use]
    pub fn can_read(&self, reader: Uuid, author: Uuid, scope: Scope, team: Option<Uuid>) -> bool {
        let (w, o) = (reader, author);
        let by_scope = match (scope, team) {
            (Scope::Local, _) => w == o,
            (Scope::Team, None) => {
                w == o || self.parent(o) == Some(w) || self.parent(w) == Some(o) || self.share_a_parent(w, o)
            }
            (Scope::Team, Some(l)) if l == o || self.parent(o) == Some(l) => w == o || self.is_in_team(w, l),
            // bound to the team of a former parent: the author alone
            (Scope::Team, Some(_)) => w == o,
            (Scope::Global, _) => true,
        };
        by_scope && self.same_tree(w, o)
    }

    /// Whether `reader` can read `memory` now.
    #[must_use]
    pub fn can_read_memory(&self, reader: Uuid, memory: &Memory) -> bool {
        self.can_read(reader, memory.author, memory.scope, memory.team)
    }

    /// What the author is to a reader who can read the memory; none for one who cannot.
    #[must_use]
    pub fn via(&self, reader: Uuid, author: Uuid, scope: Scope, team: Option<Uuid>) -> Option<Via> {
        self.can_read(reader, author, scope, team).then(|| match scope {
            _ if reader == author => Via::Itself,
            Scope::Global => Via::Org,
            _ if self.parent(reader) == Some(author) => Via::Parent,
            _ if self.parent(author) == Some(reader) => Via::Child,
            _ => Via::Sibling,
        })
    }

    /// Whether `author` may write now with this scope and team.
    #[must_use]
    pub fn can_write(&self, author: Uuid, scope: Scope, team: Option<Uuid>) -> bool {
        let scope_allowed = scope != Scope::Global || self.root(author) == Some(author);
        let team_allowed = match team {
            None => true,
            Some(l) => scope == Scope::Team && (l == author || self.parent(author) == Some(l)),
        };
        self.is_live(author) && scope_allowed && team_allowed
    }

    /// The workspaces whose memories of `scope`, bound to no team, `reader` can read now; only the root has GLOBAL ones.
    #[must_use]
    pub fn reach(&self, reader: Uuid, scope: Scope) -> Vec<Uuid> {
        let has_some = |&author: &Uuid| self.can_write(author, scope, None);
        self.live().into_iter().filter(has_some).filter(|&author| self.can_read(reader, author, scope, None)).collect()
    }

    /// The workspaces that can read now what `author` shares so.
    #[must_use]
    pub fn audience(&self, author: Uuid, scope: Scope, team: Option<Uuid>) -> Vec<Uuid> {
        self.live().into_iter().filter(|&reader| self.can_read(reader, author, scope, team)).collect()
    }

    /// Every memory committed so far, oldest first, whoever may read it.
    #[must_use]
    pub fn memories(&self) -> &[Memory] {
        &self.memories
    }

    /// The memories that `reader` can read now, oldest first.
    #[must_use]
    pub fn memories_read_by(&self, reader: Uuid) -> Vec<&Memory> {
        self.memories.iter().filter(|memory| self.can_read_memory(reader, memory)).collect()
    }

    /// Whether the platform's `check-access` allows it: self, siblings, ancestor and descendant of one tree.
    ///
    /// Source: product.md, section 4.11.
    #[must_use]
    pub fn check_access(&self, caller: Uuid, target: Uuid) -> bool {
        self.same_tree(caller, target)
            && (caller == target
                || self.share_a_parent(caller, target)
                || self.is_below(caller, target)
                || self.is_below(target, caller))
    }

    fn share_a_parent(&self, one: Uuid, other: Uuid) -> bool {
        self.parent(one).is_some() && self.parent(one) == self.parent(other)
    }

    /// The team of L is the lead L and L's direct children.
    fn is_in_team(&self, workspace: Uuid, lead: Uuid) -> bool {
        workspace == lead || self.parent(workspace) == Some(lead)
    }
}
