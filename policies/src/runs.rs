//! How a gated run may end: once, and whatever comes later changes nothing.

use std::fmt;
use std::str::FromStr;

use chrono::{DateTime, Utc};

/// What became of a run.
///
/// Source: product.md, section 4.7.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RunStatus {
    /// It goes on: what it commits is pending.
    Open,
    /// It ended well: what it committed is there.
    Completed,
    /// It ended badly: what it committed never was.
    Failed,
    /// It was called off: what it committed never was.
    Cancelled,
    /// It was open for too long: what it committed never was.
    TimedOut,
}

/// How whoever started a run may end it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RunEnding {
    /// Well: all that is pending is committed.
    Completed,
    /// Badly: all that is pending is dropped.
    Failed,
    /// Called off: all that is pending is dropped.
    Cancelled,
}

/// What is to be done to end a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Finish {
    /// It is open: end it.
    Now,
    /// It has ended just so before: nothing is left to do.
    DoneBefore,
}

/// A run that is over, and not as was asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the run {}; {}", .0.as_past_tense(), .0.advice())]
pub struct RunOver(pub RunStatus);

/// A text that names no status of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a run is `open`, `completed`, `failed`, `cancelled` or `timed_out`")]
pub struct UnknownRunStatus;

impl RunStatus {
    /// Every status.
    pub const ALL: [Self; 5] = [Self::Open, Self::Completed, Self::Failed, Self::Cancelled, Self::TimedOut];

    /// The word in storage and on the wire.
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

    /// What a run that was left in this status is at `now`: an open one past its end has timed out, swept or not.
    #[must_use]
    pub fn at(self, now: DateTime<Utc>, times_out_at: DateTime<Utc>) -> Self {
        if self == Self::Open && times_out_at <= now { Self::TimedOut } else { self }
    }

    /// Whether it takes more writes.
    ///
    /// # Errors
    /// [`RunOver`] when it does not.
    pub fn takes_writes(self) -> Result<(), RunOver> {
        if self == Self::Open { Ok(()) } else { Err(RunOver(self)) }
    }

    /// Whether it may be ended so. Ending it again as it ended before is harmless.
    ///
    /// # Errors
    /// [`RunOver`] when it has ended in another way.
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
    fn a_run_ends_once() {
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
    fn an_open_run_has_timed_out_at_its_end_and_not_before() {
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
