//! Who calls: a token's identity, admitted at the snapshot in which its call is answered.

use std::sync::Arc;

use chrono::{DateTime, Utc};
use orgmem_hierarchy::{OrgId, WorkspaceId};
use uuid::Uuid;

use crate::Role;

/// What a verified token says of its bearer. Its signature, audience and times were checked by whoever hands it in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TokenIdentity {
    /// A name for the log, shared by all that tells of its bearer.
    pub subject: Arc<str>,
    /// What it may be used for.
    pub role: Role,
    /// The workspace the role is bound to; none for an admin.
    pub workspace: Option<WorkspaceId>,
    /// The id of the token.
    pub jti: Uuid,
    /// When it was issued, whole seconds.
    pub issued_at: DateTime<Utc>,
}

/// How a token and its workspace stand in the store, read in the snapshot in which the call is answered.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct TokenStatus {
    /// The org of the token's workspace; none for an admin, and none when there is no such workspace.
    pub org: Option<OrgId>,
    /// Whether the workspace is live.
    pub live: bool,
    /// Whether this very token was revoked.
    pub revoked: bool,
    /// All tokens of the workspace issued up to this instant were revoked.
    pub revoked_until: Option<DateTime<Utc>>,
}

/// Why a token, though genuine, no longer admits its bearer. All answer 401.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotAdmitted {
    /// The token was revoked, alone or with all of its workspace.
    #[error("the token was revoked; ask for a new one")]
    Revoked,
    /// The workspace it is bound to was removed or never was.
    #[error("the workspace that the token is bound to is not live; ask for a token of a live one")]
    WorkspaceNotLive,
}

/// Who calls. Made from an admitted token, or for the server's own work with a reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Caller {
    subject: Arc<str>,
    role: Role,
    // INVARIANT: both are there unless the role is admin
    bound: Option<(OrgId, WorkspaceId)>,
    jti: Option<Uuid>,
}

impl Caller {
    /// Admits the bearer of a token as it stands now.
    ///
    /// # Errors
    /// [`NotAdmitted`] when the token was revoked or its workspace is not live.
    pub fn admit(token: &TokenIdentity, token_status: &TokenStatus) -> Result<Self, NotAdmitted> {
        let late = token_status.revoked_until.is_some_and(|until| token.issued_at <= until);
        if token_status.revoked || late {
            return Err(NotAdmitted::Revoked);
        }
        let bound = match (token.role.is_bound(), token.workspace, token_status.org) {
            (false, _, _) => None,
            (true, Some(workspace), Some(org)) if token_status.live => Some((org, workspace)),
            (true, _, _) => return Err(NotAdmitted::WorkspaceNotLive),
        };
        Ok(Self { subject: Arc::clone(&token.subject), role: token.role, bound, jti: Some(token.jti) })
    }

    /// The server itself, doing what `why` says. It may do everything, and the log says why.
    #[must_use]
    pub fn system(why: &'static str) -> Self {
        Self { subject: format!("orgmem: {why}").into(), role: Role::Admin, bound: None, jti: None }
    }

    /// The name for the log.
    #[must_use]
    pub fn subject(&self) -> &str {
        &self.subject
    }

    /// The same, for what outlives the caller.
    #[must_use]
    pub fn shared_subject(&self) -> Arc<str> {
        Arc::clone(&self.subject)
    }

    /// What the caller may be used for.
    #[must_use]
    pub fn role(&self) -> Role {
        self.role
    }

    /// The workspace it is bound to; none for an admin.
    #[must_use]
    pub fn workspace(&self) -> Option<WorkspaceId> {
        self.bound.map(|(_, workspace)| workspace)
    }

    /// The org it is bound to; none for an admin.
    #[must_use]
    pub fn org(&self) -> Option<OrgId> {
        self.bound.map(|(org, _)| org)
    }

    /// The id of its token; none for the server itself.
    #[must_use]
    pub fn jti(&self) -> Option<Uuid> {
        self.jti
    }

    /// Whether the caller may know that this org exists.
    #[must_use]
    pub fn knows(&self, org: OrgId) -> bool {
        self.org().is_none_or(|own| own == org)
    }
}
