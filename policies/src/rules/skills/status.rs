//! The states of a skill, and the rules about its sources.

use std::str::FromStr;

use orgmem_hierarchy::Scope;
use serde_json::{Value, json};
use uuid::Uuid;

use super::{ProcedureUse, UseTally};
use crate::rules::RuleViolation;

/// The status of a skill.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SkillStatus {
    /// Only a draft exists.
    Draft,
    /// A version is in use.
    Active,
    /// No version is in use any more.
    Withdrawn,
}

impl SkillStatus {
    /// The text in storage and on the wire.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Draft => "draft",
            Self::Active => "active",
            Self::Withdrawn => "withdrawn",
        }
    }
}

/// A text that is not a status of a skill.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a skill is `draft`, `active` or `withdrawn`")]
pub struct UnknownSkillStatus;

impl FromStr for SkillStatus {
    type Err = UnknownSkillStatus;

    fn from_str(text: &str) -> Result<Self, UnknownSkillStatus> {
        let all = [Self::Draft, Self::Active, Self::Withdrawn];
        all.into_iter().find(|status| status.as_str() == text).ok_or(UnknownSkillStatus)
    }
}

/// Why a skill was withdrawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum WithdrawalCause {
    /// The content of a source was redacted, erased or deleted, or has expired.
    SourceRemoved,
    /// Another memory superseded a source.
    SourceSuperseded,
    /// The evidence fell, and the rule of the org withdraws failing skills.
    Failing,
    /// An operator withdrew it.
    Operator,
}

impl WithdrawalCause {
    /// The text in storage and on the wire.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::SourceRemoved => "source_removed",
            Self::SourceSuperseded => "source_superseded",
            Self::Failing => "failing",
            Self::Operator => "operator",
        }
    }
}

/// A text that is not a cause of a withdrawal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown cause of a withdrawal")]
pub struct UnknownWithdrawalCause;

impl FromStr for WithdrawalCause {
    type Err = UnknownWithdrawalCause;

    fn from_str(text: &str) -> Result<Self, UnknownWithdrawalCause> {
        let all = [Self::SourceRemoved, Self::SourceSuperseded, Self::Failing, Self::Operator];
        all.into_iter().find(|cause| cause.as_str() == text).ok_or(UnknownWithdrawalCause)
    }
}

/// Checks that a skill is not shared more widely than a source. Who reads it is decided at each read, by the reach of the
/// reader on the skill and on every source.
///
/// # Errors
/// [`RuleViolation::SkillTooWide`] for the first source with a narrower scope.
pub fn check_skill_scope(scope: Scope, sources: &[(Uuid, Scope)]) -> Result<(), RuleViolation> {
    match sources.iter().find(|(_, of)| width(*of) < width(scope)) {
        Some(&(memory, narrower)) => Err(RuleViolation::SkillTooWide { memory, scope, narrower }),
        None => Ok(()),
    }
}

const fn width(scope: Scope) -> u8 {
    match scope {
        Scope::Local => 0,
        Scope::Team => 1,
        Scope::Global => 2,
    }
}

/// The evidence of sources as the provenance of a package and the audit log have it: counts only.
#[must_use]
pub fn evidence_of_sources(sources: &[(Uuid, Vec<ProcedureUse>)]) -> Value {
    let of = |(memory, uses): &(Uuid, Vec<ProcedureUse>)| {
        let tally = UseTally::of(uses);
        json!({
            "memory_id": memory,
            "uses": tally.uses(),
            "successes": tally.successes,
            "failures": tally.failures,
            "runs": tally.runs,
            "sessions": tally.sessions,
            "workspaces": tally.workspaces,
            "lower_bound": (tally.lower_bound * 10_000.0).round() / 10_000.0,
        })
    };
    sources.iter().map(of).collect()
}
