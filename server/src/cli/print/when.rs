use chrono::{DateTime, Utc};

const MINUTE: i64 = 60;
const HOUR: i64 = 60 * MINUTE;
const DAY: i64 = 24 * HOUR;

/// `then` relative to `now`, such as `3h ago` or `in 20m`; the date beyond 60 days.
pub(crate) fn ago(then: DateTime<Utc>, now: DateTime<Utc>) -> String {
    match (now - then).num_seconds() {
        -4..=4 => "just now".to_owned(),
        seconds if seconds.abs() >= 60 * DAY => then.format("%Y-%m-%d").to_string(),
        // two seconds of tolerance, so that a new span of two hours is `in 2h`
        seconds if seconds < 0 => format!("in {}", span(seconds.abs() + 2)),
        seconds => format!("{} ago", span(seconds)),
    }
}

/// `seconds` in the largest unit that fits.
fn span(seconds: i64) -> String {
    match seconds {
        ..MINUTE => format!("{seconds}s"),
        MINUTE..HOUR => format!("{}m", seconds / MINUTE),
        HOUR..DAY => format!("{}h", seconds / HOUR),
        _ => format!("{}d", seconds / DAY),
    }
}

/// `then` to the second, UTC.
pub(crate) fn instant(then: DateTime<Utc>) -> String {
    then.format("%Y-%m-%d %H:%M:%SZ").to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_relative_to_now() {
        let now = DateTime::from_timestamp(1_800_000_000, 0).expect("a time");
        let check = |seconds, text: &str| assert_eq!(ago(now - chrono::TimeDelta::seconds(seconds), now), text);
        check(0, "just now");
        check(59, "59s ago");
        check(60, "1m ago");
        check(2 * HOUR + 59 * MINUTE, "2h ago");
        check(59 * DAY, "59d ago");
        check(60 * DAY, "2026-11-16");
        check(-1199, "in 20m");
        check(-7199, "in 2h");
        check(-90 * DAY, "2027-04-15");
    }
}
