//! Session search: merges rows of episodes and memories, by time or by the number of matching words.

use std::cmp::Reverse;

use chrono::{DateTime, TimeDelta, Utc};
use diesel::dsl::sql;
use diesel::expression::SqlLiteral;
use diesel::prelude::*;
use diesel::sql_types::Integer;
use orgmem_hierarchy::Scope;
use orgmem_policies::{ReadPass, ViewPass};
use uuid::Uuid;

use super::end_users::episodes_of_users;
use super::matching::{HasAll, HasAny, LikePatterns, WordCount};
use super::{Tx, TxKind};
use crate::StoreError;
use crate::clock::first_id_at;
use crate::columns::{Id, TextEnum, Time, holds_nul, micros_from, row_limit};
use crate::contract::{MemoryStatus, SessionCursor, SessionKind, SessionOrder, SessionQuery, SessionRow};
use crate::engine::{Retry, RowContext};
use crate::schema::{episodes, memories, memory_index};

/// The criteria of a query, for both tables.
struct Criteria {
    /// All of these words must match.
    all: LikePatterns,
    session_id: Option<String>,
    /// At least one of these words must match; the order is by the number of matching words.
    any: LikePatterns,
    /// Inclusive, in whole microseconds.
    since: Option<DateTime<Utc>>,
    /// Exclusive, in whole microseconds.
    until: Option<DateTime<Utc>>,
    after: Option<SessionCursor>,
    limit: i64,
}

impl Criteria {
    fn new(query: &SessionQuery, after: Option<SessionCursor>, limit: usize) -> Self {
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
            limit: row_limit(limit),
        }
    }

    /// Excludes rows older than all of `newest`, if these fill the limit and the order is by time.
    fn skip_older_than(&mut self, newest: &[SessionRow]) {
        let is_full = i64::try_from(newest.len()).is_ok_and(|found| found >= self.limit);
        if is_full && !self.is_ranked() {
            self.since = self.since.max(newest.iter().map(|row| row.created_at).min());
        }
    }

    /// Whether the criteria are only a time range. Most queries are such, and use one prepared statement; a statement
    /// that depends on the query is built each time.
    fn is_plain(&self) -> bool {
        !self.scans_rows() && self.after.is_none()
    }

    /// Whether a search may read any number of rows before it finds a match.
    fn scans_rows(&self) -> bool {
        !self.all.is_empty() || self.is_ranked() || self.session_id.is_some()
    }

    /// Whether the order is by the number of matching words.
    fn is_ranked(&self) -> bool {
        !self.any.is_empty()
    }
}

impl Tx<'_> {
    pub(crate) fn search_session(
        &mut self,
        pass: &ViewPass,
        reads: &ReadPass,
        query: &SessionQuery,
        after: Option<SessionCursor>,
        limit: usize,
    ) -> Result<Vec<SessionRow>, StoreError> {
        if query.session_id.as_deref().is_some_and(holds_nul) {
            return Ok(Vec::new());
        }
        let mut criteria = Criteria::new(query, after, limit);
        if self.kind == TxKind::Inline && criteria.scans_rows() {
            return Err(self.retry(Retry::OnBlockingPool));
        }
        let mut rows = Vec::new();
        if query.kind != Some(SessionKind::Memory) {
            rows.extend(self.session_episodes(pass, reads, &criteria)?);
            criteria.skip_older_than(&rows);
        }
        if query.kind != Some(SessionKind::Activity) {
            rows.extend(self.session_memories(pass, reads, &criteria)?);
        }
        // a stable sort merges two sorted runs in linear time
        rows.sort_by_key(|row| Reverse(row.place()));
        rows.truncate(limit);
        Ok(rows)
    }
}

#[derive(Queryable)]
struct EpisodeHit {
    id: Id,
    activity_type: String,
    method: Option<String>,
    summary: Option<String>,
    status: Option<String>,
    error_detail: Option<String>,
    request_body: Option<String>,
    response_body: Option<String>,
    session_id: Option<String>,
    created_at: Time,
    superseded_by: Option<Id>,
    target_id: Option<Id>,
    claims: Option<String>,
}

#[derive(Queryable)]
struct MemoryHit {
    id: Id,
    scope: TextEnum<Scope>,
    kind: String,
    content: String,
    session_id: Option<String>,
    run_id: Option<Id>,
    created_at: Time,
    claims: Option<String>,
}

impl Tx<'_> {
    fn session_episodes(
        &mut self,
        pass: &ViewPass,
        reads: &ReadPass,
        criteria: &Criteria,
    ) -> Result<Vec<SessionRow>, StoreError> {
        let count = WordCount(episodes::folded, &criteria.any);
        // ids contain the time: a time range is a range of ids
        let from = criteria.since.map_or(Uuid::nil(), first_id_at);
        let until = criteria.until.map_or(Uuid::max(), first_id_at);
        let mut below = until;
        if let Some(after) = criteria.after.filter(|_| !criteria.is_ranked()) {
            below = below.min(id_bound(&after));
        }
        let columns = (
            episodes::id,
            episodes::activity_type,
            episodes::method,
            episodes::summary,
            episodes::status,
            episodes::error_detail,
            episodes::request_body,
            episodes::response_body,
            episodes::session_id,
            episodes::created_at,
            episodes::superseded_by,
            episodes::target_id,
            episodes::claims,
        );
        let in_span = episodes::table
            .filter(episodes::org_id.eq(Id::from(pass.org())))
            .filter(episodes::workspace_id.eq(Id::from(pass.workspace())))
            .filter(episodes::id.ge(Id(from)))
            .filter(episodes::id.lt(Id(below)))
            .filter(episodes::redacted_at.is_null())
            .order(episodes::id.desc())
            .limit(criteria.limit);
        let row = |(words, hit): (i32, EpisodeHit)| SessionRow {
            kind: SessionKind::Activity,
            id: hit.id.0,
            workspace: pass.workspace(),
            scope: None,
            label: hit.activity_type,
            memory_kind: None,
            content: hit.summary.or(hit.error_detail).unwrap_or_default(),
            method: hit.method,
            claims: hit.claims,
            status: hit.status,
            request_body: hit.request_body,
            response_body: hit.response_body,
            session_id: hit.session_id,
            run_id: None,
            target: hit.target_id.map(|target| target.0),
            superseded_by: hit.superseded_by.map(|episode| episode.0),
            created_at: hit.created_at.0,
            words,
        };
        if criteria.is_plain() && reads.users().is_open() {
            let hits = in_span.select(columns).load(self.drained()?).row_context("episodes", pass.workspace())?;
            return Ok(hits.into_iter().map(|hit| row((0, hit))).collect());
        }
        let mut rows = in_span.select((count, columns)).into_boxed();
        if !reads.users().is_open() {
            rows = rows.filter(episodes_of_users(reads.users()));
        }
        if let Some(session) = &criteria.session_id {
            rows = rows.filter(episodes::session_id.eq(session));
        }
        if !criteria.all.is_empty() {
            rows = rows.filter(HasAll(episodes::folded, &criteria.all));
        }
        if criteria.is_ranked() {
            if let Some(after) = criteria.after {
                let less = count.lt(after.words);
                let older = episodes::id.lt(Id(id_bound(&after)));
                rows = rows.filter(less.or(count.eq(after.words).and(older)));
            }
            rows = rows.filter(HasAny(episodes::folded, &criteria.any));
            rows = rows.order((word_count_column().desc(), episodes::id.desc()));
        }
        let hits = rows.load(self.drained()?).row_context("episodes", pass.workspace())?;
        Ok(hits.into_iter().map(row).collect())
    }

    fn session_memories(
        &mut self,
        pass: &ViewPass,
        reads: &ReadPass,
        criteria: &Criteria,
    ) -> Result<Vec<SessionRow>, StoreError> {
        let count = WordCount(memory_index::folded, &criteria.any);
        let index_row = memory_index::org_id
            .eq(memories::org_id)
            .and(memory_index::author_id.eq(memories::author_id))
            .and(memory_index::scope.eq(memories::scope))
            .and(memory_index::team_id.eq(memories::team_id))
            .and(memory_index::memory_id.eq(memories::id));
        // one bound at each end, as SQLite starts the index scan at the first bound given
        let since = criteria.since.unwrap_or(DateTime::UNIX_EPOCH);
        let mut until = criteria.until.unwrap_or_else(|| micros_from(DateTime::<Utc>::MAX_UTC));
        if let Some(after) = criteria.after.filter(|_| !criteria.is_ranked()) {
            until = until.min(after.created_at + TimeDelta::microseconds(1));
        }
        let columns = (
            memories::id,
            memories::scope,
            memories::kind,
            memories::content.assume_not_null(),
            memories::session_id,
            memories::run_id,
            memories::created_at,
            memories::claims,
        );
        let in_span = memories::org_id
            .eq(Id::from(pass.org()))
            .and(memories::author_id.eq(Id::from(pass.workspace())))
            .and(memories::status.eq(TextEnum(MemoryStatus::Live)))
            .and(memories::expires_at.is_null().or(memories::expires_at.gt(Time(self.now))))
            .and(memories::created_at.ge(Time(since)))
            .and(memories::created_at.lt(Time(until)));
        let newest = (memories::created_at.desc(), memories::id.desc());
        let row = |(words, hit): (i32, MemoryHit)| SessionRow {
            kind: SessionKind::Memory,
            id: hit.id.0,
            workspace: pass.workspace(),
            scope: Some(hit.scope.0),
            label: hit.scope.0.to_string(),
            memory_kind: Some(hit.kind),
            content: hit.content,
            method: None,
            claims: hit.claims,
            status: None,
            request_body: None,
            response_body: None,
            session_id: hit.session_id,
            run_id: hit.run_id.map(|run| run.0),
            target: None,
            // superseded memories are not found
            superseded_by: None,
            created_at: hit.created_at.0,
            words,
        };
        let is_whole = reads.excluded_kinds().is_empty() && reads.within().is_empty() && reads.users().is_open();
        if criteria.is_plain() && is_whole {
            let rows = memories::table.filter(in_span).order(newest).limit(criteria.limit).select(columns);
            let hits = rows.load(self.drained()?).row_context("memories", pass.workspace())?;
            return Ok(hits.into_iter().map(|hit| row((0, hit))).collect());
        }
        let mut rows = memories::table
            .inner_join(memory_index::table.on(index_row))
            .filter(in_span)
            .order(newest)
            .limit(criteria.limit)
            .select((count, columns))
            .into_boxed();
        if !reads.excluded_kinds().is_empty() {
            rows = rows.filter(memories::kind.ne_all(reads.excluded_kinds()));
        }
        if let Some(named) = reads.users().subject() {
            rows = match named.filter(|named| !holds_nul(named)) {
                Some(named) => {
                    rows.filter(memories::subject.is_null().or(memories::subject.assume_not_null().eq(named)))
                }
                None => rows.filter(memories::subject.is_null()),
            };
        }
        if let Some(named) = reads.users().session() {
            let own = memories::session_id.assume_not_null();
            rows = match named.filter(|named| !holds_nul(named)) {
                Some(named) => rows.filter(memories::session_id.is_null().or(own.eq(named))),
                None => rows.filter(memories::session_id.is_null()),
            };
        }
        for profile in reads.within() {
            let named = memories::profile_id.eq(Some(Id(profile.id)));
            rows = match profile.is_default {
                true => rows.filter(named.or(memories::profile_id.is_null())),
                false => rows.filter(named),
            };
        }
        if let Some(session) = &criteria.session_id {
            rows = rows.filter(memories::session_id.eq(session));
        }
        if !criteria.all.is_empty() {
            rows = rows.filter(HasAll(memory_index::folded, &criteria.all));
        }
        if let Some(SessionCursor { words, created_at, id }) = criteria.after {
            let older = memories::created_at.lt(Time(created_at));
            let older = older.or(memories::created_at.eq(Time(created_at)).and(memories::id.lt(Id(id))));
            rows = match criteria.is_ranked() {
                true => rows.filter(count.lt(words).or(count.eq(words).and(older))),
                false => rows.filter(older),
            };
        }
        if criteria.is_ranked() {
            rows = rows.filter(HasAny(memory_index::folded, &criteria.any));
            rows = rows.order((word_count_column().desc(), memories::created_at.desc(), memories::id.desc()));
        }
        let hits = rows.load(self.drained()?).row_context("memories", pass.workspace())?;
        Ok(hits.into_iter().map(row).collect())
    }
}

/// The word count, as a reference to the first selected column, so that the database computes it once per row.
fn word_count_column() -> SqlLiteral<Integer> {
    sql("1")
}

/// The exclusive upper bound on the ids of episodes after a cursor, whether of an episode or a memory.
fn id_bound(cursor: &SessionCursor) -> Uuid {
    let first = first_id_at(cursor.created_at);
    let next = first_id_at(cursor.created_at + TimeDelta::microseconds(1));
    cursor.id.clamp(first, next)
}
