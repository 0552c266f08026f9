//! Profiles: how a workspace remembers.

use chrono::{DateTime, Utc};
use orgmem_hierarchy::Scope;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::Redaction;
use crate::workspaces::{given, not_null};

/// How far a workspace reads. It narrows what the tree allows, and never widens it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Isolation {
    /// As far as the tree lets it.
    #[default]
    Tree,
    /// Nothing that is shared with the whole org.
    Team,
    /// Its own memories alone.
    Isolated,
}

/// In which order memories go into the block of `POST …/context`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Strategy {
    /// The most confident first, then the newest.
    #[default]
    Confidence,
    /// Pinned ones first, then the newest.
    Recent,
    /// The best match of the query first; without a query as `recent`.
    Relevance,
    /// None goes in.
    Off,
}

/// What is kept, and for how long. Without either everything is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Retention {
    /// So many seconds after it was last written a memory is absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_age_seconds: Option<i64>,
    /// So many memories are kept, pinned ones and then the newest; at most 1000000.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_entries: Option<i64>,
}

/// What goes into the block of `POST …/context`.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Injection {
    /// In which order.
    pub strategy: Strategy,
    /// How many memories at most, from 1 to 50.
    pub limit: i64,
    /// Of these scopes; of all when empty.
    pub scopes: Vec<Scope>,
    /// With at least this confidence, from 0 to 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min_confidence: Option<f64>,
    /// How many tokens the block has at most, from 1 to 1000000. A token counts as four bytes of UTF-8.
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
    /// What it is called: one line of at most 50 characters, unique in the workspace.
    pub name: String,
    /// Whether it takes the place of the default profile.
    #[serde(default)]
    pub is_default: bool,
    /// What is kept.
    #[serde(default)]
    pub retention: Retention,
    /// How far the workspace reads.
    #[serde(default)]
    pub isolation: Isolation,
    /// What goes into the block of `POST …/context`.
    #[serde(default)]
    pub injection: Injection,
    /// Kinds that the workspace neither commits nor recalls; at most 32.
    #[serde(default)]
    pub excluded_kinds: Vec<String>,
    /// Memories that it begins with, written once: as they would be committed, LOCAL where no scope is said. At most 100.
    #[serde(default)]
    #[schema(value_type = Vec<crate::CommitMemory>)]
    pub seed_entries: Vec<serde_json::Value>,
}

/// What is kept from now on: what is absent stays, `null` takes the bound away.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PatchRetention {
    /// So many seconds after it was last written a memory is absent.
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<i64>)]
    pub max_age_seconds: Option<Option<i64>>,
    /// So many memories are kept.
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<i64>)]
    pub max_entries: Option<Option<i64>>,
}

/// What goes into the block from now on: what is absent stays, `null` takes the bound away.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PatchInjection {
    /// In which order.
    #[serde(default, deserialize_with = "not_null", skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub strategy: Option<Strategy>,
    /// How many memories at most.
    #[serde(default, deserialize_with = "not_null", skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub limit: Option<i64>,
    /// Of these scopes; of all when empty.
    #[serde(default, deserialize_with = "not_null", skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub scopes: Option<Vec<Scope>>,
    /// With at least this confidence.
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<f64>)]
    pub min_confidence: Option<Option<f64>>,
    /// How many tokens the block has at most.
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<i64>)]
    pub token_budget: Option<Option<i64>>,
}

/// `PATCH /workspaces/{id}/profiles/{pid}`: what is absent stays.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PatchProfile {
    /// Another name.
    #[serde(default, deserialize_with = "not_null", skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub name: Option<String>,
    /// `true`: it takes the place of the default profile.
    #[serde(default, deserialize_with = "not_null", skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub is_default: Option<bool>,
    /// What is kept.
    #[serde(default, deserialize_with = "not_null", skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub retention: Option<PatchRetention>,
    /// How far the workspace reads.
    #[serde(default, deserialize_with = "not_null", skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub isolation: Option<Isolation>,
    /// What goes into the block of `POST …/context`.
    #[serde(default, deserialize_with = "not_null", skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub injection: Option<PatchInjection>,
    /// Kinds that the workspace neither commits nor recalls, in place of those there were.
    #[serde(default, deserialize_with = "not_null", skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub excluded_kinds: Option<Vec<String>>,
}

/// A profile of a workspace.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct Profile {
    /// Its id. A default profile that nobody has changed yet has the workspace's.
    pub id: Uuid,
    /// Whose it is.
    pub workspace_id: Uuid,
    /// What it is called.
    pub name: String,
    /// Whether it is the workspace's default one, which says how far the workspace reads and what it excludes.
    pub is_default: bool,
    /// What is kept.
    pub retention: Retention,
    /// How far the workspace reads.
    pub isolation: Isolation,
    /// What goes into the block of `POST …/context`.
    pub injection: Injection,
    /// Kinds that the workspace neither commits nor recalls.
    pub excluded_kinds: Vec<String>,
    /// How many memories it began with.
    pub seed_count: i64,
    /// When it was made; absent for a default profile that nobody has changed yet.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub created_at: Option<DateTime<Utc>>,
    /// When it was last changed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub updated_at: Option<DateTime<Utc>>,
    /// What was replaced in its name, and in the memories that it begins with, before they were stored.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub redactions: Vec<Redaction>,
}
