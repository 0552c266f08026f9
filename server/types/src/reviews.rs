//! Reviews: differences between a claim and a record, for people to decide.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use crate::{CheckedClaim, Redaction};

/// The state of a review.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ReviewStatus {
    /// Nobody has decided.
    Open,
    /// The record is right; the confidence of the item fell below the gate.
    RecordWins,
    /// The record is disputed; reads show its value all the same.
    MemoryWasRight,
    /// The difference does not matter.
    Dismissed,
}

/// The decision of a person.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ReviewDecision {
    /// The record is right: the confidence of the item falls below the gate.
    RecordWins,
    /// The record is disputed: the event `record_disputed`. Reads show its value all the same.
    MemoryWasRight,
    /// The difference does not matter.
    Dismissed,
}

/// The kind of an item with claims.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ReviewedKind {
    Memory,
    Episode,
}

/// What a caller can do about the item of a review.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ReviewRemedy {
    /// `PATCH …/memories/{item_id}`.
    Edit,
    /// `POST …/memories/{item_id}/redact`, or `POST …/activity/{item_id}/redact`.
    Redact,
}

/// A difference between a claim and a record.
#[derive(Clone, Debug, Deserialize, Serialize, ToSchema)]
pub struct Review {
    pub id: Uuid,
    pub status: ReviewStatus,
    /// The author of the item.
    pub workspace_id: Uuid,
    pub item_kind: ReviewedKind,
    pub item_id: Uuid,
    /// 1 for an episode.
    pub item_version: i64,
    /// The claim and the value of the record when a read first found the difference.
    pub claim: CheckedClaim,
    /// What the caller can do about the item.
    pub remedies: Vec<ReviewRemedy>,
    /// Time of the read that first found the difference.
    #[serde(serialize_with = "crate::time::rfc3339")]
    pub created_at: DateTime<Utc>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decided_at: Option<DateTime<Utc>>,
    /// Name of the token that decided.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decided_by: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

/// `GET /workspaces/{id}/reviews`: newest first.
#[derive(Clone, Debug, Default, Deserialize, Serialize, IntoParams)]
#[serde(deny_unknown_fields, default)]
#[into_params(parameter_in = Query)]
pub struct ListReviews {
    /// Only reviews in this state.
    pub status: Option<ReviewStatus>,
    /// Only reviews about this entity.
    pub entity: Option<String>,
    /// Include the items of the workspaces below; for viewers, operators and admins.
    pub subtree: Option<bool>,
    /// Page size; 50 by default, at most 200.
    pub limit: Option<u64>,
    /// Cursor of the next page, from the `Link` header of the previous one.
    pub cursor: Option<String>,
}

/// `POST /workspaces/{id}/reviews/{rid}`.
#[derive(Clone, Debug, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct DecideReview {
    pub decision: ReviewDecision,
    /// One line, at most 500 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

/// A review after its decision.
#[derive(Clone, Debug, Deserialize, Serialize, ToSchema)]
pub struct DecidedReview {
    #[serde(flatten)]
    pub review: Review,
    /// The confidence of the memory, if the decision lowered it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confidence: Option<f64>,
    /// Credentials in the note that were replaced.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub redactions: Vec<Redaction>,
}
