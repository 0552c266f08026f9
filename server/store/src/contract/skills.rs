//! Evidence of procedures, and the skills that are made of them.

use chrono::{DateTime, Utc};
use orgmem_hierarchy::{OrgId, Scope, WorkspaceId};
use orgmem_policies::drafts::SkillDraft;
use orgmem_policies::rules::{ProcedureUse, SkillRule, SkillStatus, UseOutcome, WithdrawalCause};
use orgmem_policies::skill_package::SkillSource;
use orgmem_policies::{ActPass, ReadPass, WritePass};
use uuid::Uuid;

use crate::StoreError;

/// A stored use of a procedure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredUse {
    /// The version of the memory.
    pub version: i64,
    /// The use with its outcome; `None` while the run is open, and where its end says nothing.
    pub used: Option<ProcedureUse>,
    /// Whether the outcome may still come from the end of the run.
    pub is_open: bool,
    /// The workspace that used it.
    pub workspace: WorkspaceId,
    /// Time of the first read, or of the report.
    pub read_at: DateTime<Utc>,
    /// The text of a report.
    pub note: Option<String>,
}

/// A report of an outcome.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutcomeReport {
    /// The procedure.
    pub memory: Uuid,
    /// Its version.
    pub version: i64,
    /// The run; without one, the workspace has one voice.
    pub run: Option<Uuid>,
    /// The outcome.
    pub outcome: UseOutcome,
    /// A scrubbed line.
    pub note: Option<String>,
}

/// A version of a memory.
pub type SourceRef = (Uuid, i64);

/// A stored skill.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredSkill {
    /// The id of the skill.
    pub id: Uuid,
    /// The workspace of the skill.
    pub workspace: WorkspaceId,
    /// Unique in its workspace.
    pub name: String,
    /// How widely it is shared.
    pub scope: Scope,
    /// The lead of the bound team.
    pub team: Option<WorkspaceId>,
    /// The status.
    pub status: SkillStatus,
    /// The version in use.
    pub active_version: Option<i64>,
    /// The version that waits for an approval.
    pub draft_version: Option<i64>,
    /// The number of versions that it ever had.
    pub last_version: i64,
    /// Whether the evidence fell.
    pub failing: bool,
    /// Why it was withdrawn.
    pub cause: Option<WithdrawalCause>,
    /// Time of the last change.
    pub updated_at: DateTime<Utc>,
}

/// A version of a skill.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredSkillVersion {
    /// The number, from 1.
    pub version: i64,
    /// What it does and when to use it.
    pub description: String,
    /// The procedures, in the order of the draft.
    pub sources: Vec<SourceRef>,
    /// Subject of the drafter.
    pub drafted_by: String,
    /// Time of the draft.
    pub drafted_at: DateTime<Utc>,
    /// Subject of the approver.
    pub approved_by: Option<String>,
    /// Time of the approval.
    pub approved_at: Option<DateTime<Utc>>,
    /// Whether the server approved it.
    pub is_auto: bool,
    /// Counts of the evidence at the approval, as JSON.
    pub evidence: String,
}

/// Conditions on skills; all of them must hold.
#[derive(Clone, Debug, Default)]
pub struct SkillFilter {
    /// Skills of this workspace.
    pub workspace: Option<WorkspaceId>,
    /// Skills with this name.
    pub name: Option<String>,
    /// Skills with this status.
    pub status: Option<SkillStatus>,
}

/// An approval.
#[derive(Clone, Debug)]
pub struct Approval {
    /// The version.
    pub version: i64,
    /// Subject of the approver.
    pub by: String,
    /// Whether the server approves.
    pub is_auto: bool,
    /// Counts of the evidence, as JSON.
    pub evidence: String,
}

transaction! {
    forward_skill_reads

    /// The reads of evidence and skills.
    pub trait SkillReads {
        /// The uses of all versions of a memory by `author`, oldest first.
        ///
        /// # Complexity
        /// O(uses of the memory).
        fn uses_of(&mut self, org: OrgId, author: WorkspaceId, memory: Uuid) -> Result<Vec<StoredUse>, StoreError>;

        /// The latest version of a memory that a run read; `None` if it read none.
        fn version_read(&mut self, org: OrgId, memory: Uuid, run: Uuid) -> Result<Option<i64>, StoreError>;

        /// The procedures of the org with a success.
        ///
        /// # Complexity
        /// O(uses of the org).
        fn used_procedures(&mut self, org: OrgId) -> Result<Vec<Uuid>, StoreError>;

        /// The rule of the org.
        fn skill_rule(&mut self, org: OrgId) -> Result<SkillRule, StoreError>;

        /// The skills of the org, by name.
        fn skills(&mut self, org: OrgId, filter: &SkillFilter) -> Result<Vec<StoredSkill>, StoreError>;

        /// The versions of a skill, newest first.
        fn skill_versions(&mut self, org: OrgId, skill: Uuid) -> Result<Vec<StoredSkillVersion>, StoreError>;

        /// These versions of memories, in their order; `None` unless the reader can read each of them, and its memory now.
        fn skill_sources(
            &mut self,
            pass: &ReadPass,
            sources: &[SourceRef],
        ) -> Result<Option<Vec<SkillSource>>, StoreError>;

        /// The uses of a version of a memory.
        fn uses_of_version(&mut self, org: OrgId, source: SourceRef) -> Result<Vec<ProcedureUse>, StoreError>;
    }
}

transaction! {
    forward_skill_writes

    /// The writes of evidence and skills.
    pub trait SkillWrites {
        /// Stores a report of the pass's workspace. It replaces an earlier one for the same run, and one without a run
        /// for the same version.
        fn report_outcome(&mut self, pass: &ActPass, report: &OutcomeReport) -> Result<(), StoreError>;

        /// Stores a draft as the next version of the workspace's skill with this name, or of a new one. It replaces an
        /// earlier draft.
        fn draft_skill(
            &mut self,
            pass: &WritePass,
            draft: &SkillDraft,
            sources: &[SourceRef],
            by: &str,
        ) -> Result<StoredSkill, StoreError>;

        /// Makes the draft of a skill of the pass's workspace its active version.
        fn approve_skill(&mut self, pass: &ActPass, skill: Uuid, approval: &Approval) -> Result<(), StoreError>;

        /// Withdraws a skill of the pass's workspace, as an operator does.
        fn withdraw_skill(&mut self, pass: &ActPass, skill: Uuid) -> Result<(), StoreError>;

        /// Sets the rule of the org.
        fn set_skill_rule(&mut self, pass: &ActPass, rule: &SkillRule) -> Result<(), StoreError>;
    }
}
