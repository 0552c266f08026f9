//! A circuit breaker: a host that fails repeatedly gets no requests for a while.

use chrono::{DateTime, TimeDelta, Utc};
use parking_lot::Mutex;

/// Failures in a row after which no request is sent.
const FAILURES: u32 = 5;
/// How long none is sent; then one request at a time probes the host.
const OPEN_FOR: TimeDelta = TimeDelta::seconds(30);

#[derive(Default)]
pub(crate) struct Breaker(Mutex<State>);

#[derive(Default)]
struct State {
    failures: u32,
    closed_from: Option<DateTime<Utc>>,
}

impl Breaker {
    /// Whether a request may be sent. Of those that wait for the end of the pause, the first one is the probe.
    pub(crate) fn admits(&self, now: DateTime<Utc>) -> bool {
        let mut state = self.0.lock();
        match state.closed_from {
            Some(closed_from) if now < closed_from => false,
            Some(_) => {
                // until the probe reports
                state.closed_from = Some(now + OPEN_FOR);
                true
            }
            None => true,
        }
    }

    /// Records the outcome of a request. Returns whether it opened the breaker.
    pub(crate) fn note(&self, has_failed: bool, now: DateTime<Utc>) -> bool {
        let mut state = self.0.lock();
        if !has_failed {
            *state = State::default();
            return false;
        }
        state.failures = state.failures.saturating_add(1);
        let opens = state.failures >= FAILURES;
        if opens {
            state.closed_from = Some(now + OPEN_FOR);
        }
        opens
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn breaker_opens_after_failures_in_a_row_and_admits_one_probe() {
        let (breaker, start) = (Breaker::default(), DateTime::UNIX_EPOCH);
        for _ in 1..FAILURES {
            assert!(breaker.admits(start) && !breaker.note(true, start));
        }
        assert!(!breaker.note(false, start), "a success ends the row");
        for at in 1..=FAILURES {
            assert!(breaker.admits(start));
            assert_eq!(breaker.note(true, start), at == FAILURES);
        }
        assert!(!breaker.admits(start + OPEN_FOR - TimeDelta::seconds(1)));
        let later = start + OPEN_FOR;
        assert!(breaker.admits(later) && !breaker.admits(later), "one probe");
        assert!(breaker.note(true, later) && !breaker.admits(later));
        assert!(breaker.admits(later + OPEN_FOR));
        breaker.note(false, later + OPEN_FOR);
        assert!(breaker.admits(later + OPEN_FOR) && breaker.admits(later + OPEN_FOR));
    }
}
