//! Building a tree from rows and updating it.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};
use std::iter::successors;

use foldhash::fast::RandomState;
use petgraph::Direction::Incoming;
use petgraph::stable_graph::{NodeIndex, StableDiGraph};
use petgraph::visit::EdgeRef;

use crate::tree::{Node, NodeLinks};
use crate::{OrgId, Placement, Tree, TreeFault, TreeFaults, WorkspaceId};

impl Tree {
    /// Builds the tree of these rows, which may come in any order. Rows of removed workspaces are ignored.
    ///
    /// # Errors
    /// All faults of the rows.
    ///
    /// # Complexity
    /// O(rows).
    pub fn build(org: OrgId, rows: impl IntoIterator<Item = Placement>) -> Result<Self, TreeFaults> {
        let mut rows: Vec<Placement> = rows.into_iter().filter(|row| row.live).collect();
        let mut tree = Self {
            org,
            graph: StableDiGraph::with_capacity(rows.len(), rows.len()),
            index: HashMap::with_capacity_and_hasher(rows.len(), Default::default()),
        };
        let mut faults = Vec::new();
        rows.retain(|row| {
            let first = tree.add(row.id);
            if !first {
                faults.push(TreeFault::DuplicateId(row.id));
            }
            first
        });
        for row in &rows {
            faults.extend(tree.attach(row).err());
        }
        // every workspace has at most one path upwards, so a cycle is not below the root
        if tree.count_below_root() < tree.len() {
            faults.extend(tree.cycles(rows.iter().map(|row| row.id)));
        }
        if faults.is_empty() { Ok(tree) } else { Err(TreeFaults { org, faults }) }
    }

    /// Applies changed rows: new, moved and removed workspaces, of one change or several, in any order. The last of
    /// several rows of a workspace counts.
    ///
    /// # Errors
    /// All faults of the resulting tree. The tree is then unusable and must be rebuilt from all rows.
    ///
    /// # Complexity
    /// O(rows × depth), and O(children of the former parent) for each row that moves or is removed.
    pub fn apply(&mut self, rows: &[Placement]) -> Result<(), TreeFaults> {
        let mut named = HashSet::with_capacity_and_hasher(rows.len(), RandomState::default());
        let latest: Vec<&Placement> = rows.iter().rev().filter(|row| named.insert(row.id)).collect();
        let (placed, removed): (Vec<&Placement>, Vec<&Placement>) = latest.iter().rev().partition(|row| row.live);
        let mut faults = Vec::new();
        for row in &placed {
            self.add(row.id);
        }
        // a planned change lists ancestors first, so the path above a detached workspace stays short
        for row in latest.iter().rev() {
            self.detach(row.id);
        }
        for row in removed {
            faults.extend(self.remove(row.id, &named));
        }
        for row in &placed {
            faults.extend(self.attach(row).err());
        }
        // every new cycle contains a changed row
        faults.extend(self.cycles(placed.iter().map(|row| row.id)));
        if !faults.is_empty() {
            return Err(TreeFaults { org: self.org, faults });
        }
        self.count_attached(&placed);
        Ok(())
    }

    /// Sets the number of descendants of each workspace after a build. Returns the size of the tree, root included.
    fn count_below_root(&mut self) -> usize {
        let mut order: Vec<NodeIndex> = self.at(self.root()).into_iter().collect();
        let mut next = 0;
        while let Some(&at) = order.get(next) {
            order.extend(self.children_at(at));
            next += 1;
        }
        for &at in order.iter().rev() {
            let size = 1 + self.graph[at].below;
            if let Some(above) = self.parent_at(at) {
                self.graph[above].below += size;
            }
        }
        order.len()
    }

    /// Adds newly attached workspaces to the counts of their ancestors. Each still has its earlier count, so attached
    /// ones do not count each other.
    fn count_attached(&mut self, placed: &[&Placement]) {
        let placed: Vec<NodeIndex> = placed.iter().filter_map(|row| self.at(row.id)).collect();
        let sizes: Vec<u32> = placed.iter().map(|&at| 1 + self.graph[at].below).collect();
        for (at, size) in placed.into_iter().zip(sizes) {
            let mut above = self.parent_at(at);
            while let Some(at) = above {
                self.graph[at].below += size;
                above = self.parent_at(at);
            }
        }
    }

    /// Adds a detached workspace; false if it already exists.
    fn add(&mut self, id: WorkspaceId) -> bool {
        let Entry::Vacant(free) = self.index.entry(id) else { return false };
        free.insert(NodeLinks { at: self.graph.add_node(Node { id, below: 0 }), above: NodeIndex::end() });
        true
    }

    /// Removes a workspace. Its children lose their parent, which is a fault of those not `named` in the batch.
    fn remove(&mut self, id: WorkspaceId, named: &HashSet<WorkspaceId, RandomState>) -> Vec<TreeFault> {
        let Some(NodeLinks { at, .. }) = self.index.remove(&id) else { return Vec::new() };
        let children = self.children_at(at).map(|child| self.graph[child].id);
        let left = children.filter(|child| !named.contains(child));
        let faults = left.map(|child| TreeFault::NoParent { id: child, parent: id }).collect();
        self.graph.remove_node(at);
        faults
    }

    /// Removes the edge from the parent, if any, and updates the counts of the ancestors.
    fn detach(&mut self, id: WorkspaceId) {
        let Some(place) = self.index.get_mut(&id) else { return };
        place.above = NodeIndex::end();
        let at = place.at;
        let size = 1 + self.graph[at].below;
        let edge = self.graph.edges_directed(at, Incoming).next().map(|edge| (edge.id(), edge.source()));
        let Some((edge, parent)) = edge else { return };
        self.graph.remove_edge(edge);
        let mut above = Some(parent);
        while let Some(at) = above {
            self.graph[at].below -= size;
            above = self.parent_at(at);
        }
    }

    /// Adds the edge from the row's parent.
    fn attach(&mut self, row: &Placement) -> Result<(), TreeFault> {
        let is_root = row.id == self.root();
        match row.parent {
            None if is_root => Ok(()),
            None => Err(TreeFault::SecondRoot(row.id)),
            Some(_) if is_root => Err(TreeFault::RootHasParent(row.id)),
            Some(parent) => match (self.at(parent), self.index.get_mut(&row.id)) {
                (Some(above), Some(place)) => {
                    place.above = above;
                    self.graph.add_edge(above, place.at, ());
                    Ok(())
                }
                _ => Err(TreeFault::NoParent { id: row.id, parent }),
            },
        }
    }

    /// The workspaces on cycles, among those above `starts`.
    ///
    /// # Complexity
    /// O(workspaces visited): each is visited once.
    fn cycles(&self, starts: impl Iterator<Item = WorkspaceId>) -> Vec<TreeFault> {
        let mut visited: HashMap<NodeIndex, usize, RandomState> = HashMap::default();
        let mut faults = Vec::new();
        for (walk, start) in starts.enumerate() {
            let mut next = self.at(start);
            while let Some(at) = next.filter(|at| !visited.contains_key(at)) {
                visited.insert(at, walk);
                next = self.parent_at(at);
            }
            // the walk met itself: find the members of this cycle
            if let Some(start) = next.filter(|at| visited[at] == walk) {
                let cycle = successors(Some(start), |&at| self.parent_at(at).filter(|&above| above != start));
                faults.extend(cycle.map(|at| TreeFault::Cycle(self.graph[at].id)));
            }
        }
        faults
    }
}
