//! Which rows a session search reads.

use chrono::{DateTime, TimeDelta, Utc};
use orgmem_recall::RowKey;
use uuid::Uuid;

use super::matching::LikePatterns;
use super::text_rows::TextBlockHead;
use crate::columns::{Id, micros_from};
use crate::contract::{SessionCursor, SessionOrder, SessionQuery, SessionRow};

/// The criteria of a query, for both tables.
pub(super) struct Criteria {
    /// All of these words must match.
    pub(super) all: LikePatterns,
    pub(super) session_id: Option<String>,
    /// At least one of these words must match; the order is by the number of matching words.
    pub(super) any: LikePatterns,
    /// Inclusive, in whole microseconds.
    pub(super) since: Option<DateTime<Utc>>,
    /// Exclusive, in whole microseconds.
    pub(super) until: Option<DateTime<Utc>>,
    pub(super) after: Option<SessionCursor>,
    pub(super) limit: usize,
}

/// The rows of a table that a search reads.
#[derive(Clone, Copy)]
pub(super) enum Among<'i> {
    All,
    /// Episodes with a greater id.
    After(Uuid),
    These(&'i [Id]),
}

impl Criteria {
    pub(super) fn new(query: &SessionQuery, after: Option<SessionCursor>, limit: usize) -> Self {
        let patterns = LikePatterns::of(&query.q);
        let (all, any) = match query.order {
            SessionOrder::Recent => (patterns, LikePatterns::default()),
            SessionOrder::Relevance => (LikePatterns::default(), patterns),
        };
        Self {
            all,
            session_id: query.session_id.clone(),
            any,
            since: query.since.map(micros_from),
            until: query.until.map(micros_from),
            after: after.map(|cursor| SessionCursor { created_at: micros_from(cursor.created_at), ..cursor }),
            limit,
        }
    }

    /// Excludes rows older than all of `newest`, if these fill the limit and the order is by time.
    pub(super) fn skip_older_than(&mut self, newest: &[SessionRow]) {
        if newest.len() >= self.limit && !self.is_ranked() {
            self.since = self.since.max(newest.get(self.limit - 1).map(|row| row.created_at));
        }
    }

    /// Whether the criteria are only a time range. Most queries are such, and use one prepared statement; a statement
    /// that depends on the query is built each time.
    pub(super) fn is_plain(&self) -> bool {
        !self.scans_rows() && self.after.is_none()
    }

    /// Whether a search may read any number of rows before it finds a match.
    pub(super) fn scans_rows(&self) -> bool {
        !self.all.is_empty() || self.is_ranked() || self.session_id.is_some()
    }

    /// Whether the order is by the number of matching words.
    pub(super) fn is_ranked(&self) -> bool {
        !self.any.is_empty()
    }

    /// Whether text blocks help. Rows of a session have an index.
    pub(super) fn is_for_blocks(&self) -> bool {
        self.session_id.is_none() && !(self.all.is_empty() && self.any.is_empty())
    }

    pub(super) fn limit(&self) -> usize {
        self.limit
    }

    pub(super) fn words(&self) -> &[String] {
        if self.is_ranked() { self.any.words() } else { self.all.words() }
    }

    /// The number of words that a row must contain at least.
    pub(super) fn least_words(&self) -> u32 {
        if self.is_ranked() { 1 } else { u32::try_from(self.all.words().len()).unwrap_or(u32::MAX) }
    }

    /// Inclusive bounds of the times of rows.
    fn times(&self) -> (Option<DateTime<Utc>>, Option<DateTime<Utc>>) {
        let after = self.after.filter(|_| !self.is_ranked()).map(|after| after.created_at);
        let until = self.until.map(|until| until - TimeDelta::microseconds(1));
        (self.since, after.into_iter().chain(until).min())
    }

    /// Whether a block may have rows of these times.
    pub(super) fn spans(&self, head: &TextBlockHead) -> bool {
        let (since, until) = self.times();
        since.is_none_or(|since| since <= head.newest_at.0) && until.is_none_or(|until| head.oldest_at.0 <= until)
    }

    /// Whether a row is of these times.
    pub(super) fn includes(&self, key: &RowKey) -> bool {
        let (since, until) = self.times();
        since.is_none_or(|since| since.timestamp_micros() <= key.created_at)
            && until.is_none_or(|until| key.created_at <= until.timestamp_micros())
    }
}
