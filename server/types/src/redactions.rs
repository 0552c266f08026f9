//! Taking content out for good: redactions, erasures and their receipts.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use crate::{Problem, Redaction};

/// `POST …/memories/{mid}/redact`.
#[derive(Clone, Debug, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct RedactMemory {
    /// Why; one line of at most 500 characters. It is kept, so it must not repeat what is taken out.
    pub reason: String,
}

/// `POST …/memories/redact`: up to 500 memories.
#[derive(Clone, Debug, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct RedactMemories {
    /// Their ids; each is redacted or refused on its own.
    pub memories: Vec<Uuid>,
    /// Why; one line of at most 500 characters.
    pub reason: String,
}

/// What became of a memory that was to be redacted. Nothing of what it said is in it.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct RedactedMemory {
    /// The memory.
    pub id: Uuid,
    /// When it was redacted; the first time, where it was redacted before.
    pub redacted_at: DateTime<Utc>,
    /// By whom, by the name for the log.
    pub redacted_by: String,
    /// Why.
    pub reason: String,
    /// How many earlier versions went with it.
    pub versions: usize,
    /// Whether it was redacted before, so that nothing was left to take out.
    pub already: bool,
    /// What was replaced in the reason before it was stored.
    pub redactions: Vec<Redaction>,
    /// The workspaces that got what it said, as far as the caller may see their access logs; those that read it most
    /// often first.
    #[serde(default)]
    pub readers: Vec<MemoryReader>,
    /// The runs in which it was read, as far as the caller may see that.
    #[serde(default)]
    pub runs: Vec<Uuid>,
    /// Whether the access log was not looked through to its beginning, so that there may be more readers and runs.
    #[serde(default)]
    pub readers_partial: bool,
    /// True where nothing was done: the answer says what would be.
    #[serde(default)]
    pub dry_run: bool,
    /// What still holds the content, and until when.
    pub older_backups: String,
}

/// A workspace that got what a memory said.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct MemoryReader {
    /// The workspace.
    pub workspace_id: Uuid,
    /// Its name.
    pub name: String,
    /// How often the access log says so.
    pub reads: u64,
}

/// The answer to the redaction of many, item by item in the order of the request.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct RedactionAnswer {
    /// How many were redacted, now or before.
    pub redacted: usize,
    /// How many were refused.
    pub refused: usize,
    /// One for each id of the request.
    pub items: Vec<RedactionItem>,
}

/// What became of one memory of many.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum RedactionItem {
    /// It is redacted.
    Redacted(RedactedMemory),
    /// It was refused; the others are not affected.
    Refused(Problem),
}

/// `POST /admin/erasures`: erases what is stored about an end user in an org, or a whole org.
#[derive(Clone, Debug, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Erase {
    /// The org, by its root.
    pub org_id: Uuid,
    /// The id of the end user, as memories have it in `subject`. Without it `whole_org` must be true.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub subject: Option<String>,
    /// Erases the whole org: its tree is removed, and all that it held is erased.
    #[serde(default)]
    pub whole_org: bool,
    /// Why; one line of at most 500 characters. It is kept in the receipt.
    pub reason: String,
}

/// Parameters of what can be tried without being done.
#[derive(Clone, Debug, Default, Deserialize, Serialize, IntoParams)]
#[serde(deny_unknown_fields, default)]
#[into_params(parameter_in = Query)]
pub struct DryRun {
    /// Nothing is done; the answer says what would be.
    pub dry_run: Option<bool>,
}

/// `GET /admin/erasures`.
#[derive(Clone, Debug, Deserialize, Serialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct ListErasures {
    /// The org, by its root.
    pub org_id: Uuid,
}

/// What kind of thing was erased.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ErasedKind {
    /// What was stored about an end user.
    Subject,
    /// A workspace, and those that were removed with it.
    Workspace,
    /// A whole org.
    Org,
}

/// The receipt of an erasure: what, how much, when and by whom. Nothing of what was erased is in it.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct Receipt {
    /// Its id.
    pub id: Uuid,
    /// The org, by its root.
    pub org_id: Uuid,
    /// What was erased.
    pub erased: ErasedKind,
    /// Of an end user: the SHA-256 of its id, in hexadecimal.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub subject_sha256: Option<String>,
    /// Of a workspace: its id.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub workspace_id: Option<Uuid>,
    /// Why.
    pub reason: String,
    /// By whom, by the name for the log.
    pub erased_by: String,
    /// When.
    pub erased_at: DateTime<Utc>,
    /// Workspaces whose content went.
    pub workspaces: i64,
    /// Memories.
    pub memories: i64,
    /// Earlier versions of memories.
    pub versions: i64,
    /// Keys.
    pub entries: i64,
    /// Episodes.
    pub episodes: i64,
    /// Tokens that were issued here.
    pub tokens: i64,
    /// Answers that were kept for `Idempotency-Key`s.
    pub answers: i64,
    /// The number of the row of the org's access log that tells of it: where it stands in the chain.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub access_seq: Option<i64>,
    /// What still holds the content, and until when.
    pub older_backups: String,
}
