//! Spans and moments as people type them.

use chrono::{DateTime, NaiveDate, TimeDelta, Utc};

const UNITS: [(&str, i64); 5] = [("s", 1), ("m", 60), ("h", 3600), ("d", 86_400), ("w", 604_800)];

/// Seconds from `90`, `90s`, `15m`, `12h`, `7d` or `2w`.
///
/// # Errors
/// A sentence that says the form.
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

/// A moment, told from now or by the calendar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Moment {
    /// So many seconds ago.
    Ago(i64),
    /// Then.
    At(DateTime<Utc>),
}

impl Moment {
    /// The instant it means at `now`.
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
/// A sentence that says the forms.
pub(crate) fn moment(text: &str) -> Result<Moment, String> {
    if let Ok(instant) = DateTime::parse_from_rfc3339(text) {
        return Ok(Moment::At(instant.to_utc()));
    }
    if let Ok(day) = text.parse::<NaiveDate>() {
        return Ok(Moment::At(day.and_time(chrono::NaiveTime::MIN).and_utc()));
    }
    let is_span = text.ends_with(|c: char| c.is_ascii_alphabetic());
    match seconds(text) {
        Ok(seconds) if is_span && seconds >= 0 => Ok(Moment::Ago(seconds)),
        _ => Err("a moment looks like `2h` (ago), `2026-11-20` or `2026-11-20T08:00:00Z`".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_have_units() {
        let spans = ["90", "90s", "15m", "12h", "7d", "2w", "-5", "0"].map(seconds);
        assert_eq!(spans, [90, 90, 900, 43_200, 604_800, 1_209_600, -5, 0].map(Ok));
        for text in ["", "m", "1y", "1.5h", "1h30m", "9223372036854775807w", "١d"] {
            assert!(seconds(text).is_err(), "{text}");
        }
    }

    #[test]
    fn moments_are_told_from_now_or_by_the_calendar() {
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
}
