//! Erasure of the data of an end user or an org, with its receipt.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

/// `POST /admin/erasures`: erases the data of an end user in an org, or a whole org.
#[derive(Clone, Debug, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Erase {
    /// Id of the root workspace.
    pub org_id: Uuid,
    /// Id of the end user, as in the `subject` of memories. Required unless `whole_org` is true.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub subject: Option<String>,
    /// Removes the whole tree and erases its content.
    #[serde(default)]
    pub whole_org: bool,
    /// One line of at most 500 characters, stored in the receipt.
    pub reason: String,
}

/// `GET /admin/erasures`.
#[derive(Clone, Debug, Deserialize, Serialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct ListErasures {
    /// Id of the root workspace.
    pub org_id: Uuid,
}

/// Extent of an erasure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ErasedKind {
    /// The data of an end user.
    Subject,
    /// A workspace, and the workspaces removed with it.
    Workspace,
    /// A whole org.
    Org,
}

/// Receipt of an erasure, without the erased content.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct Receipt {
    pub id: Uuid,
    /// Id of the root workspace.
    pub org_id: Uuid,
    pub erased: ErasedKind,
    /// Only for an end user: SHA-256 of the id, in hexadecimal.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub subject_sha256: Option<String>,
    /// Only for a workspace.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub workspace_id: Option<Uuid>,
    pub reason: String,
    /// Subject of the caller's token.
    pub erased_by: String,
    pub erased_at: DateTime<Utc>,
    /// Number of erased workspaces.
    pub workspaces: i64,
    /// Number of erased memories.
    pub memories: i64,
    /// Number of erased earlier versions.
    pub versions: i64,
    /// Number of erased entries.
    pub entries: i64,
    /// Number of episodes.
    pub episodes: i64,
    /// Number of erased tokens.
    pub tokens: i64,
    /// Number of erased responses stored for `Idempotency-Key`.
    pub answers: i64,
    /// Number of the row in the org's audit log that records the erasure.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub access_seq: Option<i64>,
    /// Backups that still contain the content, and their retention.
    pub older_backups: String,
}
