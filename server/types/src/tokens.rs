//! Tokens, and who the caller is.

use chrono::{DateTime, Utc};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use crate::{Deleted, DeletedStatus};

/// What a token may be used for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, ToSchema, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Role {
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
    /// The role of the token.
    pub role: Role,
    /// Its lifetime in seconds; an agent's is 24 hours and a person's 12 when not given, at most one year.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expires_in: Option<i64>,
    /// A name for the log, at most 256 bytes; `<role>:<workspace name>`, cut to that, when not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub subject: Option<String>,
}

/// A token, told once.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct IssuedToken {
    /// The bearer token.
    pub token: String,
    /// Its id, to revoke it by.
    pub jti: Uuid,
    /// Its role.
    pub role: Role,
    /// The workspace it is bound to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub workspace_id: Option<Uuid>,
    /// The name for the log.
    pub subject: String,
    /// From this instant on it is refused.
    pub expires_at: DateTime<Utc>,
}

/// `GET /workspaces/{id}/tokens`.
#[derive(Clone, Debug, Default, Deserialize, Serialize, IntoParams)]
#[serde(deny_unknown_fields, default)]
#[into_params(parameter_in = Query)]
pub struct ListTokens {
    /// At most this many; 50 when not given, at most 200.
    pub limit: Option<u64>,
    /// Where to go on.
    pub cursor: Option<String>,
}

/// What is known of a token that was issued here; the token itself is kept nowhere.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct KeptToken {
    /// Its id, to revoke it by.
    pub jti: Uuid,
    /// Its role.
    pub role: Role,
    /// The name for the log.
    pub subject: String,
    /// When it was issued.
    pub issued_at: DateTime<Utc>,
    /// From this instant on it is refused.
    pub expires_at: DateTime<Utc>,
    /// Since when it is refused before its time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub revoked_at: Option<DateTime<Utc>>,
    /// When it was last used, as the access log tells it; absent where it never was. What the log does not tell of, such
    /// as `GET /me` or what was refused, is no use of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_used_at: Option<DateTime<Utc>>,
    /// How many event streams are open with it on the server that answers: they end when it is revoked.
    pub streams: usize,
}

/// The answer to the revocation of one token.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, ToSchema)]
pub struct RevokedToken {
    /// Always `deleted`: whatever bears this id is refused from now on.
    pub status: DeletedStatus,
    /// Whether a token with this id is known to have been issued here. Those that a platform signs itself are not, nor is
    /// the one in `admin.token`; nor one that has long expired.
    pub known: bool,
}

/// The answer to the revocation of all tokens of a workspace: what was done, or with `dry_run=true` what would be.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(untagged)]
pub enum RevokedTokens {
    /// They are refused from now on.
    Done(Deleted),
    /// Nothing is changed.
    Planned(RevocationPreview),
}

/// What the revocation of all tokens of a workspace would end.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, ToSchema)]
pub struct RevocationPreview {
    /// Always true: nothing was changed.
    pub dry_run: bool,
    /// How many tokens that were issued here are accepted now and would not be. Those that a platform signs itself are
    /// refused too, and known to nobody.
    pub tokens: i64,
    /// How many event streams are open with tokens bound to the workspace on the server that answers, whoever signed
    /// them: they end.
    pub streams: usize,
}

/// `GET /me`: who the caller is, what it is bound to, what it may do.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct Me {
    /// The name for the log.
    pub subject: String,
    /// Its role.
    pub role: Role,
    /// The workspace it is bound to; none for an admin.
    pub workspace_id: Option<Uuid>,
    /// That workspace's name.
    pub workspace_name: Option<String>,
    /// The org of that workspace.
    pub org_id: Option<Uuid>,
    /// The id of its token.
    pub jti: Uuid,
    /// When its token ends.
    pub expires_at: DateTime<Utc>,
    /// What it may do in the workspace it is bound to (an admin: anywhere), by name.
    pub may: Vec<String>,
}
