//! Search on one snapshot: the reach gives partitions, these give segments, hits and finally rows.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use orgmem_hierarchy::{OrgId, WorkspaceId};
use orgmem_policies::ReadPass;
use orgmem_recall as recall;
use orgmem_recall::{
    Candidate, Filter, Hit, Neighbour, Order, PageRequest, Partition, Query, ReadTime, ScorePart, Scoring,
};
use uuid::Uuid;

use super::newest::reads_rows;
use super::profile_members::ProfileMembers;
use super::reached::{ReachedPartition, pages_among};
use super::selected::MetadataOf;
use super::{Tx, TxKind};
use crate::StoreError;
use crate::cache::PartitionKey;
use crate::contract::{
    Explanation, Found, FoundMemory, Memory, MemoryCounts, MemoryLabels, Miss, NearMemory, PartitionCount,
    ProfileFilter, Ranked, Search,
};
use crate::engine::Retry;

/// A ranking of at most this cost, which is the product of words and memories in reach, takes about as long as a change of threads.
/// That would also repeat the work before it.
const INLINE_COST: usize = 64_000;

/// The words that a list, a search by meaning or one that ranks all matches counts as at least.
const OTHER_WORDS: usize = 32;

/// The rows of an author that are read in the time of one row by its id.
const ROWS_PER_MATCH: usize = 8;

pub(super) type Searcher<'s> = recall::Searcher<'s, ReachedPartition>;

/// The memories in reach that a search is about.
pub(super) struct ReachSubset<'s> {
    /// Whether these are all memories in reach.
    is_all: bool,
    has: &'s dyn Fn(&Searcher<'_>, &Candidate) -> bool,
}

impl ReachSubset<'_> {
    fn has(&self, searcher: &Searcher<'_>, candidate: &Candidate) -> bool {
        (self.has)(searcher, candidate)
    }

    pub(super) fn candidates(&self, searcher: &Searcher<'_>, query: &Query, search: &Search) -> Vec<Candidate> {
        let mut candidates = searcher.candidates(query, &search.filter);
        candidates.retain(|candidate| self.has(searcher, candidate));
        if order_of(search) == Order::Relevance {
            searcher.put_newest_first(query, &mut candidates);
        }
        candidates
    }
}

/// The approximate cost of a ranking.
fn cost(search: &Search, docs: usize) -> usize {
    let is_one_page = search.query.is_by_words() && !search.explain && !search.collapse;
    docs.saturating_mul(search.query.clause_count().max(if is_one_page { 1 } else { OTHER_WORDS }))
}

fn order_of(search: &Search) -> Order {
    match search.cut.order {
        // a blank query gives no scores
        Order::Relevance if search.query.is_blank() => Order::Recent,
        order => order,
    }
}

/// A page of hits and the explanation of each. Sorts all candidates, as an explanation contains the rank.
fn explained_page(
    searcher: &Searcher<'_>,
    candidates: &[Candidate],
    (query, filter): (&Query, &Filter),
    cut: &PageRequest,
) -> (Vec<Hit<ReachedPartition>>, HashMap<Uuid, Explanation>) {
    let all = searcher.page(candidates, &PageRequest { after: None, limit: usize::MAX, ..*cut });
    let is_wanted = |(hit, _): &(Hit<ReachedPartition>, usize)| cut.after.is_none_or(|after| hit.key < after);
    let page: Vec<(Hit<ReachedPartition>, usize)> =
        all.into_iter().zip(1..).filter(is_wanted).take(cut.limit).collect();
    let ids: Vec<Uuid> = page.iter().map(|(hit, _)| hit.id).collect();
    let mut parts = searcher.explain(query, filter, &ids);
    let explanation = |(hit, rank): &(Hit<ReachedPartition>, usize)| {
        let parts = with_order(hit, parts.remove(&hit.id).unwrap_or_default());
        (hit.id, Explanation { rank: *rank, parts, repeats: hit.repetition.map(|repetition| repetition.of) })
    };
    let explanations = page.iter().map(explanation).collect();
    (page.into_iter().map(|(hit, _)| hit).collect(), explanations)
}

/// The parts of the score of a hit: those of its candidate, and the changes because of other hits.
fn with_order(hit: &Hit<ReachedPartition>, mut parts: Vec<(ScorePart, f64)>) -> Vec<(ScorePart, f64)> {
    parts.extend(Some((ScorePart::Version, hit.version_gain)).filter(|(_, gain)| *gain != 0.0));
    parts.extend(hit.repetition.map(|repetition| (ScorePart::Repetition, repetition.penalty)));
    parts
}

/// The weights without minimum scores, by which every memory that matches at all is a candidate.
fn without_minimum(query: &Query) -> Scoring {
    Scoring { min_context_score: 0.0, min_match_score: 0.0, ..Scoring::of(query) }
}

impl Tx<'_> {
    pub(crate) fn search(&mut self, pass: &ReadPass, search: &Search) -> Result<Found, StoreError> {
        let limit = search.cut.limit;
        // one hit beyond the limit shows that there are more; its row is not read
        let cut = PageRequest { order: order_of(search), limit: limit.saturating_add(1), ..search.cut };
        let ((hits, more, mut explained, (mut near, mut repetitions, mut understood)), as_of) =
            if reads_rows(pass, search) {
                let (mut hits, as_of) = self.newest(pass, search, &cut)?;
                let more = hits.len() > limit;
                hits.truncate(limit);
                ((hits, more, HashMap::new(), Default::default()), as_of)
            } else {
                self.with_searcher(pass, search, |searcher, selection, query| {
                    let (mut hits, explained, repetitions) = match (search.collapse, search.explain) {
                        (false, false) => {
                            let of = (query, &search.filter);
                            let hits = searcher.best_page(of, &cut, |candidate| selection.has(searcher, candidate));
                            (hits, HashMap::new(), HashMap::new())
                        }
                        (collapse, explain) => {
                            let candidates = selection.candidates(searcher, query, search);
                            let (candidates, repetitions) = match collapse {
                                true => searcher.collapsed(&candidates, cut.order),
                                false => (candidates, HashMap::new()),
                            };
                            let (hits, explained) = match explain {
                                true => explained_page(searcher, &candidates, (query, &search.filter), &cut),
                                false => (searcher.page(&candidates, &cut), HashMap::new()),
                            };
                            (hits, explained, repetitions)
                        }
                    };
                    let more = hits.len() > limit;
                    hits.truncate(limit);
                    let ids: Vec<Uuid> = hits.iter().map(|hit| hit.id).collect();
                    let near = match search.neighbours {
                        0 => HashMap::new(),
                        reach => searcher.neighbours(&ids, reach),
                    };
                    let understood = searcher.understood_in(query, &ids);
                    (hits, more, explained, (near, repetitions, understood))
                })?
            };
        let ids: BTreeSet<Uuid> =
            hits.iter().map(|hit| hit.id).chain(near.values().flatten().map(|near| near.id)).collect();
        let of_hits = hits.iter().map(|hit| (hit.partition, hit.id));
        let of_near = near.values().flatten().map(|near| (near.partition, near.id));
        let pages = pages_among(of_hits.chain(of_near));
        let mut memories = self.hydrate(pass.org(), &ids, search.items, &pages)?;
        let mut memory = |id: Uuid| {
            // a hit may also be the neighbour of another hit
            let memory = if search.neighbours == 0 { memories.remove(&id) } else { memories.get(&id).cloned() };
            memory.ok_or_else(|| StoreError::unreadable("memory_index", id, "there is no such memory"))
        };
        let parts = pass.reach().parts();
        let found = hits.into_iter().map(|hit| {
            let explanation = explained.remove(&hit.id);
            let neighbour = |near: Neighbour<ReachedPartition>| {
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
                understood: understood.remove(&hit.id).unwrap_or_default(),
                outdated_by: hit.outdated_by,
                repetitions: repetitions.remove(&hit.id).unwrap_or_default(),
            })
        });
        Ok(Found { hits: found.collect::<Result<_, StoreError>>()?, more, as_of })
    }

    pub(crate) fn count(&mut self, pass: &ReadPass, search: &Search) -> Result<usize, StoreError> {
        let has_conditions =
            search.filter != Filter::default() || search.metadata.is_some() || !pass.excluded_kinds().is_empty();
        if reads_rows(pass, search) && !has_conditions && search.as_of.is_none() {
            return self.count_rows(pass, search);
        }
        let order = order_of(search);
        let (count, _) = self.with_searcher(pass, search, |searcher, selection, query| {
            let is_all = search.query.is_blank() && search.filter == Filter::default() && selection.is_all;
            match search.collapse {
                true => searcher.collapsed(&selection.candidates(searcher, query, search), order).0.len(),
                false if is_all => searcher.len(),
                false => selection.candidates(searcher, query, search).len(),
            }
        })?;
        Ok(count)
    }

    pub(crate) fn rank(&mut self, pass: &ReadPass, search: &Search, id: Uuid) -> Result<Ranked, StoreError> {
        let all = PageRequest { order: order_of(search), after: None, limit: usize::MAX };
        let (ranked, _) = self.with_searcher(pass, search, |searcher, selection, query| {
            let candidates = selection.candidates(searcher, query, search);
            let (candidates, repetitions) = match search.collapse {
                true => searcher.collapsed(&candidates, all.order),
                false => (candidates, HashMap::new()),
            };
            let (hits, found) = (searcher.page(&candidates, &all), candidates.len());
            let Some(position) = hits.iter().position(|hit| hit.id == id) else {
                let collapsed = repetitions.iter().find(|(_, repeated)| repeated.contains(&id));
                let is_candidate = || {
                    let wider = searcher.candidates_with(&without_minimum(query), query, &search.filter);
                    wider.iter().any(|candidate| searcher.id(candidate) == id)
                };
                let miss = match collapsed {
                    Some((first, _)) => Miss::Collapsed(*first),
                    None if is_candidate() => Miss::BelowMinimum,
                    None => Miss::NoMatch,
                };
                return Ranked { rank: None, score: None, parts: Vec::new(), repeats: None, miss: Some(miss), found };
            };
            let hit = &hits[position];
            let parts = searcher.explain(query, &search.filter, &[id]).remove(&id);
            Ranked {
                rank: Some(position + 1),
                score: Some(hit.score),
                parts: with_order(hit, parts.unwrap_or_default()),
                repeats: hit.repetition.map(|repetition| repetition.of),
                miss: None,
                found,
            }
        })?;
        Ok(ranked)
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
        self.partition_counts_of(org, authors)
    }

    pub(crate) fn memory_labels(&mut self, org: OrgId, id: Uuid) -> Result<Option<MemoryLabels>, StoreError> {
        let row = self.memory_row(org, id)?.filter(|row| row.content.is_some());
        Ok(row.map(|row| MemoryLabels {
            kind: row.authored.kind,
            profile: row.profile_id.map(|id| id.0),
            subject: row.authored.subject,
            session: row.authored.session_id,
        }))
    }

    pub(crate) fn memory_counts(
        &mut self,
        org: OrgId,
        authors: &[WorkspaceId],
    ) -> Result<Vec<MemoryCounts>, StoreError> {
        let counts = self.counts_of(org, authors)?;
        Ok(authors.iter().map(|author| counts.get(author).copied().unwrap_or_default()).collect())
    }

    /// Passes the memories in reach, which of them belong to a search, and the query as it was understood among them, to
    /// `take`. Returns its result and the org version of the search.
    pub(super) fn with_searcher<T>(
        &mut self,
        pass: &ReadPass,
        search: &Search,
        take: impl FnOnce(&Searcher<'_>, &ReachSubset<'_>, &Query) -> T,
    ) -> Result<(T, i64), StoreError> {
        let mut reach = self.partitions_in_reach(pass, search.items)?;
        let members = search.profile.map(|profile| self.profile_members(pass, profile)).transpose()?;
        let own = members.is_some().then_some(pass.reader());
        let within = pass.within().iter().map(|profile| {
            self.profile_members(pass, ProfileFilter { id: profile.id, is_default: profile.is_default })
        });
        let within: Vec<ProfileMembers> = within.collect::<Result<_, _>>()?;
        let wanted = |partition: &ReachedPartition| partition.is_wanted(search, own);
        let is_reach_selected = search.query.is_blank() && search.neighbours == 0;
        if is_reach_selected {
            // without scores, other partitions do not affect the result
            reach.retain(wanted);
        }
        let keys: Vec<PartitionKey> = reach.iter().map(|partition| partition.key).collect();
        let (segments, version) = self.segments(pass.org(), &keys)?;
        let docs = segments.iter().map(|segment| segment.len()).sum::<usize>();
        let is_long = search.metadata.is_some() || cost(search, docs) > INLINE_COST;
        if self.kind == TxKind::Inline && is_long {
            return Err(self.retry(Retry::OnBlockingPool));
        }
        let as_of = search.as_of.map_or(version, |as_of| as_of.min(version));
        // names affect only scores
        let authors: BTreeSet<WorkspaceId> = keys.iter().map(|key| key.author).collect();
        let named = match search.query.is_blank() {
            true => HashMap::new(),
            false => self.named(pass.org(), &authors.into_iter().collect::<Vec<_>>())?,
        };
        let partition = |(handle, index): (ReachedPartition, _)| {
            let (author, partition) = (handle.key.author, Partition::without_author(handle, index));
            let byline = named.get(&author).map_or(partition.byline, |named| &named.byline);
            Partition { author: author.uuid(), byline, ..partition }
        };
        let partitions: Vec<Partition<'_, ReachedPartition>> =
            reach.iter().copied().zip(segments.iter().map(Arc::as_ref)).map(partition).collect();
        let read_time = ReadTime { now: self.now.timestamp_micros(), as_of: Some(as_of) };
        let withheld = self.withheld_ids(pass)?;
        let is_outside = |id: Uuid| withheld.contains(&id) || !within.iter().all(|members| members.contains(id));
        let users = pass.users();
        let is_of_others =
            |author: Uuid, subject: Option<&str>, session: Option<&str>| !users.shows(author.into(), subject, session);
        let hidden = recall::Hidden {
            kinds: pass.excluded_kinds(),
            ids: if within.is_empty() && withheld.is_empty() { None } else { Some(&is_outside) },
            users: if pass.users().is_open() { None } else { Some(&is_of_others) },
            tags: &self.hidden_page_kinds(pass, search, &reach)?,
        };
        let searcher = recall::Searcher::without(hidden, read_time, &partitions);
        let query = searcher.understand(&search.query).query;
        let selected = match &search.metadata {
            None => search.ids.clone(),
            Some(metadata) => {
                let matches = if query.is_blank() { None } else { Some(searcher.candidates(&query, &search.filter)) };
                let of = match matches {
                    Some(matches) if matches.len() <= docs / ROWS_PER_MATCH => {
                        MetadataOf::Memories(matches.iter().map(|candidate| searcher.id(candidate)).collect())
                    }
                    _ => {
                        let selecting = reach.iter().filter(|partition| wanted(partition));
                        MetadataOf::Authors(selecting.map(|partition| partition.key.author).collect())
                    }
                };
                Some(self.selected(pass.org(), metadata, of, search)?)
            }
        };
        let belongs = |searcher: &Searcher<'_>, candidate: &Candidate| {
            let id = searcher.id(candidate);
            members.as_ref().is_none_or(|members| members.contains(id))
                && selected.as_ref().is_none_or(|selected| selected.contains(&id))
        };
        let has = |searcher: &Searcher<'_>, candidate: &Candidate| {
            wanted(&searcher.partition(candidate)) && belongs(searcher, candidate)
        };
        let selection = ReachSubset { is_all: is_reach_selected && members.is_none() && selected.is_none(), has: &has };
        Ok((take(&searcher, &selection, &query), as_of))
    }
}
