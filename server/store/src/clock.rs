//! Time and ids, injected so that no test sleeps.

use std::sync::atomic::{AtomicI64, Ordering};

use chrono::{DateTime, TimeDelta, Utc};
use parking_lot::Mutex;
use uuid::Uuid;

/// Where the store takes the time from.
pub trait Clock: Send + Sync + 'static {
    /// The time now.
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

/// A clock for tests: it stands still until it is told to go on.
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
    /// A clock that stands at `time`.
    #[must_use]
    pub fn at(time: DateTime<Utc>) -> Self {
        Self(AtomicI64::new(time.timestamp_micros()))
    }

    /// Lets `by` pass.
    pub fn advance(&self, by: TimeDelta) {
        self.0.fetch_add(by.num_microseconds().unwrap_or(i64::MAX), Ordering::SeqCst);
    }
}

impl Clock for ManualClock {
    fn now(&self) -> DateTime<Utc> {
        DateTime::from_timestamp_micros(self.0.load(Ordering::SeqCst)).unwrap_or(DateTime::UNIX_EPOCH)
    }
}

/// Makes ids that sort as they were made: UUID v7 whose twelve bits after the milliseconds hold quarters of a
/// microsecond, so that ids sort as times do. Strictly growing within one process.
#[derive(Debug, Default)]
pub(crate) struct IdSource {
    last_tick: Mutex<u64>,
}

impl IdSource {
    /// A new id for something that happens at `now`.
    pub(crate) fn next(&self, now: DateTime<Utc>) -> Uuid {
        let mut last = self.last_tick.lock();
        let tick = tick_of(now).max(last.saturating_add(1));
        *last = tick;
        drop(last);
        id_at(tick, rand::random())
    }
}

/// An id for something that happened at `time`; those of the same microsecond sort by chance.
pub(crate) fn id_of(time: DateTime<Utc>) -> Uuid {
    id_at(tick_of(time), rand::random())
}

/// The microsecond that an id was made in, or that its maker was in by its count of ids.
pub(crate) fn made_at(id: Uuid) -> DateTime<Utc> {
    let (high, _) = id.as_u64_pair();
    let (millis, fraction) = (high >> 16, high & 0xfff);
    let micros = i64::try_from(millis * 1000 + (fraction / 4).min(999)).unwrap_or(i64::MAX);
    DateTime::from_timestamp_micros(micros).unwrap_or(DateTime::<Utc>::MAX_UTC)
}

/// The lowest id that could have been made at `time`: a bound for ranges of ids.
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
    fn ids_grow_though_the_clock_stands_still() {
        let ids = IdSource::default();
        let made: Vec<Uuid> = (0..10_000).map(|_| ids.next(DateTime::UNIX_EPOCH)).collect();
        assert!(made.windows(2).all(|pair| pair[0] < pair[1]));
        assert!(made.iter().all(|id| id.get_version_num() == 7));
    }

    #[test]
    fn ids_sort_as_their_times_do() {
        let earlier = DateTime::from_timestamp_micros(1_700_000_000_123_456).unwrap_or_default();
        let later = earlier + TimeDelta::microseconds(1);
        assert!(IdSource::default().next(earlier) < first_id_at(later));
        assert!(first_id_at(earlier) <= IdSource::default().next(earlier));
    }

    #[test]
    fn an_id_tells_when_it_was_made() {
        let time = DateTime::from_timestamp_micros(1_700_000_000_123_456).unwrap_or_default();
        assert_eq!((made_at(id_of(time)), made_at(first_id_at(time))), (time, time));
        let ids = IdSource::default();
        let made: Vec<_> = (0..10_000).map(|_| made_at(ids.next(time))).collect();
        assert!(made.is_sorted());
        assert!(first_id_at(DateTime::UNIX_EPOCH) < first_id_at(time));
        assert!(first_id_at(time) < first_id_at(DateTime::<Utc>::MAX_UTC));
    }
}
