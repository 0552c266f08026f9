//! Problems (RFC 9457), and the stable codes that programs react to.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// What went wrong, for a person (`detail`) and for a program (`code`).
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct Problem {
    /// A URI that names the kind of problem: `urn:orgmem:problem:<code>`.
    #[serde(rename = "type")]
    pub kind: String,
    /// The kind in a few words.
    pub title: String,
    /// The HTTP status.
    pub status: u16,
    /// What happened, why, and what would work.
    pub detail: String,
    /// The kind as a stable word.
    pub code: ProblemCode,
    /// The same sentence as `detail`, for clients that read this name.
    pub error: String,
    /// The id of the request, as in `X-Request-Id`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub request_id: Option<String>,
    /// What some problems add, by name: `expected_version`, `children`, …
    #[serde(flatten)]
    pub more: crate::Object,
}

impl Problem {
    /// A problem of this kind, before the id of the request is known.
    #[must_use]
    pub fn new(status: u16, code: ProblemCode, title: &str, detail: String) -> Self {
        Self {
            kind: format!("urn:orgmem:problem:{}", code.as_str()),
            title: title.to_owned(),
            status,
            error: detail.clone(),
            detail,
            code,
            request_id: None,
            more: crate::Object::new(),
        }
    }

    /// The same with one more member.
    #[must_use]
    pub fn with(mut self, name: &str, value: serde_json::Value) -> Self {
        self.more.insert(name.to_owned(), value);
        self
    }
}

/// Every kind of problem. docs/errors.md says who reacts how.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ProblemCode {
    /// 400: the request is not understood.
    BadRequest,
    /// 400: a field is missing, unknown, of the wrong type or out of its limits.
    InvalidField,
    /// 400: a cursor is not one of ours, or of another list.
    InvalidCursor,
    /// 400: the server is not set up for what was asked.
    NotConfigured,
    /// 401: there is no token.
    TokenMissing,
    /// 401: the token is not accepted.
    TokenInvalid,
    /// 403: the caller may not do this here.
    Forbidden,
    /// 403: the scope may not be written from here.
    ScopeForbidden,
    /// 404: absent, or not the caller's to see.
    NotFound,
    /// 405: the address has other methods.
    MethodNotAllowed,
    /// 408: the request did not arrive in time.
    RequestTimeout,
    /// 409: the id is another's.
    IdTaken,
    /// 409: the tree does not allow the change.
    TreeConflict,
    /// 409: the workspace has children.
    ConfirmationRequired,
    /// 409: the entry has another version.
    VersionConflict,
    /// 409: a name stands for more than one workspace.
    Ambiguous,
    /// 409: the memory to supersede is not a live one of the author's, or the one to take its place was superseded itself.
    NothingToSupersede,
    /// 409: the author has as many pins as are allowed.
    TooManyPins,
    /// 409: the run is over.
    RunOver,
    /// 409: the run holds as many memories back as are allowed.
    RunFull,
    /// 409: the workspace's profile excludes memories of this kind.
    KindExcluded,
    /// 409: another profile of the workspace has the name.
    ProfileNamed,
    /// 409: the default profile is not deleted.
    ProfileIsDefault,
    /// 409: the workspace has as many profiles as are allowed.
    TooManyProfiles,
    /// 410: it was removed.
    Gone,
    /// 413: the request is too large.
    TooLarge,
    /// 415: the body is not JSON.
    UnsupportedMediaType,
    /// 422: the idempotency key was used for another request.
    IdempotencyMismatch,
    /// 429: too many at once.
    Busy,
    /// 500: a fault of the server.
    Internal,
    /// 503: the store does not answer.
    Unavailable,
}

impl ProblemCode {
    /// The word on the wire.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::BadRequest => "bad_request",
            Self::InvalidField => "invalid_field",
            Self::InvalidCursor => "invalid_cursor",
            Self::NotConfigured => "not_configured",
            Self::TokenMissing => "token_missing",
            Self::TokenInvalid => "token_invalid",
            Self::Forbidden => "forbidden",
            Self::ScopeForbidden => "scope_forbidden",
            Self::NotFound => "not_found",
            Self::MethodNotAllowed => "method_not_allowed",
            Self::RequestTimeout => "request_timeout",
            Self::IdTaken => "id_taken",
            Self::TreeConflict => "tree_conflict",
            Self::ConfirmationRequired => "confirmation_required",
            Self::VersionConflict => "version_conflict",
            Self::Ambiguous => "ambiguous",
            Self::NothingToSupersede => "nothing_to_supersede",
            Self::TooManyPins => "too_many_pins",
            Self::RunOver => "run_over",
            Self::RunFull => "run_full",
            Self::KindExcluded => "kind_excluded",
            Self::ProfileNamed => "profile_named",
            Self::ProfileIsDefault => "profile_is_default",
            Self::TooManyProfiles => "too_many_profiles",
            Self::Gone => "gone",
            Self::TooLarge => "too_large",
            Self::UnsupportedMediaType => "unsupported_media_type",
            Self::IdempotencyMismatch => "idempotency_mismatch",
            Self::Busy => "busy",
            Self::Internal => "internal",
            Self::Unavailable => "unavailable",
        }
    }
}
