//! Serialization of times.

use chrono::{DateTime, Datelike, Timelike, Utc};
use serde::{Serialize, Serializer};

/// Length of `2026-09-20T08:30:00.000000Z`.
const LENGTH: usize = 27;

/// Writes RFC 3339 with as many digits of a second as needed, in threes, like chrono. The generic formatting of chrono
/// took a tenth of the time of a response with fifty rows.
///
/// # Errors
/// Those of the serializer.
pub(crate) fn rfc3339<S: Serializer>(time: &DateTime<Utc>, serializer: S) -> Result<S::Ok, S::Error> {
    let mut buffer = [0; LENGTH];
    match format(time, &mut buffer) {
        Some(text) => serializer.serialize_str(text),
        None => time.serialize(serializer),
    }
}

/// Supports years of four digits and whole microseconds, the precision of the store.
fn format<'b>(time: &DateTime<Utc>, buffer: &'b mut [u8; LENGTH]) -> Option<&'b str> {
    let (date, clock) = (time.date_naive(), time.time());
    let year = u32::try_from(date.year()).ok().filter(|year| *year < 10_000)?;
    let (micros, rest) = (clock.nanosecond() / 1_000, clock.nanosecond() % 1_000);
    // a leap second has 1,000,000 microseconds or more
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
        fast: DateTime<Utc>,
        chrono: DateTime<Utc>,
    }

    fn check(time: DateTime<Utc>) {
        let text = serde_json::to_value(Times { fast: time, chrono: time }).expect("times");
        assert_eq!(text["fast"], text["chrono"]);
    }

    #[test]
    fn times_equal_the_output_of_chrono() {
        let from = |micros| DateTime::from_timestamp_micros(micros).expect("a time");
        for micros in [0, 1, -1, 999_999, 1_000, 120_000, 1_700_000_000_000_000, 1_700_000_000_123_000] {
            check(from(micros));
        }
        let mut micros = -62_167_219_200_000_000;
        while micros < 253_402_300_800_000_000 {
            check(from(micros));
            // steps of days, hours, seconds and microseconds without a common factor
            micros += 9_123_457_891_013;
        }
        for odd in [DateTime::<Utc>::MIN_UTC, DateTime::<Utc>::MAX_UTC, from(7) + TimeDelta::nanoseconds(3)] {
            check(odd);
        }
        let leap = "2016-12-31T23:59:60.5Z".parse().expect("a leap second");
        check(leap);
    }
}
