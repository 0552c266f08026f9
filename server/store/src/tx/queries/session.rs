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
use super::matching::{HasAll, HasAny, WordCount};
use super::session_criteria::{Among, Criteria};
use super::text_rows::index_row;
use super::{Tx, TxKind, one_of};
use crate::StoreError;
use crate::clock::first_id_at;
use crate::columns::{Id, TextEnum, Time, holds_nul, micros_from, row_limit};
use crate::contract::{MemoryStatus, SessionCursor, SessionKind, SessionQuery, SessionRow};
use crate::engine::{Retry, RowContext};
use crate::schema::{episodes, memories, memory_index};

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
        if limit == 0 {
            return Ok(Vec::new());
        }
        let mut rows = Vec::new();
        if query.kind != Some(SessionKind::Memory) {
            rows.extend(self.session_rows((pass, reads), SessionKind::Activity, &criteria)?);
            criteria.skip_older_than(&rows);
        }
        if query.kind != Some(SessionKind::Activity) {
            rows.extend(self.session_rows((pass, reads), SessionKind::Memory, &criteria)?);
        }
        // a stable sort merges two sorted runs in linear time
        rows.sort_by_key(|row| Reverse(row.place()));
        rows.truncate(limit);
        Ok(rows)
    }

    /// The rows of a kind, newest or best first.
    fn session_rows(
        &mut self,
        (pass, reads): (&ViewPass, &ReadPass),
        kind: SessionKind,
        criteria: &Criteria,
    ) -> Result<Vec<SessionRow>, StoreError> {
        if criteria.is_for_blocks()
            && let Some(rows) = self.search_blocks((pass, reads), kind, criteria)?
        {
            return Ok(rows);
        }
        match kind {
            SessionKind::Activity => self.session_episodes(pass, reads, criteria, Among::All),
            SessionKind::Memory => self.session_memories(pass, reads, criteria, Among::All),
        }
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
    pub(super) fn session_episodes(
        &mut self,
        pass: &ViewPass,
        reads: &ReadPass,
        criteria: &Criteria,
        among: Among<'_>,
    ) -> Result<Vec<SessionRow>, StoreError> {
        let count = WordCount(episodes::folded, &criteria.any);
        // ids contain the time: a time range is a range of ids
        let mut from = criteria.since.map_or(Uuid::nil(), first_id_at);
        if let Among::After(after) = among {
            from = from.max(Uuid::from_u128(after.as_u128().saturating_add(1)));
        }
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
            .limit(row_limit(criteria.limit));
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
        if let Among::These(ids) = among {
            rows = rows.filter(one_of(episodes::id, ids));
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

    pub(super) fn session_memories(
        &mut self,
        pass: &ViewPass,
        reads: &ReadPass,
        criteria: &Criteria,
        among: Among<'_>,
    ) -> Result<Vec<SessionRow>, StoreError> {
        let count = WordCount(memory_index::folded, &criteria.any);
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
        let is_own = memories::org_id
            .eq(Id::from(pass.org()))
            .and(memories::author_id.eq(Id::from(pass.workspace())))
            .and(memories::status.eq(TextEnum(MemoryStatus::Live)))
            .and(memories::expires_at.is_null().or(memories::expires_at.gt(Time(self.now))));
        let in_span = memories::created_at.ge(Time(since)).and(memories::created_at.lt(Time(until)));
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
            let rows = memories::table
                .filter(is_own.and(in_span))
                .order(newest)
                .limit(row_limit(criteria.limit))
                .select(columns);
            let hits = rows.load(self.drained()?).row_context("memories", pass.workspace())?;
            return Ok(hits.into_iter().map(|hit| row((0, hit))).collect());
        }
        let mut rows = memories::table
            .inner_join(memory_index::table.on(index_row!()))
            .filter(is_own)
            .select((count, columns))
            .into_boxed();
        rows = match among {
            // with an order and a range of times, SQLite would read all rows in that order
            Among::These(ids) => rows.filter(one_of(memories::id, ids)),
            Among::All | Among::After(_) => {
                let best = (word_count_column().desc(), memories::created_at.desc(), memories::id.desc());
                let rows = rows.filter(in_span).limit(row_limit(criteria.limit));
                if criteria.is_ranked() { rows.order(best) } else { rows.order(newest) }
            }
        };
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
        }
        let hits = rows.load(self.drained()?).row_context("memories", pass.workspace())?;
        Ok(hits.into_iter().map(row).filter(|row| since <= row.created_at && row.created_at < until).collect())
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
