//! The workspace of a profile or a memory.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

/// Response to `GET /lookup/{id}`.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, ToSchema)]
pub struct Located {
    pub id: Uuid,
    pub kind: LocatedKind,
    /// The workspace of the profile, or the author of the memory.
    pub workspace_id: Uuid,
    pub org_id: Uuid,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum LocatedKind {
    Profile,
    Memory,
}
