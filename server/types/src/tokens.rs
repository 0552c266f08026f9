//! Tokens and the caller's identity.

use chrono::{DateTime, Utc};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::{Deleted, DeletedStatus};

/// Role of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, ToSchema, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// Writes the records of one tree, and nothing else.
    Source,
    /// Acts as one workspace.
    Agent,
    /// Reads a subtree.
    Viewer,
    /// Reads and acts in a subtree.
    Operator,
    /// Everything on the server.
    Admin,
}

/// `POST /workspaces/{id}/tokens`.
#[derive(Clone, Debug, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct IssueToken {
    pub role: Role,
    /// Lifetime in seconds, at most one year; by default 24 hours for agents and 12 hours for people.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expires_in: Option<i64>,
    /// Name in the audit log, at most 256 bytes; by default `<role>:<workspace name>`, truncated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub subject: Option<String>,
    /// Only for agents: the end user that the token is bound to. It reads and writes for that user, and can name no other.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub end_user: Option<String>,
    /// Only for agents: the session that the token is bound to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session_id: Option<String>,
}

/// A new token. No later response contains the token itself.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct IssuedToken {
    pub token: String,
    /// Id of the token, for revocation.
    pub jti: Uuid,
    pub role: Role,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub workspace_id: Option<Uuid>,
    /// Name in the audit log.
    pub subject: String,
    /// The end user that the token is bound to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub end_user: Option<String>,
    /// The session that the token is bound to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session_id: Option<String>,
    /// Exclusive end of validity.
    pub expires_at: DateTime<Utc>,
}

/// An issued token, without the token itself.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct TokenInfo {
    /// Id of the token, for revocation.
    pub jti: Uuid,
    pub role: Role,
    /// Name in the audit log.
    pub subject: String,
    /// The end user that the token is bound to; `[erased]` after the erasure of the end user.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub end_user: Option<String>,
    /// The session that the token is bound to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session_id: Option<String>,
    pub issued_at: DateTime<Utc>,
    /// Exclusive end of validity.
    pub expires_at: DateTime<Utc>,
    /// Time of the revocation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub revoked_at: Option<DateTime<Utc>>,
    /// Last use in the audit log; absent if never used. Calls without an audit row, such as `GET /me` and refused ones,
    /// do not count.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_used_at: Option<DateTime<Utc>>,
    /// Open event streams of this token on the responding server; a revocation closes them.
    pub streams: usize,
}

/// Response to the revocation of one token.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, ToSchema)]
pub struct RevokedToken {
    /// Always `deleted`: the server refuses this id from now on.
    pub status: DeletedStatus,
    /// Whether the server knows a token with this id. False for tokens signed by a platform, for the token in
    /// `admin.token`, and long after expiry.
    pub known: bool,
}

/// Response to the revocation of all tokens of a workspace: the outcome, or the dry run.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(untagged)]
pub enum RevokedTokens {
    Done(Deleted),
    Planned(RevocationPreview),
}

/// Dry run of the revocation of all tokens of a workspace.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, ToSchema)]
pub struct RevocationPreview {
    /// Always true.
    pub dry_run: bool,
    /// Number of valid tokens issued by this server that would be refused. Tokens signed by a platform would be refused
    /// too but are not counted.
    pub tokens: i64,
    /// Open event streams of the workspace's tokens on the responding server, whoever signed them; a revocation closes
    /// them.
    pub streams: usize,
}

/// `GET /me`: the caller's identity and permissions.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct Me {
    /// Name in the audit log.
    pub subject: String,
    pub role: Role,
    /// Absent for an admin.
    pub workspace_id: Option<Uuid>,
    pub workspace_name: Option<String>,
    pub org_id: Option<Uuid>,
    /// The end user that the token is bound to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub end_user: Option<String>,
    /// The session that the token is bound to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session_id: Option<String>,
    /// Id of the token.
    pub jti: Uuid,
    /// Exclusive end of the token's validity.
    pub expires_at: DateTime<Utc>,
    /// Names of the permissions in the bound workspace; for an admin, anywhere.
    pub may: Vec<String>,
}
