//! An org with memories for searches: authors, scopes and readers.

use orgmem_hierarchy::WorkspaceId;
use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};

use crate::org::Commit;
use crate::org_shape::{Shape, TEAM};
use crate::texts::Texts;

/// Three levels.
const WORKSPACES: usize = 1 + TEAM + TEAM * TEAM;

/// An org in which each leaf reads about a tenth of the memories: its own, those that its team of nine shares, and the
/// root's.
pub(crate) struct Corpus {
    pub(crate) shape: Shape,
    /// The author of each memory, as an index into the shape, and its scope.
    memories: Vec<(usize, &'static str)>,
}

impl Corpus {
    pub(crate) fn new(size: usize) -> Self {
        let mut random = SmallRng::seed_from_u64(4);
        let mut author_and_scope = |number: usize| match number % 100 {
            0..3 => (0, "GLOBAL"),
            3..63 => (random.random_range(0..WORKSPACES), "TEAM"),
            _ => (random.random_range(0..WORKSPACES), "LOCAL"),
        };
        Self { shape: Shape::new(WORKSPACES, 1), memories: (0..size).map(&mut author_and_scope).collect() }
    }

    pub(crate) fn commits(&self, texts: &Texts) -> Vec<Commit> {
        let commit = |(number, &(author, scope))| Commit {
            author: self.shape.ids()[author],
            scope,
            content: texts.memory(number),
        };
        self.memories.iter().enumerate().map(commit).collect()
    }

    /// One leaf of each team, as indexes.
    pub(crate) fn readers() -> impl Iterator<Item = usize> {
        (1 + TEAM..WORKSPACES).step_by(TEAM)
    }

    pub(crate) fn id(&self, index: usize) -> WorkspaceId {
        self.shape.ids()[index]
    }

    /// The partition of each memory. Memories of author_and_scope partition have the same readers.
    pub(crate) fn partitions(&self) -> impl Iterator<Item = i64> + '_ {
        self.memories.iter().map(|&(author, scope)| partition(author, scope))
    }

    /// The partitions that the leaf at `index` may read.
    pub(crate) fn readable_by(&self, index: usize) -> Vec<i64> {
        let parent = self.shape.parent_of(index);
        let team = (0..WORKSPACES).filter(|&other| Some(other) == parent || self.shape.parent_of(other) == parent);
        let team = team.map(|other| partition(other, "TEAM"));
        team.chain([partition(index, "LOCAL"), partition(0, "GLOBAL")]).collect()
    }

    /// The share of all memories.
    pub(crate) fn readable_share(&self, index: usize) -> f64 {
        let readable = self.readable_by(index);
        self.partitions().filter(|partition| readable.contains(partition)).count() as f64 / self.memories.len() as f64
    }
}

fn partition(author: usize, scope: &str) -> i64 {
    let scope = ["LOCAL", "TEAM", "GLOBAL"].iter().position(|&name| name == scope).unwrap_or_default();
    (author * 3 + scope) as i64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reader_can_read_about_a_tenth() {
        let corpus = Corpus::new(10_000);
        for reader in Corpus::readers() {
            let share = corpus.readable_share(reader);
            assert!((0.08..0.13).contains(&share), "{reader} reads {share}");
        }
    }
}
