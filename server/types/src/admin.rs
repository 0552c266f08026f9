//! Server-wide views for admins.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::MemoryCounts;

/// `GET /admin/tree`: every org.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct AdminTree {
    /// In the order of creation.
    pub orgs: Vec<OrgSummary>,
}

/// Summary of one org.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct OrgSummary {
    /// Id of the root workspace.
    pub org_id: Uuid,
    /// Name of the root workspace.
    pub name: String,
    /// Number of live workspaces.
    pub workspaces: i64,
    /// Number of live memories by scope.
    pub memories: MemoryCounts,
    /// Creation time of the root.
    pub created_at: DateTime<Utc>,
}

/// `GET /admin/stats`.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct ServerStats {
    /// Version of the server.
    pub version: String,
    /// `sqlite` or `postgresql`.
    pub store: String,
    /// Number of orgs with a live root.
    pub orgs: i64,
    /// Number of live workspaces.
    pub workspaces: i64,
    /// Number of live memories by scope.
    pub memories: MemoryCounts,
    /// Number of live entries.
    pub entries: i64,
    /// Number of episodes.
    pub episodes: i64,
    /// Size of the database in bytes.
    pub size_bytes: i64,
    /// Start time of this server.
    pub started_at: DateTime<Utc>,
    /// State of the embedder; absent where search is keyword only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub embedder: Option<EmbedderStats>,
}

/// State of an embedder since the start of the server.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct EmbedderStats {
    /// The folder of the model, or the endpoint's address and its model.
    pub name: String,
    /// Memories in the embedding queue, counted up to 100,000.
    pub waiting: i64,
    /// Memories embedded.
    pub embedded: u64,
    /// Memories that the embedder rejected; keyword search still finds them.
    pub refused: u64,
    /// Failed calls.
    pub failed: u64,
    /// Error of the last call; absent after a success.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failing: Option<String>,
}
