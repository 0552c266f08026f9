//! How fast the job compacts, so that requests are served as without it.

use std::time::Duration;

/// A run of the job ends after this time, so that a stop of the server does not wait for all work of an org.
pub(super) const RUN: Duration = Duration::from_secs(1);
/// The calls of the store that a step itself makes.
pub(super) const OWN_CALLS: u64 = 1;
/// The pause after a step, in multiples of its time.
const PAUSE_FACTOR: u32 = 19;
/// The longest pause: on a busy server the work proceeds too.
const LONGEST_PAUSE: Duration = Duration::from_secs(1);

/// The pause after a step of this time, during which others made this number of calls: next to them compactions take a
/// twentieth of the time of the store's threads.
pub(super) fn pause(step: Duration, others: u64) -> Duration {
    if others == 0 { Duration::ZERO } else { step.saturating_mul(PAUSE_FACTOR).min(LONGEST_PAUSE) }
}

#[cfg(test)]
mod tests {
    use super::{LONGEST_PAUSE, pause};
    use std::time::Duration;

    #[test]
    fn step_next_to_calls_of_others_is_followed_by_a_pause() {
        let step = Duration::from_millis(20);
        assert_eq!(pause(step, 0), Duration::ZERO);
        assert_eq!(pause(step, 1), Duration::from_millis(380));
        assert_eq!(pause(Duration::from_secs(60), 1), LONGEST_PAUSE);
    }
}
