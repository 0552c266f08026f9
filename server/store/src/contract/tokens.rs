//! The token registry: tokens that were issued here, and tokens that are refused despite a valid signature.

use chrono::{DateTime, Utc};
use orgmem_hierarchy::{OrgId, WorkspaceId};
use orgmem_policies::Role;
use uuid::Uuid;

/// The nil org, which represents the server itself. It owns admin tokens and revocations of tokens that were not issued
/// here.
pub const SERVER: OrgId = OrgId::of_root(WorkspaceId::NIL);

/// A token issued by this server or by another one on the same database.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KnownToken {
    /// The org of the bound workspace; [`SERVER`] for an admin token.
    pub org: OrgId,
    /// The bound workspace; none for an admin token.
    pub workspace: Option<WorkspaceId>,
}

/// The stored data of a token. The token itself is never stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TokenRecord {
    /// The id of the token.
    pub jti: Uuid,
    /// Determines the permissions of the caller.
    pub role: Role,
    /// The name of the caller in the audit log.
    pub subject: String,
    /// The end user that it is bound to.
    pub end_user: Option<String>,
    /// The session that it is bound to.
    pub session_id: Option<String>,
    /// Time of issue, in whole seconds.
    pub issued_at: DateTime<Utc>,
    /// Time of expiry.
    pub expires_at: DateTime<Utc>,
    /// Time of the revocation.
    pub revoked_at: Option<DateTime<Utc>>,
    /// Time of the newest audit row of the token; none if it was never used.
    pub last_used_at: Option<DateTime<Utc>>,
}
