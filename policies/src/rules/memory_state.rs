use std::fmt;
use std::str::FromStr;

use chrono::{DateTime, Utc};
use orgmem_hierarchy::{Scope, WorkspaceId};
use uuid::Uuid;

/// The stored status of a memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MemoryStatus {
    /// Readable until it expires.
    Live,
    /// Staged in an open run.
    Pending,
    /// Replaced by another memory.
    Superseded,
    /// Its content was redacted.
    Redacted,
    /// Deleted by its author or by an operator.
    Deleted,
}

impl MemoryStatus {
    const ALL: [Self; 5] = [Self::Live, Self::Pending, Self::Superseded, Self::Redacted, Self::Deleted];

    /// The text in storage.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Live => "live",
            Self::Pending => "pending",
            Self::Superseded => "superseded",
            Self::Redacted => "redacted",
            Self::Deleted => "deleted",
        }
    }
}

impl fmt::Display for MemoryStatus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for MemoryStatus {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        Self::ALL.into_iter().find(|status| status.as_str() == text).ok_or(())
    }
}

/// The metadata of a memory that decisions need. It has no content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MemoryLocation {
    /// The author.
    pub author: WorkspaceId,
    /// The scope.
    pub scope: Scope,
    /// The team of a TEAM memory.
    pub team: Option<WorkspaceId>,
    /// The stored status.
    pub status: MemoryStatus,
    /// Exclusive end of validity.
    pub expires_at: Option<DateTime<Utc>>,
    /// The memory that replaces it.
    pub superseded_by: Option<Uuid>,
}

/// Whether a memory is readable at an instant, and why not, for the readers that its scope allows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MemoryState {
    /// Readable.
    Live,
    /// Expired at this instant.
    Expired(DateTime<Utc>),
    /// Staged in an open run.
    Pending,
    /// Replaced by this memory.
    Superseded(Option<Uuid>),
    /// Its content was redacted.
    Redacted,
    /// Deleted.
    Deleted,
}

impl MemoryLocation {
    /// Whether the memory is readable at `now`, for the readers that its scope allows.
    #[must_use]
    pub fn is_live(&self, now: DateTime<Utc>) -> bool {
        self.state(now) == MemoryState::Live
    }

    /// The state at `now`. Removal and supersession come before expiry.
    #[must_use]
    pub fn state(&self, now: DateTime<Utc>) -> MemoryState {
        match self.status {
            MemoryStatus::Redacted => MemoryState::Redacted,
            MemoryStatus::Deleted => MemoryState::Deleted,
            MemoryStatus::Superseded => MemoryState::Superseded(self.superseded_by),
            MemoryStatus::Pending => MemoryState::Pending,
            MemoryStatus::Live => match self.expires_at {
                Some(at) if at <= now => MemoryState::Expired(at),
                Some(_) | None => MemoryState::Live,
            },
        }
    }
}
