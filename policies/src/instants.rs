//! The range of stored times.

use chrono::{DateTime, Datelike, Utc};

/// Whether a time has a year of four digits, the range of RFC 3339 and of both databases.
///
/// ```
/// use chrono::{DateTime, Utc};
/// use orgmem_policies::is_storable;
///
/// assert!(is_storable("9999-12-31T23:59:59Z".parse()?));
/// assert!(!is_storable("+10000-01-01T00:00:00Z".parse()?));
/// assert!(!is_storable(DateTime::<Utc>::MIN_UTC));
/// # Ok::<(), chrono::ParseError>(())
/// ```
#[must_use]
pub fn is_storable(time: DateTime<Utc>) -> bool {
    (0..=9999).contains(&time.year())
}
