//! When a processor runs.

use std::str::FromStr;

use chrono::{DateTime, Utc};
use croner::Cron;

use crate::error::DefinitionError;

/// A cron expression of five fields, in UTC.
#[derive(Clone, Debug)]
pub struct Schedule(Cron);

impl Schedule {
    /// # Errors
    ///
    /// If the expression is not five fields of cron, or no time matches it.
    pub fn parse(expression: &str) -> Result<Self, DefinitionError> {
        let fail = |fault: String| DefinitionError::Schedule { value: expression.chars().take(60).collect(), fault };
        let fields = expression.split_whitespace().count();
        if fields != 5 || expression.len() > 100 {
            return Err(fail(format!("it has {fields} fields")));
        }
        let cron = Cron::from_str(expression).map_err(|error| fail(error.to_string()))?;
        let schedule = Self(cron);
        // 30 February is a valid expression without any time
        schedule.next_after(0).is_some().then_some(schedule).ok_or_else(|| fail("no time matches it".to_owned()))
    }

    /// The first time after an instant, both in microseconds since 1970.
    #[must_use]
    pub fn next_after(&self, micros: i64) -> Option<i64> {
        let after = DateTime::<Utc>::from_timestamp_micros(micros)?;
        self.0.find_next_occurrence(&after, false).ok().map(|next| next.timestamp_micros())
    }

    /// Whether a run is due. Times that were missed since the last run count once: after the run, the next time is in the
    /// future.
    ///
    /// `last` is the start of the last run, or the creation of the processor.
    #[must_use]
    pub fn is_due(&self, last: i64, now: i64) -> bool {
        self.next_after(last).is_some_and(|next| next <= now)
    }
}
