use chrono::TimeDelta;

const UNITS: [(char, i64); 3] = [('d', 86_400), ('h', 3600), ('m', 60)];

/// Parses a span such as `39d6h48m`: days, hours and minutes in this order, each optional.
pub(super) fn span(text: &str) -> Option<TimeDelta> {
    let mut rest = text;
    let mut seconds = 0;
    for (unit, length) in UNITS {
        if let Some((number, after)) = rest.split_once(unit) {
            seconds += number.parse::<u32>().ok().map(i64::from)? * length;
            rest = after;
        }
    }
    (rest.is_empty() && !text.is_empty()).then(|| TimeDelta::seconds(seconds))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ages_are_parsed() {
        let minutes = |text| span(text).map(|span| span.num_minutes());
        assert_eq!(minutes("39d6h48m"), Some(39 * 1440 + 6 * 60 + 48));
        assert_eq!(minutes("2h"), Some(120));
        assert_eq!(minutes("1d5m"), Some(1445));
        for text in ["", "5", "h", "1h2d", "-1d", "1d 2h", "x1d"] {
            assert_eq!(minutes(text), None, "{text}");
        }
    }
}
