//! The input: episodes as the compactor reads them.

use uuid::Uuid;

/// Microseconds of a day.
pub const MICROS_PER_DAY: i64 = 24 * 60 * 60 * 1_000_000;

/// The day of a time, in days since 1970 in UTC.
#[must_use]
pub fn day_of(at_micros: i64) -> i64 {
    at_micros.div_euclid(MICROS_PER_DAY)
}

/// The result of an activity.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Outcome {
    /// It reached its goal.
    Success,
    /// It did not reach its goal.
    Failure,
    /// Neither.
    Neutral,
}

/// One episode of a workspace's activity log.
#[derive(Clone, Debug, PartialEq)]
pub struct Episode {
    /// Unique in its workspace.
    pub id: Uuid,
    /// The workspace of the log.
    pub workspace: Uuid,
    /// The person or thing it is about; empty for the workspace's own work.
    pub subject: String,
    /// Microseconds since 1970.
    pub at: i64,
    /// The type of the activity.
    pub activity_type: String,
    /// Session of the episode.
    pub session: Option<String>,
    /// The actor within the workspace.
    pub actor: Option<String>,
    /// Channel of the activity.
    pub channel: Option<String>,
    /// Groups related episodes.
    pub correlation: Option<String>,
    /// Category of the subject matter.
    pub kind: Option<String>,
    /// Result of the activity.
    pub outcome: Option<Outcome>,
    /// Importance from 0 to 1.
    pub salience: f64,
    /// The words of the episode; may be empty.
    pub text: String,
    /// Whether a later episode corrects it.
    pub is_superseded: bool,
    /// Whether its content was redacted or erased.
    pub is_redacted: bool,
}

impl Episode {
    /// The session, or the correlation id without one. Episodes of one thread can belong to one exchange.
    #[must_use]
    pub fn thread(&self) -> Option<&str> {
        self.session.as_deref().or(self.correlation.as_deref())
    }
}
