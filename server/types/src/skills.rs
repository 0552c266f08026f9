//! Evidence of procedures, and skills.

use chrono::{DateTime, Utc};
use orgmem_hierarchy::{Scope, Via};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use crate::Redaction;

/// How a use of a procedure ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, ToSchema, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum UseOutcome {
    /// The procedure worked.
    Success,
    /// It did not.
    Failure,
}

/// `POST /workspaces/{id}/memories/{mid}/outcome`.
#[derive(Clone, Debug, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ReportOutcome {
    pub outcome: UseOutcome,
    /// A run of the workspace that read the procedure; by default the run of `X-Run-Id`. Without a run, the workspace has
    /// one voice for the current version.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run_id: Option<Uuid>,
    /// One line of at most 500 characters, for people.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

#[derive(Clone, Debug, Serialize, Deserialize, ToSchema, JsonSchema)]
pub struct ReportedOutcome {
    pub memory_id: Uuid,
    /// The version that the report is about: the last one that the run read.
    pub version: i64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run_id: Option<Uuid>,
    pub outcome: UseOutcome,
    /// Credentials that were replaced in the note.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub redactions: Vec<Redaction>,
}

/// The evidence of the current version of a procedure.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema, JsonSchema)]
pub struct Evidence {
    pub memory_id: Uuid,
    pub version: i64,
    /// Uses with an outcome.
    pub uses: u64,
    pub successes: u64,
    pub failures: u64,
    /// Runs that read it and have not ended.
    pub open: u64,
    /// Distinct runs with an outcome.
    pub runs: u64,
    pub workspaces: u64,
    pub sessions: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first_at: Option<DateTime<Utc>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_at: Option<DateTime<Utc>>,
    /// Of the success rate, with a confidence of 95 % (Wilson).
    pub lower_bound: f64,
    /// The part of the uses that the rule counts.
    pub counted: CountedEvidence,
    /// Whether the counted uses pass the rule.
    pub candidate: bool,
    /// What the rule misses.
    pub missing: Vec<String>,
    /// The last 100 uses with an outcome, oldest first.
    pub recent: Vec<UsePoint>,
    /// Earlier versions with uses, newest first.
    pub history: Vec<VersionEvidence>,
    /// The notes of reports about the current version, oldest first; only for viewers, operators and admins.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<UseNote>,
}

/// Uses without those of floods, and with at most half of the successes from the author's own workspace.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema, JsonSchema)]
pub struct CountedEvidence {
    pub successes: u64,
    pub failures: u64,
    pub runs: u64,
    pub sessions: u64,
    pub lower_bound: f64,
}

#[derive(Clone, Copy, Debug, Serialize, Deserialize, ToSchema, JsonSchema)]
pub struct UsePoint {
    pub at: DateTime<Utc>,
    pub outcome: UseOutcome,
}

/// The evidence of an earlier version.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema, JsonSchema)]
pub struct VersionEvidence {
    pub version: i64,
    pub uses: u64,
    pub successes: u64,
    pub failures: u64,
    pub lower_bound: f64,
}

#[derive(Clone, Debug, Serialize, Deserialize, ToSchema, JsonSchema)]
pub struct UseNote {
    pub workspace_id: Uuid,
    pub at: DateTime<Utc>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outcome: Option<UseOutcome>,
    pub note: String,
}

/// The status of a skill.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, ToSchema, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum SkillStatus {
    /// A procedure whose evidence passes the rule.
    Candidate,
    /// Waits for an approval; no version is in use.
    Draft,
    /// In use.
    Active,
    /// Not in use any more.
    Withdrawn,
}

/// `GET /workspaces/{id}/skills`.
#[derive(Clone, Debug, Default, Deserialize, Serialize, IntoParams)]
#[serde(deny_unknown_fields, default)]
#[into_params(parameter_in = Query)]
pub struct ListSkills {
    /// `active` (default): what the workspace can use now. `draft`, `withdrawn`: the workspace's own. `candidate`: procedures
    /// that it reads.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<SkillStatus>,
}

/// `GET /workspaces/{id}/skills/{name}` and `…/package`.
#[derive(Clone, Debug, Default, Deserialize, Serialize, IntoParams)]
#[serde(deny_unknown_fields, default)]
#[into_params(parameter_in = Query)]
pub struct ReadSkill {
    /// A version of the workspace's own skill; by default the active one, or the draft of an own skill without one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version: Option<i64>,
}

/// `GET /workspaces/{id}/skills/{name}/diff`.
#[derive(Clone, Debug, Default, Deserialize, Serialize, IntoParams)]
#[serde(deny_unknown_fields, default)]
#[into_params(parameter_in = Query)]
pub struct DiffSkill {
    /// The earlier version; by default the active one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from: Option<i64>,
    /// The later version; by default the draft.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub to: Option<i64>,
}

/// `POST /workspaces/{id}/skills`.
#[derive(Clone, Debug, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct DraftSkill {
    /// 1 to 16 procedures that the workspace can read, in the order of the package.
    pub memory_ids: Vec<Uuid>,
    /// Lower-case letters, digits and single hyphens, at most 64; by default made of the title of the first procedure.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// One line of at most 1,024 characters: what it does and when to use it; by default made of the first procedure.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// By default the narrowest scope of the procedures. Never wider than that.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scope: Option<Scope>,
    /// Lead of the team, with scope TEAM.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub team: Option<Uuid>,
}

/// `POST /workspaces/{id}/skills/{name}/approve`.
#[derive(Clone, Debug, Default, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
pub struct ApproveSkill {
    /// The draft that was looked at; a newer one is refused.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version: Option<i64>,
}

/// A version of a procedure in a skill.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema, JsonSchema)]
pub struct SkillSource {
    pub memory_id: Uuid,
    pub version: i64,
}

/// A skill, or a candidate for one.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema, JsonSchema)]
pub struct Skill {
    /// Absent for a candidate.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<Uuid>,
    /// Also the folder of the package. Of a candidate, the suggested name; empty if its title gives none.
    pub name: String,
    /// What it does and when to use it; quoted where another workspace wrote it.
    pub description: String,
    pub status: SkillStatus,
    /// Whether its evidence fell.
    pub failing: bool,
    pub workspace_id: Uuid,
    pub workspace_name: String,
    pub scope: Scope,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub team: Option<Uuid>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub via: Option<Via>,
    /// The version that the other fields describe.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<i64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub active_version: Option<i64>,
    /// The version that waits for an approval; only for the skill's own workspace.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub draft_version: Option<i64>,
    /// SHA-256 of the package.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hash: Option<String>,
    pub sources: Vec<SkillSource>,
    /// Of a candidate: the uses that count.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub evidence: Option<CountedEvidence>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub approved_by: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub approved_at: Option<DateTime<Utc>>,
    /// Why it was withdrawn: `source_removed`, `source_superseded`, `failing` or `operator`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub withdrawn_because: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub updated_at: Option<DateTime<Utc>>,
    /// Credentials that were replaced in the description of a draft.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub redactions: Vec<Redaction>,
}

/// A file of a package.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema, JsonSchema)]
pub struct SkillFile {
    pub path: String,
    pub text: String,
}

/// A version of a skill.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema, JsonSchema)]
pub struct SkillVersion {
    pub version: i64,
    pub sources: Vec<SkillSource>,
    pub drafted_by: String,
    pub drafted_at: DateTime<Utc>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub approved_by: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub approved_at: Option<DateTime<Utc>>,
}

/// A workspace that used the procedures of a skill.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema, JsonSchema)]
pub struct SkillUser {
    pub workspace_id: Uuid,
    pub workspace_name: String,
    pub uses: u64,
    pub last_at: DateTime<Utc>,
}

/// A skill with its package.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema, JsonSchema)]
pub struct SkillDetail {
    #[serde(flatten)]
    pub skill: Skill,
    pub files: Vec<SkillFile>,
    /// Newest first; only for the skill's own workspace.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub versions: Vec<SkillVersion>,
    /// Workspaces of the subtree that used this version; only for viewers, operators and admins.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub used_by: Vec<SkillUser>,
}

/// The difference of two versions of a skill.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema, JsonSchema)]
pub struct SkillDiff {
    pub from: i64,
    pub to: i64,
    /// For each changed file, its lines with `+`, `-` or a space before them.
    pub diff: String,
}

/// Who approves drafts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, ToSchema, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum SkillApproval {
    /// An operator.
    Operator,
    /// The server, as soon as every procedure is a candidate.
    Auto,
}

/// The rule of an org: `GET` and `PUT /workspaces/{root}/skill-rule`. A `PUT` sets absent fields to their defaults.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, Serialize, ToSchema, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct SkillRule {
    /// Successes of a candidate; 5 by default.
    pub successes: u32,
    /// Distinct runs among them; 5 by default.
    pub runs: u32,
    /// Distinct sessions among them; 2 by default.
    pub sessions: u32,
    /// Least lower bound of the success rate; 0.5 by default.
    pub lower_bound: f64,
    /// Part of the successes that the author's own workspace may supply, in percent; 50 by default.
    pub own_percent: u32,
    /// A skill whose lower bound is below this is failing; 0.3 by default.
    pub failing_below: f64,
    /// The last uses that decide about it; 20 by default.
    pub failing_uses: u32,
    /// Whether a failing skill is withdrawn; not by default.
    pub withdraw_failing: bool,
    /// Who approves; an operator by default.
    pub approval: SkillApproval,
}

impl Default for SkillRule {
    fn default() -> Self {
        Self {
            successes: 5,
            runs: 5,
            sessions: 2,
            lower_bound: 0.5,
            own_percent: 50,
            failing_below: 0.3,
            failing_uses: 20,
            withdraw_failing: false,
            approval: SkillApproval::Operator,
        }
    }
}
