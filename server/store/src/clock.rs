//! Time and ids, injected so that tests need not sleep.

use std::sync::atomic::{AtomicI64, Ordering};

use chrono::{DateTime, TimeDelta, Utc};
use parking_lot::Mutex;
use uuid::Uuid;

/// The source of the store's time.
pub trait Clock: Send + Sync + 'static {
    /// The current time.
    fn now(&self) -> DateTime<Utc>;
}

/// The time of the machine.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    fn now(&self) -> DateTime<Utc> {
        Utc::now()
    }
}

/// A clock for tests: it moves only by [`advance`](Self::advance), also backwards.
///
/// ```
/// use chrono::{DateTime, TimeDelta, Utc};
/// use orgmem_store::{Clock, ManualClock};
///
/// let clock = ManualClock::at(DateTime::UNIX_EPOCH);
/// clock.advance(TimeDelta::seconds(90));
/// assert_eq!(clock.now().timestamp(), 90);
/// ```
#[derive(Debug)]
pub struct ManualClock(AtomicI64);

impl ManualClock {
    /// A clock that shows `time`.
    #[must_use]
    pub fn at(time: DateTime<Utc>) -> Self {
        Self(AtomicI64::new(time.timestamp_micros()))
    }

    /// Moves the clock forward, or back by a negative time.
    pub fn advance(&self, by: TimeDelta) {
        self.0.fetch_add(by.num_microseconds().unwrap_or(i64::MAX), Ordering::SeqCst);
    }
}

impl Clock for ManualClock {
    fn now(&self) -> DateTime<Utc> {
        DateTime::from_timestamp_micros(self.0.load(Ordering::SeqCst)).unwrap_or(DateTime::UNIX_EPOCH)
    }
}

/// How far ids may be ahead of the clock, in ticks: a minute if the clock was set back, and a second if ids are generated
/// faster than ticks. Beyond that, correct times take precedence over the order of ids.
const MAX_LEAD: u64 = 61_000 << 12;

/// Generates UUID v7 ids that sort by time: the twelve bits after the milliseconds hold quarters of a microsecond.
/// Strictly increasing within one process, unless the clock is set back by more than [`MAX_LEAD`].
#[derive(Debug, Default)]
pub(crate) struct IdSource {
    last_tick: Mutex<u64>,
}

impl IdSource {
    pub(crate) fn next(&self, now: DateTime<Utc>) -> Uuid {
        let now = tick_of(now);
        let mut last = self.last_tick.lock();
        let next = last.saturating_add(1);
        // ids of the same tick differ in their random part
        let tick = if next > now + MAX_LEAD { now } else { next.max(now) };
        *last = tick;
        drop(last);
        id_at(tick, rand::random())
    }
}

/// An id for `time`; ids of the same microsecond sort randomly.
pub(crate) fn id_of(time: DateTime<Utc>) -> Uuid {
    id_at(tick_of(time), rand::random())
}

/// The time of an id, in whole microseconds. It may be ahead of the clock where ids were generated faster than ticks.
pub(crate) fn time_of(id: Uuid) -> DateTime<Utc> {
    let (high, _) = id.as_u64_pair();
    let (millis, fraction) = (high >> 16, high & 0xfff);
    let micros = i64::try_from(millis * 1000 + (fraction / 4).min(999)).unwrap_or(i64::MAX);
    DateTime::from_timestamp_micros(micros).unwrap_or(DateTime::<Utc>::MAX_UTC)
}

/// The lowest id of `time`: a bound for ranges of ids.
pub(crate) fn first_id_at(time: DateTime<Utc>) -> Uuid {
    id_at(tick_of(time), 0)
}

/// Milliseconds times 4096 plus quarters of a microsecond; 60 bits, which last until the year 10889.
fn tick_of(time: DateTime<Utc>) -> u64 {
    let micros = u64::try_from(time.timestamp_micros()).unwrap_or(0);
    (((micros / 1000) << 12) | ((micros % 1000) * 4)).min((1 << 60) - 1)
}

fn id_at(tick: u64, tail: u64) -> Uuid {
    let (millis, fraction) = (tick >> 12, tick & 0xfff);
    let high = millis << 16 | 0x7000 | fraction;
    let low = 0x8000_0000_0000_0000 | (tail >> 2);
    Uuid::from_u64_pair(high, low)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_increase_while_the_clock_is_stopped() {
        let ids = IdSource::default();
        let ids_in_order: Vec<Uuid> = (0..10_000).map(|_| ids.next(DateTime::UNIX_EPOCH)).collect();
        assert!(ids_in_order.windows(2).all(|pair| pair[0] < pair[1]));
        assert!(ids_in_order.iter().all(|id| id.get_version_num() == 7));
    }

    #[test]
    fn ids_follow_a_clock_that_was_set_back() {
        let (ids, now) =
            (IdSource::default(), DateTime::from_timestamp_micros(1_700_000_000_123_456).unwrap_or_default());
        let ahead = ids.next(now + TimeDelta::hours(1));
        let first = ids.next(now);
        assert_eq!(time_of(first), now);
        assert!(first < ahead);
        let later: Vec<Uuid> = (0..10_000).map(|_| ids.next(now)).collect();
        assert!(later.is_sorted() && first < later[0]);
        // a step that is smaller than the lead does not change the order
        let next = ids.next(now - TimeDelta::minutes(1));
        assert!(later.iter().all(|id| *id < next));
    }

    #[test]
    fn ids_sort_by_time() {
        let earlier = DateTime::from_timestamp_micros(1_700_000_000_123_456).unwrap_or_default();
        let later = earlier + TimeDelta::microseconds(1);
        assert!(IdSource::default().next(earlier) < first_id_at(later));
        assert!(first_id_at(earlier) <= IdSource::default().next(earlier));
    }

    #[test]
    fn time_of_an_id_is_its_microsecond() {
        let time = DateTime::from_timestamp_micros(1_700_000_000_123_456).unwrap_or_default();
        assert_eq!((time_of(id_of(time)), time_of(first_id_at(time))), (time, time));
        let ids = IdSource::default();
        let ids_in_order: Vec<_> = (0..10_000).map(|_| time_of(ids.next(time))).collect();
        assert!(ids_in_order.is_sorted());
        assert!(first_id_at(DateTime::UNIX_EPOCH) < first_id_at(time));
        assert!(first_id_at(time) < first_id_at(DateTime::<Utc>::MAX_UTC));
    }
}
