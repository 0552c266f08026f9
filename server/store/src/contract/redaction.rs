//! Permanent removal of content: redactions and erasures.

use chrono::{DateTime, Utc};
use orgmem_hierarchy::{OrgId, Scope, Via, WorkspaceId};
use uuid::Uuid;

/// The record of the redaction of a memory. It has no content.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RedactionRecord {
    /// The id of the memory.
    pub memory: Uuid,
    /// The author of the memory.
    pub author: WorkspaceId,
    /// The stated reason.
    pub reason: String,
    /// The subject of the caller.
    pub by: String,
    /// Time of the redaction.
    pub at: DateTime<Utc>,
}

/// The record of a redacted memory for readers that could read the memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tombstone {
    /// The id of the memory.
    pub memory: Uuid,
    /// The author of the memory.
    pub author: WorkspaceId,
    /// The scope of the memory.
    pub scope: Scope,
    /// The team of a TEAM memory.
    pub team: Option<WorkspaceId>,
    /// The version of the memory after its redaction.
    pub version: i64,
    /// Time of the redaction.
    pub at: DateTime<Utc>,
    /// How the reader reaches the memory.
    pub via: Via,
}

/// The position after a row of a list of redactions.
pub type RedactionCursor = (DateTime<Utc>, Uuid);

/// A page of redactions, newest first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RedactionPage {
    /// The redactions, with the scopes of their memories.
    pub rows: Vec<(RedactionRecord, Option<Scope>)>,
    /// The position of the next page; `None` on the last page.
    pub next: Option<RedactionCursor>,
}

/// The result of a redaction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Redacted {
    /// The record of the redaction, or of the first one if the memory was redacted before.
    pub redaction: RedactionRecord,
    /// Number of removed earlier versions.
    pub versions: usize,
    /// Whether the memory was redacted before, so that this redaction removed nothing.
    pub before: bool,
}

/// The extent of an erasure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Erased {
    /// The data about an end user; contains the SHA-256 of the user's id.
    Subject([u8; 32]),
    /// A workspace and the workspaces that were removed with it.
    Workspace(WorkspaceId),
    /// A whole org.
    Org,
}

/// The numbers of rows that an erasure removed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ErasedCounts {
    /// Workspaces whose content was removed.
    pub workspaces: i64,
    /// Memories, pending ones included.
    pub memories: i64,
    /// Earlier versions of memories.
    pub versions: i64,
    /// Entries, expired ones included.
    pub entries: i64,
    /// Episodes of the workspaces.
    pub episodes: i64,
    /// Tokens issued for the workspaces.
    pub tokens: i64,
    /// Responses stored for idempotency keys.
    pub answers: i64,
}

/// The receipt of an erasure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Erasure {
    /// The id of the receipt.
    pub id: Uuid,
    /// The org.
    pub org: OrgId,
    /// The extent of the erasure.
    pub what: Erased,
    /// The stated reason.
    pub reason: String,
    /// The subject of the caller.
    pub by: String,
    /// Time of the erasure.
    pub at: DateTime<Utc>,
    /// Numbers of removed rows.
    pub counts: ErasedCounts,
    /// The number of its audit row, which is also its position in the hash chain.
    pub access_seq: Option<i64>,
}
