//! What was said again is shown once.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::hash::{BuildHasherDefault, Hasher};

use super::cut::Order;
use super::shelves::{Candidate, Shelves};

impl<S: Copy> Shelves<'_, S> {
    /// Of the candidates on one shelf that say the same, the one that comes first.
    pub(super) fn folded(&self, candidates: Vec<Candidate>) -> Vec<Candidate> {
        let mut kept: HashMap<_, usize, BuildHasherDefault<AsItIs>> =
            HashMap::with_hasher(BuildHasherDefault::default());
        let mut folded: Vec<Candidate> = Vec::with_capacity(candidates.len());
        let key = |candidate: &Candidate| Order::Relevance.key(candidate.score, self.row(candidate));
        let alone: Vec<bool> = (0..self.views.len()).map(|view| self.says_all_once(view)).collect();
        for candidate in candidates {
            if alone[candidate.view as usize] {
                folded.push(candidate);
                continue;
            }
            let shelf = self.views[candidate.view as usize].shelf;
            match kept.entry((shelf, self.row(&candidate).gist)) {
                Entry::Vacant(entry) => {
                    entry.insert(folded.len());
                    folded.push(candidate);
                }
                Entry::Occupied(entry) => {
                    let other = &mut folded[*entry.get()];
                    if key(&candidate) > key(other) {
                        *other = candidate;
                    }
                }
            }
        }
        folded
    }

    /// Whether no two docs of a view's shelf can say the same: it is all of its shelf, and no two of its pack do.
    fn says_all_once(&self, view: usize) -> bool {
        let shelf = self.views[view].shelf;
        // the views of a shelf stand together
        let beside = [view.checked_sub(1), Some(view + 1)];
        let has_more =
            beside.into_iter().flatten().any(|other| self.views.get(other).is_some_and(|it| it.shelf == shelf));
        !has_more && !self.views[view].pack.has_repeats()
    }
}

/// For keys that are hashes already, with a small number.
#[derive(Default)]
struct AsItIs(u64);

impl Hasher for AsItIs {
    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.write_u64(byte.into()));
    }

    fn write_u32(&mut self, number: u32) {
        self.write_u64(number.into());
    }

    fn write_u64(&mut self, number: u64) {
        self.0 = self.0.rotate_left(32) ^ number;
    }

    fn finish(&self) -> u64 {
        self.0
    }
}
