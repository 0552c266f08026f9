//! A whole org from one document.

use chrono::{DateTime, Utc};
use orgmem_hierarchy::Scope;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::{AppendEpisode, Object, Redaction, Source};

/// `POST /orgs/import`: a workspace, what it remembers, and those below it.
#[derive(Clone, Debug, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(no_recursion)]
pub struct ImportNode {
    /// Its name; among its siblings it is the same workspace when imported again.
    pub name: String,
    /// Its id; decides over the name which workspace it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<Uuid>,
    /// What its agent does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub role: Option<String>,
    /// Any object.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Object>)]
    pub metadata: Option<Object>,
    /// What it remembers from the start, under the same rules as a commit.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub initial_memories: Vec<ImportMemory>,
    /// Its working state.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub entries: Vec<crate::PutEntry>,
    /// What happened here, oldest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub episodes: Vec<ImportEpisode>,
    /// Those below it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub children: Vec<ImportNode>,
}

/// One memory of an imported workspace.
#[derive(Clone, Debug, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ImportMemory {
    /// What to remember.
    pub content: String,
    /// How far it is shared.
    pub scope: Scope,
    /// With TEAM alone: the team it is bound to, `self` or `parent`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub team: Option<TeamOf>,
    /// A label to file by.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub namespace: Option<String>,
    /// Its kind.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
    /// Where it comes from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<Source>,
    /// 0 to 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confidence: Option<f64>,
    /// At most 32.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<String>,
    /// Any object.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Object>)]
    pub metadata: Option<Object>,
    /// The end user it is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub subject: Option<String>,
    /// The session it was made in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session_id: Option<String>,
    /// Listed before the others.
    #[serde(default)]
    pub pin: bool,
    /// Seconds until it is absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ttl_seconds: Option<i64>,
    /// When it was made; now when not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub created_at: Option<DateTime<Utc>>,
}

/// One episode of an imported workspace.
#[derive(Clone, Debug, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ImportEpisode {
    /// What happened, as it would be appended.
    #[serde(flatten)]
    pub activity: AppendEpisode,
    /// When it happened; now when not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub created_at: Option<DateTime<Utc>>,
}

/// A team named from where the author stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum TeamOf {
    /// The team that the author leads.
    #[serde(rename = "self")]
    Itself,
    /// The team of its parent.
    Parent,
}

/// What an import did, or with `dry_run` would do.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct ImportAnswer {
    /// The root.
    pub org_id: Uuid,
    /// Whether nothing was changed.
    pub dry_run: bool,
    /// Workspaces created.
    pub workspaces_created: usize,
    /// Workspaces that were there already.
    pub workspaces_kept: usize,
    /// Memories committed.
    pub memories_committed: usize,
    /// Memories that were there already.
    pub memories_kept: usize,
    /// Entries put.
    pub entries_put: usize,
    /// Episodes appended.
    pub episodes_appended: usize,
    /// What was replaced in the document before anything of it was stored; the fields are named by their paths in it, such
    /// as `children[0].initial_memories[2].content`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub redactions: Vec<Redaction>,
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn an_imported_episode_is_an_appended_one_with_a_time() {
        let text = json!({"activity_type": "agent_log", "summary": "up", "created_at": "2026-11-20T08:00:00Z"});
        let episode: ImportEpisode = serde_json::from_value(text.clone()).expect("right");
        assert_eq!(episode.activity.summary.as_deref(), Some("up"));
        assert_eq!(serde_json::to_value(episode).expect("JSON"), text);
    }

    #[test]
    fn an_imported_episode_with_an_unknown_field_is_refused_and_the_field_named() {
        let text = json!({"activity_type": "agent_log", "sumary": "up"});
        let error = serde_json::from_value::<ImportEpisode>(text).expect_err("misspelt").to_string();
        assert!(error.contains("unknown field `sumary`"), "{error}");
    }
}
