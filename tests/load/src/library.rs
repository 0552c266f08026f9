//! An org with memories to be searched: who wrote what, and who asks.

use orgmem_hierarchy::WorkspaceId;
use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};

use crate::org::Commit;
use crate::shape::{Shape, TEAM};
use crate::texts::Texts;

/// The root, its team, and theirs.
const WORKSPACES: usize = 1 + TEAM + TEAM * TEAM;

/// Memories in an org of which each leaf sees about a tenth: its own, those that its team of nine shares, and the
/// root's.
pub(crate) struct Library {
    pub(crate) shape: Shape,
    /// Who wrote each memory, by place in the shape, and for whom.
    written: Vec<(usize, &'static str)>,
}

impl Library {
    pub(crate) fn new(size: usize) -> Self {
        let mut random = SmallRng::seed_from_u64(4);
        let mut one = |number: usize| match number % 100 {
            0..3 => (0, "GLOBAL"),
            3..63 => (random.random_range(0..WORKSPACES), "TEAM"),
            _ => (random.random_range(0..WORKSPACES), "LOCAL"),
        };
        Self { shape: Shape::new(WORKSPACES, 1), written: (0..size).map(&mut one).collect() }
    }

    pub(crate) fn commits(&self, texts: &Texts) -> Vec<Commit> {
        let commit = |(number, &(author, scope))| Commit {
            author: self.shape.ids()[author],
            scope,
            content: texts.memory(number),
        };
        self.written.iter().enumerate().map(commit).collect()
    }

    /// A leaf of each team, by place.
    pub(crate) fn readers() -> impl Iterator<Item = usize> {
        (1 + TEAM..WORKSPACES).step_by(TEAM)
    }

    pub(crate) fn id(&self, place: usize) -> WorkspaceId {
        self.shape.ids()[place]
    }

    /// The shelf that memory `number` lies on: the same number, the same readers.
    pub(crate) fn shelves(&self) -> impl Iterator<Item = i64> + '_ {
        self.written.iter().map(|&(author, scope)| shelf(author, scope))
    }

    /// The shelves that the reader at `place`, a leaf, sees.
    pub(crate) fn seen_by(&self, place: usize) -> Vec<i64> {
        let parent = self.shape.parent_of(place);
        let team = (0..WORKSPACES).filter(|&other| Some(other) == parent || self.shape.parent_of(other) == parent);
        let team = team.map(|other| shelf(other, "TEAM"));
        team.chain([shelf(place, "LOCAL"), shelf(0, "GLOBAL")]).collect()
    }

    /// Which part of all memories that is.
    pub(crate) fn part_seen_by(&self, place: usize) -> f64 {
        let seen = self.seen_by(place);
        self.shelves().filter(|shelf| seen.contains(shelf)).count() as f64 / self.written.len() as f64
    }
}

fn shelf(author: usize, scope: &str) -> i64 {
    let scope = ["LOCAL", "TEAM", "GLOBAL"].iter().position(|&one| one == scope).unwrap_or_default();
    (author * 3 + scope) as i64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reader_sees_about_a_tenth() {
        let library = Library::new(10_000);
        for reader in Library::readers() {
            let part = library.part_seen_by(reader);
            assert!((0.08..0.13).contains(&part), "{reader} sees {part}");
        }
    }
}
