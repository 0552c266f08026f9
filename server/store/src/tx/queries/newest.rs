//! Lists of the newest memories, and their number, from the rows: without the index of a partition.

use std::cmp::{Ordering, Reverse};
use std::collections::{BTreeSet, BinaryHeap, HashMap, VecDeque};

use chrono::DateTime;
use diesel::Connection;
use diesel::prelude::*;
use diesel::query_builder::{AstPass, Query, QueryFragment, QueryId};
use diesel::sql_types::{Nullable, Text};
use orgmem_hierarchy::{OrgId, Scope, WorkspaceId};
use orgmem_policies::{MetadataFilter, ReadPass};
use orgmem_recall::{Filter, Hit, Order, PageRequest, SortKey};
use uuid::Uuid;

use super::reached::ReachedPartition;
use super::selected::has_metadata;
use super::{Condition, Conn, LISTS_PER_STATEMENT, NoText, Tx, TxKind, one_of};
use crate::StoreError;
use crate::cache::PartitionKey;
use crate::columns::{Id, TextEnum, Time, row_limit, sql as columns};
use crate::contract::{MemoryStatus, Search, SearchedItems};
use crate::engine::{Retry, RowContext};
use crate::schema::memories;

type Db = <Conn as Connection>::Backend;

/// Authors per statement.
const CHUNK: usize = 500;

/// With more partitions, a list takes too long for the thread of a connection.
const INLINE_PARTITIONS: usize = 256;

/// Memories that are read of a partition at once, at least.
const MIN_BATCH: usize = 8;

/// Memories that are read of a partition at once where few satisfy the conditions, at most.
const MAX_BATCH: usize = 512;

/// Whether a list needs nothing but the rows in their order: no scores, no other conditions than time, pin and metadata, and
/// nothing that a profile hides one by one.
pub(super) fn reads_rows(pass: &ReadPass, search: &Search) -> bool {
    let &Filter { since, until, pinned, .. } = &search.filter;
    search.query.is_blank()
        && search.cut.order != Order::Confidence
        && search.filter == (Filter { since, until, pinned, ..Filter::default() })
        && search.profile.is_none()
        && search.ids.is_none()
        && search.items == SearchedItems::MEMORIES
        && !search.explain
        && !search.collapse
        && search.neighbours == 0
        && pass.within().is_empty()
        && pass.withheld().is_empty()
        && pass.users().is_open()
}

fn listed(key: SortKey, partition: ReachedPartition) -> Hit<ReachedPartition> {
    Hit {
        partition,
        id: key.id,
        score: 0.0,
        similarity: None,
        repetition: None,
        outdated_by: None,
        version_gain: 0.0,
        key,
    }
}

/// The conditions of a list.
struct ListScan<'s> {
    org: Id,
    as_of: i64,
    now: Time,
    excluded_kinds: &'s [String],
    since: Option<Time>,
    until: Option<Time>,
    metadata: Option<&'s MetadataFilter>,
}

/// The metadata are read only for a filter.
type ListedRow = (Time, Id, Id, TextEnum<Scope>, Id, Option<String>);

type PinnedRow = (Time, Id, Id, TextEnum<Scope>, Id, String);

/// The time and id of the last memory of a page.
type After = Option<(i64, Uuid)>;

/// The newest memories of a partition that were read but not listed.
struct Stream {
    partition: ReachedPartition,
    keys: VecDeque<SortKey>,
    /// The last one that was read, if the partition may have more.
    more_after: After,
    /// How many are read next.
    batch: usize,
}

impl Stream {
    /// The next one, or the last one that was read if all others are older.
    fn bound(&self) -> Option<SortKey> {
        let read = || self.more_after.map(|(created_at, id)| SortKey { rank: 0.0, created_at, id });
        self.keys.front().copied().or_else(read)
    }
}

impl Tx<'_> {
    /// A page of the memories that a search lists, in the order of [`Order::Recent`], and the org version of the list.
    ///
    /// # Complexity
    /// O(partitions + page) rows; with a filter on metadata also those before the end of the page that do not satisfy it.
    pub(super) fn newest(
        &mut self,
        pass: &ReadPass,
        search: &Search,
        cut: &PageRequest,
    ) -> Result<(Vec<Hit<ReachedPartition>>, i64), StoreError> {
        let reach = &self.listed_partitions(pass, search)?;
        let is_long = reach.len() > INLINE_PARTITIONS || search.metadata.is_some();
        if self.kind == TxKind::Inline && is_long {
            return Err(self.retry(Retry::OnBlockingPool));
        }
        let view = self.view(pass.org())?;
        let version = if view.changes.row_delta.is_touched() { view.next_version() } else { view.row.version };
        let as_of = search.as_of.map_or(version, |as_of| as_of.min(version));
        let scan = ListScan {
            org: pass.org().into(),
            as_of,
            now: Time(self.now),
            excluded_kinds: pass.excluded_kinds(),
            since: search.filter.since.map(time),
            until: search.filter.until.map(time),
            metadata: search.metadata.as_ref(),
        };
        let mut page = Vec::new();
        if search.filter.pinned != Some(false) {
            page = self.pinned_within(&scan, pass.org(), reach)?;
            page.retain(|hit| cut.after.is_none_or(|after| hit.key < after));
            if let Some(filter) = scan.metadata {
                let ids: Vec<Uuid> = page.iter().map(|hit| hit.id).collect();
                let selected = self.selected_among(pass.org(), filter, &ids)?;
                page.retain(|hit| selected.contains(&hit.id));
            }
            page.sort_unstable_by_key(|hit| Reverse(hit.key));
            page.truncate(cut.limit);
        }
        let after = match cut.after {
            None => Some(None),
            Some(SortKey { rank, created_at, id }) => match 0.0_f64.total_cmp(&rank) {
                Ordering::Less => Some(None),
                Ordering::Equal => Some(Some((created_at, id))),
                Ordering::Greater => None,
            },
        };
        if let Some(after) = after.filter(|_| search.filter.pinned != Some(true) && page.len() < cut.limit) {
            self.add_unpinned(&scan, reach, after, cut.limit, &mut page)?;
        }
        Ok((page, as_of))
    }

    /// The number of memories that a search without conditions lists now.
    ///
    /// # Complexity
    /// O(partitions + expired memories that await the sweep).
    pub(super) fn count_rows(&mut self, pass: &ReadPass, search: &Search) -> Result<usize, StoreError> {
        let reach = self.listed_partitions(pass, search)?;
        let authors: BTreeSet<WorkspaceId> = reach.iter().map(|partition| partition.key.author).collect();
        let live = self.live_counts(pass.org(), &authors.into_iter().collect::<Vec<_>>())?;
        let count = |partition: &ReachedPartition| live.get(&partition.key).map_or(0, |(live, _)| *live);
        Ok(usize::try_from(reach.iter().map(count).sum::<i64>()).unwrap_or_default())
    }

    fn listed_partitions(&mut self, pass: &ReadPass, search: &Search) -> Result<Vec<ReachedPartition>, StoreError> {
        let mut reach = self.partitions_in_reach(pass, SearchedItems::MEMORIES)?;
        reach.retain(|partition| partition.is_wanted(search, None));
        Ok(reach)
    }

    /// The pinned memories in `reach`, which are few: an author has a limited number.
    fn pinned_within(
        &mut self,
        scan: &ListScan<'_>,
        org: OrgId,
        reach: &[ReachedPartition],
    ) -> Result<Vec<Hit<ReachedPartition>>, StoreError> {
        let by_key: HashMap<PartitionKey, ReachedPartition> =
            reach.iter().map(|partition| (partition.key, *partition)).collect();
        let authors: BTreeSet<WorkspaceId> = reach.iter().map(|partition| partition.key.author).collect();
        let authors: Vec<Id> = authors.into_iter().map(Id::from).collect();
        let mut pinned = Vec::new();
        for authors in authors.chunks(CHUNK) {
            let rows: Vec<PinnedRow> = memories::table
                .filter(memories::org_id.eq(scan.org))
                .filter(one_of(memories::author_id, authors))
                .filter(Condition(super::PINNED))
                .filter(memories::status.eq(TextEnum(MemoryStatus::Live)))
                .filter(memories::org_version.le(scan.as_of))
                .filter(memories::expires_at.is_null().or(memories::expires_at.gt(scan.now)))
                .select((
                    memories::created_at,
                    memories::id,
                    memories::author_id,
                    memories::scope,
                    memories::team_id,
                    memories::kind,
                ))
                .load(self.drained()?)
                .row_context("memories", org)?;
            for (created_at, Id(id), author, TextEnum(scope), team, kind) in rows {
                let key = PartitionKey::of_memories(author.workspace(), scope, team.team());
                let Some(&partition) = by_key.get(&key) else { continue };
                let is_in_time = scan.since.is_none_or(|since| created_at >= since)
                    && scan.until.is_none_or(|until| created_at < until);
                if is_in_time && !scan.excluded_kinds.contains(&kind) {
                    let created_at = created_at.0.timestamp_micros();
                    pinned.push(listed(SortKey { rank: 1.0, created_at, id }, partition));
                }
            }
        }
        Ok(pinned)
    }

    /// Appends memories that are not pinned, newest first, until there are `limit`.
    fn add_unpinned(
        &mut self,
        scan: &ListScan<'_>,
        reach: &[ReachedPartition],
        after: After,
        limit: usize,
        page: &mut Vec<Hit<ReachedPartition>>,
    ) -> Result<(), StoreError> {
        let batch = (2 * limit / reach.len().max(1)).max(MIN_BATCH).min(limit);
        let mut streams = Vec::with_capacity(reach.len());
        for partitions in reach.chunks(LISTS_PER_STATEMENT) {
            streams.extend(self.streams(scan, partitions, after, batch)?);
        }
        let first = |(number, stream): (usize, &Stream)| Some((stream.bound()?, number));
        let mut next: BinaryHeap<(SortKey, usize)> = streams.iter().enumerate().filter_map(first).collect();
        while page.len() < limit
            && let Some((key, number)) = next.pop()
        {
            let stream = &mut streams[number];
            if stream.keys.pop_front().is_some() {
                page.push(listed(key, stream.partition));
            } else {
                let read = self.streams(scan, &[stream.partition], stream.more_after, stream.batch)?.pop();
                let Some(read) = read else { continue };
                let batch = if read.keys.is_empty() { (2 * read.batch).min(MAX_BATCH) } else { read.batch };
                *stream = Stream { batch, ..read };
            }
            next.extend(stream.bound().map(|key| (key, number)));
        }
        Ok(())
    }

    /// The memories that satisfy the filter on metadata, of the newest of each of some partitions, at most `batch` of each.
    fn streams(
        &mut self,
        scan: &ListScan<'_>,
        partitions: &[ReachedPartition],
        after: After,
        batch: usize,
    ) -> Result<Vec<Stream>, StoreError> {
        let parts = partitions.iter().map(|partition| newest_of(scan, &partition.key, after, batch)).collect();
        let rows: Vec<ListedRow> = UnionAll(parts).load(self.drained()?).row_context("memories", scan.org)?;
        let mut by_key: HashMap<PartitionKey, Vec<(SortKey, bool)>> = HashMap::new();
        for (created_at, Id(id), author, TextEnum(scope), team, metadata) in rows {
            let key = PartitionKey::of_memories(author.workspace(), scope, team.team());
            let created_at = created_at.0.timestamp_micros();
            let is_listed = scan.metadata.is_none_or(|filter| has_metadata(filter, metadata.as_deref()));
            by_key.entry(key).or_default().push((SortKey { rank: 0.0, created_at, id }, is_listed));
        }
        let stream = |partition: &ReachedPartition| {
            let mut read = by_key.remove(&partition.key).unwrap_or_default();
            // the order of the parts of a union is that of the statement in practice only
            read.sort_unstable_by(|one, other| other.cmp(one));
            let last = read.last().filter(|_| read.len() == batch);
            let more_after = last.map(|(key, _)| (key.created_at, key.id));
            let keys = read.into_iter().filter(|(_, is_listed)| *is_listed).map(|(key, _)| key).collect();
            Stream { partition: *partition, keys, more_after, batch }
        };
        Ok(partitions.iter().map(stream).collect())
    }
}

/// A time within the range of both databases.
fn time(micros: i64) -> Time {
    // the years 1 to 9999
    let micros = micros.clamp(-62_135_596_800_000_000, 253_402_300_799_999_999);
    Time(DateTime::from_timestamp_micros(micros).unwrap_or_default())
}

type NewestRow = (columns::Instant, columns::Uuid, columns::Uuid, Text, columns::Uuid, Nullable<Text>);

/// The newest memories of a partition that are not pinned, by the index of the same conditions and order.
fn newest_of<'q>(
    scan: &ListScan<'q>,
    key: &PartitionKey,
    after: After,
    batch: usize,
) -> memories::BoxedQuery<'q, Db, NewestRow> {
    let PartitionKey { author, scope, team, .. } = *key;
    let mut rows = memories::table
        .filter(memories::org_id.eq(scan.org))
        .filter(memories::author_id.eq(Id::from(author)))
        .filter(memories::scope.eq(TextEnum(scope)))
        .filter(memories::team_id.eq(Id::of_team(team)))
        // the literal expression of the partial index, which a bound value would not match
        .filter(Condition(super::UNPINNED))
        .filter(memories::org_version.le(scan.as_of))
        .filter(memories::expires_at.is_null().or(memories::expires_at.gt(scan.now)))
        .order((memories::created_at.desc(), memories::id.desc()))
        .limit(row_limit(batch))
        .into_boxed();
    if !scan.excluded_kinds.is_empty() {
        rows = rows.filter(memories::kind.ne_all(scan.excluded_kinds));
    }
    if let Some(since) = scan.since {
        rows = rows.filter(memories::created_at.ge(since));
    }
    if let Some(until) = scan.until {
        rows = rows.filter(memories::created_at.lt(until));
    }
    if let Some((created_at, id)) = after {
        let created_at = time(created_at);
        // the first condition is redundant, but the index can use it
        rows = rows
            .filter(memories::created_at.le(created_at))
            .filter(memories::created_at.lt(created_at).or(memories::id.lt(Id(id))));
    }
    let key = (memories::created_at, memories::id, memories::author_id, memories::scope, memories::team_id);
    let (created_at, id, author, scope, team) = key;
    match scan.metadata {
        Some(_) => rows.select((created_at, id, author, scope, team, memories::metadata)),
        None => rows.select((created_at, id, author, scope, team, NoText)),
    }
}

/// The rows of several queries, each with its own order and limit.
struct UnionAll<Q>(Vec<Q>);

impl<Q: Query> Query for UnionAll<Q> {
    type SqlType = Q::SqlType;
}

impl<Q: QueryFragment<Db>> QueryFragment<Db> for UnionAll<Q> {
    fn walk_ast<'b>(&'b self, mut out: AstPass<'_, 'b, Db>) -> QueryResult<()> {
        for (number, query) in self.0.iter().enumerate() {
            out.push_sql(if number == 0 { "SELECT * FROM (" } else { " UNION ALL SELECT * FROM (" });
            query.walk_ast(out.reborrow())?;
            out.push_sql(") AS part");
        }
        Ok(())
    }
}

impl<Q> QueryId for UnionAll<Q> {
    type QueryId = ();

    const HAS_STATIC_QUERY_ID: bool = false;
}

impl<Q> RunQueryDsl<Conn> for UnionAll<Q> {}
