//! Residue: deleted values, held in memory until the database files have no copy of them.

use std::collections::{BTreeSet, HashSet};

/// Bytes of a search block. A partly overwritten copy is found by any of its intact blocks.
const BLOCK: usize = 16;

/// Minimum length of a searched value, in bytes: matches of shorter values prove nothing.
const MIN_BYTES: usize = 6;

/// Maximum total size of the searched values, in bytes.
const MAX_BYTES: usize = 4 << 20;

/// The deleted values that the database files may still contain.
#[derive(Debug, Default)]
pub(crate) struct ResidueSet {
    blocks: HashSet<[u8; BLOCK]>,
    short: HashSet<Vec<u8>>,
    bytes: usize,
    /// Whether the values exceed the maximum. The files then count as having residue, without a search.
    pub(crate) is_overflown: bool,
    tables: BTreeSet<&'static str>,
}

impl ResidueSet {
    /// Records that more was deleted from a table than can be searched.
    pub(crate) fn overflow(&mut self, table: &'static str) {
        self.tables.insert(table);
        self.is_overflown = true;
        self.clear_values();
    }

    /// Adds a deleted value, as the column of the table stored it.
    pub(crate) fn add(&mut self, table: &'static str, value: &[u8]) {
        self.tables.insert(table);
        self.bytes += value.len();
        self.is_overflown |= self.bytes > MAX_BYTES;
        if self.is_overflown {
            return self.clear_values();
        }
        if value.len() < BLOCK {
            if value.len() >= MIN_BYTES {
                self.short.insert(value.to_vec());
            }
            return;
        }
        // the last block may overlap the previous one
        let last = value.len() - BLOCK;
        for start in (0..last).step_by(BLOCK).chain([last]) {
            if let Ok(block) = <[u8; BLOCK]>::try_from(&value[start..start + BLOCK])
                && block.iter().any(|byte| *byte != block[0])
            {
                self.blocks.insert(block);
            }
        }
    }

    pub(crate) fn merge(&mut self, other: Self) {
        self.tables.extend(other.tables);
        self.bytes += other.bytes;
        self.is_overflown |= other.is_overflown || self.bytes > MAX_BYTES;
        if self.is_overflown {
            return self.clear_values();
        }
        self.blocks.extend(other.blocks);
        self.short.extend(other.short);
    }

    fn clear_values(&mut self) {
        self.blocks = HashSet::new();
        self.short = HashSet::new();
    }

    /// Whether anything was deleted, searchable or not.
    pub(crate) fn is_any(&self) -> bool {
        !self.tables.is_empty()
    }

    /// The tables with deletions.
    pub(crate) fn tables(&self) -> impl Iterator<Item = &'static str> {
        self.tables.iter().copied()
    }

    /// Whether these bytes contain residue.
    pub(crate) fn occurs_in(&self, bytes: &[u8]) -> bool {
        let is_block = |window: &[u8]| <[u8; BLOCK]>::try_from(window).is_ok_and(|block| self.blocks.contains(&block));
        let holds = |text: &Vec<u8>| bytes.windows(text.len()).any(|window| window == text.as_slice());
        (!self.blocks.is_empty() && bytes.windows(BLOCK).any(is_block)) || self.short.iter().any(holds)
    }
}

#[cfg(test)]
mod tests {
    use super::ResidueSet;

    fn of(values: &[&str]) -> ResidueSet {
        let mut traces = ResidueSet::default();
        values.iter().for_each(|value| traces.add("memories", value.as_bytes()));
        traces
    }

    #[test]
    fn parts_of_deleted_values_are_found_at_any_offset() {
        let traces = of(&["the password of the vault is under the third flowerpot", "tulips"]);
        for text in ["xx of the vault is under the thirdxx", "yyunder the third flowerpot", "a tulips b"] {
            assert!(traces.occurs_in(text.as_bytes()), "{text}");
        }
        for text in ["", "the vault", "flowerpots", "a tulip b", &"\0".repeat(100)] {
            assert!(!traces.occurs_in(text.as_bytes()), "{text}");
        }
    }

    #[test]
    fn values_beyond_the_maximum_are_dropped() {
        let mut traces = of(&["something"]);
        let long: Vec<u8> = (0..5u32 << 20).map(|n| (n.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
        traces.add("entries", &long);
        assert!(traces.is_any() && traces.is_overflown && !traces.occurs_in(b"something"));
        assert_eq!(traces.tables().collect::<Vec<_>>(), ["entries", "memories"]);
    }
}
