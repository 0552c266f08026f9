//! The agreement of two rankings.

use std::collections::{HashMap, HashSet};
use std::hash::Hash;

/// The agreement of a provider's ranking with the built-in one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Comparison {
    /// The part of the first `k` of the built-in ranking that is among the first `k` of the other, from 0 to 1. Two empty
    /// rankings agree.
    pub overlap: f64,
    /// The part of the pairs of common ids that both rankings have in the same order, from 0 to 1; 1 without pairs.
    pub rank_agreement: f64,
    /// The number of the first `k` of the built-in ranking that the other ranking lacks everywhere.
    pub misses: usize,
}

/// Compares the first `k` ids of two rankings, best first. Repetitions of an id count once.
///
/// ```
/// use orgmem_policies::providers::compare;
///
/// let same = compare(&[1, 2, 3], &[1, 2, 3], 10);
/// assert_eq!((same.overlap, same.rank_agreement, same.misses), (1.0, 1.0, 0));
/// let reversed = compare(&[1, 2, 3], &[3, 2, 1], 10);
/// assert_eq!((reversed.overlap, reversed.rank_agreement, reversed.misses), (1.0, 0.0, 0));
/// ```
///
/// # Complexity
/// O(k²).
#[must_use]
pub fn compare<Id: Copy + Eq + Hash>(built_in: &[Id], other: &[Id], k: usize) -> Comparison {
    let (ours, all_theirs) = (distinct(built_in), distinct(other));
    let ours = ours.get(..k).unwrap_or(&ours);
    let theirs = all_theirs.get(..k).unwrap_or(&all_theirs);
    let positions: HashMap<Id, usize> = theirs.iter().enumerate().map(|(at, id)| (*id, at)).collect();
    let common: Vec<usize> = ours.iter().filter_map(|id| positions.get(id).copied()).collect();
    let known: HashSet<Id> = all_theirs.iter().copied().collect();
    // what the other finds beyond the built-in ranking counts against it too
    let most = ours.len().max(theirs.len());
    Comparison {
        overlap: if most == 0 { 1.0 } else { ratio(common.len(), most) },
        rank_agreement: order_of(&common),
        misses: ours.iter().filter(|id| !known.contains(id)).count(),
    }
}

/// The part of pairs in ascending order.
fn order_of(positions: &[usize]) -> f64 {
    let (mut pairs, mut ascending) = (0, 0);
    for (at, first) in positions.iter().enumerate() {
        for second in positions.iter().skip(at + 1) {
            pairs += 1;
            ascending += usize::from(first < second);
        }
    }
    if pairs == 0 { 1.0 } else { ratio(ascending, pairs) }
}

fn distinct<Id: Copy + Eq + Hash>(ids: &[Id]) -> Vec<Id> {
    let mut seen = HashSet::new();
    ids.iter().copied().filter(|id| seen.insert(*id)).collect()
}

/// Both are at most some thousands.
fn ratio(part: usize, whole: usize) -> f64 {
    let number = |count: usize| f64::from(u32::try_from(count).unwrap_or(u32::MAX));
    number(part) / number(whole)
}
