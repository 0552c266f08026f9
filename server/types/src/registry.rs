//! Access check for existing clients of the platform.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

/// `POST /registry/check-access`: whether two workspaces may communicate.
#[derive(Clone, Debug, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct CheckAccess {
    pub caller_id: Uuid,
    /// An unknown id, or a text that is no id, is never allowed.
    pub target_id: String,
}

#[derive(Clone, Copy, Debug, Serialize, Deserialize, ToSchema)]
pub struct CheckAccessResponse {
    /// True for the workspace itself, siblings, ancestors and descendants of one tree.
    pub allowed: bool,
}
