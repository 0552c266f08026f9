//! Permanent removal of the content of memories and episodes.

use chrono::{DateTime, Utc};
use orgmem_hierarchy::{Scope, Via};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::{Memory, Problem, Redaction};

/// `POST …/memories/{mid}/redact`.
#[derive(Clone, Debug, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct RedactMemory {
    /// One line of at most 500 characters. It is stored, so it must not repeat the content.
    pub reason: String,
}

/// `POST …/memories/redact`: up to 500 memories.
#[derive(Clone, Debug, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct RedactMemories {
    /// Each is redacted or refused independently.
    pub memories: Vec<Uuid>,
    /// One line of at most 500 characters.
    pub reason: String,
}

/// Outcome for a redacted memory, without its content.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct RedactedMemory {
    pub id: Uuid,
    /// Time of the first redaction.
    pub redacted_at: DateTime<Utc>,
    /// Subject of the caller's token.
    pub redacted_by: String,
    pub reason: String,
    /// Number of earlier versions redacted with it.
    pub versions: usize,
    /// Whether it was redacted before.
    pub already: bool,
    /// Credentials replaced in the reason before storage.
    pub redactions: Vec<Redaction>,
    /// Workspaces that read the content, most frequent first, as far as the caller may see their audit logs.
    #[serde(default)]
    pub readers: Vec<MemoryReader>,
    /// Runs that read the content, as far as the caller may see them.
    #[serde(default)]
    pub runs: Vec<Uuid>,
    /// True if the search of the audit log stopped early, so that readers and runs may be missing.
    #[serde(default)]
    pub readers_partial: bool,
    /// True if nothing was changed.
    #[serde(default)]
    pub dry_run: bool,
    /// Backups that still contain the content, and their retention.
    pub older_backups: String,
}

/// A workspace that read the content of a memory.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct MemoryReader {
    pub workspace_id: Uuid,
    pub name: String,
    /// Number of reads in the audit log.
    pub reads: u64,
    /// The part of `reads` by viewers, operators and admins; the others are by agents.
    #[serde(default)]
    pub reads_by_people: u64,
}

/// Response to a bulk redaction, with one item for each memory in the order of the request.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct RedactionResponse {
    /// Number of redacted memories, including those redacted before.
    pub redacted: usize,
    /// Number of refused items.
    pub refused: usize,
    pub items: Vec<RedactionItem>,
}

/// Outcome for one memory of a bulk redaction.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum RedactionItem {
    Redacted(RedactedMemory),
    /// A refusal does not affect other items.
    Refused(Problem),
}

/// Outcome for a redacted episode, without its content.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct RedactedEpisode {
    pub id: Uuid,
    /// Time of the first redaction.
    pub redacted_at: DateTime<Utc>,
    /// Whether it was redacted before; the reason of this call is then not stored.
    pub already: bool,
    /// The memories with facts of the episode, which were redacted with it and for the same reason.
    #[serde(default)]
    pub memories: Vec<Uuid>,
    /// Credentials replaced in the reason before storage.
    pub redactions: Vec<Redaction>,
    /// Backups that still contain the content, and their retention.
    pub older_backups: String,
}

/// A redaction, without the redacted content.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct RedactionEntry {
    /// Id of the redacted memory.
    pub memory_id: Uuid,
    /// The author.
    pub workspace_id: Uuid,
    /// Current name of the author.
    pub workspace_name: String,
    /// Scope of the redacted memory.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scope: Option<Scope>,
    #[serde(serialize_with = "crate::time::rfc3339")]
    pub redacted_at: DateTime<Utc>,
    /// Subject of the caller's token.
    pub redacted_by: String,
    pub reason: String,
}

/// A redacted memory, for readers that could read it.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct Tombstone {
    pub id: Uuid,
    /// The author.
    pub workspace_id: Uuid,
    /// Current name of the author.
    pub workspace_name: String,
    pub scope: Scope,
    /// Leader of the bound team.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub team: Option<Uuid>,
    /// Always `[redacted]`.
    pub content: String,
    /// Always true.
    pub is_redacted: bool,
    /// The version after the redaction, also the `ETag`.
    pub version: i64,
    #[serde(serialize_with = "crate::time::rfc3339")]
    pub redacted_at: DateTime<Utc>,
    /// Why it is in reach.
    pub via: Via,
}

/// Response to `GET …/memories/{mid}`.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(untagged)]
pub enum ReadMemory {
    Readable(Box<Memory>),
    Redacted(Tombstone),
}
