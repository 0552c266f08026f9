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

/// The rule by which a memory expires, or by which the server removed it.
///
/// Source: `docs/spec/access-log.md`, "Removals by the server".
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ExpiryRule {
    /// The `expires_at` or `ttl_seconds` of its writer.
    ExpiresAt,
    /// The maximum age of its profile.
    MaxAge,
    /// The maximum number of memories of its profile.
    MaxEntries,
    /// The end of its session.
    SessionEnd,
    /// The end of its session because nothing happened in it.
    SessionIdle,
}

impl ExpiryRule {
    const ALL: [Self; 5] = [Self::ExpiresAt, Self::MaxAge, Self::MaxEntries, Self::SessionEnd, Self::SessionIdle];

    /// The text in storage and on the wire: the name of the setting or field.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::ExpiresAt => "expires_at",
            Self::MaxAge => "retention.max_age_seconds",
            Self::MaxEntries => "retention.max_entries",
            Self::SessionEnd => "session_end",
            Self::SessionIdle => "sessions.idle_seconds",
        }
    }

    /// Whether the rule is part of a profile.
    #[must_use]
    pub const fn is_of_profile(self) -> bool {
        match self {
            Self::ExpiresAt | Self::SessionEnd | Self::SessionIdle => false,
            Self::MaxAge | Self::MaxEntries => true,
        }
    }
}

impl fmt::Display for ExpiryRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for ExpiryRule {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        Self::ALL.into_iter().find(|rule| rule.as_str() == text).ok_or(())
    }
}

/// The end of a memory and its rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Expiry {
    /// Exclusive end of validity.
    pub at: DateTime<Utc>,
    /// `None` for memories whose rule was not stored.
    pub rule: Option<ExpiryRule>,
}

impl Expiry {
    /// The expiry that a writer requests.
    #[must_use]
    pub const fn requested(at: DateTime<Utc>) -> Self {
        Self { at, rule: Some(ExpiryRule::ExpiresAt) }
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
    /// Exclusive end of validity, and its rule.
    pub expiry: Option<Expiry>,
    /// The memory that replaces it.
    pub superseded_by: Option<Uuid>,
}

/// Whether a memory is readable at an instant, and why not, for the readers that its scope allows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MemoryState {
    /// Readable.
    Live,
    /// Expired.
    Expired(Expiry),
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
            MemoryStatus::Live => match self.expiry {
                Some(expiry) if expiry.at <= now => MemoryState::Expired(expiry),
                Some(_) | None => MemoryState::Live,
            },
        }
    }
}
