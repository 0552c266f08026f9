//! Server-wide views for admins.

use chrono::{DateTime, NaiveDate, Utc};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use crate::MemoryCounts;

/// `GET /admin/tree`: every org.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct AdminTree {
    /// In the order of creation.
    pub orgs: Vec<OrgSummary>,
    /// Facts that call for an action of the operator; only with `days`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub attention: Option<Vec<Attention>>,
}

/// `GET /admin/tree`.
#[derive(Clone, Debug, Default, Serialize, Deserialize, IntoParams)]
#[serde(deny_unknown_fields, default)]
#[into_params(parameter_in = Query)]
pub struct AdminTreeQuery {
    /// Adds the activity of this number of days, today included, in UTC; at most 90.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub days: Option<u32>,
}

/// A fact that calls for an action.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Attention {
    pub kind: AttentionKind,
    /// The org concerned; absent for the server as a whole.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub org_id: Option<Uuid>,
    /// The fact as a sentence.
    pub detail: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum AttentionKind {
    /// The last call of the embedder failed.
    EmbedderFailing,
    /// The last call of the reranker failed.
    RerankerFailing,
    /// The disk of the data folder is nearly full, so writes are refused.
    DiskFull,
    /// Runs of the org timed out in the last 24 hours.
    RunsTimedOut,
}

/// Operations of an org on one day.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct OrgDay {
    /// In UTC.
    pub day: NaiveDate,
    /// Memories committed; a replaced one counts again.
    pub memories: i64,
    /// Changes of any kind, commits included.
    pub writes: i64,
    /// Reads of memories by agents: searches, single reads, histories and context blocks.
    pub reads_by_agents: i64,
    /// The same by people.
    pub reads_by_people: i64,
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
    /// Operations by day, the oldest first, with a row for every day; only with `days`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub activity: Option<Vec<OrgDay>>,
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
    /// State of the reranker; absent where searches are not reranked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reranker: Option<RerankerStats>,
}

/// State of a reranker since the start of the server.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct RerankerStats {
    /// The folder of the model, or the endpoint's address and its model.
    pub name: String,
    /// Calls that returned scores.
    pub succeeded: u64,
    /// Calls that failed or were late; their searches were not reranked.
    pub failed: u64,
    /// Error of the last call; absent after a success.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failing: Option<String>,
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
