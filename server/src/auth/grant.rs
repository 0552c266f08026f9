//! A token to be: what it will say, decided once and signed as often as asked.

use chrono::{DateTime, SubsecRound, TimeDelta, Utc};
use orgmem_hierarchy::WorkspaceId;
use orgmem_policies::{Role, TokenPass};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

/// How long tokens live.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lifetimes {
    pub(super) agent: TimeDelta,
    pub(super) people: TimeDelta,
    pub(super) max: TimeDelta,
}

/// What an issued token says. Signing it twice gives the same bytes, so a store may keep it to answer a repeated
/// request; it is no secret.
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
}

/// What a request for a token gets wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GrantError {
    /// The lifetime is zero, negative or too long.
    #[error("`expires_in` must be from 1 to {max_seconds} seconds")]
    Lifetime {
        /// The longest life allowed, in seconds.
        max_seconds: i64,
    },
    /// The subject cannot stand in a log line.
    #[error("`subject` must be text of 1 to 256 bytes without control characters")]
    Subject,
}

impl GrantError {
    /// The field that is wrong, by its name on the wire.
    #[must_use]
    pub fn field(self) -> &'static str {
        match self {
            Self::Lifetime { .. } => "expires_in",
            Self::Subject => "subject",
        }
    }
}

impl TokenGrant {
    /// As much of a name as fits into a subject.
    #[must_use]
    pub fn fitting(name: &str) -> &str {
        super::claims::cut(name)
    }

    /// Decides on the token that `pass` allows.
    ///
    /// # Arguments
    /// `expires_in`: its life in seconds; when not given 24 hours for an agent and 12 for a person, unless the
    /// settings say otherwise. `now` counts in whole seconds, as tokens do.
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
        let usual = if pass.role().is_person() { lifetimes.people } else { lifetimes.agent };
        let asked = expires_in.map_or(Some(usual), TimeDelta::try_seconds);
        let lifetime = asked
            .filter(|life| *life > TimeDelta::zero() && *life <= lifetimes.max)
            .ok_or(GrantError::Lifetime { max_seconds: lifetimes.max.num_seconds() })?;
        Ok(Self::lasting(pass, subject, lifetime, jti, now))
    }

    /// The same for the server's own use, with a subject and a lifetime that are right.
    pub(super) fn lasting(pass: &TokenPass, subject: &str, lifetime: TimeDelta, jti: Uuid, now: DateTime<Utc>) -> Self {
        let issued_at = now.trunc_subsecs(0);
        Self {
            subject: subject.to_owned(),
            role: pass.role(),
            workspace: pass.bound().map(|(_, workspace)| workspace),
            issued_at,
            not_before: issued_at,
            expires_at: issued_at + lifetime,
            jti,
        }
    }

    /// The name for the log.
    #[must_use]
    pub fn subject(&self) -> &str {
        &self.subject
    }

    /// The role of the token.
    #[must_use]
    pub fn role(&self) -> Role {
        self.role
    }

    /// The workspace it is bound to; none for an admin.
    #[must_use]
    pub fn workspace(&self) -> Option<WorkspaceId> {
        self.workspace
    }

    /// The id of the token, to revoke it by.
    #[must_use]
    pub fn jti(&self) -> Uuid {
        self.jti
    }

    /// When it was issued, whole seconds.
    #[must_use]
    pub fn issued_at(&self) -> DateTime<Utc> {
        self.issued_at
    }

    /// From this instant on it is refused, give or take the leeway.
    #[must_use]
    pub fn expires_at(&self) -> DateTime<Utc> {
        self.expires_at
    }
}
