//! Making a tree from rows, and keeping it in step with them.

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
    /// The tree that these rows describe. Rows may come in any order; rows of removed workspaces are passed over.
    ///
    /// # Errors
    /// Every fault of the rows at once.
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
                faults.push(TreeFault::Twice(row.id));
            }
            first
        });
        for row in &rows {
            faults.extend(tree.hang(row).err());
        }
        // every workspace has one way up at most, so what is on a cycle is not below the root
        if tree.count_below_root() < tree.len() {
            faults.extend(tree.cycles(rows.iter().map(|row| row.id)));
        }
        if faults.is_empty() { Ok(tree) } else { Err(TreeFaults { org, faults }) }
    }

    /// Takes over rows that changed: new, moved and removed workspaces, of one change or of several, in any order. Where
    /// a workspace has several rows, the last one counts.
    ///
    /// # Errors
    /// Every fault of the outcome; the tree is then no longer to be used and is to be built again from all rows.
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
        // a planned change names the upper ones first: what is below one that hangs nowhere has a short way up
        for row in latest.iter().rev() {
            self.unhang(row.id);
        }
        for row in removed {
            faults.extend(self.remove(row.id, &named));
        }
        for row in &placed {
            faults.extend(self.hang(row).err());
        }
        // a new cycle has a new way up in it
        faults.extend(self.cycles(placed.iter().map(|row| row.id)));
        if !faults.is_empty() {
            return Err(TreeFaults { org: self.org, faults });
        }
        self.count_placed(&placed);
        Ok(())
    }

    /// Counts for each workspace those below it, of a tree just built; gives how many the root has, itself included.
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

    /// Counts those who were hung somewhere, with all that came along, for whoever is above them now. They do not count
    /// each other yet, so each counts what it had below it before.
    fn count_placed(&mut self, placed: &[&Placement]) {
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

    /// Takes a workspace in, hanging nowhere yet; false where it is there already.
    fn add(&mut self, id: WorkspaceId) -> bool {
        let Entry::Vacant(free) = self.index.entry(id) else { return false };
        free.insert(NodeLinks { at: self.graph.add_node(Node { id, below: 0 }), above: NodeIndex::end() });
        true
    }

    /// Takes a workspace out. Its children are then without a parent, which is a fault of those not `named` in the batch.
    fn remove(&mut self, id: WorkspaceId, named: &HashSet<WorkspaceId, RandomState>) -> Vec<TreeFault> {
        let Some(NodeLinks { at, .. }) = self.index.remove(&id) else { return Vec::new() };
        let children = self.children_at(at).map(|child| self.graph[child].id);
        let left = children.filter(|child| !named.contains(child));
        let faults = left.map(|child| TreeFault::NoParent { id: child, parent: id }).collect();
        self.graph.remove_node(at);
        faults
    }

    /// Removes the edge from the parent, if there is one; nobody above counts it and what is below it any more.
    fn unhang(&mut self, id: WorkspaceId) {
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

    /// Draws the edge from the row's parent.
    fn hang(&mut self, row: &Placement) -> Result<(), TreeFault> {
        let is_root = row.id == self.root();
        match row.parent {
            None if is_root => Ok(()),
            None => Err(TreeFault::SecondRoot(row.id)),
            Some(_) if is_root => Err(TreeFault::RootBelow(row.id)),
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

    /// The workspaces that are above themselves, of those that are met by going up from `starts`.
    ///
    /// # Complexity
    /// O(workspaces met): each is passed once.
    fn cycles(&self, starts: impl Iterator<Item = WorkspaceId>) -> Vec<TreeFault> {
        let mut passed: HashMap<NodeIndex, usize, RandomState> = HashMap::default();
        let mut faults = Vec::new();
        for (walk, start) in starts.enumerate() {
            let mut next = self.at(start);
            while let Some(at) = next.filter(|at| !passed.contains_key(at)) {
                passed.insert(at, walk);
                next = self.parent_at(at);
            }
            // stopped where this same walk has been: round once more
            if let Some(met) = next.filter(|at| passed[at] == walk) {
                let round = successors(Some(met), |&at| self.parent_at(at).filter(|&above| above != met));
                faults.extend(round.map(|at| TreeFault::Cycle(self.graph[at].id)));
            }
        }
        faults
    }
}
