//! Callers: identities of tokens, admitted in the snapshot of their call.

use std::sync::Arc;

use chrono::{DateTime, Utc};
use orgmem_hierarchy::{OrgId, WorkspaceId};
use uuid::Uuid;

use crate::{CallUser, EndUser, Forbidden, Role};

/// The claims of a token whose signature, audience and times are verified.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TokenIdentity {
    /// Name in the audit log, shared by the rows of this caller.
    pub subject: Arc<str>,
    /// Role of the token.
    pub role: Role,
    /// The bound workspace; `None` for an admin.
    pub workspace: Option<WorkspaceId>,
    /// Id of the token.
    pub jti: Uuid,
    /// In whole seconds.
    pub issued_at: DateTime<Utc>,
    /// The end user that the token is bound to, or that the request names.
    pub user: CallUser,
}

/// Stored state of a token and its workspace, from the snapshot of the call.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct TokenStatus {
    /// The org of the bound workspace; `None` for an admin or if the workspace does not exist.
    pub org: Option<OrgId>,
    /// Whether the workspace is live.
    pub live: bool,
    /// Whether this token was revoked.
    pub revoked: bool,
    /// Tokens of the workspace issued until this instant are revoked.
    pub revoked_until: Option<DateTime<Utc>>,
}

/// Why a valid token is not accepted. All cases respond with 401.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotAdmitted {
    /// The token was revoked, individually or with all tokens of its workspace.
    #[error("the token was revoked; ask for a new one")]
    Revoked,
    /// The bound workspace is removed or never existed.
    #[error("the workspace that the token is bound to is not live; ask for a token of a live one")]
    WorkspaceNotLive,
}

/// The caller of an operation, from an admitted token or from the server itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Caller {
    subject: Arc<str>,
    role: Role,
    // INVARIANT: `Some` for every role except admin
    bound: Option<(OrgId, WorkspaceId)>,
    jti: Option<Uuid>,
    user: CallUser,
}

impl Caller {
    /// Admits the holder of a token.
    ///
    /// # Errors
    /// [`NotAdmitted`] when the token was revoked or its workspace is not live.
    pub fn admit(token: &TokenIdentity, token_status: &TokenStatus) -> Result<Self, NotAdmitted> {
        let revoked_before = token_status.revoked_until.is_some_and(|until| token.issued_at <= until);
        if token_status.revoked || revoked_before {
            return Err(NotAdmitted::Revoked);
        }
        let bound = match (token.role.is_bound(), token.workspace, token_status.org) {
            (false, _, _) => None,
            (true, Some(workspace), Some(org)) if token_status.live => Some((org, workspace)),
            (true, _, _) => return Err(NotAdmitted::WorkspaceNotLive),
        };
        let (subject, user) = (Arc::clone(&token.subject), token.user.clone());
        Ok(Self { subject, role: token.role, bound, jti: Some(token.jti), user })
    }

    /// The server itself, with an admin's permissions; the audit log contains `why`.
    #[must_use]
    pub fn system(why: &'static str) -> Self {
        let subject = format!("orgmem: {why}").into();
        Self { subject, role: Role::Admin, bound: None, jti: None, user: CallUser::default() }
    }

    /// Name in the audit log.
    #[must_use]
    pub fn subject(&self) -> &str {
        &self.subject
    }

    /// [`Caller::subject`] with shared ownership.
    #[must_use]
    pub fn shared_subject(&self) -> Arc<str> {
        Arc::clone(&self.subject)
    }

    /// Role of the caller.
    #[must_use]
    pub fn role(&self) -> Role {
        self.role
    }

    /// The bound workspace; `None` for an admin.
    #[must_use]
    pub fn workspace(&self) -> Option<WorkspaceId> {
        self.bound.map(|(_, workspace)| workspace)
    }

    /// The bound org; `None` for an admin.
    #[must_use]
    pub fn org(&self) -> Option<OrgId> {
        self.bound.map(|(org, _)| org)
    }

    /// Id of the token; `None` for the server itself.
    #[must_use]
    pub fn jti(&self) -> Option<Uuid> {
        self.jti
    }

    /// The end user that the call is for.
    #[must_use]
    pub fn user(&self) -> &CallUser {
        &self.user
    }

    /// The caller of a call that also names `user`.
    ///
    /// # Errors
    /// [`Forbidden::OtherEndUser`].
    pub fn naming(&self, user: &EndUser) -> Result<Self, Forbidden> {
        Ok(Self { user: self.user.naming(user)?, ..self.clone() })
    }

    /// Whether the caller may know that this org exists.
    #[must_use]
    pub fn knows(&self, org: OrgId) -> bool {
        self.org().is_none_or(|own| own == org)
    }
}
