//! How many memories lie on each shelf, and when one was last put there.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use diesel::prelude::*;
use orgmem_hierarchy::{OrgId, Scope, WorkspaceId};

use super::insert::{Outgoing, write_rows};
use super::tx::Tx;
use super::upsert::Upsert;
use crate::StoreError;
use crate::cache::ShelfKey;
use crate::columns::{Id, Time, Word};
use crate::contract::{MemoryCounts, ShelfCount};
use crate::engine::InRow;
use crate::schema::{memory_index, shelves};

/// How many authors one statement names.
const CHUNK: usize = 10_000;

/// What one write did to a shelf.
#[derive(Clone, Copy, Debug)]
pub(super) struct ShelfDelta {
    pub(super) org: OrgId,
    pub(super) shelf: ShelfKey,
    pub(super) version: i64,
    pub(super) live: i64,
    /// None when something was taken away.
    pub(super) written_at: Option<Time>,
}

/// A row of `shelves`, or what is to be added to one.
#[derive(Clone, Debug, Insertable)]
#[diesel(table_name = shelves, treat_none_as_default_value = false)]
struct ShelfRow {
    org_id: Id,
    author_id: Id,
    scope: Word<Scope>,
    team_id: Id,
    live_count: i64,
    version: i64,
    last_write_at: Time,
}

/// Adds up what was done to each shelf, and writes it.
pub(super) fn add(out: &mut Outgoing<'_>, deltas: &[ShelfDelta]) -> Result<(), StoreError> {
    let mut sums: BTreeMap<(OrgId, ShelfKey), ShelfDelta> = BTreeMap::new();
    for delta in deltas {
        let sum = sums.entry((delta.org, delta.shelf)).or_insert(ShelfDelta { live: 0, ..*delta });
        sum.live += delta.live;
        sum.version = sum.version.max(delta.version);
        sum.written_at = sum.written_at.max(delta.written_at);
    }
    let mut added = Vec::with_capacity(sums.len());
    for ShelfDelta { org, shelf, version, live, written_at } in sums.into_values() {
        let (org_id, author_id, scope, team_id) =
            (Id::from(org), Id::from(shelf.author), Word(shelf.scope), Id::of_team(shelf.team));
        match written_at {
            Some(last_write_at) => {
                added.push(ShelfRow { org_id, author_id, scope, team_id, live_count: live, version, last_write_at });
            }
            None => {
                let less = (shelves::live_count.eq(shelves::live_count + live), shelves::version.eq(version));
                diesel::update(shelves::table.find((org_id, author_id, scope, team_id))).set(less).execute(out.conn)?;
            }
        }
    }
    let on_conflict = " ON CONFLICT (org_id, author_id, scope, team_id) DO UPDATE SET \
        live_count = shelves.live_count + excluded.live_count, version = excluded.version, \
        last_write_at = excluded.last_write_at";
    write_rows!(out, added, rows => Upsert { insert: diesel::insert_into(shelves::table).values(rows), on_conflict });
    Ok(())
}

impl Tx<'_> {
    /// The shelves of one author that have something on them.
    pub(super) fn shelves_of(&mut self, org: OrgId, author: WorkspaceId) -> Result<Arc<[ShelfKey]>, StoreError> {
        let view = self.view(org)?;
        let (cache, version) = (view.cache.clone(), view.row.version);
        let is_own = view.changes.tally.touched;
        if !is_own && let Some(known) = cache.shelves.known(version, &[author]).remove(&author) {
            return Ok(known);
        }
        let rows: Vec<(Word<Scope>, Id)> = shelves::table
            .filter(shelves::org_id.eq(Id::from(org)))
            .filter(shelves::author_id.eq(Id::from(author)))
            .filter(shelves::live_count.gt(0))
            .order((shelves::scope, shelves::team_id))
            .select((shelves::scope, shelves::team_id))
            .load(self.settled()?)
            .in_row("shelves", author)?;
        let key = |(Word(scope), team): (_, Id)| ShelfKey { author, scope, team: team.team() };
        let found: Arc<[ShelfKey]> = rows.into_iter().map(key).collect();
        if !is_own {
            cache.shelves.keep(version, HashMap::from([(author, Arc::clone(&found))]));
            self.core.caches.weigh(org, &cache);
        }
        Ok(found)
    }

    /// The live memories of each of these authors. What has expired and was not swept yet is not counted.
    pub(super) fn counts_of(
        &mut self,
        org: OrgId,
        authors: &[WorkspaceId],
    ) -> Result<HashMap<WorkspaceId, MemoryCounts>, StoreError> {
        let mut counts: HashMap<WorkspaceId, MemoryCounts> = HashMap::new();
        for (shelf, (live, last_write_at)) in self.live_on_shelves(org, authors)? {
            let counts = counts.entry(shelf.author).or_default();
            *counts.of(shelf.scope) += live;
            counts.last_write_at = counts.last_write_at.max(Some(last_write_at.0));
        }
        Ok(counts)
    }

    /// The same shelf by shelf, of those that have something on them.
    pub(super) fn shelf_counts_of(
        &mut self,
        org: OrgId,
        authors: &[WorkspaceId],
    ) -> Result<Vec<ShelfCount>, StoreError> {
        let live = self.live_on_shelves(org, authors)?.into_iter().filter(|(_, (memories, _))| *memories > 0);
        let count = |(ShelfKey { author, scope, team }, (memories, _))| ShelfCount { author, scope, team, memories };
        Ok(live.map(count).collect())
    }

    /// What is on the shelves of these authors, and when something was last put there.
    fn live_on_shelves(
        &mut self,
        org: OrgId,
        authors: &[WorkspaceId],
    ) -> Result<HashMap<ShelfKey, (i64, Time)>, StoreError> {
        let (now, org) = (Time(self.now), Id::from(org));
        let conn = self.settled()?;
        let mut live: HashMap<ShelfKey, (i64, Time)> = HashMap::new();
        let key = |author: Id, scope, team: Id| ShelfKey { author: author.workspace(), scope, team: team.team() };
        for authors in authors.chunks(CHUNK) {
            let authors: Vec<Id> = authors.iter().copied().map(Id::from).collect();
            let shelves: Vec<(Id, Word<Scope>, Id, i64, Time)> = shelves::table
                .filter(shelves::org_id.eq(org))
                .filter(shelves::author_id.eq_any(&authors))
                .select((
                    shelves::author_id,
                    shelves::scope,
                    shelves::team_id,
                    shelves::live_count,
                    shelves::last_write_at,
                ))
                .load(conn)
                .in_row("shelves", org)?;
            for (author, Word(scope), team, count, last_write_at) in shelves {
                live.insert(key(author, scope, team), (count, last_write_at));
            }
            let expired: Vec<(Id, Word<Scope>, Id)> = memory_index::table
                .filter(memory_index::expires_at.le(now))
                .filter(memory_index::org_id.eq(org))
                .filter(memory_index::author_id.eq_any(&authors))
                .select((memory_index::author_id, memory_index::scope, memory_index::team_id))
                .load(conn)
                .in_row("memory_index", org)?;
            for (author, Word(scope), team) in expired {
                if let Some((count, _)) = live.get_mut(&key(author, scope, team)) {
                    *count -= 1;
                }
            }
        }
        Ok(live)
    }
}
