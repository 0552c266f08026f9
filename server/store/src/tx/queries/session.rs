//! Session-search: the newest of two tables, or those with most words, merged.

use std::cmp::Reverse;

use chrono::{DateTime, TimeDelta, Utc};
use diesel::dsl::sql;
use diesel::expression::SqlLiteral;
use diesel::prelude::*;
use diesel::sql_types::Integer;
use orgmem_hierarchy::Scope;
use orgmem_policies::{ReadPass, ViewPass};
use uuid::Uuid;

use super::matching::{HasAll, HasAny, LikePatterns, WordCount};
use super::{Tx, TxKind};
use crate::StoreError;
use crate::clock::first_id_at;
use crate::columns::{Id, TextEnum, Time, holds_nul, micros_from, row_limit};
use crate::contract::{MemoryStatus, SessionKind, SessionOrder, SessionPlace, SessionQuery, SessionRow};
use crate::engine::{Retry, RowContext};
use crate::schema::{episodes, memories, memory_index};

/// A query as both tables are asked it.
struct Sought {
    /// Words that must all be there.
    all: LikePatterns,
    /// The session that it must be of, if any.
    session_id: Option<String>,
    /// Words of which one must be there, and whose number decides on the order.
    any: LikePatterns,
    /// The first microsecond, if any.
    since: Option<DateTime<Utc>>,
    /// The first microsecond that is too late, if any.
    until: Option<DateTime<Utc>>,
    after: Option<SessionPlace>,
    limit: i64,
}

impl Sought {
    fn new(query: &SessionQuery, after: Option<SessionPlace>, limit: usize) -> Self {
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
            after: after.map(|place| SessionPlace { created_at: micros_from(place.created_at), ..place }),
            limit: row_limit(limit),
        }
    }

    /// Where so many newer rows were found already, what is older than all of them is not asked for.
    fn leave_out_behind(&mut self, newest: &[SessionRow]) {
        let is_full = i64::try_from(newest.len()).is_ok_and(|found| found >= self.limit);
        if is_full && !self.is_ranked() {
            self.since = self.since.max(newest.iter().map(|row| row.created_at).min());
        }
    }

    /// Whether it asks for nothing but the newest rows of a span of time. That is most of what is asked, and one
    /// statement, which the connection has prepared: those that depend on the query are spelled out each time.
    fn is_plain(&self) -> bool {
        !self.looks_into_rows() && self.after.is_none()
    }

    /// Whether rows have to be looked into, however many, until some are found.
    fn looks_into_rows(&self) -> bool {
        !self.all.is_empty() || self.is_ranked() || self.session_id.is_some()
    }

    /// Whether the number of words decides on the order.
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
        after: Option<SessionPlace>,
        limit: usize,
    ) -> Result<Vec<SessionRow>, StoreError> {
        if query.session_id.as_deref().is_some_and(holds_nul) {
            return Ok(Vec::new());
        }
        let mut sought = Sought::new(query, after, limit);
        if self.kind == TxKind::Inline && sought.looks_into_rows() {
            return Err(self.retry(Retry::OnBlockingPool));
        }
        let mut rows = Vec::new();
        if query.kind != Some(SessionKind::Memory) {
            rows.extend(self.session_episodes(pass, &sought)?);
            sought.leave_out_behind(&rows);
        }
        if query.kind != Some(SessionKind::Activity) {
            rows.extend(self.session_memories(pass, reads, &sought)?);
        }
        // two sorted runs, which a stable sort merges
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
}

impl Tx<'_> {
    fn session_episodes(&mut self, pass: &ViewPass, sought: &Sought) -> Result<Vec<SessionRow>, StoreError> {
        let count = WordCount(episodes::folded, &sought.any);
        // ids are made of the time: a span of time is a range of ids
        let from = sought.since.map_or(Uuid::nil(), first_id_at);
        let until = sought.until.map_or(Uuid::max(), first_id_at);
        let mut below = until;
        if let Some(after) = sought.after.filter(|_| !sought.is_ranked()) {
            below = below.min(id_below(&after));
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
        );
        let in_span = episodes::table
            .filter(episodes::org_id.eq(Id::from(pass.org())))
            .filter(episodes::workspace_id.eq(Id::from(pass.workspace())))
            .filter(episodes::id.ge(Id(from)))
            .filter(episodes::id.lt(Id(below)))
            .order(episodes::id.desc())
            .limit(sought.limit);
        let row = |(words, hit): (i32, EpisodeHit)| SessionRow {
            kind: SessionKind::Activity,
            id: hit.id.0,
            workspace: pass.workspace(),
            scope: None,
            label: hit.activity_type,
            content: hit.summary.or(hit.error_detail).unwrap_or_default(),
            method: hit.method,
            status: hit.status,
            request_body: hit.request_body,
            response_body: hit.response_body,
            session_id: hit.session_id,
            run_id: None,
            created_at: hit.created_at.0,
            words,
        };
        if sought.is_plain() {
            let hits = in_span.select(columns).load(self.drained()?).row_context("episodes", pass.workspace())?;
            return Ok(hits.into_iter().map(|hit| row((0, hit))).collect());
        }
        let mut rows = in_span.select((count, columns)).into_boxed();
        if let Some(session) = &sought.session_id {
            rows = rows.filter(episodes::session_id.eq(session));
        }
        if !sought.all.is_empty() {
            rows = rows.filter(HasAll(episodes::folded, &sought.all));
        }
        if sought.is_ranked() {
            if let Some(after) = sought.after {
                let less = count.lt(after.words);
                let older = episodes::id.lt(Id(id_below(&after)));
                rows = rows.filter(less.or(count.eq(after.words).and(older)));
            }
            rows = rows.filter(HasAny(episodes::folded, &sought.any));
            rows = rows.order((first_column().desc(), episodes::id.desc()));
        }
        let hits = rows.load(self.drained()?).row_context("episodes", pass.workspace())?;
        Ok(hits.into_iter().map(row).collect())
    }

    fn session_memories(
        &mut self,
        pass: &ViewPass,
        reads: &ReadPass,
        sought: &Sought,
    ) -> Result<Vec<SessionRow>, StoreError> {
        let count = WordCount(memory_index::folded, &sought.any);
        let index_row = memory_index::org_id
            .eq(memories::org_id)
            .and(memory_index::author_id.eq(memories::author_id))
            .and(memory_index::scope.eq(memories::scope))
            .and(memory_index::team_id.eq(memories::team_id))
            .and(memory_index::memory_id.eq(memories::id));
        // one bound at each end, as SQLite walks the index from the first that it is given
        let since = sought.since.unwrap_or(DateTime::UNIX_EPOCH);
        let mut until = sought.until.unwrap_or_else(|| micros_from(DateTime::<Utc>::MAX_UTC));
        if let Some(after) = sought.after.filter(|_| !sought.is_ranked()) {
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
            label: format!("{} {}", hit.scope.0, hit.kind),
            content: hit.content,
            method: None,
            status: None,
            request_body: None,
            response_body: None,
            session_id: hit.session_id,
            run_id: hit.run_id.map(|run| run.0),
            created_at: hit.created_at.0,
            words,
        };
        if sought.is_plain() && reads.excluded_kinds().is_empty() {
            let rows = memories::table.filter(in_span).order(newest).limit(sought.limit).select(columns);
            let hits = rows.load(self.drained()?).row_context("memories", pass.workspace())?;
            return Ok(hits.into_iter().map(|hit| row((0, hit))).collect());
        }
        let mut rows = memories::table
            .inner_join(memory_index::table.on(index_row))
            .filter(in_span)
            .order(newest)
            .limit(sought.limit)
            .select((count, columns))
            .into_boxed();
        if !reads.excluded_kinds().is_empty() {
            rows = rows.filter(memories::kind.ne_all(reads.excluded_kinds()));
        }
        if let Some(session) = &sought.session_id {
            rows = rows.filter(memories::session_id.eq(session));
        }
        if !sought.all.is_empty() {
            rows = rows.filter(HasAll(memory_index::folded, &sought.all));
        }
        if let Some(SessionPlace { words, created_at, id }) = sought.after {
            let older = memories::created_at.lt(Time(created_at));
            let older = older.or(memories::created_at.eq(Time(created_at)).and(memories::id.lt(Id(id))));
            rows = match sought.is_ranked() {
                true => rows.filter(count.lt(words).or(count.eq(words).and(older))),
                false => rows.filter(older),
            };
        }
        if sought.is_ranked() {
            rows = rows.filter(HasAny(memory_index::folded, &sought.any));
            rows = rows.order((first_column().desc(), memories::created_at.desc(), memories::id.desc()));
        }
        let hits = rows.load(self.drained()?).row_context("memories", pass.workspace())?;
        Ok(hits.into_iter().map(row).collect())
    }
}

/// The number of words, which is the first column of what is selected: named so, it is counted once for each row.
fn first_column() -> SqlLiteral<Integer> {
    sql("1")
}

/// The id below which all episodes stand behind a place, which may be a memory's.
fn id_below(place: &SessionPlace) -> Uuid {
    let first = first_id_at(place.created_at);
    let next = first_id_at(place.created_at + TimeDelta::microseconds(1));
    place.id.clamp(first, next)
}
