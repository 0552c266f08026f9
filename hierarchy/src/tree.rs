//! One org's tree: who is the parent of whom. The indices of petgraph stay inside this module and its siblings.

use std::collections::HashMap;
use std::fmt;

use foldhash::fast::RandomState;
use petgraph::Direction::{Incoming, Outgoing};
use petgraph::stable_graph::{NodeIndex, StableDiGraph};

use crate::{OrgId, WorkspaceId};

/// The live workspaces of one org and how they hang together.
///
/// A removed workspace is not in it. Looking a workspace up and stepping to its parent cost the same at every size;
/// ids come from outside, so the table is keyed afresh in every process.
///
/// Source: product.md, section 2.
#[derive(Clone)]
pub struct Tree {
    pub(crate) org: OrgId,
    // INVARIANT: every node but the root has exactly one incoming edge, from its parent; all reach the root
    // INVARIANT: every node counts those that are below it
    pub(crate) graph: StableDiGraph<Node, ()>,
    // INVARIANT: holds every node, with the source of its incoming edge
    pub(crate) index: HashMap<WorkspaceId, NodeLinks, RandomState>,
}

/// A workspace in the graph.
#[derive(Clone, Copy)]
pub(crate) struct Node {
    pub(crate) id: WorkspaceId,
    /// How many are below it: every row of a workspace tells, and counting them anew costs as much as there are.
    pub(crate) below: u32,
}

/// Where a workspace is in the graph, and where its parent is. The graph knows the parent too, but finding it there means
/// two more places in memory; who is near whom is decided for every memory read, and this makes it two look-ups.
#[derive(Clone, Copy)]
pub(crate) struct NodeLinks {
    pub(crate) at: NodeIndex,
    /// [`NodeIndex::end`] where there is none: half the size of an option.
    pub(crate) above: NodeIndex,
}

impl Tree {
    /// The org this is the tree of.
    #[must_use]
    pub fn org(&self) -> OrgId {
        self.org
    }

    /// The workspace without a parent. It is live as long as the org is.
    #[must_use]
    pub fn root(&self) -> WorkspaceId {
        self.org.root()
    }

    /// How many live workspaces there are; 0 once the root was removed.
    #[must_use]
    pub fn len(&self) -> usize {
        self.index.len()
    }

    /// Whether the org has no live workspace any more.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.index.is_empty()
    }

    /// Whether `workspace` is live in this tree.
    #[must_use]
    pub fn contains(&self, workspace: WorkspaceId) -> bool {
        self.index.contains_key(&workspace)
    }

    /// The parent of a live workspace; none for the root and for a workspace that is not live here.
    #[must_use]
    pub fn parent(&self, workspace: WorkspaceId) -> Option<WorkspaceId> {
        self.graph.node_weight(self.place(workspace)?.above).map(|node| node.id)
    }

    /// The direct children of a workspace, in no particular order.
    pub fn children(&self, workspace: WorkspaceId) -> impl Iterator<Item = WorkspaceId> + '_ {
        self.at(workspace).into_iter().flat_map(|at| self.children_at(at)).map(|at| self.graph[at].id)
    }

    /// How many direct children a workspace has.
    #[must_use]
    pub fn child_count(&self, workspace: WorkspaceId) -> usize {
        self.children(workspace).count()
    }

    /// The other children of the workspace's parent, in no particular order.
    pub fn siblings(&self, workspace: WorkspaceId) -> impl Iterator<Item = WorkspaceId> + '_ {
        let parent = self.parent(workspace);
        parent.into_iter().flat_map(|parent| self.children(parent)).filter(move |&other| other != workspace)
    }

    /// Every live workspace, in no particular order.
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
