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
}

impl ContentSketch {
    /// The size of its bytes.
    pub(crate) const BYTES: usize = SKETCH_STEMS * size_of::<u16>();

    pub(crate) fn to_bytes(self) -> [u8; Self::BYTES] {
        let mut bytes = [0; Self::BYTES];
        bytes.as_chunks_mut().0.iter_mut().zip(self.hashes).for_each(|(to, hash)| *to = hash.to_le_bytes());
        bytes
    }

    pub(crate) fn from_bytes(bytes: &[u8; Self::BYTES]) -> Self {
        let mut hashes = [u16::MAX; SKETCH_STEMS];
        hashes.iter_mut().zip(bytes.as_chunks().0).for_each(|(to, hash)| *to = u16::from_le_bytes(*hash));
        Self { hashes }
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
        Self { hashes }
    }

    /// The share of the stems of either content that both have, from 0 to 1; 0 for contents without stems.
    pub(crate) fn similarity(&self, other: &Self) -> f64 {
        // up to the least end of the two, both lists are complete
        let end = self.end().min(other.end());
        let own = self.hashes.iter().take_while(|hash| **hash <= end);
        let others = other.hashes.partition_point(|hash| *hash <= end);
        let (own, common) = own.fold((0, 0), |(own, common), hash| {
            (own + 1, common + usize::from(other.hashes[..others].binary_search(hash).is_ok()))
        });
        match own + others - common {
            0 => 0.0,
            either => common as f64 / either as f64,
        }
    }

    /// The greatest hash up to which the list is complete.
    fn end(&self) -> u16 {
        self.hashes[SKETCH_STEMS - 1].min(u16::MAX - 1)
    }
}

#[cfg(test)]
mod tests {
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
}
