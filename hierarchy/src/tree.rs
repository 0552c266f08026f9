//! The tree of one org. The indices of petgraph are private to this crate.

use std::collections::HashMap;
use std::fmt;

use foldhash::fast::RandomState;
use petgraph::Direction::{Incoming, Outgoing};
use petgraph::stable_graph::{NodeIndex, StableDiGraph};

use crate::{OrgId, WorkspaceId};

/// The live workspaces of one org.
///
/// Look-ups and steps to the parent take constant time. Callers choose ids, so the hash table has a random seed in
/// every process.
///
/// Source: `docs/spec/tree.md`.
#[derive(Clone)]
pub struct Tree {
    pub(crate) org: OrgId,
    // INVARIANT: every node except the root has exactly one incoming edge, from its parent; all are connected to the root
    // INVARIANT: every node stores the number of its descendants
    pub(crate) graph: StableDiGraph<Node, ()>,
    // INVARIANT: contains every node, with the source of its incoming edge
    pub(crate) index: HashMap<WorkspaceId, NodeLinks, RandomState>,
}

/// A node of the graph.
#[derive(Clone, Copy)]
pub(crate) struct Node {
    pub(crate) id: WorkspaceId,
    /// Number of descendants. Every row of a workspace in a response contains it, and counting would take linear time.
    pub(crate) below: u32,
}

/// Index of a workspace and of its parent. Finding the parent in the graph would need two more memory accesses; every
/// read of a memory decides on two workspaces, which this reduces to two look-ups.
#[derive(Clone, Copy)]
pub(crate) struct NodeLinks {
    pub(crate) at: NodeIndex,
    /// [`NodeIndex::end`] for the root: half the size of an option.
    pub(crate) above: NodeIndex,
}

impl Tree {
    /// The org of this tree.
    #[must_use]
    pub fn org(&self) -> OrgId {
        self.org
    }

    /// The root, which is live as long as the org is.
    #[must_use]
    pub fn root(&self) -> WorkspaceId {
        self.org.root()
    }

    /// Number of live workspaces; 0 after the removal of the root.
    #[must_use]
    pub fn len(&self) -> usize {
        self.index.len()
    }

    /// Whether the org has no live workspace.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.index.is_empty()
    }

    /// Whether `workspace` is live in this tree.
    #[must_use]
    pub fn contains(&self, workspace: WorkspaceId) -> bool {
        self.index.contains_key(&workspace)
    }

    /// The parent of a live workspace; `None` for the root and for workspaces that are not live here.
    #[must_use]
    pub fn parent(&self, workspace: WorkspaceId) -> Option<WorkspaceId> {
        self.graph.node_weight(self.place(workspace)?.above).map(|node| node.id)
    }

    /// The children of a workspace, in no particular order.
    pub fn children(&self, workspace: WorkspaceId) -> impl Iterator<Item = WorkspaceId> + '_ {
        self.at(workspace).into_iter().flat_map(|at| self.children_at(at)).map(|at| self.graph[at].id)
    }

    /// The number of children.
    #[must_use]
    pub fn child_count(&self, workspace: WorkspaceId) -> usize {
        self.children(workspace).count()
    }

    /// The siblings of a workspace, in no particular order.
    pub fn siblings(&self, workspace: WorkspaceId) -> impl Iterator<Item = WorkspaceId> + '_ {
        let parent = self.parent(workspace);
        parent.into_iter().flat_map(|parent| self.children(parent)).filter(move |&other| other != workspace)
    }

    /// All live workspaces, in no particular order.
    pub fn workspaces(&self) -> impl Iterator<Item = WorkspaceId> + '_ {
        self.graph.node_weights().map(|node| node.id)
    }

    pub(crate) fn place(&self, workspace: WorkspaceId) -> Option<NodeLinks> {
        self.index.get(&workspace).copied()
    }

    pub(crate) fn at(&self, workspace: WorkspaceId) -> Option<NodeIndex> {
        self.place(workspace).map(|place| place.at)
    }

    pub(crate) fn parent_at(&self, at: NodeIndex) -> Option<NodeIndex> {
        self.graph.neighbors_directed(at, Incoming).next()
    }

    pub(crate) fn children_at(&self, at: NodeIndex) -> impl Iterator<Item = NodeIndex> + '_ {
        self.graph.neighbors_directed(at, Outgoing)
    }
}

impl fmt::Debug for Tree {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "tree of {:?}, {} workspaces", self.org, self.len())
    }
}
