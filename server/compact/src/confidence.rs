//! How far a page can be trusted, as a sum of parts that a person can check.

/// Pages below this confidence are not in the working set.
pub const GATE: f64 = 0.35;
/// Days after which the recency of a page is one half.
pub const HALF_LIFE_DAYS: f64 = 30.0;

const RECENCY_WEIGHT: f64 = 0.5;
const DENSITY_WEIGHT: f64 = 0.3;
const OUTCOME_WEIGHT: f64 = 0.2;
/// An age at which no recency is left in four decimals.
const MAX_AGE_DAYS: i64 = 1_000;
/// Sessions beyond the first that give the full density.
const FULL_DENSITY: u32 = 3;

/// What supports a page: the exchanges of its thread, and those that share a correlation id with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Support {
    /// Time of the last episode of all of them, in microseconds since 1970.
    pub effective_at: i64,
    /// Distinct sessions; at least 1.
    pub sessions: u32,
    /// Their episodes with the outcome `success`.
    pub successes: u32,
    /// Their episodes with the outcome `failure`.
    pub failures: u32,
}

/// A confidence and its parts, each from 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Confidence {
    /// One half for every 30 days since the last supporting episode.
    pub recency: f64,
    /// 0 for one session, one third for each further one, at most 1.
    pub density: f64,
    /// The share of successes among the outcomes, with one half of an outcome of each kind added.
    pub outcome: f64,
    /// The weighted sum, with four decimals.
    pub total: f64,
}

impl Support {
    /// The confidence on a day, in days since 1970.
    ///
    /// ```
    /// use orgmem_compact::{GATE, MICROS_PER_DAY, Support};
    ///
    /// let once = Support { effective_at: 0, sessions: 1, successes: 1, failures: 0 };
    /// assert!(once.confidence(1).total > GATE);
    /// assert!(once.confidence(90).total < GATE, "one old mention is not a preference");
    /// let again = Support { sessions: 3, successes: 2, ..once };
    /// assert!(again.confidence(60).total > GATE);
    /// ```
    #[must_use]
    pub fn confidence(&self, day: i64) -> Confidence {
        let age = self.age_days(day);
        let recency = 0.5_f64.powf(age as f64 / HALF_LIFE_DAYS);
        let density = f64::from(self.sessions.saturating_sub(1).min(FULL_DENSITY)) / f64::from(FULL_DENSITY);
        let (successes, failures) = (f64::from(self.successes), f64::from(self.failures));
        let outcome = (successes + 0.5) / (successes + failures + 1.0);
        let total = RECENCY_WEIGHT * recency + DENSITY_WEIGHT * density + OUTCOME_WEIGHT * outcome;
        Confidence { recency, density, outcome, total: rounded(total) }
    }

    /// The start of the first day on which the confidence is below [`GATE`], in microseconds since 1970; `None` if it
    /// never is.
    ///
    /// ```
    /// use orgmem_compact::{GATE, MICROS_PER_DAY, Support};
    ///
    /// let once = Support { effective_at: 0, sessions: 1, successes: 0, failures: 0 };
    /// let end = once.trusted_until().unwrap() / MICROS_PER_DAY;
    /// assert!(once.confidence(end).total < GATE && once.confidence(end - 1).total >= GATE);
    /// let often = Support { sessions: 4, successes: 9, ..once };
    /// assert_eq!(often.trusted_until(), None);
    /// ```
    #[must_use]
    pub fn trusted_until(&self) -> Option<i64> {
        let first = crate::day_of(self.effective_at);
        // the confidence never grows with the age
        let (mut above, mut below) = (first.checked_sub(1)?, first.checked_add(MAX_AGE_DAYS)?);
        if self.confidence(below).total >= GATE {
            return None;
        }
        while below - above > 1 {
            let middle = above + (below - above) / 2;
            let end = if self.confidence(middle).total < GATE { &mut below } else { &mut above };
            *end = middle;
        }
        below.checked_mul(crate::MICROS_PER_DAY)
    }

    /// Whole days since the last supporting episode, at least 0.
    #[must_use]
    pub fn age_days(&self, day: i64) -> i64 {
        day.saturating_sub(crate::day_of(self.effective_at)).max(0)
    }
}

fn rounded(share: f64) -> f64 {
    (share * 10_000.0).round() / 10_000.0
}
