//! Relations between two workspaces of one tree.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::{Tree, WorkspaceId};

/// Relation of the author to the reader.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema, schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Relation {
    /// They are the same workspace.
    Itself,
    /// The author is the reader's parent.
    Parent,
    /// The author is the reader's child.
    Child,
    /// They share a parent.
    Sibling,
    /// The author is a higher ancestor than the reader's parent.
    Ancestor,
    /// The author is a descendant of one of the reader's children.
    Descendant,
    /// Any other position in the same tree.
    Distant,
}

/// How a memory is in reach; the JSON field `via`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema, schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Via {
    /// Written by the reader itself.
    #[serde(rename = "self")]
    Itself,
    /// TEAM, by the reader's parent.
    Parent,
    /// TEAM, by a child of the reader.
    Child,
    /// TEAM, by a sibling of the reader.
    Sibling,
    /// GLOBAL, by the root.
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

impl fmt::Display for Via {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl Tree {
    /// Relation of `author` to `reader`; `None` if either is not live in this tree.
    ///
    /// # Complexity
    /// O(1) within a team, O(depth) otherwise.
    #[must_use]
    pub fn relation(&self, reader: WorkspaceId, author: WorkspaceId) -> Option<Relation> {
        if let Some(near) = self.near_relation(reader, author)? {
            return Some(near);
        }
        Some(if self.is_within(reader, author) {
            Relation::Ancestor
        } else if self.is_within(author, reader) {
            Relation::Descendant
        } else {
            Relation::Distant
        })
    }

    /// The relations within a team, by two look-ups. The outer `None` means that a workspace is not live here, the
    /// inner one that the two are not near.
    pub(crate) fn near_relation(&self, reader: WorkspaceId, author: WorkspaceId) -> Option<Option<Relation>> {
        let (reader, author) = (self.place(reader)?, self.place(author)?);
        Some(if reader.at == author.at {
            Some(Relation::Itself)
        } else if reader.above == author.at {
            Some(Relation::Parent)
        } else if author.above == reader.at {
            Some(Relation::Child)
        } else if reader.above == author.above {
            // both have a parent, since there is only one root
            Some(Relation::Sibling)
        } else {
            None
        })
    }
}
