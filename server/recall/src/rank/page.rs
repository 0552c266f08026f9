//! Order of candidates: sort keys, pages, and duplicates.

use std::cmp::Ordering;
use std::collections::HashMap;
use std::collections::hash_map::Entry;

use foldhash::fast::RandomState;
use uuid::Uuid;

use super::searcher::{Candidate, Searcher};
use crate::index::Row;
use crate::tuning::{DEFAULT_PAGE_LIMIT, MIN_PAGE_BUFFER};

/// The order of hits. Equal hits are ordered by time, newest first, then by id, so every order is total.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Order {
    /// Highest score first; in a listing the same as [`Recent`](Order::Recent).
    #[default]
    Relevance,
    /// Pinned memories first, then the newest.
    Recent,
    /// Highest confidence first.
    Confidence,
}

/// The page of candidates that a caller requests.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PageRequest {
    /// The order of all pages.
    pub order: Order,
    /// The key of the last hit of the previous page; `None` for the first page.
    pub after: Option<SortKey>,
    /// Maximum number of hits.
    pub limit: usize,
}

impl Default for PageRequest {
    fn default() -> Self {
        PageRequest { order: Order::default(), after: None, limit: DEFAULT_PAGE_LIMIT }
    }
}

/// The position of a hit in its order, and the content of a cursor.
///
/// The greatest key comes first. All orders compare rank, then time, then id (of ids made by the server, the later one
/// is greater).
#[derive(Clone, Copy, Debug)]
pub struct SortKey {
    /// The score, whether the memory is pinned (1 or 0), or its confidence.
    pub rank: f64,
    /// When the memory was committed, in µs since 1970.
    pub created_at: i64,
    /// The id of the memory.
    pub id: Uuid,
}

impl Ord for SortKey {
    fn cmp(&self, other: &Self) -> Ordering {
        let by_rank = self.rank.total_cmp(&other.rank);
        by_rank.then(self.created_at.cmp(&other.created_at)).then(self.id.cmp(&other.id))
    }
}

impl PartialOrd for SortKey {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for SortKey {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for SortKey {}

/// A memory that a search returns.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hit<S> {
    /// The handle of its partition.
    pub partition: S,
    /// The id of the memory.
    pub id: Uuid,
    /// Greater is better; 0 in a listing.
    pub score: f64,
    /// The cosine of the nearest embedding and the query; `None` if none was compared.
    pub similarity: Option<f64>,
    /// Its position in the order.
    pub key: SortKey,
}

impl Order {
    fn key(self, score: f64, row: &Row) -> SortKey {
        let rank = match self {
            Order::Relevance => score,
            Order::Recent => f64::from(u8::from(row.pinned)),
            Order::Confidence => row.confidence,
        };
        SortKey { rank, created_at: row.created_at, id: row.id }
    }
}

impl<S: Copy> Searcher<'_, S> {
    /// The first `request.limit` of `candidates` after `request.after`, in order.
    ///
    /// # Complexity
    /// O(candidates + limit log limit) time, O(limit) memory.
    pub fn page(&self, candidates: impl IntoIterator<Item = Candidate>, request: &PageRequest) -> Vec<Hit<S>> {
        let PageRequest { order, after, limit } = *request;
        let mut best: Vec<(SortKey, Candidate)> = Vec::new();
        let mut min_key = None;
        for candidate in candidates {
            // matches by context belong to the hits of a question, not to a list
            if order != Order::Relevance && !candidate.is_match {
                continue;
            }
            let key = order.key(candidate.score, self.row(candidate.at));
            if after.is_some_and(|after| key >= after) || min_key.is_some_and(|min| key <= min) {
                continue;
            }
            best.push((key, candidate));
            if best.len() >= limit.saturating_mul(2).max(MIN_PAGE_BUFFER) {
                min_key = keep_greatest(&mut best, limit);
            }
        }
        keep_greatest(&mut best, limit);
        best.sort_unstable_by(|(a, _), (b, _)| b.cmp(a));
        let hit = |(key, candidate): (SortKey, Candidate)| Hit {
            partition: self.partition(&candidate),
            id: key.id,
            score: candidate.score,
            similarity: candidate.similarity,
            key,
        };
        best.into_iter().map(hit).collect()
    }

    /// Of the candidates of one partition with equal content, only the first in order of relevance.
    pub(super) fn deduplicated(&self, candidates: Vec<Candidate>) -> Vec<Candidate> {
        let partitions = self.views.chunk_by(|a, b| a.partition == b.partition);
        let has_duplicates: Vec<bool> = partitions
            .flat_map(|views| views.iter().map(|view| views.len() > 1 || view.segment.has_duplicates))
            .collect();
        let key = |candidate: &Candidate| Order::Relevance.key(candidate.score, self.row(candidate.at));
        let mut positions = HashMap::<_, usize, RandomState>::default();
        let mut deduplicated: Vec<Candidate> = Vec::with_capacity(candidates.len());
        for candidate in candidates {
            let view = self.view(candidate.at);
            if !has_duplicates[candidate.at.view as usize] {
                deduplicated.push(candidate);
                continue;
            }
            match positions.entry((view.partition, self.row(candidate.at).fingerprint)) {
                Entry::Vacant(entry) => {
                    entry.insert(deduplicated.len());
                    deduplicated.push(candidate);
                }
                Entry::Occupied(entry) => {
                    let other = &mut deduplicated[*entry.get()];
                    if key(&candidate) > key(other) {
                        *other = candidate;
                    }
                }
            }
        }
        deduplicated
    }
}

/// Truncates `best` to the `limit` greatest; returns the least of them if there were more.
fn keep_greatest(best: &mut Vec<(SortKey, Candidate)>, limit: usize) -> Option<SortKey> {
    if best.len() <= limit {
        return None;
    }
    let last = limit.checked_sub(1).map(|last| best.select_nth_unstable_by(last, |(a, _), (b, _)| b.cmp(a)).1.0);
    best.truncate(limit);
    last
}
