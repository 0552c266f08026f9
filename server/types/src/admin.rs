//! The server as a whole, for admins.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::MemoryCounts;

/// `GET /admin/tree`: every org.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct AdminTree {
    /// By creation.
    pub orgs: Vec<OrgSummary>,
}

/// One org in numbers.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct OrgSummary {
    /// Its root's id.
    pub org_id: Uuid,
    /// Its root's name.
    pub name: String,
    /// Live workspaces.
    pub workspaces: i64,
    /// Live memories by scope.
    pub memories: MemoryCounts,
    /// When its root was created.
    pub created_at: DateTime<Utc>,
}

/// `GET /admin/stats`.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct ServerStats {
    /// The server's version.
    pub version: String,
    /// `sqlite` or `postgresql`.
    pub store: String,
    /// Orgs with a live root.
    pub orgs: i64,
    /// Live workspaces.
    pub workspaces: i64,
    /// Live memories by scope.
    pub memories: MemoryCounts,
    /// Live entries.
    pub entries: i64,
    /// Episodes.
    pub episodes: i64,
    /// Size of the database, in bytes.
    pub size_bytes: i64,
    /// Since when this server is up.
    pub started_at: DateTime<Utc>,
}
