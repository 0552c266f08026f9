//! The states of a gated run. A run ends once; later requests to end it change nothing.

use std::fmt;
use std::str::FromStr;

use chrono::{DateTime, Utc};
use uuid::Uuid;

/// The status of a run.
///
/// Source: `docs/spec/runs.md`, "How a run ends".
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RunStatus {
    /// Open: its memories are pending.
    Open,
    /// Ended; its memories are committed.
    Completed,
    /// Ended; its memories were dropped.
    Failed,
    /// Cancelled; its memories were dropped.
    Cancelled,
    /// Open for too long; its memories were dropped.
    TimedOut,
}

/// The endings that a caller may request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RunEnding {
    /// Commits all pending memories.
    Completed,
    /// Drops all pending memories.
    Failed,
    /// Drops all pending memories.
    Cancelled,
}

/// The decision on a request to end a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Finish {
    /// The run is open and has to be ended.
    Now,
    /// The run has already ended in this way.
    DoneBefore,
}

/// The decision on a commit that names a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gate {
    /// The memory has to be staged in the run.
    Stage,
    /// The memory is committed at once; the id of the run is only provenance.
    CommitNow,
}

/// Why a commit that names a run is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoOpenRun {
    /// The workspace has no run with this id.
    #[error("`{0}` is no run of this workspace; start a run, or send `ungated: true` to commit at once")]
    Unknown(Uuid),
    /// The run has ended.
    #[error("{0}, or send `ungated: true` to commit at once")]
    Over(RunOver),
    /// The call commits at once, so no run can gate it.
    #[error(
        "this call commits at once and cannot be part of the run `{0}`; leave `X-Run-Id` out, or send `ungated` as true"
    )]
    Ungateable(Uuid),
    /// Nobody could take the edit back if the run failed.
    #[error(
        "an edit is readable at once and cannot be part of the run `{0}`; commit a memory with `supersedes` in the run, or \
         leave `X-Run-Id` out"
    )]
    Edit(Uuid),
}

/// Decides what a commit that names the run `id` does. `status` is `None` where the workspace has no such run. An open
/// run always stages: `ungated` never publishes what the run may still drop.
///
/// # Errors
/// [`NoOpenRun`], unless the caller sent `ungated`.
///
/// # Source
/// `docs/spec/runs.md`, "Which memories are pending".
pub fn gate(id: Uuid, status: Option<RunStatus>, ungated: bool) -> Result<Gate, NoOpenRun> {
    match status {
        Some(RunStatus::Open) => Ok(Gate::Stage),
        Some(_) | None if ungated => Ok(Gate::CommitNow),
        Some(over) => Err(NoOpenRun::Over(RunOver(over))),
        None => Err(NoOpenRun::Unknown(id)),
    }
}

/// The run is over, with a status other than the requested one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the run {}; {}", .0.as_past_tense(), .0.advice())]
pub struct RunOver(pub RunStatus);

/// A text that is not a status of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a run is `open`, `completed`, `failed`, `cancelled` or `timed_out`")]
pub struct UnknownRunStatus;

impl RunStatus {
    /// All statuses.
    pub const ALL: [Self; 5] = [Self::Open, Self::Completed, Self::Failed, Self::Cancelled, Self::TimedOut];

    /// The text in storage and on the wire.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Completed => "completed",
            Self::Failed => "failed",
            Self::Cancelled => "cancelled",
            Self::TimedOut => "timed_out",
        }
    }

    /// The effective status at `now` of a run stored with this status: an open run past its timeout has timed out, also
    /// before the sweep has recorded it.
    #[must_use]
    pub fn at(self, now: DateTime<Utc>, times_out_at: DateTime<Utc>) -> Self {
        if self == Self::Open && times_out_at <= now { Self::TimedOut } else { self }
    }

    /// Checks that the run is open.
    ///
    /// # Errors
    /// [`RunOver`].
    pub fn takes_writes(self) -> Result<(), RunOver> {
        if self == Self::Open { Ok(()) } else { Err(RunOver(self)) }
    }

    /// Decides whether the run may be ended with `ending`. Repeating an ending is allowed.
    ///
    /// # Errors
    /// [`RunOver`] when the run has ended in another way.
    pub fn finish(self, ending: RunEnding) -> Result<Finish, RunOver> {
        match self {
            Self::Open => Ok(Finish::Now),
            ended if ended == ending.into() => Ok(Finish::DoneBefore),
            ended => Err(RunOver(ended)),
        }
    }

    const fn as_past_tense(self) -> &'static str {
        match self {
            Self::Open => "is open",
            Self::Completed => "has completed",
            Self::Failed => "has failed",
            Self::Cancelled => "was cancelled",
            Self::TimedOut => "has timed out",
        }
    }

    const fn advice(self) -> &'static str {
        match self {
            Self::Open => "finish it",
            Self::Completed => "what it wrote is committed; start another run for more",
            Self::Failed | Self::Cancelled | Self::TimedOut => "what it wrote was dropped; start another run",
        }
    }
}

impl From<RunEnding> for RunStatus {
    fn from(ending: RunEnding) -> Self {
        match ending {
            RunEnding::Completed => Self::Completed,
            RunEnding::Failed => Self::Failed,
            RunEnding::Cancelled => Self::Cancelled,
        }
    }
}

impl fmt::Display for RunStatus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for RunStatus {
    type Err = UnknownRunStatus;

    fn from_str(text: &str) -> Result<Self, UnknownRunStatus> {
        Self::ALL.into_iter().find(|status| status.as_str() == text).ok_or(UnknownRunStatus)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ended_run_accepts_only_its_own_ending_again() {
        let endings = [RunEnding::Completed, RunEnding::Failed, RunEnding::Cancelled];
        for ending in endings {
            assert_eq!(RunStatus::Open.finish(ending), Ok(Finish::Now));
            assert_eq!(RunStatus::from(ending).finish(ending), Ok(Finish::DoneBefore));
            assert_eq!(RunStatus::TimedOut.finish(ending), Err(RunOver(RunStatus::TimedOut)));
            for other in endings.into_iter().filter(|other| *other != ending) {
                assert_eq!(RunStatus::from(other).finish(ending), Err(RunOver(other.into())));
            }
        }
    }

    #[test]
    fn commit_naming_no_open_run_is_refused_unless_ungated() {
        let id = Uuid::from_u128(7);
        for status in RunStatus::ALL.map(Some).into_iter().chain([None]) {
            let (gated, ungated) = (gate(id, status, false), gate(id, status, true));
            match status {
                Some(RunStatus::Open) => assert_eq!((gated, ungated), (Ok(Gate::Stage), Ok(Gate::Stage))),
                Some(over) => assert_eq!((gated, ungated), (Err(NoOpenRun::Over(RunOver(over))), Ok(Gate::CommitNow))),
                None => assert_eq!((gated, ungated), (Err(NoOpenRun::Unknown(id)), Ok(Gate::CommitNow))),
            }
        }
    }

    #[test]
    fn open_run_times_out_exactly_at_its_timeout() {
        let end = DateTime::from_timestamp(1_000, 0).expect("a time");
        let before = DateTime::from_timestamp(999, 999_999_000).expect("a time");
        assert_eq!(RunStatus::Open.at(before, end), RunStatus::Open);
        assert_eq!(RunStatus::Open.at(end, end), RunStatus::TimedOut);
        assert_eq!(RunStatus::Completed.at(end, end), RunStatus::Completed);
    }

    #[test]
    fn only_an_open_run_takes_writes() {
        for status in RunStatus::ALL {
            assert_eq!(status.takes_writes().is_ok(), status == RunStatus::Open);
            assert_eq!(status.as_str().parse(), Ok(status));
        }
        assert_eq!(
            RunOver(RunStatus::Failed).to_string(),
            "the run has failed; what it wrote was dropped; start another run"
        );
    }
}
