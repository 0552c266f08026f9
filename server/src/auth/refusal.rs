use chrono::{DateTime, SecondsFormat, Utc};
use orgmem_policies::Role;

/// The reason why a token is refused, for the caller. The texts never repeat parts of the token.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TokenRefusal {
    /// No Authorization header.
    #[error("a token is required: send the header `Authorization: Bearer <token>`")]
    Missing,
    /// Another Authorization header, or several.
    #[error("the Authorization header must be `Bearer <token>`, once")]
    NotBearer,
    /// The token is too large.
    #[error("the token is longer than 8 KiB")]
    TooLong,
    /// Not three parts of base64url with JSON in the first two.
    #[error("the token is not a JWT (three base64url parts with dots between them)")]
    NotAToken,
    /// The header requires an unknown extension.
    #[error("the token's header has `crit`, which this server does not support")]
    CriticalHeader,
    /// No key has this `kid`.
    #[error("the token's `kid` is not a key of this server; get a new token")]
    UnknownKey,
    /// The key has another algorithm, or no key has the algorithm.
    #[error("the token's `alg` does not match its key")]
    WrongAlgorithm,
    /// The key did not sign the token.
    #[error("the token's signature is invalid: it was signed with another key, or changed")]
    WrongSignature,
    /// The keys of the identity provider were never fetched, so its tokens cannot be verified.
    #[error("the keys of the identity provider are not available yet; try again soon")]
    KeysUnavailable,
    #[error("the token lacks the claim `{0}`")]
    /// A required claim is missing.
    ClaimMissing(&'static str),
    /// A claim has an invalid type or value.
    #[error("the token's claim `{claim}` must be {expected}")]
    ClaimMistyped {
        /// The claim.
        claim: &'static str,
        /// The valid values.
        expected: &'static str,
    },
    /// No mapped role is in the claim.
    #[error("no role of this server belongs to the token's claim `role`; `jwt.jwks_roles` lists the known values")]
    NoMappedRole,
    /// `iss` names another issuer.
    #[error("the token's `iss` is not the trusted issuer")]
    WrongIssuer,
    /// `aud` names another audience.
    #[error("the token is for another audience: its `aud` does not name this server")]
    WrongAudience,
    /// `exp` has passed.
    #[error("the token expired at {}; get a new one", at.to_rfc3339_opts(SecondsFormat::Secs, true))]
    Expired {
        /// The time in `exp`.
        at: DateTime<Utc>,
    },
    /// `nbf` is in the future.
    #[error("the token is not valid before {}", at.to_rfc3339_opts(SecondsFormat::Secs, true))]
    NotYetValid {
        /// The time in `nbf`.
        at: DateTime<Utc>,
    },
    /// `iat` is in the future.
    #[error("the token was issued in the future; one of the two clocks is wrong")]
    IssuedInTheFuture,
    /// The time from `iat` to `exp` is too long or not positive.
    #[error("the token's lifetime, from `iat` to `exp`, must be more than 0 and at most {max_seconds} seconds")]
    WrongLifetime {
        /// The maximum lifetime in seconds.
        max_seconds: i64,
    },
    /// Only agents are bound to an end user.
    #[error("a token of role `{0}` cannot be bound to an end user: leave the claims `subject` and `session` out")]
    EndUserOfRole(Role),
    /// The role requires a workspace.
    #[error("a token of role `{0}` must name its workspace in `ws`")]
    WorkspaceMissing(Role),
    /// An admin token must not have a workspace.
    #[error("a token of role `admin` must not have `ws`: it is bound to no workspace")]
    WorkspaceOfAdmin,
}

impl TokenRefusal {
    /// The `WWW-Authenticate` header of the response.
    ///
    /// # Source
    /// RFC 6750, section 3: no error code for a request without a token.
    #[must_use]
    pub fn challenge(&self) -> String {
        match self {
            Self::Missing => "Bearer realm=\"orgmem\"".to_owned(),
            other => format!("Bearer realm=\"orgmem\", error=\"invalid_token\", error_description=\"{other}\""),
        }
    }
}
