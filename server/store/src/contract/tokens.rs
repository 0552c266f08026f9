//! The registry of tokens: which were issued here, and which are refused though their signature holds.

use chrono::{DateTime, Utc};
use orgmem_hierarchy::{OrgId, WorkspaceId};
use orgmem_policies::Role;
use uuid::Uuid;

/// What stands for the server itself where an org is asked for: the org of admin tokens, and of revocations of tokens
/// that were not issued here.
pub const SERVER: OrgId = OrgId::of_root(WorkspaceId::NIL);

/// A token that this server, or one that shares its database, issued.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KnownToken {
    /// The org it is bound to; [`SERVER`] for an admin's.
    pub org: OrgId,
    /// The workspace it is bound to; none for an admin's.
    pub workspace: Option<WorkspaceId>,
}

/// What is kept of a token: never the token itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TokenRecord {
    /// Its id.
    pub jti: Uuid,
    /// What it may be used for.
    pub role: Role,
    /// The name for the log.
    pub subject: String,
    /// The second that it was issued in.
    pub issued_at: DateTime<Utc>,
    /// From this instant on it is refused anyway.
    pub expires_at: DateTime<Utc>,
    /// Since when it is refused though it has not expired.
    pub revoked_at: Option<DateTime<Utc>>,
    /// When the newest row of the access log was made that it is in; none where there never was one.
    pub last_used_at: Option<DateTime<Utc>>,
}
