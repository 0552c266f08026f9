//! Import of a whole org.

use chrono::{DateTime, Utc};
use orgmem_hierarchy::Scope;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use crate::{AppendEpisode, Claim, Object, Redaction, Source};

/// Query of `POST /orgs/import`.
#[derive(Clone, Copy, Debug, Default, Deserialize, Serialize, IntoParams)]
#[serde(deny_unknown_fields, default)]
#[into_params(parameter_in = Query)]
pub struct ImportQuery {
    /// Return the outcome without importing anything.
    pub dry_run: bool,
    /// Commit the memories although `X-Run-Id` names a run; an import is never pending.
    pub ungated: bool,
}

/// `POST /orgs/import`: a workspace with its content and children.
#[derive(Clone, Debug, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(no_recursion)]
pub struct ImportNode {
    /// Identifies the workspace among its siblings when the document is imported again.
    pub name: String,
    /// Identifies the workspace; takes precedence over the name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<Uuid>,
    /// Function of the agent, in a word.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub role: Option<String>,
    /// Any JSON object.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Object>)]
    pub metadata: Option<Object>,
    /// Memories to commit, under the rules of a commit.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub initial_memories: Vec<ImportMemory>,
    /// Entries to write.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub entries: Vec<crate::PutEntry>,
    /// Oldest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub episodes: Vec<ImportEpisode>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub children: Vec<ImportNode>,
}

/// `POST /org/import`, for clients of an older platform: `dir` or `template`.
#[derive(Clone, Debug, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ImportTemplate {
    /// Name of a template in the folder of the setting `templates_dir`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dir: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub template: Option<OrgTemplate>,
}

/// An org in the form of an older platform.
#[derive(Clone, Debug, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct OrgTemplate {
    /// Name of the root, if there are several workspaces at the top.
    pub name: String,
    /// Workspaces in the form of an import. Their attributes of the older platform, such as `tier`, become metadata.
    #[schema(value_type = Vec<Object>)]
    pub workspaces: Vec<Value>,
    /// GLOBAL memories in the form of an import.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schema(value_type = Vec<Object>)]
    pub global_memories: Vec<Value>,
}

/// A memory of an imported workspace.
#[derive(Clone, Debug, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ImportMemory {
    pub content: String,
    pub scope: Scope,
    /// Only with TEAM.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub team: Option<RelativeTeam>,
    /// One line, at most 200 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub namespace: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<Source>,
    /// 0 to 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confidence: Option<f64>,
    /// At most 32.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<String>,
    /// Any JSON object.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Object>)]
    pub metadata: Option<Object>,
    /// Id of the end user concerned.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub subject: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session_id: Option<String>,
    /// Whether it ends with its session, which must be given.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub session_only: bool,
    /// Listed first.
    #[serde(default)]
    pub pin: bool,
    /// At most 16 statements about records.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub claims: Option<Vec<Claim>>,
    /// Lifetime in seconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ttl_seconds: Option<i64>,
    /// The time of the import by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub created_at: Option<DateTime<Utc>>,
}

/// An episode of an imported workspace.
#[derive(Clone, Debug, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ImportEpisode {
    #[serde(flatten)]
    pub activity: AppendEpisode,
    /// The time of the import by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub created_at: Option<DateTime<Utc>>,
}

/// A team, relative to the author.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum RelativeTeam {
    /// The team that the author leads.
    #[serde(rename = "self")]
    Itself,
    /// The team that the author's parent leads.
    Parent,
}

/// Outcome of an import, or with `dry_run` the predicted outcome.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct ImportResponse {
    pub org_id: Uuid,
    /// True if nothing was changed.
    pub dry_run: bool,
    pub workspaces_created: usize,
    /// Workspaces that already existed.
    pub workspaces_kept: usize,
    pub memories_committed: usize,
    /// Memories that already existed.
    pub memories_kept: usize,
    pub entries_put: usize,
    pub episodes_appended: usize,
    /// The workspaces of the document in its order, parents before their children, with those that existed. Empty in a
    /// dry run.
    #[serde(default)]
    pub workspace_ids: Vec<Uuid>,
    /// Credentials replaced before storage; fields are paths in the document, such as
    /// `children[0].initial_memories[2].content`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub redactions: Vec<Redaction>,
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn imported_episode_has_the_fields_of_an_appended_one_and_a_time() {
        let text = json!({"activity_type": "agent_log", "summary": "up", "created_at": "2026-11-20T08:00:00Z"});
        let episode: ImportEpisode = serde_json::from_value(text.clone()).expect("right");
        assert_eq!(episode.activity.summary.as_deref(), Some("up"));
        assert_eq!(serde_json::to_value(episode).expect("JSON"), text);
    }

    #[test]
    fn imported_episode_with_an_unknown_field_is_refused_by_name() {
        let text = json!({"activity_type": "agent_log", "sumary": "up"});
        let error = serde_json::from_value::<ImportEpisode>(text).expect_err("misspelt").to_string();
        assert!(error.contains("unknown field `sumary`"), "{error}");
    }
}
