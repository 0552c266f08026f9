//! An immutable inverted index.

use std::hash::BuildHasher;
use std::ops::Range;
use std::sync::LazyLock;

use foldhash::fast::RandomState;
use hashbrown::HashTable;
use uuid::Uuid;

use super::passages::Passages;
use super::postings::TermRecord;
use super::row::{PronounTotals, Row, Symbol};
use super::timeline::{Newest, SessionColumn};
use super::vectors::VectorColumn;
use crate::text::{Language, StringPool};

/// Some memories, by the terms and properties that searches use. A document is identified by its number in `rows`.
#[derive(Debug, Default)]
pub(crate) struct Segment {
    /// Sorted by id.
    pub(super) rows: Box<[Row]>,
    pub(crate) passages: Passages,
    pub(crate) sessions: SessionColumn,
    pub(crate) newest: Newest,
    /// The tags of all documents, in order.
    pub(super) tags: Box<[Symbol]>,
    pub(super) symbols: Dictionary,
    pub(crate) languages: Box<[LanguageStems]>,
    /// Sorted within each language.
    pub(super) stems: Dictionary,
    /// The stems, sorted, with a form that begins with another byte than the stem.
    pub(super) irregular_stems: Box<[u32]>,
    /// The records of all stems, and the end of each.
    pub(super) records: Box<[u8]>,
    pub(super) record_ends: Box<[u32]>,
    /// Statistics by source, of deleted documents too.
    pub(crate) pronouns: Box<[(Symbol, PronounTotals)]>,
    pub(crate) vectors: Box<[VectorColumn]>,
    /// Number of term occurrences.
    pub(super) occurrences: usize,
    /// `i64::MAX` if no document expires.
    pub(crate) earliest_expiry: i64,
    pub(crate) latest_seq: i64,
}

/// The stems of one language.
#[derive(Debug)]
pub(crate) struct LanguageStems {
    pub(crate) language: Language,
    pub(crate) stems: Range<u32>,
}

/// A string to look up, with its hash.
#[derive(Clone, Copy, Debug)]
pub(crate) struct HashedStr<'s> {
    pub(crate) string: &'s str,
    pub(crate) hash: u64,
}

impl<'s> From<&'s str> for HashedStr<'s> {
    fn from(string: &'s str) -> Self {
        HashedStr { string, hash: HASHER.hash_one(string) }
    }
}

impl Segment {
    pub(crate) fn len(&self) -> u32 {
        self.rows.len() as u32
    }

    pub(crate) fn row(&self, doc: u32) -> &Row {
        &self.rows[doc as usize]
    }

    pub(crate) fn rows(&self) -> impl Iterator<Item = (u32, &Row)> {
        (0..).zip(&self.rows)
    }

    pub(crate) fn tags(&self, doc: u32) -> &[Symbol] {
        let start = doc.checked_sub(1).map_or(0, |previous| self.row(previous).tags_end);
        &self.tags[start as usize..self.row(doc).tags_end as usize]
    }

    pub(crate) fn find(&self, id: Uuid) -> Option<u32> {
        self.rows.binary_search_by_key(&id, |row| row.id).ok().map(|doc| doc as u32)
    }

    /// The symbol for `string`, if a document has it.
    pub(crate) fn symbol<'s>(&self, string: impl Into<HashedStr<'s>>) -> Option<Symbol> {
        self.symbols.find(0..self.symbols.strings.len(), string.into()).map(Symbol)
    }

    /// The number of the session with this name.
    pub(crate) fn find_session(&self, name: HashedStr<'_>) -> Option<u32> {
        if self.sessions.len() == 0 {
            return None;
        }
        self.sessions.find(self.symbol(name)?)
    }

    /// The name of a session.
    pub(crate) fn session_name(&self, number: u32) -> &str {
        self.string(self.sessions.names()[number as usize])
    }

    /// The string of a symbol; empty for [`Symbol::NONE`].
    pub(crate) fn string(&self, symbol: Symbol) -> &str {
        if symbol == Symbol::NONE { "" } else { self.symbols.strings.get(symbol.0) }
    }

    /// The record of `stem`, if it is among `stems`.
    pub(crate) fn find_stem(&self, stems: Range<u32>, stem: HashedStr<'_>) -> Option<TermRecord<'_>> {
        self.stems.find(stems, stem).map(|number| self.record(number))
    }

    /// Those of `stems` that may have a form with this prefix.
    pub(crate) fn stems_of_prefix(&self, stems: Range<u32>, prefix: &str) -> impl Iterator<Item = u32> {
        let regular = self.stems.range_of_first_byte(stems.clone(), prefix);
        let others = regular.clone();
        let irregular = self.irregular_stems.iter().copied();
        regular.chain(irregular.filter(move |stem| stems.contains(stem) && !others.contains(stem)))
    }

    pub(crate) fn record(&self, stem: u32) -> TermRecord<'_> {
        let start = stem.checked_sub(1).map_or(0, |previous| self.record_ends[previous as usize]);
        let end = self.record_ends[stem as usize];
        TermRecord::new(self.stems.strings.get(stem), &self.records[start as usize..end as usize])
    }

    pub(super) fn size_bytes(&self) -> usize {
        size_of::<Segment>()
            + size_of_val(&*self.rows)
            + self.passages.size_bytes()
            + self.sessions.size_bytes()
            + self.newest.size_bytes()
            + size_of_val(&*self.pronouns)
            + size_of_val(&*self.tags)
            + self.symbols.size_bytes()
            + size_of_val(&*self.languages)
            + self.stems.size_bytes()
            + size_of_val(&*self.irregular_stems)
            + self.records.len()
            + size_of_val(&*self.record_ends)
            + self.vectors.iter().map(VectorColumn::size_bytes).sum::<usize>()
    }
}

/// One hasher for all segments. Its seed differs between processes, but no result depends on it.
static HASHER: LazyLock<RandomState> = LazyLock::new(RandomState::default);

/// Strings by number, and their numbers.
#[derive(Debug, Default)]
pub(super) struct Dictionary {
    pub(super) strings: StringPool,
    numbers: HashTable<u32>,
}

impl Dictionary {
    /// The number of `string` within `range`, which has no duplicates.
    fn find(&self, range: Range<u32>, HashedStr { string, hash }: HashedStr<'_>) -> Option<u32> {
        let is_it = |number: &u32| range.contains(number) && self.strings.get(*number) == string;
        self.numbers.find(hash, is_it).copied()
    }

    /// The part of `range`, which is sorted, with the same first byte as `prefix`; all of it for an empty prefix.
    fn range_of_first_byte(&self, range: Range<u32>, prefix: &str) -> Range<u32> {
        let Some(first) = prefix.as_bytes().first() else { return range };
        let byte = |number| self.strings.get(number).as_bytes().first();
        let start = partition_point(range.clone(), |number| byte(number) < Some(first));
        start..partition_point(start..range.end, |number| byte(number) == Some(first))
    }

    fn size_bytes(&self) -> usize {
        self.strings.size_bytes() + self.numbers.allocation_size()
    }
}

impl<'s> FromIterator<&'s str> for Dictionary {
    fn from_iter<I: IntoIterator<Item = &'s str>>(strings: I) -> Self {
        let strings: StringPool = strings.into_iter().collect();
        let hash = |number: &u32| HASHER.hash_one(strings.get(*number));
        let mut numbers = HashTable::with_capacity(strings.len() as usize);
        (0..strings.len()).for_each(|number| {
            numbers.insert_unique(hash(&number), number, hash);
        });
        Dictionary { strings, numbers }
    }
}

/// The first of `numbers` for which `is_before` is false; it is true for all smaller ones.
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
