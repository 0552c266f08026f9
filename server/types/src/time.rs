//! Times as answers have them.

use chrono::{DateTime, Datelike, Timelike, Utc};
use serde::{Serialize, Serializer};

/// `2026-09-20T08:30:00.000000Z` has so many bytes.
const LENGTH: usize = 27;

/// Writes the time as chrono does: RFC 3339 with as many digits of a second as it has, in threes. chrono goes through its
/// machinery for any format, which took a tenth of the time of an answer with fifty rows.
///
/// # Errors
/// Those of the serializer.
pub(crate) fn rfc3339<S: Serializer>(time: &DateTime<Utc>, serializer: S) -> Result<S::Ok, S::Error> {
    let mut buffer = [0; LENGTH];
    match written(time, &mut buffer) {
        Some(text) => serializer.serialize_str(text),
        None => time.serialize(serializer),
    }
}

/// Times of four-digit years in whole microseconds, which is what is stored.
fn written<'b>(time: &DateTime<Utc>, buffer: &'b mut [u8; LENGTH]) -> Option<&'b str> {
    let (date, clock) = (time.date_naive(), time.time());
    let year = u32::try_from(date.year()).ok().filter(|year| *year < 10_000)?;
    let (micros, rest) = (clock.nanosecond() / 1_000, clock.nanosecond() % 1_000);
    // a leap second counts on beyond the second
    if rest != 0 || micros >= 1_000_000 {
        return None;
    }
    *buffer = *b"0000-00-00T00:00:00.000000Z";
    let (month, day) = (date.month(), date.day());
    let (hour, minute, second) = (clock.hour(), clock.minute(), clock.second());
    let places =
        [(0, 4, year), (5, 2, month), (8, 2, day), (11, 2, hour), (14, 2, minute), (17, 2, second), (20, 6, micros)];
    for (from, digits, mut number) in places {
        for place in buffer[from..from + digits].iter_mut().rev() {
            *place = b'0' + (number % 10) as u8;
            number /= 10;
        }
    }
    let end = match micros {
        0 => 19,
        whole if whole % 1_000 == 0 => 23,
        _ => 26,
    };
    buffer[end] = b'Z';
    std::str::from_utf8(&buffer[..=end]).ok()
}

#[cfg(test)]
mod tests {
    use chrono::{DateTime, TimeDelta, Utc};
    use serde::Serialize;

    #[derive(Serialize)]
    struct Times {
        #[serde(serialize_with = "super::rfc3339")]
        ours: DateTime<Utc>,
        theirs: DateTime<Utc>,
    }

    fn check(time: DateTime<Utc>) {
        let text = serde_json::to_value(Times { ours: time, theirs: time }).expect("times");
        assert_eq!(text["ours"], text["theirs"]);
    }

    #[test]
    fn times_are_written_as_chrono_writes_them() {
        let from = |micros| DateTime::from_timestamp_micros(micros).expect("a time");
        for micros in [0, 1, -1, 999_999, 1_000, 120_000, 1_700_000_000_000_000, 1_700_000_000_123_000] {
            check(from(micros));
        }
        let mut micros = -62_167_219_200_000_000;
        while micros < 253_402_300_800_000_000 {
            check(from(micros));
            // a step of days, hours, seconds and micros that share no factor
            micros += 9_123_457_891_013;
        }
        for odd in [DateTime::<Utc>::MIN_UTC, DateTime::<Utc>::MAX_UTC, from(7) + TimeDelta::nanoseconds(3)] {
            check(odd);
        }
        let leap = "2016-12-31T23:59:60.5Z".parse().expect("a leap second");
        check(leap);
    }
}
