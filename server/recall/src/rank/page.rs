//! Order of candidates: sort keys, pages, and repetitions.

use std::cmp::{Ordering, Reverse};
use std::collections::HashMap;
use std::collections::hash_map::Entry;

use foldhash::fast::RandomState;
use uuid::Uuid;

use super::best::Best;
use super::searcher::{Candidate, Searcher};
use crate::index::Row;
use crate::text::{ContentFingerprint, ContentSketch};
use crate::tuning::{
    DEFAULT_PAGE_LIMIT, MIN_PAGE_BUFFER, MIN_SORT_BUFFER, NEAR_COPY_CANDIDATES, NEAR_COPY_FACTOR, NEAR_COPY_ORIGINALS,
    NEAR_COPY_SIMILARITY, REPETITION_FACTOR,
};

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
    /// Present, in order of relevance, if another hit says the same and has a higher score.
    pub repetition: Option<Repetition>,
    /// The newest memory that says the same with another value; present in order of relevance only.
    pub outdated_by: Option<Uuid>,
    /// What its score gained or lost because another version of what it says is newer or older.
    pub version_gain: f64,
    /// Its position in the order.
    pub key: SortKey,
}

/// A hit with the content of another one, apart from case, diacritics, inflection, white space and punctuation without
/// meaning; or a near-copy by the same author, with most of its words.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Repetition {
    /// The id of the first hit with the content, or with nearly the same words.
    pub of: Uuid,
    /// Whether the contents are not the same.
    pub is_near_copy: bool,
    /// Added to the score; not above 0.
    pub penalty: f64,
}

impl Order {
    pub(super) fn key(self, score: f64, row: Row<'_>) -> SortKey {
        let rank = match self {
            Order::Relevance => score,
            Order::Recent => f64::from(u8::from(row.pinned())),
            Order::Confidence => row.confidence(),
        };
        SortKey { rank, created_at: row.created_at(), id: row.id() }
    }
}

impl<S: Copy> Searcher<'_, S> {
    /// The first `request.limit` of `candidates` after `request.after`, in order. In order of relevance, repetitions
    /// among `candidates` lose a part of their score.
    ///
    /// # Complexity
    /// O(candidates + limit log limit) time, O(limit) memory; in order of relevance more for later pages, and for pages
    /// with many repetitions.
    pub fn page(&self, candidates: &[Candidate], request: &PageRequest) -> Vec<Hit<S>> {
        let PageRequest { order, after, limit } = *request;
        if order == Order::Relevance {
            return self.page_by_relevance(request, |size| {
                let best = self.greatest(candidates.iter(), order, None, size);
                Best { is_all: best.len() == candidates.len(), candidates: best }
            });
        }
        // matches by context belong to the hits of a question, not to a list
        let matches = candidates.iter().filter(|candidate| candidate.is_match);
        let best = self.greatest(matches, order, after, limit);
        best.into_iter().map(|(key, candidate)| self.hit(key, candidate, None)).collect()
    }

    /// A page in order of relevance; `best` gives the best candidates.
    pub(super) fn page_by_relevance(&self, request: &PageRequest, best: impl Fn(usize) -> Best) -> Vec<Hit<S>> {
        let PageRequest { after, limit, .. } = *request;
        let mut size = limit.saturating_mul(2).max(MIN_PAGE_BUFFER);
        loop {
            let Best { candidates, is_all } = best(size);
            // all others have lower keys, and repetitions only lower them further
            let last = candidates.last().filter(|_| !is_all).map(|(key, _)| *key);
            let mut page = self.with_repetitions(candidates);
            page.retain(|hit| after.is_none_or(|after| hit.key < after));
            page.sort_unstable_by_key(|hit| Reverse(hit.key));
            page.truncate(limit);
            let is_full = page.len() == limit && page.last().is_none_or(|hit| last.is_none_or(|last| hit.key >= last));
            if is_full || last.is_none() {
                return page;
            }
            size = size.saturating_mul(4);
        }
    }

    /// The candidates without those that repeat one that comes earlier in `order`, and the repetitions of each of the
    /// others that has any, in order.
    ///
    /// # Complexity
    /// O(n log n) for n candidates.
    pub fn collapsed(&self, candidates: &[Candidate], order: Order) -> (Vec<Candidate>, HashMap<Uuid, Vec<Uuid>>) {
        let matches = candidates.iter().filter(|candidate| order == Order::Relevance || candidate.is_match);
        let mut firsts: HashMap<ContentFingerprint, Uuid, RandomState> = HashMap::default();
        let (mut remaining, mut repetitions) = (Vec::new(), HashMap::<Uuid, Vec<Uuid>>::new());
        for (key, candidate) in self.greatest(matches, order, None, usize::MAX) {
            match firsts.entry(self.row(candidate.at).fingerprint()) {
                Entry::Vacant(entry) => {
                    entry.insert(key.id);
                    remaining.push(candidate);
                }
                Entry::Occupied(entry) => repetitions.entry(*entry.get()).or_default().push(key.id),
            }
        }
        (remaining, repetitions)
    }

    /// The `limit` greatest of `candidates` below `after`, greatest first.
    fn greatest<'c>(
        &self,
        candidates: impl Iterator<Item = &'c Candidate>,
        order: Order,
        after: Option<SortKey>,
        limit: usize,
    ) -> Vec<(SortKey, Candidate)> {
        let mut best: Vec<(SortKey, Candidate)> = Vec::new();
        let mut min_key = None;
        for candidate in candidates {
            let key = order.key(candidate.score, self.row(candidate.at));
            if after.is_some_and(|after| key >= after) || min_key.is_some_and(|min| key <= min) {
                continue;
            }
            best.push((key, *candidate));
            if best.len() >= limit.saturating_mul(2).max(MIN_SORT_BUFFER) {
                min_key = keep_greatest(&mut best, limit);
            }
        }
        keep_greatest(&mut best, limit);
        best.sort_unstable_by(|(a, _), (b, _)| b.cmp(a));
        best
    }

    /// The hits of `best`, which is in order of relevance. The n-th repetition of a hit loses its score but for
    /// [`REPETITION_FACTOR`] to the power of n; the n-th near-copy in its partition but for [`NEAR_COPY_FACTOR`].
    fn with_repetitions(&self, best: Vec<(SortKey, Candidate)>) -> Vec<Hit<S>> {
        // the first with each content, and the factor of its next repetition
        let mut firsts: HashMap<ContentFingerprint, (Uuid, f64), RandomState> = HashMap::default();
        let mut originals = Originals::default();
        let mut hits = Vec::with_capacity(best.len());
        for (place, (key, candidate)) in best.into_iter().enumerate() {
            let row = self.row(candidate.at);
            let repeated = match firsts.entry(row.fingerprint()) {
                Entry::Vacant(entry) => {
                    entry.insert((key.id, REPETITION_FACTOR));
                    let is_compared = place < NEAR_COPY_CANDIDATES;
                    let repeated =
                        is_compared.then(|| originals.repeated_by(self.view(candidate.at).partition, row)).flatten();
                    repeated.map(|(of, factor)| (of, true, factor))
                }
                Entry::Occupied(mut entry) => {
                    let (of, factor) = *entry.get();
                    entry.get_mut().1 *= REPETITION_FACTOR;
                    Some((of, false, factor))
                }
            };
            let repetition = repeated.map(|(of, is_near_copy, factor)| Repetition {
                of,
                is_near_copy,
                penalty: candidate.score * factor - candidate.score,
            });
            hits.push(self.hit(key, candidate, repetition));
        }
        hits
    }

    pub(super) fn hit(&self, key: SortKey, candidate: Candidate, repetition: Option<Repetition>) -> Hit<S> {
        let penalty = repetition.map_or(0.0, |repetition| repetition.penalty);
        Hit {
            partition: self.partition(&candidate),
            id: key.id,
            score: candidate.score + penalty,
            similarity: candidate.similarity,
            repetition,
            outdated_by: candidate.newer.map(|newer| self.row(newer).id()),
            version_gain: candidate.gain,
            key: SortKey { rank: key.rank + penalty, ..key },
        }
    }
}

/// The memories of each partition that are not near-copies of a better one.
#[derive(Default)]
struct Originals(HashMap<u32, Vec<Original>, RandomState>);

struct Original {
    id: Uuid,
    sketch: ContentSketch,
    /// The factor of its next near-copy.
    factor: f64,
}

impl Originals {
    /// The memory of `partition` that `row` nearly repeats, and the factor for its score. Otherwise `row` is an original.
    fn repeated_by(&mut self, partition: u32, row: Row<'_>) -> Option<(Uuid, f64)> {
        let sketch = row.sketch();
        let originals = self.0.entry(partition).or_default();
        let mut near = originals.iter_mut().filter(|it| it.sketch.is_similar(&sketch, NEAR_COPY_SIMILARITY));
        if let Some(original) = near.next() {
            let factor = original.factor;
            original.factor *= NEAR_COPY_FACTOR;
            return Some((original.id, factor));
        }
        if originals.len() < NEAR_COPY_ORIGINALS {
            originals.push(Original { id: row.id(), sketch, factor: NEAR_COPY_FACTOR });
        }
        None
    }
}

/// Truncates `best` to the `limit` greatest; returns the least of them if there were more.
pub(super) fn keep_greatest<T>(best: &mut Vec<(SortKey, T)>, limit: usize) -> Option<SortKey> {
    if best.len() <= limit {
        return None;
    }
    let last = limit.checked_sub(1).map(|last| best.select_nth_unstable_by(last, |(a, _), (b, _)| b.cmp(a)).1.0);
    best.truncate(limit);
    last
}
