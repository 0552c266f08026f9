//! How two workspaces of one tree stand to each other.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::{Tree, WorkspaceId};

/// What the author is to the reader.
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
    /// The author is above the reader's parent.
    Ancestor,
    /// The author is below one of the reader's children.
    Descendant,
    /// Neither is above the other, and they do not share a parent.
    Distant,
}

/// By which way a memory is in a reader's reach; the wire's `via`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema, schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Via {
    /// The reader wrote it.
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

impl fmt::Display for Via {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl Tree {
    /// What `author` is to `reader`; none where either is not live in this tree.
    ///
    /// # Complexity
    /// O(1) for the near relations, O(depth) for the far ones.
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

    /// The relations that TEAM is made of: two look-ups. The outer none says that one of the
    /// two is not live here, the inner that they are not near.
    pub(crate) fn near_relation(&self, reader: WorkspaceId, author: WorkspaceId) -> Option<Option<Relation>> {
        let (reader, author) = (self.place(reader)?, self.place(author)?);
        Some(if reader.at == author.at {
            Some(Relation::Itself)
        } else if reader.above == author.at {
            Some(Relation::Parent)
        } else if author.above == reader.at {
            Some(Relation::Child)
        } else if reader.above == author.above {
            // both are someone's child: there is only one root
            Some(Relation::Sibling)
        } else {
            None
        })
    }
}
