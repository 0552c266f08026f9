//! The span of time that is kept.

use chrono::{DateTime, Datelike, Utc};

/// Whether a time is of a year of four digits: RFC 3339 can say no other, and both databases hold all of them.
///
/// ```
/// use chrono::{DateTime, Utc};
/// use orgmem_policies::is_kept;
///
/// assert!(is_kept("9999-12-31T23:59:59Z".parse()?));
/// assert!(!is_kept("+10000-01-01T00:00:00Z".parse()?));
/// assert!(!is_kept(DateTime::<Utc>::MIN_UTC));
/// # Ok::<(), chrono::ParseError>(())
/// ```
#[must_use]
pub fn is_kept(time: DateTime<Utc>) -> bool {
    (0..=9999).contains(&time.year())
}
