//! The strings of a pack, each with its number.

use std::hash::BuildHasher;
use std::ops::Range;
use std::sync::LazyLock;

use foldhash::fast::RandomState;
use hashbrown::HashTable;

use crate::strings::Strings;

/// One for all packs: where a string stands in a table differs from run to run, and nothing depends on it.
static HASHER: LazyLock<RandomState> = LazyLock::new(RandomState::default);

/// Strings by number, and their numbers.
#[derive(Debug, Default)]
pub(crate) struct Dictionary {
    strings: Strings,
    numbers: HashTable<u32>,
}

impl Dictionary {
    pub(crate) fn get(&self, number: u32) -> &str {
        self.strings.get(number)
    }

    /// The number of `string` among those of `range`, no two of which are equal.
    pub(crate) fn find(&self, range: Range<u32>, string: &str) -> Option<u32> {
        let is_it = |number: &u32| range.contains(number) && self.get(*number) == string;
        self.numbers.find(HASHER.hash_one(string), is_it).copied()
    }

    /// Those of `range`, which are sorted, that begin with the same byte as `prefix`; all of them when that is empty.
    pub(crate) fn of_first_byte(&self, range: Range<u32>, prefix: &str) -> Range<u32> {
        let Some(first) = prefix.as_bytes().first() else { return range };
        let byte = |number| self.get(number).as_bytes().first();
        let start = partition_point(range.clone(), |number| byte(number) < Some(first));
        start..partition_point(start..range.end, |number| byte(number) == Some(first))
    }

    pub(crate) fn len(&self) -> u32 {
        self.strings.len()
    }

    pub(crate) fn size_bytes(&self) -> usize {
        self.strings.size_bytes() + self.numbers.allocation_size()
    }
}

impl<'s> FromIterator<&'s str> for Dictionary {
    fn from_iter<I: IntoIterator<Item = &'s str>>(strings: I) -> Self {
        let strings: Strings = strings.into_iter().collect();
        let hash = |number: &u32| HASHER.hash_one(strings.get(*number));
        let mut numbers = HashTable::with_capacity(strings.len() as usize);
        (0..strings.len()).for_each(|number| {
            numbers.insert_unique(hash(&number), number, hash);
        });
        Dictionary { strings, numbers }
    }
}

/// The first of `numbers` for which `is_before` does not hold; it holds for all before that one.
fn partition_point(mut numbers: Range<u32>, is_before: impl Fn(u32) -> bool) -> u32 {
    while !numbers.is_empty() {
        let middle = numbers.start + (numbers.end - numbers.start) / 2;
        match is_before(middle) {
            true => numbers.start = middle + 1,
            false => numbers.end = middle,
        }
    }
    numbers.start
}
