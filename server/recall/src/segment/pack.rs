//! An inverted index that never changes.

use std::ops::Range;

use uuid::Uuid;

use super::dictionary::Dictionary;
use super::gist::Gist;
use super::passages::Passages;
use super::postings::Record;
use super::sittings::Sittings;
use super::vectors::Vectors;
use super::voices::Voice;
use crate::text::Language;

/// Some memories by what they can be found, filtered and sorted by.
#[derive(Debug, Default)]
pub(crate) struct Pack {
    /// Sorted by id. A doc's number is its place here.
    pub(super) rows: Box<[Row]>,
    pub(crate) passages: Passages,
    pub(crate) sittings: Sittings,
    /// The tags of all docs, one doc after the other.
    pub(super) tags: Box<[Symbol]>,
    /// The strings that symbols stand for, sorted.
    pub(super) symbols: Dictionary,
    /// Which of the stems belong to docs of which language.
    pub(super) languages: Box<[(Language, Range<u32>)]>,
    /// Sorted within each language.
    pub(super) stems: Dictionary,
    /// The stems, sorted, that have a form which begins with another byte.
    pub(super) strays: Box<[u32]>,
    /// The record of each stem, one after the other, and where each ends.
    pub(super) records: Box<[u8]>,
    pub(super) record_ends: Box<[u32]>,
    /// How its docs speak, by source.
    pub(super) voices: Box<[(Symbol, Voice)]>,
    /// What its docs mean, of those that are embedded.
    pub(crate) vectors: Box<[Vectors]>,
    pub(super) occurrences: usize,
    /// Whether two of its docs say the same.
    pub(super) has_repeats: bool,
    pub(super) earliest_expiry: i64,
    pub(super) latest_seq: i64,
}

/// A string of a pack, by number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Symbol(pub(super) u32);

impl Symbol {
    /// Stands for no string.
    pub(crate) const NONE: Symbol = Symbol(u32::MAX);
}

/// What a memory is filtered and sorted by, with symbols for strings.
#[derive(Clone, Debug)]
pub(crate) struct Row {
    pub(crate) id: Uuid,
    pub(crate) seq: i64,
    pub(crate) number: i64,
    pub(crate) created_at: i64,
    /// `i64::MAX` when never.
    pub(crate) expires_at: i64,
    pub(crate) confidence: f64,
    pub(crate) namespace: Symbol,
    pub(crate) kind: Symbol,
    pub(crate) source: Symbol,
    pub(crate) subject: Symbol,
    pub(crate) session_id: Symbol,
    pub(crate) run_id: Symbol,
    /// Where its tags end.
    pub(super) tags_end: u32,
    pub(crate) pinned: bool,
    pub(crate) language: Language,
    /// Whether it ends in a question.
    pub(crate) asks: bool,
    pub(crate) voice: Voice,
    pub(crate) gist: Gist,
}

impl Row {
    pub(crate) fn is_expired(&self, now: i64) -> bool {
        self.expires_at <= now && self.expires_at != i64::MAX
    }
}

impl Pack {
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
        let start = doc.checked_sub(1).map_or(0, |before| self.row(before).tags_end);
        &self.tags[start as usize..self.row(doc).tags_end as usize]
    }

    /// When the first of its docs expires; `i64::MAX` when none ever does.
    pub(crate) fn earliest_expiry(&self) -> i64 {
        self.earliest_expiry
    }

    pub(crate) fn latest_seq(&self) -> i64 {
        self.latest_seq
    }

    pub(crate) fn has_repeats(&self) -> bool {
        self.has_repeats
    }

    pub(crate) fn find(&self, id: Uuid) -> Option<u32> {
        self.rows.binary_search_by_key(&id, |row| row.id).ok().map(|doc| doc as u32)
    }

    /// The symbol for `string`, when any doc has it.
    pub(crate) fn symbol(&self, string: &str) -> Option<Symbol> {
        self.symbols.find(0..self.symbols.len(), string).map(Symbol)
    }

    /// How its docs speak, by source, those included that are gone since.
    pub(crate) fn voices(&self) -> &[(Symbol, Voice)] {
        &self.voices
    }

    /// The string that `symbol`, one of this pack's, stands for; empty for none.
    pub(crate) fn string(&self, symbol: Symbol) -> &str {
        if symbol == Symbol::NONE { "" } else { self.symbols.get(symbol.0) }
    }

    /// The languages of its docs, each with its stems.
    pub(crate) fn languages(&self) -> impl Iterator<Item = (Language, Range<u32>)> {
        self.languages.iter().cloned()
    }

    /// The record of `stem` among `stems`.
    pub(crate) fn find_stem(&self, stems: Range<u32>, stem: &str) -> Option<Record<'_>> {
        self.stems.find(stems, stem).map(|number| self.record(number))
    }

    /// Those of `stems` that may have a form which begins with `prefix`.
    pub(crate) fn stems_of_prefix(&self, stems: Range<u32>, prefix: &str) -> impl Iterator<Item = u32> {
        let alike = self.stems.of_first_byte(stems.clone(), prefix);
        let others = alike.clone();
        let strays = self.strays.iter().copied();
        alike.chain(strays.filter(move |stem| stems.contains(stem) && !others.contains(stem)))
    }

    pub(crate) fn record(&self, stem: u32) -> Record<'_> {
        let start = stem.checked_sub(1).map_or(0, |before| self.record_ends[before as usize]);
        let end = self.record_ends[stem as usize];
        Record::new(self.stems.get(stem), &self.records[start as usize..end as usize])
    }

    /// Number of places of terms.
    pub(super) fn occurrences(&self) -> usize {
        self.occurrences
    }

    pub(super) fn size_bytes(&self) -> usize {
        size_of::<Pack>()
            + size_of_val(&*self.rows)
            + self.passages.size_bytes()
            + self.sittings.size_bytes()
            + size_of_val(&*self.voices)
            + size_of_val(&*self.tags)
            + self.symbols.size_bytes()
            + size_of_val(&*self.languages)
            + self.stems.size_bytes()
            + size_of_val(&*self.strays)
            + self.records.len()
            + size_of_val(&*self.record_ends)
            + self.vectors.iter().map(Vectors::size_bytes).sum::<usize>()
    }
}
