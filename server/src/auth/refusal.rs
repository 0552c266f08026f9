use chrono::{DateTime, SecondsFormat, Utc};
use orgmem_policies::Role;

/// Why a token is not believed. The texts help whoever sent it, and never repeat any of it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TokenRefusal {
    /// There is no Authorization header.
    #[error("a token is required: send the header `Authorization: Bearer <token>`")]
    Missing,
    /// There is an Authorization header, or several, but not one bearer token.
    #[error("the Authorization header must be `Bearer <token>`, once")]
    NotBearer,
    /// The token is too large to be looked at.
    #[error("the token is longer than 8 KiB")]
    TooLong,
    /// It is not three parts of base64url with JSON in the first two.
    #[error("the token is not a JWT (three base64url parts with dots between them)")]
    NotAToken,
    /// Its header asks for an extension that this server does not know.
    #[error("the token's header has `crit`, which this server does not support")]
    CriticalHeader,
    /// No key has this `kid`.
    #[error("the token names a `kid` that is none of this server's keys; ask for a new token")]
    UnknownKey,
    /// The key is for another algorithm than the header says, or there is no key for that one.
    #[error("the token's `alg` is not the one that its key is for")]
    WrongAlgorithm,
    /// The signature is not that of the key.
    #[error("the token's signature is wrong: it was signed with another key, or changed")]
    WrongSignature,
    /// The identity provider's keys were never seen, so that nothing can be said of its tokens.
    #[error("the keys of the identity provider cannot be reached yet; try again soon")]
    KeysUnavailable,
    /// A claim is missing.
    #[error("the token lacks the claim `{0}`")]
    ClaimMissing(&'static str),
    /// A claim has the wrong type or cannot be used.
    #[error("the token's claim `{claim}` must be {expected}")]
    ClaimMistyped {
        /// Which.
        claim: &'static str,
        /// What it should be.
        expected: &'static str,
    },
    /// `iss` is somebody else.
    #[error("the token's `iss` is not the issuer that this server believes")]
    WrongIssuer,
    /// `aud` is somebody else.
    #[error("the token is not meant for this server: its `aud` is another")]
    WrongAudience,
    /// `exp` has passed.
    #[error("the token expired at {}; ask for a new one", at.to_rfc3339_opts(SecondsFormat::Secs, true))]
    Expired {
        /// When.
        at: DateTime<Utc>,
    },
    /// `nbf` is still to come.
    #[error("the token is not valid before {}", at.to_rfc3339_opts(SecondsFormat::Secs, true))]
    NotYetValid {
        /// When it will be.
        at: DateTime<Utc>,
    },
    /// `iat` is still to come.
    #[error("the token was issued in the future; one of the two clocks is wrong")]
    IssuedInTheFuture,
    /// From `iat` to `exp` is too long, or no time at all.
    #[error("the token's life, from `iat` to `exp`, must be more than 0 and at most {max_seconds} seconds")]
    WrongLifetime {
        /// The longest life allowed, in seconds.
        max_seconds: i64,
    },
    /// The role needs a workspace.
    #[error("a token of role `{0}` must name its workspace in `ws`")]
    WorkspaceMissing(Role),
    /// An admin has no workspace.
    #[error("a token of role `admin` must not have `ws`: it is bound to no workspace")]
    WorkspaceOfAdmin,
}

impl TokenRefusal {
    /// The `WWW-Authenticate` header to answer with.
    ///
    /// # Source
    /// RFC 6750, section 3: no error code when the request came without a token.
    #[must_use]
    pub fn challenge(&self) -> String {
        match self {
            Self::Missing => "Bearer realm=\"orgmem\"".to_owned(),
            other => format!("Bearer realm=\"orgmem\", error=\"invalid_token\", error_description=\"{other}\""),
        }
    }
}
