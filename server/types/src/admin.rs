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
    /// What turns texts to vectors, and how it fares; absent where search goes by words alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub embedder: Option<EmbedderStats>,
}

/// An embedder, and how it fares since the server is up.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct EmbedderStats {
    /// The folder of the model, or the address of the endpoint and the model there.
    pub name: String,
    /// Memories that wait to be embedded, counted up to 100,000.
    pub waiting: i64,
    /// Memories that were embedded.
    pub embedded: u64,
    /// Memories that it could make nothing of; they are found by their words.
    pub refused: u64,
    /// Calls that failed.
    pub failed: u64,
    /// Why the last call failed; absent when it did not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failing: Option<String>,
}
