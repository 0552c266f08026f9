//! The rules of reading and writing: `docs/spec/tree.md`, "Reach" and "Writing".

use uuid::Uuid;

use super::{Memory, Oracle, Scope};

/// Relation of the author to the reader; the JSON field `via`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Via {
    /// The reader itself.
    Itself,
    /// The reader's parent.
    Parent,
    /// A child of the reader.
    Child,
    /// A sibling of the reader.
    Sibling,
    /// The root, for GLOBAL memories.
    Org,
}

impl Via {
    /// The name in JSON.
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
    /// Whether `reader` can currently read memories that `author` shares with `scope` and `team`.
    #[must_use]
    pub fn can_read(&self, reader: Uuid, author: Uuid, scope: Scope, team: Option<Uuid>) -> bool {
        let (w, o) = (reader, author);
        let by_scope = match (scope, team) {
            (Scope::Local, _) => w == o,
            (Scope::Team, None) => {
                w == o || self.parent(o) == Some(w) || self.parent(w) == Some(o) || self.share_a_parent(w, o)
            }
            (Scope::Team, Some(l)) if l == o || self.parent(o) == Some(l) => w == o || self.is_in_team(w, l),
            // bound to the team of a former parent: only the author reads it
            (Scope::Team, Some(_)) => w == o,
            (Scope::Global, _) => true,
        };
        by_scope && self.same_tree(w, o)
    }

    /// Whether `reader` can currently read `memory`.
    #[must_use]
    pub fn can_read_memory(&self, reader: Uuid, memory: &Memory) -> bool {
        self.can_read(reader, memory.author, memory.scope, memory.team)
    }

    /// Relation of the author to the reader; `None` if the reader cannot read the memory.
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

    /// Whether `author` may currently write with this scope and team.
    #[must_use]
    pub fn can_write(&self, author: Uuid, scope: Scope, team: Option<Uuid>) -> bool {
        let scope_allowed = scope != Scope::Global || self.root(author) == Some(author);
        let team_allowed = match team {
            None => true,
            Some(l) => scope == Scope::Team && (l == author || self.parent(author) == Some(l)),
        };
        self.is_live(author) && scope_allowed && team_allowed
    }

    /// The authors whose memories of `scope` without a bound team `reader` can currently read; GLOBAL has only the
    /// root.
    #[must_use]
    pub fn reach(&self, reader: Uuid, scope: Scope) -> Vec<Uuid> {
        let has_some = |&author: &Uuid| self.can_write(author, scope, None);
        self.live().into_iter().filter(has_some).filter(|&author| self.can_read(reader, author, scope, None)).collect()
    }

    /// The current readers of memories that `author` shares with `scope` and `team`.
    #[must_use]
    pub fn audience(&self, author: Uuid, scope: Scope, team: Option<Uuid>) -> Vec<Uuid> {
        self.live().into_iter().filter(|&reader| self.can_read(reader, author, scope, team)).collect()
    }

    /// All committed memories, oldest first, for any reader.
    #[must_use]
    pub fn memories(&self) -> &[Memory] {
        &self.memories
    }

    /// The memories that `reader` can currently read, oldest first.
    #[must_use]
    pub fn memories_read_by(&self, reader: Uuid) -> Vec<&Memory> {
        self.memories.iter().filter(|memory| self.can_read_memory(reader, memory)).collect()
    }

    /// Whether `check-access` permits it: the workspace itself, siblings, ancestors and descendants of one tree.
    ///
    /// Source: `docs/spec/clients.md`, "Access check".
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

    /// The team of a leader consists of the leader and its children.
    fn is_in_team(&self, workspace: Uuid, lead: Uuid) -> bool {
        workspace == lead || self.parent(workspace) == Some(lead)
    }
}
