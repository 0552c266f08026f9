//! What a memory says, in a number: the same for texts that differ in case, marks and inflection alone.

use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher, Hash, Hasher};

use crate::doc::Doc;

/// The gist of a memory; compared within one process alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Gist(u64);

impl Gist {
    pub(super) fn of(doc: &Doc) -> Self {
        let terms = doc.terms().iter();
        let said = terms.flat_map(|term| term.positions.iter().map(move |&position| (position, term.stem)));
        let mut said: Vec<(u32, &str)> = said.collect();
        said.sort_unstable();
        let mut hasher = BuildHasherDefault::<DefaultHasher>::default().build_hasher();
        said.iter().for_each(|(_, stem)| stem.hash(&mut hasher));
        Gist(hasher.finish())
    }
}
