//! Order, and the best of it.

use std::cmp::Ordering;

use uuid::Uuid;

use super::shelves::{Candidate, Shelves};
use crate::segment::Row;

/// What comes first. Equals are ordered by age, newest first, then by id, so every order is total.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Order {
    /// The highest score; in a listing the same as [`Recent`](Order::Recent).
    #[default]
    Relevance,
    /// Pinned ones, then the newest.
    Recent,
    /// The most confident.
    Confidence,
}

/// Which part of the candidates is wanted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cut {
    /// What comes first.
    pub order: Order,
    /// The last hit of the part before; none for the first part.
    pub after: Option<Key>,
    /// How many at most.
    pub limit: usize,
}

impl Default for Cut {
    fn default() -> Self {
        Cut { order: Order::default(), after: None, limit: 50 }
    }
}

/// Where a hit stands in its order: the whole of what a cursor needs to go on after it.
///
/// The greater key comes first. All three orders compare like this: rank, then newest, then the greater id (of ids made
/// by the server the later one).
#[derive(Clone, Copy, Debug)]
pub struct Key {
    /// The score, whether it is pinned (1 or 0), or the confidence.
    pub rank: f64,
    /// When the memory was committed, in µs.
    pub created_at: i64,
    /// The memory.
    pub id: Uuid,
}

impl Ord for Key {
    fn cmp(&self, other: &Self) -> Ordering {
        let by_rank = self.rank.total_cmp(&other.rank);
        by_rank.then(self.created_at.cmp(&other.created_at)).then(self.id.cmp(&other.id))
    }
}

impl PartialOrd for Key {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Key {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Key {}

/// A memory that was found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hit<S> {
    /// The handle of the shelf that it lies on.
    pub shelf: S,
    /// The memory.
    pub id: Uuid,
    /// How well it matches; 0 in a listing.
    pub score: f64,
    /// The cosine of what it means and what the query means; none where no vector took part.
    pub similarity: Option<f64>,
    /// Where it stands.
    pub key: Key,
}

impl Order {
    /// The order of what was not asked for by words.
    pub(super) fn of_listing(self) -> Self {
        match self {
            Order::Relevance | Order::Recent => Order::Recent,
            Order::Confidence => Order::Confidence,
        }
    }

    pub(super) fn key(self, score: f64, row: &Row) -> Key {
        let rank = match self {
            Order::Relevance => score,
            Order::Recent => f64::from(u8::from(row.pinned)),
            Order::Confidence => row.confidence,
        };
        Key { rank, created_at: row.created_at, id: row.id }
    }
}

impl<S: Copy> Shelves<'_, S> {
    /// The first `cut.limit` of `candidates` after `cut.after`, in order.
    ///
    /// # Complexity
    /// O(candidates + limit log limit).
    pub fn cut(&self, candidates: impl IntoIterator<Item = Candidate>, cut: &Cut) -> Vec<Hit<S>> {
        let mut best = Best::new(cut.limit);
        for candidate in candidates {
            // what stands next to a match belongs to the answer of a question, not to a list
            if cut.order != Order::Relevance && !candidate.matches {
                continue;
            }
            let key = cut.order.key(candidate.score, self.row(&candidate));
            if cut.after.is_none_or(|after| key < after) {
                best.offer(key, candidate);
            }
        }
        let hit = |(key, candidate): (Key, Candidate)| Hit {
            shelf: self.shelf(&candidate),
            id: key.id,
            score: candidate.score,
            similarity: candidate.similarity,
            key,
        };
        best.into_sorted().into_iter().map(hit).collect()
    }
}

/// The greatest of what is offered, in space for twice as many.
struct Best {
    limit: usize,
    kept: Vec<(Key, Candidate)>,
    /// What is not greater is not among the best any more.
    bar: Option<Key>,
}

impl Best {
    fn new(limit: usize) -> Self {
        Best { limit, kept: Vec::new(), bar: None }
    }

    fn offer(&mut self, key: Key, candidate: Candidate) {
        if self.bar.is_some_and(|bar| key <= bar) {
            return;
        }
        self.kept.push((key, candidate));
        if self.kept.len() >= self.limit.saturating_mul(2).max(64) {
            self.prune();
        }
    }

    fn prune(&mut self) {
        if self.limit == 0 {
            self.kept.clear();
        } else if self.kept.len() > self.limit {
            self.kept.select_nth_unstable_by(self.limit - 1, |(a, _), (b, _)| b.cmp(a));
            self.kept.truncate(self.limit);
            self.bar = Some(self.kept[self.limit - 1].0);
        }
    }

    fn into_sorted(mut self) -> Vec<(Key, Candidate)> {
        self.prune();
        self.kept.sort_unstable_by(|(a, _), (b, _)| b.cmp(a));
        self.kept
    }
}
