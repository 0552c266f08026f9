//! A call of the platform whose clients exist already.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

/// `POST /registry/check-access`: may these two talk to each other?
#[derive(Clone, Debug, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct CheckAccess {
    /// The workspace that would call.
    pub caller_id: Uuid,
    /// The workspace that would be called.
    pub target_id: Uuid,
}

/// The answer.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, ToSchema)]
pub struct CheckAccessAnswer {
    /// True for itself, siblings, ancestor and descendant of one tree.
    pub allowed: bool,
}
