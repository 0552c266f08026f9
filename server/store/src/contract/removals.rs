//! Removals of content and revocations, as records that another database can repeat.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

/// A removal in an org. It contains ids and hashes, no content; only a redaction and an erasure have their reason.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Removal {
    /// The org; the nil id is the server itself.
    pub org: Uuid,
    /// What was removed.
    pub what: Removed,
}

/// The object of a removal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
#[allow(missing_docs, reason = "the variants explain the fields")]
pub enum Removed {
    /// A redacted memory.
    Redaction { memory: Uuid, at: DateTime<Utc>, by: String, reason: String },
    /// A forgotten memory.
    Deletion { memory: Uuid },
    /// A redacted episode.
    Episode { workspace: Uuid, episode: Uuid },
    /// A dropped entry, by the SHA-256 of its key, with its last version.
    Entry { workspace: Uuid, key_sha256: String, version: i64 },
    /// An erasure with the id of its receipt.
    Erasure { receipt: Uuid, erased: ErasedPart, reason: String, by: String, at: DateTime<Utc> },
    /// A revoked token.
    Token { token: Uuid, at: DateTime<Utc>, expires_at: DateTime<Utc> },
    /// A revocation of all tokens of a workspace.
    TokensOf { workspace: Uuid, at: DateTime<Utc> },
    /// A revoked grant.
    Grant { grant: Uuid, at: DateTime<Utc> },
}

/// The extent of an erasure, as [`Erased`](super::Erased) with all workspaces of a purge.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum ErasedPart {
    /// An end user, by the SHA-256 of the id.
    Subject(String),
    /// The purged workspaces; the first one is the highest.
    Workspaces(Vec<Uuid>),
    /// The whole org.
    Org,
}

/// The numbers of repeated removals. Those that were here already do not count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Repeated {
    /// Redacted memories.
    pub redactions: u64,
    /// Forgotten memories.
    pub deletions: u64,
    /// Redacted episodes.
    pub episodes: u64,
    /// Dropped entries.
    pub entries: u64,
    /// Erasures of end users, of purged workspaces and of orgs.
    pub erasures: u64,
    /// Revocations of tokens.
    pub revocations: u64,
    /// Revocations of grants.
    pub grants: u64,
}

impl Repeated {
    /// Adds the numbers of another page.
    pub fn add(&mut self, other: Self) {
        self.redactions += other.redactions;
        self.deletions += other.deletions;
        self.episodes += other.episodes;
        self.entries += other.entries;
        self.erasures += other.erasures;
        self.revocations += other.revocations;
        self.grants += other.grants;
    }

    /// The sum.
    #[must_use]
    pub const fn total(&self) -> u64 {
        let of_content = self.redactions + self.deletions + self.episodes + self.entries + self.erasures;
        of_content + self.revocations + self.grants
    }
}
