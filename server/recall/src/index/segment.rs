//! An immutable inverted index.

use std::fmt;
use std::hash::BuildHasher;
use std::ops::Range;
use std::sync::{Arc, LazyLock};

use foldhash::fast::RandomState;
use hashbrown::HashTable;
use uuid::Uuid;

use super::column::{Column, Slice, Strings, partition_point};
use super::passages::Passages;
use super::postings::TermRecord;
use super::row::{PronounTotals, Row, RowColumns, Symbol};
use super::timeline::{Newest, SessionColumn};
use super::vectors::VectorColumn;
use crate::text::Language;

/// Some memories, by the terms and properties that searches use. A document is identified by its number, in the order of
/// ids.
///
/// It is its bytes, in which the columns are ranges; [`Segment::read`] checks them.
pub(crate) struct Segment {
    pub(super) bytes: Arc<[u8]>,
    pub(super) rows: RowColumns,
    pub(crate) passages: Passages,
    pub(crate) sessions: SessionColumn,
    pub(crate) newest: Newest,
    /// The strings of the properties of all documents, sorted.
    pub(super) symbols: Strings,
    pub(crate) languages: Box<[LanguageStems]>,
    /// Sorted within each language.
    pub(super) stems: Strings,
    /// The stems, sorted, with a form that begins with another byte than the stem.
    pub(super) irregular_stems: Column,
    /// The records of all stems, and the end of each.
    pub(super) records: Slice,
    pub(super) record_ends: Column,
    pub(crate) vectors: Box<[VectorColumn]>,
    /// Statistics by source, of deleted documents too.
    pub(crate) pronouns: Box<[(Symbol, PronounTotals)]>,
    /// `i64::MAX` if no document expires.
    pub(crate) earliest_expiry: i64,
    pub(crate) latest_seq: i64,
    pub(super) session_hashes: SessionHashes,
}

/// The names of sessions by hash: a search looks up the sessions of its matches in every segment.
#[derive(Default)]
pub(super) struct SessionHashes {
    /// The hash of the name of each session.
    hashes: Box<[u64]>,
    by_hash: HashTable<u32>,
}

/// The stems of one language.
#[derive(Debug)]
pub(crate) struct LanguageStems {
    pub(crate) language: Language,
    pub(crate) stems: Range<u32>,
}

/// The bytes of a string to look up, with its hash.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct HashedStr<'s> {
    pub(crate) hash: u64,
    bytes: &'s [u8],
}

impl<'s> From<&'s str> for HashedStr<'s> {
    fn from(string: &'s str) -> Self {
        HashedStr { hash: HASHER.hash_one(string), bytes: string.as_bytes() }
    }
}

/// One hasher for all segments. Its seed differs between processes, but no result depends on it.
static HASHER: LazyLock<RandomState> = LazyLock::new(RandomState::default);

impl Segment {
    pub(crate) fn len(&self) -> u32 {
        self.rows.len()
    }

    #[inline]
    pub(crate) fn row(&self, doc: u32) -> Row<'_> {
        Row::new(&self.rows, doc)
    }

    pub(crate) fn rows(&self) -> impl Iterator<Item = (u32, Row<'_>)> {
        (0..self.len()).map(|doc| (doc, self.row(doc)))
    }

    pub(crate) fn find(&self, id: Uuid) -> Option<u32> {
        self.rows.find(id)
    }

    /// The symbol for `string`, if a document has it.
    pub(crate) fn symbol(&self, string: &str) -> Option<Symbol> {
        self.symbols.find(0..self.symbols.len(), string).map(Symbol)
    }

    /// The number of the session with this name.
    pub(crate) fn find_session(&self, name: HashedStr<'_>) -> Option<u32> {
        self.session_hashes.by_hash.find(name.hash, |number| self.hashed_session_name(*number) == name).copied()
    }

    /// The name of a session.
    pub(crate) fn session_name(&self, number: u32) -> &str {
        self.string(self.sessions.name(number))
    }

    /// The name of a session, with its hash.
    pub(crate) fn hashed_session_name(&self, number: u32) -> HashedStr<'_> {
        // only the bytes, as a check of their encoding would cost more than a comparison
        HashedStr { hash: self.session_hash(number), bytes: self.symbols.bytes(self.sessions.name(number).0) }
    }

    /// The hash of the name of a session.
    pub(crate) fn session_hash(&self, number: u32) -> u64 {
        self.session_hashes.hashes[number as usize]
    }

    /// The string of a symbol; empty for [`Symbol::NONE`].
    pub(crate) fn string(&self, symbol: Symbol) -> &str {
        if symbol == Symbol::NONE { "" } else { self.symbols.get(symbol.0) }
    }

    /// The record of `stem`, if it is among `stems`.
    pub(crate) fn find_stem(&self, stems: Range<u32>, stem: &str) -> Option<TermRecord<'_>> {
        self.stems.find(stems, stem).map(|number| self.record(number))
    }

    /// Those of `stems` that may have a form with this prefix.
    pub(crate) fn stems_of_prefix(&self, stems: Range<u32>, prefix: &str) -> impl Iterator<Item = u32> {
        let regular = self.stems_of_first_byte(stems.clone(), prefix);
        let others = regular.clone();
        let irregular = self.irregular_stems.iter().map(|stem| stem as u32);
        regular.chain(irregular.filter(move |stem| stems.contains(stem) && !others.contains(stem)))
    }

    /// Those of `stems` that begin with `prefix`.
    pub(crate) fn stems_beginning_with(&self, stems: Range<u32>, prefix: &str) -> impl Iterator<Item = u32> {
        let start = partition_point(stems.clone(), |number| self.stems.bytes(number) < prefix.as_bytes());
        (start..stems.end).take_while(move |number| self.stems.bytes(*number).starts_with(prefix.as_bytes()))
    }

    /// The part of `stems`, which are sorted, with the same first byte as `prefix`; all of them for an empty prefix.
    fn stems_of_first_byte(&self, stems: Range<u32>, prefix: &str) -> Range<u32> {
        let Some(first) = prefix.as_bytes().first() else { return stems };
        let byte = |number| self.stems.bytes(number).first();
        let start = partition_point(stems.clone(), |number| byte(number) < Some(first));
        start..partition_point(start..stems.end, |number| byte(number) == Some(first))
    }

    pub(crate) fn stem(&self, number: u32) -> &str {
        self.stems.get(number)
    }

    /// The bytes of a stem, without a check of their encoding.
    pub(crate) fn stem_bytes(&self, number: u32) -> &[u8] {
        self.stems.bytes(number)
    }

    /// The stems of `range` that contain `part`, ascending, with the offset of its first occurrence.
    pub(crate) fn stems_with(&self, range: Range<u32>, part: &str) -> impl Iterator<Item = (u32, u32)> {
        self.stems.containing(range, part)
    }

    pub(crate) fn record(&self, stem: u32) -> TermRecord<'_> {
        let (start, end) = (self.record_ends.start_of(stem), self.record_ends.narrow(stem));
        let bytes = self.records.get().get(start as usize..end as usize).unwrap_or_default();
        TermRecord::new(self.stems.bytes(stem), bytes)
    }

    pub(super) fn size_bytes(&self) -> usize {
        let parsed = size_of_val(&*self.languages) + size_of_val(&*self.vectors) + size_of_val(&*self.pronouns);
        let SessionHashes { hashes, by_hash } = &self.session_hashes;
        size_of::<Segment>() + self.bytes.len() + parsed + size_of_val(&**hashes) + by_hash.allocation_size()
    }

    /// Computes what follows from the rows and the sessions.
    pub(super) fn with_statistics(mut self) -> Self {
        self.pronouns = self.rows.pronouns();
        (self.earliest_expiry, self.latest_seq) = (self.rows.earliest_expiry(), self.rows.latest_seq());
        let numbers = 0..self.sessions.len() as u32;
        let hashes: Box<[u64]> = numbers.clone().map(|number| HASHER.hash_one(self.session_name(number))).collect();
        let mut by_hash = HashTable::with_capacity(hashes.len());
        for number in numbers {
            by_hash.insert_unique(hashes[number as usize], number, |other| hashes[*other as usize]);
        }
        self.session_hashes = SessionHashes { hashes, by_hash };
        self
    }
}

/// All strings of the segment.
impl fmt::Debug for Segment {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let strings = |strings: &Strings| (0..strings.len()).map(|number| strings.get(number).to_owned()).collect();
        let (symbols, stems): (Vec<String>, Vec<String>) = (strings(&self.symbols), strings(&self.stems));
        out.debug_struct("Segment").field("len", &self.len()).field("symbols", &symbols).field("stems", &stems).finish()
    }
}
