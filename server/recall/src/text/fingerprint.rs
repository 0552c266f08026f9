use super::Analysis;
use super::signs::Fnv;

/// A hash of the content of a memory, equal for texts that differ only in case, diacritics, inflection, white space and
/// punctuation without meaning.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct ContentFingerprint(pub(crate) u64);

impl ContentFingerprint {
    pub(crate) fn of(analysis: &Analysis) -> Self {
        let terms = analysis.terms.iter();
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
