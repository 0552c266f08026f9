//! What was taken out of the database, kept in memory until its files hold no copy of it.

use std::collections::{BTreeSet, HashSet};

/// Bytes that are looked for at once. A copy that is partly overwritten is found by any of its blocks that is whole.
const BLOCK: usize = 16;

/// Shorter texts say too little to be looked for.
const SHORTEST: usize = 6;

/// More than this is not looked for piece by piece.
const MOST: usize = 4 << 20;

/// What was taken out.
#[derive(Debug, Default)]
pub(crate) struct ResidueSet {
    blocks: HashSet<[u8; BLOCK]>,
    short: HashSet<Vec<u8>>,
    bytes: usize,
    /// Whether it is too much to be looked for: then it is taken for granted that something is left.
    pub(crate) is_much: bool,
    /// The tables that it was taken out of.
    tables: BTreeSet<&'static str>,
}

impl ResidueSet {
    /// More of a table than can be looked for.
    pub(crate) fn add_much(&mut self, table: &'static str) {
        self.tables.insert(table);
        self.is_much = true;
        self.forget();
    }

    /// Adds one value, as a column of the table had it.
    pub(crate) fn add(&mut self, table: &'static str, value: &[u8]) {
        self.tables.insert(table);
        self.bytes += value.len();
        self.is_much |= self.bytes > MOST;
        if self.is_much {
            return self.forget();
        }
        if value.len() < BLOCK {
            if value.len() >= SHORTEST {
                self.short.insert(value.to_vec());
            }
            return;
        }
        // the last block may overlap the one before
        let last = value.len() - BLOCK;
        for start in (0..last).step_by(BLOCK).chain([last]) {
            if let Ok(block) = <[u8; BLOCK]>::try_from(&value[start..start + BLOCK])
                && block.iter().any(|byte| *byte != block[0])
            {
                self.blocks.insert(block);
            }
        }
    }

    /// Adds those of another.
    pub(crate) fn merge(&mut self, other: Self) {
        self.tables.extend(other.tables);
        self.bytes += other.bytes;
        self.is_much |= other.is_much || self.bytes > MOST;
        if self.is_much {
            return self.forget();
        }
        self.blocks.extend(other.blocks);
        self.short.extend(other.short);
    }

    fn forget(&mut self) {
        self.blocks = HashSet::new();
        self.short = HashSet::new();
    }

    /// Whether anything was taken out at all.
    pub(crate) fn is_any(&self) -> bool {
        !self.tables.is_empty()
    }

    /// The tables that it was taken out of.
    pub(crate) fn tables(&self) -> impl Iterator<Item = &'static str> {
        self.tables.iter().copied()
    }

    /// Whether some of it stands in these bytes.
    pub(crate) fn stand_in(&self, bytes: &[u8]) -> bool {
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
    fn a_part_of_what_was_taken_is_found_anywhere() {
        let traces = of(&["the password of the vault is under the third flowerpot", "tulips"]);
        for text in ["xx of the vault is under the thirdxx", "yyunder the third flowerpot", "a tulips b"] {
            assert!(traces.stand_in(text.as_bytes()), "{text}");
        }
        for text in ["", "the vault", "flowerpots", "a tulip b", &"\0".repeat(100)] {
            assert!(!traces.stand_in(text.as_bytes()), "{text}");
        }
    }

    #[test]
    fn what_is_too_much_is_not_kept() {
        let mut traces = of(&["something"]);
        let long: Vec<u8> = (0..5u32 << 20).map(|n| (n.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
        traces.add("entries", &long);
        assert!(traces.is_any() && traces.is_much && !traces.stand_in(b"something"));
        assert_eq!(traces.tables().collect::<Vec<_>>(), ["entries", "memories"]);
    }
}
