//! Scores of repetitions.

use std::collections::{BTreeSet, HashMap};

use super::{Author, Written};

/// A memory with its score, and whether it matches itself.
pub(super) struct Scored<'w> {
    pub(super) written: &'w Written,
    pub(super) score: f64,
    pub(super) matches: bool,
}

/// The memories with the scores of repetitions: the n-th repetition of a content has its score divided by 2 to the n, and
/// the n-th near-copy in a partition multiplied by 0.85 to the n. Near-copies have 65 % of their distinct stems in common.
pub(super) fn with_repetitions(mut scored: Vec<Scored<'_>>) -> Vec<Scored<'_>> {
    let content = |(_, doc): &Written| {
        let terms = doc.analysis.terms().iter();
        let stems = terms.flat_map(|term| term.positions.iter().map(move |at| (*at, term.stem.to_owned())));
        (stems.collect::<BTreeSet<_>>(), doc.analysis.is_question())
    };
    let key = |scored: &Scored<'_>| {
        let meta = &scored.written.1.meta;
        (scored.score, meta.created_at, meta.id)
    };
    scored.sort_by(|one, other| key(other).partial_cmp(&key(one)).expect("scores are numbers"));
    let mut counts: HashMap<_, i32> = HashMap::new();
    let mut originals: Vec<(Author, BTreeSet<String>, i32)> = Vec::new();
    for scored in &mut scored {
        let count = counts.entry(content(scored.written)).or_default();
        scored.score *= 0.5f64.powi(*count);
        *count += 1;
        if *count > 1 {
            continue;
        }
        let (partition, doc) = scored.written;
        let stems: BTreeSet<String> = doc.analysis.terms().iter().map(|term| term.stem.to_owned()).collect();
        let near = originals.iter_mut().find(|(of, other, _)| of == partition && similarity(&stems, other) >= 0.65);
        match near {
            Some((.., copies)) => {
                *copies += 1;
                scored.score *= 0.85f64.powi(*copies);
            }
            None => originals.push((*partition, stems, 0)),
        }
    }
    scored
}

fn similarity(one: &BTreeSet<String>, other: &BTreeSet<String>) -> f64 {
    let common = one.intersection(other).count();
    if one.is_empty() && other.is_empty() { 0.0 } else { common as f64 / one.union(other).count() as f64 }
}
