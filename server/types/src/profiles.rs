//! Profiles of workspaces: retention, isolation and injection.

use chrono::{DateTime, Utc};
use orgmem_hierarchy::Scope;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::Redaction;
use crate::workspaces::{given, not_null};

/// How far a workspace reads. It narrows the reach of the tree and never widens it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Isolation {
    /// Everything that the tree allows.
    #[default]
    Tree,
    /// No memories shared with the whole org.
    Team,
    /// Only its own memories.
    Isolated,
    /// Only its own memories that were committed into the profile.
    Profile,
}

/// Whether the memories of end users, or of sessions, are read together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Sharing {
    /// They are.
    #[default]
    Open,
    /// A call reads those that it names, and those without one.
    Separate,
}

/// Order of the memories in the context block.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Strategy {
    /// Highest confidence first, then newest.
    Confidence,
    /// Pinned first, then newest.
    Recent,
    /// Best match of the query first; without a query own memories, those of the teams and those of the org in turn.
    #[default]
    Relevance,
    /// No memories.
    Off,
}

/// Limits of storage; absent limits are unlimited.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Retention {
    /// Maximum time in seconds since the latest write.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_age_seconds: Option<i64>,
    /// Maximum number of memories, pinned ones and the newest first; at most 1000000.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_entries: Option<i64>,
}

/// Settings of the context block.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Injection {
    /// Sort order.
    pub strategy: Strategy,
    /// Maximum number of memories, 1 to 50.
    pub limit: i64,
    /// Scopes to include; all if empty.
    pub scopes: Vec<Scope>,
    /// Minimum confidence, 0 to 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min_confidence: Option<f64>,
    /// Maximum size of the block in tokens, 1 to 1000000. Four bytes of UTF-8 count as one token.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub token_budget: Option<i64>,
}

impl Default for Injection {
    fn default() -> Self {
        Self { strategy: Strategy::default(), limit: 5, scopes: Vec::new(), min_confidence: None, token_budget: None }
    }
}

/// `POST /workspaces/{id}/profiles`.
#[derive(Clone, Debug, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct CreateProfile {
    /// One line of at most 50 characters, unique in the workspace.
    pub name: String,
    /// Whether the profile becomes the default one.
    #[serde(default)]
    pub is_default: bool,
    #[serde(default)]
    pub retention: Retention,
    #[serde(default)]
    pub isolation: Isolation,
    /// Whether the memories of end users are read together.
    #[serde(default)]
    pub subjects: Sharing,
    /// Whether the memories of sessions are read together.
    #[serde(default)]
    pub sessions: Sharing,
    /// Who reads the pages of the workspace; GLOBAL only for a root. That of the default profile applies.
    #[serde(default)]
    pub page_scope: Scope,
    /// Settings of the context block.
    #[serde(default)]
    pub injection: Injection,
    /// Kinds that the workspace neither commits nor reads; at most 32.
    #[serde(default)]
    pub excluded_kinds: Vec<String>,
    /// Memories to commit at creation, at most 100; LOCAL where they name no scope.
    #[serde(default)]
    #[schema(value_type = Vec<crate::CommitMemory>)]
    pub seed_entries: Vec<serde_json::Value>,
}

/// Changed limits. Absent fields keep their value; `null` removes a limit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PatchRetention {
    /// Maximum time in seconds since the latest write.
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<i64>)]
    pub max_age_seconds: Option<Option<i64>>,
    /// Maximum number of memories.
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<i64>)]
    pub max_entries: Option<Option<i64>>,
}

/// Changed settings of the context block. Absent fields keep their value; `null` removes a limit.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PatchInjection {
    /// Sort order.
    #[serde(default, deserialize_with = "not_null", skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub strategy: Option<Strategy>,
    /// Maximum number of memories.
    #[serde(default, deserialize_with = "not_null", skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub limit: Option<i64>,
    /// Scopes to include; all if empty.
    #[serde(default, deserialize_with = "not_null", skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub scopes: Option<Vec<Scope>>,
    /// Minimum confidence, 0 to 1.
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<f64>)]
    pub min_confidence: Option<Option<f64>>,
    /// Maximum size of the block in tokens.
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<i64>)]
    pub token_budget: Option<Option<i64>>,
}

/// `PATCH /workspaces/{id}/profiles/{pid}`: absent fields keep their value.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PatchProfile {
    #[serde(default, deserialize_with = "not_null", skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub name: Option<String>,
    /// `true` makes the profile the default one.
    #[serde(default, deserialize_with = "not_null", skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub is_default: Option<bool>,
    #[serde(default, deserialize_with = "not_null", skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub retention: Option<PatchRetention>,
    #[serde(default, deserialize_with = "not_null", skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub isolation: Option<Isolation>,
    /// Whether the memories of end users are read together.
    #[serde(default, deserialize_with = "not_null", skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub subjects: Option<Sharing>,
    /// Whether the memories of sessions are read together.
    #[serde(default, deserialize_with = "not_null", skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub sessions: Option<Sharing>,
    /// Settings of the context block.
    #[serde(default, deserialize_with = "not_null", skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub injection: Option<PatchInjection>,
    /// Who reads the pages of the workspace.
    #[serde(default, deserialize_with = "not_null", skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub page_scope: Option<Scope>,
    /// Replaces the excluded kinds.
    #[serde(default, deserialize_with = "not_null", skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub excluded_kinds: Option<Vec<String>>,
}

/// A profile of a workspace.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct Profile {
    /// A default profile that was never changed has the id of its workspace.
    pub id: Uuid,
    pub workspace_id: Uuid,
    pub name: String,
    /// Whether it is the default profile, whose isolation and excluded kinds apply to the workspace.
    pub is_default: bool,
    pub retention: Retention,
    pub isolation: Isolation,
    /// Whether the memories of end users are read together.
    #[serde(default)]
    pub subjects: Sharing,
    /// Whether the memories of sessions are read together.
    #[serde(default)]
    pub sessions: Sharing,
    /// Who reads the pages of the workspace.
    #[serde(default)]
    pub page_scope: Scope,
    /// Settings of the context block.
    pub injection: Injection,
    /// Kinds that the workspace neither commits nor reads.
    pub excluded_kinds: Vec<String>,
    /// Number of memories committed at creation.
    pub seed_count: i64,
    /// Absent for a default profile that was never changed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub created_at: Option<DateTime<Utc>>,
    /// Time of the latest change.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub updated_at: Option<DateTime<Utc>>,
    /// Credentials replaced in the name and the seeds before storage.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub redactions: Vec<Redaction>,
}
