//! The range of stored times.

use chrono::{DateTime, Datelike, Timelike, Utc};

/// Whether a time has a year of four digits, the range of RFC 3339 and of both databases, and is no leap second, which
/// neither database can represent.
///
/// ```
/// use chrono::{DateTime, Utc};
/// use orgmem_policies::is_storable;
///
/// assert!(is_storable("9999-12-31T23:59:59Z".parse()?));
/// assert!(!is_storable("+10000-01-01T00:00:00Z".parse()?));
/// assert!(!is_storable(DateTime::<Utc>::MIN_UTC));
/// assert!(!is_storable("2016-12-31T23:59:60.5Z".parse()?));
/// # Ok::<(), chrono::ParseError>(())
/// ```
#[must_use]
pub fn is_storable(time: DateTime<Utc>) -> bool {
    (0..=9999).contains(&time.year()) && !is_leap_second(time)
}

/// Whether a time is within a leap second, such as `2016-12-31T23:59:60Z`. chrono counts its nanoseconds from the
/// beginning of the second before it.
pub(crate) fn is_leap_second(time: DateTime<Utc>) -> bool {
    time.nanosecond() >= 1_000_000_000
}
