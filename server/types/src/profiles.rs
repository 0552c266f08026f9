//! Profiles of a workspace, and the block that goes before its prompts.

use chrono::{DateTime, Utc};
use orgmem_hierarchy::Scope;
use serde::{Deserialize, Deserializer, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::{Memory, Redaction};

/// How far a workspace reads.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Isolation {
    /// As far as the tree lets it.
    #[default]
    Tree,
    /// Its own and its team's: no GLOBAL of others.
    Team,
    /// Its own alone.
    Isolated,
}

/// How memories are chosen for a block.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Strategy {
    /// The surest, then the newest.
    #[default]
    Confidence,
    /// The newest.
    Recent,
    /// Those that match the query best; without a query as `confidence`.
    Relevance,
    /// None.
    Off,
}

/// What the workspace may keep. The sweeper deletes what is beyond it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Retention {
    /// No memory that is older.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_age_seconds: Option<i64>,
    /// No more memories; of more the oldest go, pinned ones last.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_entries: Option<i64>,
}

/// How the block is made.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Injection {
    /// Which memories.
    pub strategy: Strategy,
    /// How many at most, 1 to 50.
    pub limit: i64,
    /// Of these scopes; of any when empty.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub scopes: Vec<Scope>,
    /// With at least this confidence.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min_confidence: Option<f64>,
    /// How many tokens the block may take, four characters reckoned as one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub token_budget: Option<i64>,
}

impl Default for Injection {
    fn default() -> Self {
        Self { strategy: Strategy::default(), limit: 5, scopes: Vec::new(), min_confidence: None, token_budget: None }
    }
}

/// A memory that is committed with a profile.
#[derive(Clone, Debug, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SeedEntry {
    /// What to remember.
    pub content: String,
    /// How far it is shared; LOCAL when not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scope: Option<Scope>,
    /// Its kind; `fact` when not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
    /// 0 to 1; 0.5 when not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confidence: Option<f64>,
    /// Labels.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<String>,
}

/// `POST /workspaces/{id}/profiles`.
#[derive(Clone, Debug, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct CreateProfile {
    /// What people call it; one line of at most 100 characters.
    pub name: String,
    /// Whether it is the one that holds; the first always is.
    #[serde(default)]
    pub is_default: bool,
    /// What the workspace may keep.
    #[serde(default)]
    pub retention: Retention,
    /// How far it reads.
    #[serde(default)]
    pub isolation: Isolation,
    /// How the block is made.
    #[serde(default)]
    pub injection: Injection,
    /// Kinds that it reads nothing of.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub excluded_kinds: Vec<String>,
    /// Memories that are committed with it, as the workspace; at most 50.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub seed_entries: Vec<SeedEntry>,
}

/// `PATCH /workspaces/{id}/profiles/{pid}`: what is absent stays as it is; a part that is given is given whole.
#[derive(Clone, Debug, Default, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
pub struct PatchProfile {
    /// What people call it.
    #[serde(skip_serializing_if = "Option::is_none", deserialize_with = "given")]
    pub name: Option<String>,
    /// `true` makes it the one that holds; the one that does is replaced by another, not by none.
    #[serde(skip_serializing_if = "Option::is_none", deserialize_with = "given")]
    pub is_default: Option<bool>,
    /// What the workspace may keep.
    #[serde(skip_serializing_if = "Option::is_none", deserialize_with = "given")]
    pub retention: Option<Retention>,
    /// How far it reads.
    #[serde(skip_serializing_if = "Option::is_none", deserialize_with = "given")]
    pub isolation: Option<Isolation>,
    /// How the block is made.
    #[serde(skip_serializing_if = "Option::is_none", deserialize_with = "given")]
    pub injection: Option<Injection>,
    /// Kinds that it reads nothing of.
    #[serde(skip_serializing_if = "Option::is_none", deserialize_with = "given")]
    pub excluded_kinds: Option<Vec<String>>,
}

/// What is given is not null.
fn given<'de, D: Deserializer<'de>, T: Deserialize<'de>>(deserializer: D) -> Result<Option<T>, D::Error> {
    T::deserialize(deserializer).map(Some)
}

/// A profile.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct Profile {
    /// Its id.
    pub id: Uuid,
    /// The workspace that it is of.
    pub workspace_id: Uuid,
    /// What people call it.
    pub name: String,
    /// Whether it is the one that holds.
    pub is_default: bool,
    /// What the workspace may keep.
    pub retention: Retention,
    /// How far it reads.
    pub isolation: Isolation,
    /// How the block is made.
    pub injection: Injection,
    /// Kinds that it reads nothing of.
    pub excluded_kinds: Vec<String>,
    /// The ids of the memories that were committed with it.
    pub seed_entries: Vec<Uuid>,
    /// When it was created.
    pub created_at: DateTime<Utc>,
    /// When it was last changed.
    pub updated_at: DateTime<Utc>,
    /// What was replaced before it was stored.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub redactions: Vec<Redaction>,
}

/// `POST /workspaces/{id}/context`.
#[derive(Clone, Debug, Default, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
pub struct AskContext {
    /// What the prompt is about, for the strategy `relevance`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub query: Option<String>,
    /// Memories of this session alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub session_id: Option<String>,
    /// By this profile; by the default one when not given. It takes away what either takes away.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub profile_id: Option<Uuid>,
}

/// The block that an agent puts before its prompt.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct ContextBlock {
    /// The block, as it goes before the prompt; empty where there is nothing to say.
    pub block: String,
    /// How many tokens are reckoned for it, four characters as one.
    pub tokens: usize,
    /// How memories were chosen.
    pub strategy: Strategy,
    /// The profile that it was made by; none where the workspace has none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub profile_id: Option<Uuid>,
    /// The memories in it, in its order.
    pub entries: Vec<Memory>,
}
