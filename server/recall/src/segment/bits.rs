//! A set of small numbers.

/// Grows by itself; empty costs nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Bits {
    words: Vec<u64>,
}

impl Bits {
    pub(crate) fn contains(&self, number: u32) -> bool {
        self.words.get(number as usize / 64).is_some_and(|word| word >> (number % 64) & 1 == 1)
    }

    /// Whether `number` was not in the set before.
    pub(crate) fn insert(&mut self, number: u32) -> bool {
        let at = number as usize / 64;
        if self.words.len() <= at {
            self.words.resize(at + 1, 0);
        }
        let bit = 1 << (number % 64);
        let is_new = self.words[at] & bit == 0;
        self.words[at] |= bit;
        is_new
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    pub(crate) fn size_bytes(&self) -> usize {
        size_of_val(&*self.words)
    }
}
