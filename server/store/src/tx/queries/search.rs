//! Search: reach to shelves, shelves to segments, segments to hits, hits to rows; all of one snapshot.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::Arc;

use diesel::prelude::*;
use orgmem_hierarchy::{OrgId, Readable, Scope, WorkspaceId};
use orgmem_policies::ReadPass;
use orgmem_recall as recall;
use orgmem_recall::{Candidate, Hit, Neighbour, Order, PageRequest, Partition, ReadTime};
use uuid::Uuid;

use super::ONE_BY_ONE;
use super::memory_rows::MemoryRow;
use super::{Tx, TxKind};
use crate::StoreError;
use crate::cache::PartitionKey;
use crate::columns::Id;
use crate::contract::{
    Explanation, Found, FoundMemory, InProfile, Memory, MemoryCounts, NearMemory, PartitionCount, Ranked, Search,
};
use crate::engine::{Retry, RowContext};
use crate::schema::memories;

/// Among so many memories a search takes about as long as changing threads.
const GLANCED_DOCS: usize = 2_000;

/// A shelf in reach: which part of the reach it is in.
#[derive(Clone, Copy)]
struct InReach {
    part: usize,
    key: PartitionKey,
}

/// The memories of a profile.
struct ProfileMembers {
    ids: HashSet<Uuid>,
    /// Whether they are those that do not belong to it.
    are_out: bool,
}

impl ProfileMembers {
    fn has(&self, id: Uuid) -> bool {
        self.ids.contains(&id) != self.are_out
    }
}

/// In which order hits come.
fn order_of(search: &Search) -> Order {
    match search.cut.order {
        // nothing is scored
        Order::Relevance if search.query.is_blank() => Order::Recent,
        order => order,
    }
}

/// The wanted part of what is found, and of each why it stands where it does: for that, all are put in order.
fn explained(
    readable: &recall::Searcher<'_, InReach>,
    candidates: &mut dyn Iterator<Item = Candidate>,
    search: &Search,
    cut: &PageRequest,
) -> (Vec<Hit<InReach>>, HashMap<Uuid, Explanation>) {
    let all = readable.page(candidates, &PageRequest { after: None, limit: usize::MAX, ..*cut });
    let is_wanted = |(hit, _): &(Hit<InReach>, usize)| cut.after.is_none_or(|after| hit.key < after);
    let part: Vec<(Hit<InReach>, usize)> = all.into_iter().zip(1..).filter(is_wanted).take(cut.limit).collect();
    let ids: Vec<Uuid> = part.iter().map(|(hit, _)| hit.id).collect();
    let mut parts = readable.explain(&search.query, &search.filter, &ids);
    let explanation = |(hit, rank): &(Hit<InReach>, usize)| {
        (hit.id, Explanation { rank: *rank, parts: parts.remove(&hit.id).unwrap_or_default() })
    };
    let explanations = part.iter().map(explanation).collect();
    (part.into_iter().map(|(hit, _)| hit).collect(), explanations)
}

impl Tx<'_> {
    pub(crate) fn search(&mut self, pass: &ReadPass, search: &Search) -> Result<Found, StoreError> {
        let limit = search.cut.limit;
        // the one too many says that there are more, and is not read
        let cut = PageRequest { order: order_of(search), limit: limit.saturating_add(1), ..search.cut };
        let ((hits, more, mut explained, mut near), as_of) = self.look(pass, search, |readable, candidates| {
            let (mut hits, explained) = match search.explain {
                true => explained(readable, candidates, search, &cut),
                false => (readable.page(candidates, &cut), HashMap::new()),
            };
            let more = hits.len() > limit;
            hits.truncate(limit);
            let near = match search.neighbours {
                0 => HashMap::new(),
                reach => readable.neighbours(&hits.iter().map(|hit| hit.id).collect::<Vec<_>>(), reach),
            };
            (hits, more, explained, near)
        })?;
        let ids: BTreeSet<Uuid> =
            hits.iter().map(|hit| hit.id).chain(near.values().flatten().map(|near| near.id)).collect();
        let mut memories = self.hydrate(pass.org(), &ids)?;
        let mut memory = |id: Uuid| {
            // a hit may stand next to another one
            let memory = if search.neighbours == 0 { memories.remove(&id) } else { memories.get(&id).cloned() };
            memory.ok_or_else(|| StoreError::unreadable("memory_index", id, "there is no such memory"))
        };
        let parts = pass.reach().parts();
        let found = hits.into_iter().map(|hit| {
            let explanation = explained.remove(&hit.id);
            let neighbour = |near: Neighbour<InReach>| {
                let via = parts[near.partition.part].via();
                Ok(NearMemory { offset: near.offset, memory: memory(near.id)?, via })
            };
            let neighbours = near.remove(&hit.id).unwrap_or_default().into_iter().map(neighbour);
            let neighbours = neighbours.collect::<Result<_, StoreError>>()?;
            Ok(FoundMemory {
                memory: memory(hit.id)?,
                neighbours,
                via: parts[hit.partition.part].via(),
                score: hit.score,
                similarity: hit.similarity,
                key: hit.key,
                explanation,
            })
        });
        Ok(Found { hits: found.collect::<Result<_, StoreError>>()?, more, as_of })
    }

    pub(crate) fn count(&mut self, pass: &ReadPass, search: &Search) -> Result<usize, StoreError> {
        let (count, _) = self.look(pass, search, |_, candidates| candidates.count())?;
        Ok(count)
    }

    pub(crate) fn rank(&mut self, pass: &ReadPass, search: &Search, id: Uuid) -> Result<Ranked, StoreError> {
        let all = PageRequest { order: order_of(search), after: None, limit: usize::MAX };
        let ((hits, mut parts), _) = self.look(pass, search, |readable, candidates| {
            (readable.page(candidates, &all), readable.explain(&search.query, &search.filter, &[id]))
        })?;
        let place = hits.iter().position(|hit| hit.id == id);
        let score = place.map(|place| hits[place].score);
        let parts = score.and_then(|_| parts.remove(&id)).unwrap_or_default();
        Ok(Ranked { rank: place.map(|place| place + 1), score, parts, found: hits.len() })
    }

    pub(crate) fn memory(
        &mut self,
        pass: &ReadPass,
        id: Uuid,
    ) -> Result<Option<(Memory, orgmem_hierarchy::Via)>, StoreError> {
        self.readable_memory(pass, id)
    }

    pub(crate) fn partition_counts(
        &mut self,
        org: OrgId,
        authors: &[WorkspaceId],
    ) -> Result<Vec<PartitionCount>, StoreError> {
        self.shelf_counts_of(org, authors)
    }

    pub(crate) fn memory_kind(&mut self, org: OrgId, id: Uuid) -> Result<Option<String>, StoreError> {
        Ok(self.memory_row(org, id)?.filter(|row| row.content.is_some()).map(|row| row.kind))
    }

    pub(crate) fn memory_counts(
        &mut self,
        org: OrgId,
        authors: &[WorkspaceId],
    ) -> Result<Vec<MemoryCounts>, StoreError> {
        let counts = self.counts_of(org, authors)?;
        Ok(authors.iter().map(|author| counts.get(author).copied().unwrap_or_default()).collect())
    }

    /// Shows the candidates of a search to `take`; gives its answer, and the version of the org that it is of.
    fn look<T>(
        &mut self,
        pass: &ReadPass,
        search: &Search,
        take: impl FnOnce(&recall::Searcher<'_, InReach>, &mut dyn Iterator<Item = Candidate>) -> T,
    ) -> Result<(T, i64), StoreError> {
        let mut reach = self.shelves_in_reach(pass)?;
        let members = search.profile.map(|profile| self.members(pass, profile)).transpose()?;
        let own = members.is_some().then_some(pass.reader());
        let wanted = |partition: &InReach| {
            own.is_none_or(|own| own == partition.key.author)
                && (search.scopes.is_empty() || search.scopes.contains(&partition.key.scope))
                && search.author.is_none_or(|author| author == partition.key.author)
        };
        if search.query.is_blank() && search.neighbours == 0 {
            // nothing is scored, so what is not wanted need not be looked at
            reach.retain(wanted);
        }
        let keys: Vec<PartitionKey> = reach.iter().map(|partition| partition.key).collect();
        let (segments, version) = self.segments(pass.org(), &keys)?;
        if self.kind == TxKind::Inline && segments.iter().map(|segment| segment.len()).sum::<usize>() > GLANCED_DOCS {
            return Err(self.retry(Retry::OnBlockingPool));
        }
        let as_of = search.as_of.map_or(version, |as_of| as_of.min(version));
        // where nothing is scored, names do not matter
        let authors: BTreeSet<WorkspaceId> = keys.iter().map(|key| key.author).collect();
        let named = match search.query.is_blank() {
            true => HashMap::new(),
            false => self.named(pass.org(), &authors.into_iter().collect::<Vec<_>>())?,
        };
        let partition = |(handle, segment): (InReach, _)| match named.get(&handle.key.author) {
            Some(named) => {
                Partition { handle, author: handle.key.author.uuid(), byline: &named.byline, index: segment }
            }
            None => Partition::without_author(handle, segment),
        };
        let partitions: Vec<Partition<'_, InReach>> =
            reach.into_iter().zip(segments.iter().map(Arc::as_ref)).map(partition).collect();
        let moment = ReadTime { now: self.now.timestamp_micros(), as_of: Some(as_of) };
        let readable = recall::Searcher::without_kinds(pass.excluded_kinds(), moment, &partitions);
        let candidates = readable.candidates(&search.query, &search.filter);
        let belongs =
            |candidate: &Candidate| members.as_ref().is_none_or(|members| members.has(readable.id(candidate)));
        let wanted = |candidate: &Candidate| wanted(&readable.partition(candidate)) && belongs(candidate);
        let mut candidates = candidates.into_iter().filter(wanted);
        Ok((take(&readable, &mut candidates), as_of))
    }

    /// Every shelf that a pass reaches, with the part of the reach it is in.
    fn shelves_in_reach(&mut self, pass: &ReadPass) -> Result<Vec<InReach>, StoreError> {
        let mut reach = Vec::with_capacity(2 * pass.reach().parts().len());
        for (part, readable) in pass.reach().parts().iter().enumerate() {
            let key = |author, scope, team| InReach { part, key: PartitionKey { author, scope, team } };
            match *readable {
                // bound to which teams, now and formerly, only its rows tell
                Readable::Own(author) => {
                    let own = self.partitions_of(pass.org(), author)?;
                    reach.extend(own.iter().map(|&key| InReach { part, key }));
                }
                Readable::Team { author, lead, .. } => {
                    reach.extend([None, Some(lead)].map(|team| key(author, Scope::Team, team)));
                }
                Readable::Org(root) => reach.push(key(root, Scope::Global, None)),
            }
        }
        Ok(reach)
    }

    /// Which of the reader's own belong to a profile of it.
    fn members(&mut self, pass: &ReadPass, profile: InProfile) -> Result<ProfileMembers, StoreError> {
        let named = memories::table.filter(memories::org_id.eq(Id::from(pass.org()))).select(memories::id);
        let conn = self.drained()?;
        let ids: Vec<Id> = match profile.is_default {
            // those of the others, as what belongs to the default one mostly does not say so
            true => named
                .filter(memories::profile_id.is_not_null())
                .filter(memories::profile_id.ne(Some(Id(profile.id))))
                .filter(memories::author_id.eq(Id::from(pass.reader())))
                .load(conn),
            false => named.filter(memories::profile_id.eq(Some(Id(profile.id)))).load(conn),
        }
        .row_context("memories", profile.id)?;
        Ok(ProfileMembers { ids: ids.into_iter().map(|id| id.0).collect(), are_out: profile.is_default })
    }

    fn hydrate(&mut self, org: OrgId, ids: &BTreeSet<Uuid>) -> Result<HashMap<Uuid, Memory>, StoreError> {
        let rows: Vec<MemoryRow> = if ids.len() <= ONE_BY_ONE {
            let rows = ids.iter().filter_map(|&id| self.memory_row(org, id).transpose());
            rows.collect::<Result<_, StoreError>>()?
        } else {
            memories::table
                .filter(memories::org_id.eq(Id::from(org)))
                .filter(memories::id.eq_any(ids.iter().copied().map(Id)))
                .select(MemoryRow::as_select())
                .load(self.conn()?)
                .row_context("memories", org)?
        };
        rows.into_iter().map(|row| Ok((row.id.0, row.try_into()?))).collect()
    }
}
