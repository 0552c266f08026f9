//! What a run does with the fact of a group, and how much one run does.

use std::fmt;

use crate::fact::Fact;

/// The change of the fact of one group.
#[derive(Clone, Debug, PartialEq)]
pub enum Change {
    /// The group has no fact yet.
    Insert(Fact),
    /// The fact has other sources or says something else: a new version.
    Update(Fact),
    /// The group has its fact, or has none and needs none.
    Untouched,
    /// The group is below `min_rows`: its fact is removed with the reason.
    RollBack(RollBack),
}

impl Change {
    /// Whether the change writes a memory.
    #[must_use]
    pub const fn is_write(&self) -> bool {
        !matches!(self, Self::Untouched)
    }
}

/// Why a fact is removed. Its text is the reason that the memory's history shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RollBack {
    /// The rows that remain.
    pub count: u64,
    /// The rows that a fact needs.
    pub min_rows: u64,
}

impl fmt::Display for RollBack {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.count {
            0 => write!(f, "no rows of the group remain; a fact needs {}", self.min_rows),
            1 => write!(f, "1 row of the group remains; a fact needs {}", self.min_rows),
            count => write!(f, "{count} rows of the group remain; a fact needs {}", self.min_rows),
        }
    }
}

/// Counts the writes of a run up to `max_facts_per_run`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Guard {
    left: usize,
}

impl Guard {
    pub(crate) const fn new(most: usize) -> Self {
        Self { left: most }
    }

    /// The guard after this number of admitted writes was not made.
    #[must_use]
    pub const fn returned(self, writes: usize) -> Self {
        Self { left: self.left + writes }
    }

    /// Whether the run may carry out the change. After a refusal the run ends, and the group remains touched.
    pub const fn admit(&mut self, change: &Change) -> bool {
        if !change.is_write() {
            return true;
        }
        if self.left == 0 {
            return false;
        }
        self.left -= 1;
        true
    }
}
