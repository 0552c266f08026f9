//! Taking content out for good.

use chrono::{DateTime, Utc};
use orgmem_hierarchy::{OrgId, WorkspaceId};
use uuid::Uuid;

/// That a memory was redacted: by whom, when and why. Nothing of what stood in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RedactionRecord {
    /// The memory.
    pub memory: Uuid,
    /// Who wrote it.
    pub author: WorkspaceId,
    /// Why.
    pub reason: String,
    /// By whom, by the name for the log.
    pub by: String,
    /// When.
    pub at: DateTime<Utc>,
}

/// What a redaction did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Redacted {
    /// What is kept of it; of the first one where the memory was redacted before.
    pub redaction: RedactionRecord,
    /// How many earlier versions went with it.
    pub versions: usize,
    /// Whether it was redacted before, so that nothing was left to take.
    pub before: bool,
}

/// What was erased.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Erased {
    /// What was stored about an end user: the SHA-256 of its id.
    Subject([u8; 32]),
    /// A workspace, and those that were removed with it.
    Workspace(WorkspaceId),
    /// A whole org.
    Org,
}

/// How many rows of which kind an erasure took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ErasedCounts {
    /// Workspaces whose content went.
    pub workspaces: i64,
    /// Memories.
    pub memories: i64,
    /// Earlier versions of memories.
    pub versions: i64,
    /// Entries, with those that had expired.
    pub entries: i64,
    /// Episodes.
    pub episodes: i64,
    /// Tokens.
    pub tokens: i64,
    /// Answers kept for idempotency keys.
    pub answers: i64,
}

/// The receipt of an erasure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Erasure {
    /// Its id.
    pub id: Uuid,
    /// The org.
    pub org: OrgId,
    /// What was erased.
    pub what: Erased,
    /// Why.
    pub reason: String,
    /// By whom, by the name for the log.
    pub by: String,
    /// When.
    pub at: DateTime<Utc>,
    /// How much.
    pub counts: ErasedCounts,
    /// The number of the row of the access log that tells of it: where it stands in the chain.
    pub access_seq: Option<i64>,
}
