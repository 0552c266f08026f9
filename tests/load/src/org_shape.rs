//! Org trees of a given size, the same in every run.

use orgmem_hierarchy::{OrgId, Placement, Tree, WorkspaceId};
use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};

use crate::error::Outcome;

/// Children per workspace.
pub(crate) const TEAM: usize = 8;

/// The workspaces of an org in breadth-first order; each has eight children until the size is reached.
#[derive(Clone, Debug)]
pub(crate) struct Shape {
    ids: Vec<WorkspaceId>,
}

impl Shape {
    /// `size` counts the root; the seed determines the ids.
    pub(crate) fn new(size: usize, seed: u64) -> Self {
        let mut random = SmallRng::seed_from_u64(seed);
        let id = |_| WorkspaceId::from(uuid::Builder::from_random_bytes(random.random()).into_uuid());
        Self { ids: (0..size.max(1)).map(id).collect() }
    }

    pub(crate) fn ids(&self) -> &[WorkspaceId] {
        &self.ids
    }

    /// The index of the parent; `None` for the root.
    pub(crate) fn parent_of(&self, index: usize) -> Option<usize> {
        index.checked_sub(1).map(|before| before / TEAM)
    }

    pub(crate) fn placements(&self) -> impl Iterator<Item = Placement> + '_ {
        self.ids.iter().enumerate().map(|(index, &id)| match self.parent_of(index) {
            Some(parent) => Placement::under(id, self.ids[parent]),
            None => Placement::root(id),
        })
    }

    pub(crate) fn tree(&self) -> Outcome<Tree> {
        Ok(Tree::build(OrgId::of_root(self.ids[0]), self.placements())?)
    }
}
