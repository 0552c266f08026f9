//! Housekeeping: what has expired is absent from that instant, and its space is reclaimed here.

use uuid::Uuid;

/// What can be reclaimed of one org.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Due {
    pub(crate) memories: Vec<Uuid>,
    /// Earlier versions of memories, each by its memory and number.
    pub(crate) versions: Vec<(Uuid, i64)>,
    pub(crate) entries: Vec<(Uuid, String)>,
    pub(crate) answers: Vec<(String, String)>,
    pub(crate) revocations: Vec<Uuid>,
    pub(crate) tokens: Vec<Uuid>,
    /// Runs that have timed out and still hold something back.
    pub(crate) runs: Vec<Uuid>,
    /// Profiles that may have memories which they keep no longer.
    pub(crate) profiles: Vec<Uuid>,
    /// Index rows of what was taken away until this version, which no server needs to hear of any more.
    pub(crate) index_until: Option<i64>,
}

impl Due {
    /// How many rows.
    #[must_use]
    pub fn len(&self) -> usize {
        let index = usize::from(self.index_until.is_some());
        let tokens = self.revocations.len() + self.tokens.len();
        self.memories.len()
            + self.versions.len()
            + self.entries.len()
            + self.answers.len()
            + tokens
            + self.runs.len()
            + self.profiles.len()
            + index
    }

    /// Whether there is nothing to reclaim.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}
