//! Evidence of procedures, and the rule that makes a procedure a candidate for a skill.
//!
//! ```
//! use orgmem_policies::rules::wilson_lower_bound;
//!
//! // five successes in five uses: the rate is above 0.56 with 95 % confidence
//! assert!((wilson_lower_bound(5, 5) - 0.5655).abs() < 1e-4);
//! ```
//!
//! Source: `docs/spec/skills.md`, "Evidence" and "The rule".

mod status;
#[cfg(test)]
mod tests;

use std::collections::{HashMap, HashSet};
use std::fmt;
use std::str::FromStr;

use orgmem_hierarchy::WorkspaceId;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::RuleViolation;
use crate::RunStatus;

pub use status::{
    SkillStatus, UnknownSkillStatus, UnknownWithdrawalCause, WithdrawalCause, check_skill_scope, evidence_of_sources,
};

/// The kind of a memory that is a procedure.
pub const PROCEDURE: &str = "procedure";

/// The quantile of the normal distribution for a confidence of 95 %.
const Z: f64 = 1.96;

/// How a use of a procedure ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum UseOutcome {
    /// The procedure worked.
    Success,
    /// It did not.
    Failure,
}

impl UseOutcome {
    /// The text in storage and on the wire.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Success => "success",
            Self::Failure => "failure",
        }
    }

    /// The outcome of a run that ended with this status; `None` where the end says nothing about the procedure.
    #[must_use]
    pub const fn of_run(status: RunStatus) -> Option<Self> {
        match status {
            RunStatus::Completed => Some(Self::Success),
            RunStatus::Failed => Some(Self::Failure),
            RunStatus::Open | RunStatus::Cancelled | RunStatus::TimedOut => None,
        }
    }

    /// The outcome of a use: a failure outweighs a success, whichever of the two the run or the report has.
    #[must_use]
    pub fn merged(run: Option<Self>, reported: Option<Self>) -> Option<Self> {
        match (run, reported) {
            (Some(Self::Failure), _) | (_, Some(Self::Failure)) => Some(Self::Failure),
            (run, reported) => run.or(reported),
        }
    }
}

/// A text that is not an outcome.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("an outcome is `success` or `failure`")]
pub struct UnknownUseOutcome;

impl FromStr for UseOutcome {
    type Err = UnknownUseOutcome;

    fn from_str(text: &str) -> Result<Self, UnknownUseOutcome> {
        [Self::Success, Self::Failure].into_iter().find(|outcome| outcome.as_str() == text).ok_or(UnknownUseOutcome)
    }
}

impl fmt::Display for UseOutcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A use of one version of a procedure that has an outcome.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProcedureUse {
    /// The run; for a report without a run, the reporting workspace.
    pub voice: Uuid,
    /// The workspace that used it.
    pub workspace: WorkspaceId,
    /// Identifies the session of the run. Runs of a workspace without a session share one.
    pub session: u128,
    /// Whether the workspace is the author of the procedure.
    pub is_own: bool,
    /// Whether only a report has the outcome, not the end of a run.
    pub is_report: bool,
    /// The outcome.
    pub outcome: UseOutcome,
    /// When the outcome was known, in microseconds.
    pub at: i64,
}

impl ProcedureUse {
    fn is_run(&self) -> bool {
        self.voice != self.workspace.uuid()
    }

    fn is_success(&self) -> bool {
        self.outcome == UseOutcome::Success
    }
}

/// Who approves a draft.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SkillApproval {
    /// An operator.
    #[default]
    Operator,
    /// The server, as soon as every source is a candidate.
    Auto,
}

/// The rule of an org: which evidence makes a candidate, and which makes a skill `failing`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct SkillRule {
    /// Successes of a candidate.
    pub successes: u32,
    /// Distinct runs among them.
    pub runs: u32,
    /// Distinct sessions among them.
    pub sessions: u32,
    /// Least lower bound of the success rate.
    pub lower_bound: f64,
    /// Part of `successes` that runs of the author's own workspace may supply, in percent.
    pub own_percent: u32,
    /// A skill whose lower bound is below this is failing.
    pub failing_below: f64,
    /// The last uses that decide about it.
    pub failing_uses: u32,
    /// Whether a failing skill is withdrawn.
    pub withdraw_failing: bool,
    /// Who approves.
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

impl SkillRule {
    /// Successes that the author's own workspace may supply.
    #[must_use]
    pub fn own_successes(&self) -> usize {
        usize::try_from(u64::from(self.successes) * u64::from(self.own_percent) / 100).unwrap_or(usize::MAX)
    }

    /// Runs of one session that count: as many as leave room for the other sessions that the rule asks for.
    #[must_use]
    pub fn runs_of_a_session(&self) -> usize {
        usize::try_from((self.successes + 1).saturating_sub(self.sessions).max(1)).unwrap_or(usize::MAX)
    }

    /// The uses that count, newest first. Source: `docs/spec/skills.md`, "What counts".
    ///
    /// # Complexity
    /// O(n log n).
    #[must_use]
    pub fn counted(&self, uses: &[ProcedureUse]) -> Vec<ProcedureUse> {
        let mut newest = uses.to_vec();
        newest.sort_by_key(|used| std::cmp::Reverse((used.at, used.voice)));
        let (most, most_own) = (self.runs_of_a_session(), self.own_successes());
        let (mut runs, mut reporting): (HashMap<u128, usize>, HashSet<u128>) = Default::default();
        let (mut own, mut own_report) = (0, false);
        newest.retain(|used| {
            if used.is_report {
                // the author has one voice, and so has each session
                let is_first = if used.is_own { !own_report } else { reporting.insert(used.session) };
                own_report |= used.is_own;
                if !is_first {
                    return false;
                }
            } else {
                let runs = runs.entry(used.session).or_default();
                *runs += 1;
                if *runs > most {
                    return false;
                }
            }
            if used.is_own && used.is_success() {
                own += 1;
                return own <= most_own;
            }
            true
        });
        newest
    }

    /// What the uses lack to make the procedure a candidate; empty if it is one.
    #[must_use]
    pub fn shortfall(&self, uses: &[ProcedureUse]) -> Vec<Shortfall> {
        let counted = self.counted(uses);
        let successes: Vec<ProcedureUse> = counted.iter().copied().filter(ProcedureUse::is_success).collect();
        let good = UseTally::of(&successes);
        let bound = UseTally::of(&counted).lower_bound;
        let counts = [
            ("successes", good.successes, self.successes),
            ("runs", good.runs, self.runs),
            ("sessions", good.sessions, self.sessions),
        ];
        let short = counts.into_iter().filter(|(_, has, needs)| *has < u64::from(*needs));
        let mut short: Vec<Shortfall> =
            short.map(|(what, has, needs)| Shortfall { what, has: has as f64, needs: f64::from(needs) }).collect();
        if bound < self.lower_bound {
            short.push(Shortfall { what: "lower_bound", has: bound, needs: self.lower_bound });
        }
        short
    }

    /// Whether a skill with these uses is failing. Fewer uses than a candidate has successes decide nothing.
    #[must_use]
    pub fn is_failing(&self, uses: &[ProcedureUse]) -> bool {
        let counted = self.counted(uses);
        let last = &counted[..counted.len().min(self.failing_uses as usize)];
        last.len() >= (self.successes.min(self.failing_uses)) as usize
            && UseTally::of(last).lower_bound < self.failing_below
    }

    /// Checks the values of a rule.
    ///
    /// # Errors
    /// The name of the first invalid field and its valid values.
    pub fn check(&self) -> Result<(), (&'static str, &'static str)> {
        const COUNT: &str = "a number from 1 to 1000";
        let counts = [
            ("successes", self.successes),
            ("runs", self.runs),
            ("sessions", self.sessions),
            ("failing_uses", self.failing_uses),
        ];
        for (name, count) in counts {
            if !(1..=1000).contains(&count) {
                return Err((name, COUNT));
            }
        }
        for (name, rate) in [("lower_bound", self.lower_bound), ("failing_below", self.failing_below)] {
            if !(0.0..=1.0).contains(&rate) {
                return Err((name, "a number from 0 to 1"));
            }
        }
        if self.own_percent > 100 {
            return Err(("own_percent", "a number from 0 to 100"));
        }
        Ok(())
    }
}

/// A condition of the rule that evidence does not meet.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shortfall {
    /// The name of the condition.
    pub what: &'static str,
    /// The value of the evidence.
    pub has: f64,
    /// The value that the rule asks for.
    pub needs: f64,
}

impl fmt::Display for Shortfall {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { what, has, needs } = self;
        match *what {
            "lower_bound" => write!(f, "the lower bound is {has:.2}, the rule asks for {needs:.2}"),
            what => write!(f, "{has} of {needs} {what}"),
        }
    }
}

/// Counts of uses.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct UseTally {
    /// Uses that worked.
    pub successes: u64,
    /// Uses that did not.
    pub failures: u64,
    /// Distinct runs.
    pub runs: u64,
    /// Distinct sessions.
    pub sessions: u64,
    /// Distinct workspaces.
    pub workspaces: u64,
    /// Time of the first outcome in microseconds.
    pub first: Option<i64>,
    /// Time of the last outcome in microseconds.
    pub last: Option<i64>,
    /// [`wilson_lower_bound`] of the counts.
    pub lower_bound: f64,
}

impl UseTally {
    /// Counts the uses.
    #[must_use]
    pub fn of(uses: &[ProcedureUse]) -> Self {
        let distinct = |count: usize| u64::try_from(count).unwrap_or(u64::MAX);
        let successes = distinct(uses.iter().filter(|used| used.is_success()).count());
        let all = distinct(uses.len());
        let runs: HashSet<Uuid> = uses.iter().filter(|used| used.is_run()).map(|used| used.voice).collect();
        let sessions: HashSet<u128> = uses.iter().map(|used| used.session).collect();
        let workspaces: HashSet<WorkspaceId> = uses.iter().map(|used| used.workspace).collect();
        Self {
            successes,
            failures: all - successes,
            runs: distinct(runs.len()),
            sessions: distinct(sessions.len()),
            workspaces: distinct(workspaces.len()),
            first: uses.iter().map(|used| used.at).min(),
            last: uses.iter().map(|used| used.at).max(),
            lower_bound: wilson_lower_bound(successes, all),
        }
    }

    /// All uses.
    #[must_use]
    pub fn uses(&self) -> u64 {
        self.successes + self.failures
    }
}

/// The lower bound of Wilson's interval for the success rate, with a confidence of 95 %; 0 without uses.
#[must_use]
pub fn wilson_lower_bound(successes: u64, uses: u64) -> f64 {
    if uses == 0 {
        return 0.0;
    }
    let (successes, n) = (successes.min(uses) as f64, uses as f64);
    let rate = successes / n;
    let centre = rate + Z * Z / (2.0 * n);
    let margin = Z * (rate * (1.0 - rate) / n + Z * Z / (4.0 * n * n)).sqrt();
    ((centre - margin) / (1.0 + Z * Z / n)).max(0.0)
}

/// Decides whether an outcome may be reported for a run.
///
/// # Errors
/// [`RuleViolation::NeverRead`] where the run did not read the procedure; [`RuleViolation::OutcomeKnown`] for a success of
/// a run that failed.
pub fn check_outcome(
    memory: Uuid,
    run: Uuid,
    status: Option<RunStatus>,
    has_read: bool,
    outcome: UseOutcome,
) -> Result<(), RuleViolation> {
    match status {
        Some(_) if !has_read => Err(RuleViolation::NeverRead { memory, run }),
        None => Err(RuleViolation::NeverRead { memory, run }),
        Some(RunStatus::Failed) if outcome == UseOutcome::Success => Err(RuleViolation::OutcomeKnown(run)),
        Some(_) => Ok(()),
    }
}
