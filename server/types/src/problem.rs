//! Problems (RFC 9457) and their stable codes.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// An error, for people (`detail`) and for programs (`code`).
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct Problem {
    /// `urn:orgmem:problem:<code>`.
    #[serde(rename = "type")]
    pub kind: String,
    /// The kind of problem in a few words.
    pub title: String,
    /// HTTP status.
    pub status: u16,
    /// The cause, and a remedy.
    pub detail: String,
    /// Stable code for programs.
    pub code: ProblemCode,
    /// The same as `detail`, for clients that read this name.
    pub error: String,
    /// The `X-Request-Id` of the response.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub request_id: Option<String>,
    /// Further members of some problems: `expected_version`, `children`, …
    #[serde(flatten)]
    pub more: crate::Object,
}

impl Problem {
    /// A problem without request id.
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

    /// Adds a member.
    #[must_use]
    pub fn with(mut self, name: &str, value: serde_json::Value) -> Self {
        self.more.insert(name.to_owned(), value);
        self
    }
}

/// Codes of problems. docs/errors.md lists the remedies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ProblemCode {
    /// 400: the request is malformed.
    BadRequest,
    /// 400: a field is missing, unknown, of the wrong type or out of range.
    InvalidField,
    /// 400: the cursor is invalid or belongs to another list.
    InvalidCursor,
    /// 400: the server is not configured for this call.
    NotConfigured,
    /// 401: no token.
    TokenMissing,
    /// 401: the token is not accepted.
    TokenInvalid,
    /// 403: the caller lacks permission.
    Forbidden,
    /// 403: this workspace may not write the scope.
    ScopeForbidden,
    /// 404: absent, or hidden from the caller.
    NotFound,
    /// 405: the address has other methods.
    MethodNotAllowed,
    /// 408: the body did not arrive in time.
    RequestTimeout,
    /// 409: the id is in use.
    IdTaken,
    /// 409: the tree does not allow the change.
    TreeConflict,
    /// 409: the workspace has children.
    ConfirmationRequired,
    /// 409: the version differs.
    VersionConflict,
    /// 409: a name matches more than one workspace.
    Ambiguous,
    /// 409: the memory to supersede is not a live one of this author, or its successor is superseded.
    NothingToSupersede,
    /// 409: the author has the maximum number of pins.
    TooManyPins,
    /// 409: the budget of a workspace is used up, or may not be larger.
    BudgetExceeded,
    /// 409: the run has ended.
    RunOver,
    /// 409: the workspace has no such run to stage the memory in.
    NoOpenRun,
    /// 409: the run has the maximum number of pending memories.
    RunFull,
    /// 409: the workspace's profile excludes this kind.
    KindExcluded,
    /// 409: another profile of the workspace has this name.
    ProfileNamed,
    /// 409: the default profile cannot be deleted.
    ProfileIsDefault,
    /// 409: the workspace has the maximum number of profiles.
    TooManyProfiles,
    /// 409: the memory is not of kind `procedure`.
    NotAProcedure,
    /// 409: the workspace has no such run that read the procedure.
    NeverRead,
    /// 409: the skill would have more readers than a procedure.
    SkillTooWide,
    /// 409: the skill has no such draft.
    NoDraft,
    /// 409: the workspace has the maximum number of skills.
    TooManySkills,
    /// 409: the figures of the provider do not permit a promotion.
    PromotionRefused,
    /// 409: the collection has rows with keys of another column.
    CollectionHasRows,
    /// 409: the workspace has the maximum number of collections.
    TooManyCollections,
    /// 409: the workspace has the maximum number of processors.
    TooManyProcessors,
    /// 409: the workspace has the maximum number of grants.
    TooManyGrants,
    /// 409: another run works on the processor.
    ProcessorRunning,
    /// 410: removed.
    Gone,
    /// 413: the request is too large.
    TooLarge,
    /// 415: the body is not JSON.
    UnsupportedMediaType,
    /// 422: the idempotency key belongs to another request.
    IdempotencyMismatch,
    /// 429: the write queue is full.
    Busy,
    /// 429: more requests than the rate permits.
    RateLimited,
    /// 429: too many requests, bytes or streams in flight.
    TooManyInFlight,
    /// 500: a fault of the server.
    Internal,
    /// 503: the store does not respond.
    Unavailable,
}

impl ProblemCode {
    /// The name in JSON.
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
            Self::BudgetExceeded => "budget_exceeded",
            Self::RunOver => "run_over",
            Self::NoOpenRun => "no_open_run",
            Self::RunFull => "run_full",
            Self::KindExcluded => "kind_excluded",
            Self::ProfileNamed => "profile_named",
            Self::ProfileIsDefault => "profile_is_default",
            Self::TooManyProfiles => "too_many_profiles",
            Self::NotAProcedure => "not_a_procedure",
            Self::NeverRead => "never_read",
            Self::SkillTooWide => "skill_too_wide",
            Self::NoDraft => "no_draft",
            Self::TooManySkills => "too_many_skills",
            Self::PromotionRefused => "promotion_refused",
            Self::CollectionHasRows => "collection_has_rows",
            Self::TooManyCollections => "too_many_collections",
            Self::TooManyProcessors => "too_many_processors",
            Self::TooManyGrants => "too_many_grants",
            Self::ProcessorRunning => "processor_running",
            Self::Gone => "gone",
            Self::TooLarge => "too_large",
            Self::UnsupportedMediaType => "unsupported_media_type",
            Self::IdempotencyMismatch => "idempotency_mismatch",
            Self::Busy => "busy",
            Self::RateLimited => "rate_limited",
            Self::TooManyInFlight => "too_many_in_flight",
            Self::Internal => "internal",
            Self::Unavailable => "unavailable",
        }
    }
}
