//! Parsers for spans, moments, ids and limits in arguments.

use chrono::{DateTime, NaiveDate, TimeDelta, Utc};
use orgmem_types::Callers;
use uuid::Uuid;

const UNITS: [(&str, i64); 5] = [("s", 1), ("m", 60), ("h", 3600), ("d", 86_400), ("w", 604_800)];

/// Seconds from `90`, `90s`, `15m`, `12h`, `7d` or `2w`.
///
/// # Errors
/// A message with the accepted forms.
pub(crate) fn seconds(text: &str) -> Result<i64, String> {
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let unit = match &text[digits.len()..] {
        "" => Some(1),
        unit => UNITS.iter().find(|(name, _)| *name == unit).map(|(_, seconds)| *seconds),
    };
    let number = digits.parse::<i64>().ok();
    let span = number.zip(unit).and_then(|(number, unit)| number.checked_mul(unit));
    span.ok_or_else(|| "a span of time looks like `90s`, `15m`, `12h`, `7d` or `2w`".to_owned())
}

/// A maximum number of rows.
///
/// # Errors
/// A message; also for 0, because an empty list would look like a result.
pub(crate) fn limit(text: &str) -> Result<usize, String> {
    let number = text.parse::<usize>().ok().filter(|number| *number > 0);
    number.ok_or_else(|| "a limit is a whole number, at least 1".to_owned())
}

/// A UUID.
///
/// # Errors
/// A message with an example.
pub(crate) fn id(text: &str) -> Result<Uuid, String> {
    Uuid::try_parse(text).map_err(|_| "an id looks like `0199a7c2-5b1e-7c44-9d0a-3f6f8a2b1c77`".to_owned())
}

/// `agents` or `people`.
///
/// # Errors
/// A message with the accepted values.
pub(crate) fn callers(text: &str) -> Result<Callers, String> {
    match text {
        "agents" => Ok(Callers::Agents),
        "people" => Ok(Callers::People),
        _ => Err("callers are `agents` or `people`".to_owned()),
    }
}

/// An instant from `2026-12-24` (midnight UTC) or `2026-12-24T08:00:00Z`.
///
/// # Errors
/// A message with the accepted forms.
pub(crate) fn instant(text: &str) -> Result<DateTime<Utc>, String> {
    let form = || "an instant looks like `2026-12-24` (midnight UTC) or `2026-12-24T08:00:00Z`".to_owned();
    calendar(text).ok_or_else(form)
}

fn calendar(text: &str) -> Option<DateTime<Utc>> {
    let instant = DateTime::parse_from_rfc3339(text).ok().map(|instant| instant.to_utc());
    instant.or_else(|| Some(text.parse::<NaiveDate>().ok()?.and_time(chrono::NaiveTime::MIN).and_utc()))
}

/// A moment, relative to now or absolute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TimeArg {
    /// Seconds before now.
    Ago(i64),
    At(DateTime<Utc>),
}

impl TimeArg {
    pub(crate) fn at(self, now: DateTime<Utc>) -> DateTime<Utc> {
        match self {
            Self::Ago(seconds) => {
                let span = TimeDelta::try_seconds(seconds).and_then(|span| now.checked_sub_signed(span));
                span.unwrap_or(DateTime::<Utc>::UNIX_EPOCH)
            }
            Self::At(instant) => instant,
        }
    }
}

/// A moment from `2h` (ago), `2026-11-20` (midnight UTC) or `2026-11-20T08:00:00Z`.
///
/// # Errors
/// A message with the accepted forms.
pub(crate) fn moment(text: &str) -> Result<TimeArg, String> {
    if let Some(instant) = calendar(text) {
        return Ok(TimeArg::At(instant));
    }
    let is_span = text.ends_with(|c: char| c.is_ascii_alphabetic());
    match seconds(text) {
        Ok(seconds) if is_span && seconds >= 0 => Ok(TimeArg::Ago(seconds)),
        _ => Err("a moment looks like `2h` (ago), `2026-11-20` or `2026-11-20T08:00:00Z`".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_are_parsed_with_units() {
        let spans = ["90", "90s", "15m", "12h", "7d", "2w", "-5", "0"].map(seconds);
        assert_eq!(spans, [90, 90, 900, 43_200, 604_800, 1_209_600, -5, 0].map(Ok));
        for text in ["", "m", "1y", "1.5h", "1h30m", "9223372036854775807w", "١d"] {
            assert!(seconds(text).is_err(), "{text}");
        }
    }

    #[test]
    fn moments_are_parsed_as_spans_days_or_instants() {
        let noon: DateTime<Utc> = "2026-11-20T12:00:00Z".parse().expect("a time");
        let at = |text| moment(text).map(|moment| moment.at(noon).to_rfc3339());
        assert_eq!(at("2h").as_deref(), Ok("2026-11-20T10:00:00+00:00"));
        assert_eq!(at("2026-11-20").as_deref(), Ok("2026-11-20T00:00:00+00:00"));
        assert_eq!(at("2026-11-20T09:30:00+01:00").as_deref(), Ok("2026-11-20T08:30:00+00:00"));
        assert_eq!(at("9999999999w").as_deref(), Ok("1970-01-01T00:00:00+00:00"));
        for text in ["", "2", "yesterday", "-2h", "2026-13-01"] {
            assert!(moment(text).is_err(), "{text}");
        }
    }

    #[test]
    fn instants_are_parsed_as_days_or_times() {
        let at = |text| instant(text).map(|instant| instant.to_rfc3339());
        assert_eq!(at("2026-12-24").as_deref(), Ok("2026-12-24T00:00:00+00:00"));
        assert_eq!(at("2026-12-24T09:30:00+01:00").as_deref(), Ok("2026-12-24T08:30:00+00:00"));
        for text in ["", "tomorrow", "2h", "2026-13-01"] {
            assert!(at(text).is_err_and(|message| message.contains("2026-12-24T08:00:00Z")), "{text}");
        }
    }

    #[test]
    fn limit_below_one_is_refused() {
        assert_eq!(limit("1"), Ok(1));
        for text in ["0", "-1", "many", ""] {
            assert_eq!(limit(text), Err("a limit is a whole number, at least 1".to_owned()), "{text}");
        }
    }
}
