//! Orgs to measure on: trees of a given size, the same in every run.

use orgmem_hierarchy::{OrgId, Placement, Tree, WorkspaceId};
use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};

use crate::error::Outcome;

/// How many children a lead has.
pub(crate) const TEAM: usize = 8;

/// The workspaces of an org, the root first, level by level; everybody leads eight others until there are enough.
#[derive(Clone, Debug)]
pub(crate) struct Shape {
    ids: Vec<WorkspaceId>,
}

impl Shape {
    /// An org of `size` workspaces, at least the root; another `seed` gives other ids.
    pub(crate) fn new(size: usize, seed: u64) -> Self {
        let mut random = SmallRng::seed_from_u64(seed);
        let id = |_| WorkspaceId::from(uuid::Builder::from_random_bytes(random.random()).into_uuid());
        Self { ids: (0..size.max(1)).map(id).collect() }
    }

    pub(crate) fn ids(&self) -> &[WorkspaceId] {
        &self.ids
    }

    /// The place of the parent of the workspace at `place`; none for the root.
    pub(crate) fn parent_of(&self, place: usize) -> Option<usize> {
        place.checked_sub(1).map(|before| before / TEAM)
    }

    /// The same as rows.
    pub(crate) fn placements(&self) -> impl Iterator<Item = Placement> + '_ {
        self.ids.iter().enumerate().map(|(place, &id)| match self.parent_of(place) {
            Some(parent) => Placement::under(id, self.ids[parent]),
            None => Placement::root(id),
        })
    }

    /// The same as a tree.
    pub(crate) fn tree(&self) -> Outcome<Tree> {
        Ok(Tree::build(OrgId::of_root(self.ids[0]), self.placements())?)
    }
}
