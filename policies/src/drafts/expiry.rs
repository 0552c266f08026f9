//! Start and end of validity.

use chrono::{DateTime, SubsecRound, TimeDelta, Utc};

use super::DraftFault;
use crate::instants::{is_leap_second, is_storable};

const NO_LEAP_SECOND: &str = "a time that is not a leap second";

/// The longest lifetime: 100 years.
pub const MAX_TTL_SECONDS: i64 = 100 * 366 * 24 * 3600;

/// The end of validity, given as a time or as a lifetime.
pub(super) fn expiry(
    expires_at: Option<DateTime<Utc>>,
    ttl_seconds: Option<i64>,
    now: DateTime<Utc>,
) -> Result<Option<DateTime<Utc>>, DraftFault> {
    match (expires_at, ttl_seconds) {
        (None, None) => Ok(None),
        (Some(_), Some(_)) => Err(DraftFault::Both { one: "expires_at", other: "ttl_seconds" }),
        (None, Some(seconds)) => from_ttl(seconds, now).map(Some),
        (Some(at), None) if at <= now => Err(DraftFault::Form { field: "expires_at", expected: "in the future" }),
        (Some(at), None) if is_leap_second(at) => {
            Err(DraftFault::Form { field: "expires_at", expected: NO_LEAP_SECOND })
        }
        (Some(at), None) if !is_storable(at) => {
            Err(DraftFault::Form { field: "expires_at", expected: "a time before the year 10000" })
        }
        (Some(at), None) => Ok(Some(at.trunc_subsecs(6))),
    }
}

/// The creation time of imported content, in whole microseconds. Ids contain the time and start in 1970.
///
/// # Errors
/// [`DraftFault`] for the field `created_at`.
pub fn check_made_at(given: Option<DateTime<Utc>>) -> Result<Option<DateTime<Utc>>, DraftFault> {
    match given {
        Some(at) if is_leap_second(at) => Err(DraftFault::Form { field: "created_at", expected: NO_LEAP_SECOND }),
        Some(at) if at < DateTime::UNIX_EPOCH || !is_storable(at) => {
            Err(DraftFault::Form { field: "created_at", expected: "a time from 1970 on and before the year 10000" })
        }
        at => Ok(at.map(|at| at.trunc_subsecs(6))),
    }
}

/// When something happened that is written down at `now`, in whole microseconds.
///
/// # Errors
/// [`DraftFault`] for the field `occurred_at`.
pub fn check_occurred_at(
    given: Option<DateTime<Utc>>,
    now: DateTime<Utc>,
) -> Result<Option<DateTime<Utc>>, DraftFault> {
    let expected = match given {
        Some(at) if is_leap_second(at) => NO_LEAP_SECOND,
        Some(at) if at < DateTime::UNIX_EPOCH || at > now => "a time from 1970 on that is not in the future",
        at => return Ok(at.map(|at| at.trunc_subsecs(6))),
    };
    Err(DraftFault::Form { field: "occurred_at", expected })
}

/// `now` plus a positive number of seconds, within the range of both stores.
///
/// # Errors
/// [`DraftFault`] for the field `ttl_seconds`.
pub fn from_ttl(seconds: i64, now: DateTime<Utc>) -> Result<DateTime<Utc>, DraftFault> {
    let fault = DraftFault::Form { field: "ttl_seconds", expected: "a positive number of seconds, at most 100 years" };
    if !(1..=MAX_TTL_SECONDS).contains(&seconds) {
        return Err(fault);
    }
    now.checked_add_signed(TimeDelta::seconds(seconds)).map(|at| at.trunc_subsecs(6)).ok_or(fault)
}
