//! Reviews: what a decision about a difference between a claim and a record does.

use std::str::FromStr;

/// The confidence below which stale items reach no context block; that of pages is the same.
pub const CONFIDENCE_GATE: f64 = 0.35;

/// The confidence of a memory whose claim lost against the record.
pub const LOST_CONFIDENCE: f64 = 0.3;

/// The state of a review.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ReviewStatus {
    /// Nobody has decided.
    Open,
    /// The record is right: the confidence of the item falls below the gate.
    RecordWins,
    /// The record is disputed; reads show its value all the same.
    MemoryWasRight,
    /// The difference does not matter.
    Dismissed,
}

/// Invalid name of a status.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown status; use `open`, `record_wins`, `memory_was_right` or `dismissed`")]
pub struct UnknownReviewStatus;

impl ReviewStatus {
    /// All states.
    pub const ALL: [Self; 4] = [Self::Open, Self::RecordWins, Self::MemoryWasRight, Self::Dismissed];

    /// The name in storage and JSON.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::RecordWins => "record_wins",
            Self::MemoryWasRight => "memory_was_right",
            Self::Dismissed => "dismissed",
        }
    }

    /// The confidence that an item of this confidence gets by the decision; `None` if it stays.
    #[must_use]
    pub fn lowered(self, confidence: f64) -> Option<f64> {
        (self == Self::RecordWins && confidence >= CONFIDENCE_GATE).then_some(LOST_CONFIDENCE)
    }
}

impl FromStr for ReviewStatus {
    type Err = UnknownReviewStatus;

    fn from_str(text: &str) -> Result<Self, UnknownReviewStatus> {
        Self::ALL.into_iter().find(|status| status.as_str() == text).ok_or(UnknownReviewStatus)
    }
}
