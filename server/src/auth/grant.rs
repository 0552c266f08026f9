//! The claims of a token to issue.

use chrono::{DateTime, SubsecRound, TimeDelta, Utc};
use orgmem_hierarchy::WorkspaceId;
use orgmem_policies::{Role, TokenPass};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

/// Lifetimes of tokens.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lifetimes {
    pub(super) agent: TimeDelta,
    pub(super) people: TimeDelta,
    pub(super) max: TimeDelta,
}

/// The claims of an issued token. Signing is deterministic, so the store can keep the grant, which is not secret, and
/// return the same token for a repeated request.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TokenGrant {
    #[serde(rename = "sub")]
    subject: String,
    role: Role,
    #[serde(rename = "ws", skip_serializing_if = "Option::is_none", default)]
    workspace: Option<WorkspaceId>,
    #[serde(rename = "iat", with = "chrono::serde::ts_seconds")]
    issued_at: DateTime<Utc>,
    #[serde(rename = "nbf", with = "chrono::serde::ts_seconds")]
    not_before: DateTime<Utc>,
    #[serde(rename = "exp", with = "chrono::serde::ts_seconds")]
    expires_at: DateTime<Utc>,
    jti: Uuid,
    #[serde(rename = "subject", skip_serializing_if = "Option::is_none", default)]
    end_user: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    session: Option<String>,
}

/// A fault in a request for a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GrantError {
    /// The lifetime is zero, negative or too long.
    #[error("`expires_in` must be from 1 to {max_seconds} seconds")]
    Lifetime {
        /// The maximum lifetime in seconds.
        max_seconds: i64,
    },
    /// The subject is not safe in a log line.
    #[error("`subject` must be text of 1 to 256 bytes without control characters")]
    Subject,
}

impl GrantError {
    /// The wire name of the invalid field.
    #[must_use]
    pub fn field(self) -> &'static str {
        match self {
            Self::Lifetime { .. } => "expires_in",
            Self::Subject => "subject",
        }
    }
}

impl TokenGrant {
    /// The beginning of a name, with the maximum length of a subject.
    #[must_use]
    pub fn fitting(name: &str) -> &str {
        super::claims::truncated(name)
    }

    /// A grant for the token that `pass` allows.
    ///
    /// # Arguments
    /// `expires_in`: the lifetime in seconds, by default that of the settings. `now` is truncated to whole seconds.
    pub(super) fn new(
        pass: &TokenPass,
        subject: &str,
        expires_in: Option<i64>,
        jti: Uuid,
        now: DateTime<Utc>,
        lifetimes: &Lifetimes,
    ) -> Result<Self, GrantError> {
        if !super::claims::is_plain(subject) {
            return Err(GrantError::Subject);
        }
        let default = if pass.role().is_person() { lifetimes.people } else { lifetimes.agent };
        let lifetime = expires_in
            .map_or(Some(default), TimeDelta::try_seconds)
            .filter(|life| *life > TimeDelta::zero() && *life <= lifetimes.max)
            .ok_or(GrantError::Lifetime { max_seconds: lifetimes.max.num_seconds() })?;
        Ok(Self::with_lifetime(pass, subject, lifetime, jti, now))
    }

    /// The same for the server itself, with a valid subject and lifetime.
    pub(super) fn with_lifetime(
        pass: &TokenPass,
        subject: &str,
        lifetime: TimeDelta,
        jti: Uuid,
        now: DateTime<Utc>,
    ) -> Self {
        let issued_at = now.trunc_subsecs(0);
        Self {
            subject: subject.to_owned(),
            role: pass.role(),
            workspace: pass.bound().map(|(_, workspace)| workspace),
            issued_at,
            not_before: issued_at,
            expires_at: issued_at + lifetime,
            jti,
            end_user: pass.user().subject.as_deref().map(str::to_owned),
            session: pass.user().session.as_deref().map(str::to_owned),
        }
    }

    /// The name of the bearer, for logs.
    #[must_use]
    pub fn subject(&self) -> &str {
        &self.subject
    }

    /// The role.
    #[must_use]
    pub fn role(&self) -> Role {
        self.role
    }

    /// The workspace that the token is bound to; `None` for an admin.
    #[must_use]
    pub fn workspace(&self) -> Option<WorkspaceId> {
        self.workspace
    }

    /// The end user that the token is bound to.
    #[must_use]
    pub fn end_user(&self) -> Option<&str> {
        self.end_user.as_deref()
    }

    /// The session that the token is bound to.
    #[must_use]
    pub fn session(&self) -> Option<&str> {
        self.session.as_deref()
    }

    /// The id of the token, for a revocation.
    #[must_use]
    pub fn jti(&self) -> Uuid {
        self.jti
    }

    /// The time of issue, in whole seconds.
    #[must_use]
    pub fn issued_at(&self) -> DateTime<Utc> {
        self.issued_at
    }

    /// Exclusive end of validity, without the leeway.
    #[must_use]
    pub fn expires_at(&self) -> DateTime<Utc> {
        self.expires_at
    }
}
