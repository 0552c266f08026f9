use super::Analysis;
use super::is_definition;
use super::signs::Fnv;
use crate::tuning::SKETCH_STEMS;

/// A hash of the content of a memory, equal for texts that differ only in case, diacritics, inflection, white space and
/// punctuation without meaning.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct ContentFingerprint(pub(crate) u64);

impl ContentFingerprint {
    pub(crate) fn of(analysis: &Analysis) -> Self {
        let terms = analysis.terms.iter().filter(|term| !is_definition(term.stem));
        let stems = terms.flat_map(|term| term.positions.iter().map(move |&position| (position, term.stem)));
        let mut stems: Vec<(u32, &str)> = stems.collect();
        stems.sort_unstable();
        let mut hash = Fnv::default();
        for (_, stem) in stems {
            hash.write(stem.as_bytes());
            hash.write(&[0]);
        }
        hash.write(&analysis.signs.to_le_bytes());
        ContentFingerprint(hash.0)
    }
}

/// The distinct stems of a content by their hashes, for the similarity of two contents: exact up to [`SKETCH_STEMS`] stems,
/// an estimate for longer texts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ContentSketch {
    /// The smallest hashes, ascending; [`u16::MAX`] where there are fewer.
    hashes: [u16; SKETCH_STEMS],
    len: u32,
    /// A bit for the last digits of each hash.
    marks: u64,
}

impl ContentSketch {
    /// The size of its bytes.
    pub(crate) const BYTES: usize = SKETCH_STEMS * size_of::<u16>();

    fn new(hashes: [u16; SKETCH_STEMS]) -> Self {
        let len = hashes.iter().map(|hash| u32::from(*hash != u16::MAX)).sum();
        let marks = hashes.iter().take(len as usize).fold(0, |marks, hash| marks | 1 << (hash % 64));
        Self { hashes, len, marks }
    }

    pub(crate) fn to_bytes(self) -> [u8; Self::BYTES] {
        let mut bytes = [0; Self::BYTES];
        bytes.as_chunks_mut().0.iter_mut().zip(self.hashes).for_each(|(to, hash)| *to = hash.to_le_bytes());
        bytes
    }

    pub(crate) fn from_bytes(bytes: &[u8; Self::BYTES]) -> Self {
        let mut hashes = [u16::MAX; SKETCH_STEMS];
        hashes.iter_mut().zip(bytes.as_chunks().0).for_each(|(to, hash)| *to = u16::from_le_bytes(*hash));
        Self::new(hashes)
    }

    pub(crate) fn of(analysis: &Analysis) -> Self {
        let hash = |stem: &str| {
            let mut hash = Fnv::default();
            hash.write(stem.as_bytes());
            let hash = hash.0;
            // the end of a list is no hash
            ((hash ^ (hash >> 16) ^ (hash >> 32) ^ (hash >> 48)) as u16).min(u16::MAX - 1)
        };
        let words = analysis.terms.iter().filter(|term| !is_definition(term.stem));
        let mut all: Vec<u16> = words.map(|term| hash(term.stem)).collect();
        all.sort_unstable();
        all.dedup();
        let mut hashes = [u16::MAX; SKETCH_STEMS];
        hashes.iter_mut().zip(all).for_each(|(to, hash)| *to = hash);
        Self::new(hashes)
    }

    /// Whether the [`similarity`](Self::similarity) is at least `min`, which is above 0.
    pub(crate) fn is_similar(&self, other: &Self, min: f64) -> bool {
        self.max_similarity(other) >= min && self.similarity(other) >= min
    }

    /// An upper bound of the similarity, which most contents that have little in common do not reach.
    fn max_similarity(&self, other: &Self) -> f64 {
        // all hashes of the list that ends first count, and those without a mark of the other are not common
        let (first, second) = if self.end() <= other.end() { (self, other) } else { (other, self) };
        let absent = (first.marks & !second.marks).count_ones();
        f64::from(first.len - absent) / f64::from(first.len.max(1))
    }

    /// The share of the stems of either content that both have, from 0 to 1; 0 for contents without stems.
    fn similarity(&self, other: &Self) -> f64 {
        // up to the least end of the two, both lists are complete
        let end = self.end().min(other.end());
        // all pairs are compared: without branches, that is quicker than a search
        let has = |hash: u16| other.hashes.iter().fold(false, |has, known| has | (*known == hash));
        let is_common = |hash: &&u16| **hash <= end && has(**hash);
        let common = self.hashes.iter().filter(is_common).count();
        match self.count_until(end) + other.count_until(end) - common {
            0 => 0.0,
            either => common as f64 / either as f64,
        }
    }

    /// The number of hashes up to `end`.
    fn count_until(&self, end: u16) -> usize {
        self.hashes.iter().map(|hash| u16::from(*hash <= end)).sum::<u16>().into()
    }

    /// The greatest hash up to which the list is complete.
    fn end(&self) -> u16 {
        self.hashes[SKETCH_STEMS - 1].min(u16::MAX - 1)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;
    use crate::analyze;

    #[track_caller]
    fn similarity(one: &str, other: &str) -> f64 {
        let sketch = |text| ContentSketch::of(&analyze(text));
        let (one, other) = (sketch(one), sketch(other));
        assert_eq!(one.similarity(&other), other.similarity(&one));
        one.similarity(&other)
    }

    #[test]
    fn similarity_of_short_texts_is_exact() {
        assert_eq!(similarity("Deploys freeze on Fridays", "deploy freezes on friday"), 1.0);
        assert_eq!(similarity("deploys freeze on fridays, note 1", "deploys freeze on fridays, note 2"), 5.0 / 7.0);
        assert_eq!(similarity("deploys freeze", "the office is closed"), 0.0);
        assert_eq!(similarity("", "!"), 0.0);
    }

    #[test]
    fn similarity_of_long_texts_is_near_to_that_of_their_words() {
        let text = |from: usize, to: usize| (from..to).map(|n| format!("{n}x{n} ")).collect::<String>();
        // 900 of 1,100 words
        assert!((similarity(&text(0, 1_000), &text(100, 1_100)) - 0.82).abs() < 0.25);
        assert_eq!(similarity(&text(0, 1_000), &text(0, 1_000)), 1.0);
        assert!(similarity(&text(0, 1_000), &text(2_000, 3_000)) < 0.2);
    }
    proptest! {
        #[test]
        fn similarity_equals_its_definition_and_is_below_its_bound(
            one in prop::collection::btree_set(0u16..80, 0..24),
            other in prop::collection::btree_set(0u16..80, 0..24),
            step in prop::sample::select(vec![1u16, 7, 800]),
        ) {
            let least = |hashes: &BTreeSet<u16>| -> Vec<u16> {
                hashes.iter().map(|hash| hash * step).take(SKETCH_STEMS).collect()
            };
            let sketch = |hashes: &[u16]| {
                let mut all = [u16::MAX; SKETCH_STEMS];
                all[..hashes.len()].copy_from_slice(hashes);
                ContentSketch::new(all)
            };
            let end = |hashes: &[u16]| hashes.get(SKETCH_STEMS - 1).copied().unwrap_or(u16::MAX);
            let (one, other) = (least(&one), least(&other));
            let end = end(&one).min(end(&other));
            let until = |hashes: &[u16]| hashes.iter().copied().filter(|hash| *hash <= end).collect::<BTreeSet<u16>>();
            let (own, others) = (until(&one), until(&other));
            let either = own.union(&others).count();
            let expected = if either == 0 { 0.0 } else { own.intersection(&others).count() as f64 / either as f64 };
            let (one, other) = (sketch(&one), sketch(&other));
            prop_assert_eq!(one.similarity(&other), expected);
            prop_assert!(one.max_similarity(&other) >= expected);
            prop_assert!(one.is_similar(&other, expected) && !one.is_similar(&other, expected + 1e-9));
        }
    }
}
