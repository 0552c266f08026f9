//! Sweeps: expired data is absent from the instant of its expiry; a sweep reclaims its space later.

use uuid::Uuid;

/// The rows of one org that a sweep can reclaim.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Due {
    pub(crate) memories: Vec<Uuid>,
    pub(crate) documents: Vec<Uuid>,
    /// Earlier versions, by memory and version.
    pub(crate) versions: Vec<(Uuid, i64)>,
    pub(crate) entries: Vec<(Uuid, String)>,
    pub(crate) grants: Vec<Uuid>,
    pub(crate) answers: Vec<(String, String)>,
    pub(crate) revocations: Vec<Uuid>,
    pub(crate) tokens: Vec<Uuid>,
    /// Runs that have timed out but are still stored as open.
    pub(crate) runs: Vec<Uuid>,
    /// Profiles with a retention that may remove memories.
    pub(crate) profiles: Vec<Uuid>,
    /// Index rows of memories that left the index up to this org version. No server needs these rows any more.
    pub(crate) index_until: Option<i64>,
}

impl Due {
    /// The number of rows; all index rows count as one.
    #[must_use]
    pub fn len(&self) -> usize {
        let index = usize::from(self.index_until.is_some());
        let tokens = self.revocations.len() + self.tokens.len();
        self.memories.len()
            + self.documents.len()
            + self.versions.len()
            + self.entries.len()
            + self.grants.len()
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
