//! The properties of the documents of a segment.

use std::collections::BTreeMap;

use uuid::Uuid;

use super::column::{Column, ColumnReader, Slice, check, signed, unsigned};
use super::timeline::day;
use super::{Doc, SegmentError};
use crate::bytes::ByteWriter;
use crate::text::{ContentFingerprint, ContentSketch, Language, Person};

pub(crate) const MICROSECONDS_PER_DAY: i64 = 86_400_000_000;

/// A string of a segment, by number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Symbol(pub(super) u32);

impl Symbol {
    /// The absent string.
    pub(crate) const NONE: Symbol = Symbol(u32::MAX);
}

/// The string properties of a memory.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Field {
    Namespace,
    Kind,
    Source,
    Subject,
    Session,
    Run,
}

impl Field {
    const ALL: [Field; FIELDS] =
        [Field::Namespace, Field::Kind, Field::Source, Field::Subject, Field::Session, Field::Run];
}

/// The properties of a memory that is added to a segment.
#[derive(Clone, Debug)]
pub(super) struct NewRow {
    pub(super) id: Uuid,
    pub(super) seq: i64,
    pub(super) number: i64,
    pub(super) created_at: i64,
    /// `i64::MAX` for never.
    pub(super) expires_at: i64,
    pub(super) confidence: f64,
    /// By [`Field`].
    pub(super) fields: [Symbol; FIELDS],
    pub(super) tags: Vec<Symbol>,
    pub(super) pinned: bool,
    pub(super) session_only: bool,
    pub(super) language: Language,
    pub(super) is_question: bool,
    pub(super) pronouns: PronounStats,
    pub(super) fingerprint: ContentFingerprint,
    pub(super) sketch: ContentSketch,
    /// Number of words.
    pub(super) words: u32,
}

const FIELDS: usize = 6;

impl NewRow {
    pub(super) fn field(&self, field: Field) -> Symbol {
        self.fields[field as usize]
    }

    /// The same with other symbols.
    pub(super) fn with_symbols(self, mut symbol: impl FnMut(Symbol) -> Symbol) -> Self {
        let mut moved = |old| if old == Symbol::NONE { old } else { symbol(old) };
        NewRow { fields: self.fields.map(&mut moved), tags: self.tags.into_iter().map(moved).collect(), ..self }
    }
}

/// The properties of the documents of a segment, in order of their ids.
pub(super) struct RowColumns {
    ids: Slice,
    seq: Column,
    number: Column,
    created_at: Column,
    expires_at: Column,
    confidence: Column,
    /// Symbols, from 1; 0 for none.
    fields: [Column; FIELDS],
    tags_end: Column,
    tags: Column,
    /// Whether it is pinned, whether it is a question, from the third bit on the language, and whether it ends with its
    /// session.
    flags: Column,
    first_person: Column,
    second_person: Column,
    fingerprint: Column,
    sketches: Slice,
}

impl RowColumns {
    pub(super) fn write(out: &mut ByteWriter, rows: &[&NewRow]) {
        fn column<'r>(out: &mut ByteWriter, rows: &[&'r NewRow], number: impl Fn(&'r NewRow) -> u64) {
            out.column(rows.iter().map(|row| number(row)));
        }
        rows.iter().for_each(|row| out.bytes.extend_from_slice(row.id.as_bytes()));
        column(out, rows, |row| unsigned(row.seq));
        column(out, rows, |row| unsigned(row.number));
        column(out, rows, |row| unsigned(row.created_at));
        column(out, rows, |row| unsigned(row.expires_at));
        column(out, rows, |row| row.confidence.to_bits());
        for field in 0..FIELDS {
            column(out, rows, |row| u64::from(row.fields[field].0.wrapping_add(1)));
        }
        let mut end = 0;
        out.column(rows.iter().map(|row| {
            end += row.tags.len() as u64;
            end
        }));
        out.column(rows.iter().flat_map(|row| &row.tags).map(|tag| u64::from(tag.0)));
        let flag = |is_set: bool, bit: u64| if is_set { bit } else { 0 };
        column(out, rows, |row| {
            let flags = flag(row.pinned, PINNED) | flag(row.is_question, QUESTION);
            flags | flag(row.session_only, SESSION_ONLY) | (row.language as u64) << 2
        });
        column(out, rows, |row| row.pronouns.first.into());
        column(out, rows, |row| row.pronouns.second.into());
        column(out, rows, |row| row.fingerprint.0);
        rows.iter().for_each(|row| out.bytes.extend_from_slice(&row.sketch.to_bytes()));
    }

    /// Reads the properties of `docs` documents, with strings among `symbols`.
    pub(super) fn read(input: &mut ColumnReader, docs: u32, symbols: u32) -> Result<Self, SegmentError> {
        let ids = input.slice_of((docs as usize).saturating_mul(ID_BYTES))?;
        check(ids.get().as_chunks::<ID_BYTES>().0.is_sorted_by(|one, other| one < other), "ids out of order")?;
        let field = |input: &mut ColumnReader| {
            let field = input.column_of(docs)?;
            check(field.greatest() <= symbols.into(), "a string beyond the last")?;
            Ok(field)
        };
        let (seq, number) = (input.column_of(docs)?, input.column_of(docs)?);
        let (created_at, expires_at) = (input.column_of(docs)?, input.column_of(docs)?);
        let confidence = input.column_of(docs)?;
        let fields = [field(input)?, field(input)?, field(input)?, field(input)?, field(input)?, field(input)?];
        let (tags_end, tags) = (input.ends()?, input.column_below(symbols.into())?);
        check(tags_end.len() == docs && tags_end.start_of(docs) == tags.len(), "tags that do not match")?;
        let flags = input.column_of(docs)?;
        let has_language = |flags: u64| (flags & !SESSION_ONLY) >> 2 < Language::ALL.len() as u64;
        let is_valid = flags.greatest() >> 2 < Language::ALL.len() as u64 || flags.iter().all(has_language);
        check(is_valid, "an unknown language")?;
        Ok(RowColumns {
            ids,
            seq,
            number,
            created_at,
            expires_at,
            confidence,
            fields,
            tags_end,
            tags,
            flags,
            first_person: input.column_of(docs)?,
            second_person: input.column_of(docs)?,
            fingerprint: input.column_of(docs)?,
            sketches: input.slice_of((docs as usize).saturating_mul(ContentSketch::BYTES))?,
        })
    }

    pub(super) fn len(&self) -> u32 {
        self.seq.len()
    }

    /// `i64::MAX` if no document expires.
    pub(super) fn earliest_expiry(&self) -> i64 {
        signed(self.expires_at.least())
    }

    /// `i64::MIN` without documents.
    pub(super) fn latest_seq(&self) -> i64 {
        signed(self.seq.greatest())
    }

    /// The statistics of each source.
    pub(super) fn pronouns(&self) -> Box<[(Symbol, PronounTotals)]> {
        let mut totals = BTreeMap::<Symbol, PronounTotals>::new();
        let sources = &self.fields[Field::Source as usize];
        let mut doc = 0;
        // neighbours often have the same source
        while doc < self.len() {
            let (source, mut of_run) = (sources.narrow(doc), PronounTotals::default());
            while doc < self.len() && sources.narrow(doc) == source {
                of_run.add(Row::new(self, doc).pronouns().into());
                doc += 1;
            }
            totals.entry(Symbol(source.wrapping_sub(1))).or_default().add(of_run);
        }
        totals.into_iter().collect()
    }

    pub(super) fn find(&self, id: Uuid) -> Option<u32> {
        self.ids.get().as_chunks::<ID_BYTES>().0.binary_search(id.as_bytes()).ok().map(|doc| doc as u32)
    }
}

const ID_BYTES: usize = 16;
const PINNED: u64 = 1;
const QUESTION: u64 = 2;
/// Beyond the languages, so that segments of before it have the same form.
const SESSION_ONLY: u64 = 1 << 16;

/// The properties of a document of a segment.
#[derive(Clone, Copy)]
pub(crate) struct Row<'s> {
    columns: &'s RowColumns,
    doc: u32,
}

impl<'s> Row<'s> {
    pub(super) fn new(columns: &'s RowColumns, doc: u32) -> Self {
        Row { columns, doc }
    }

    pub(crate) fn id(self) -> Uuid {
        let ids = self.columns.ids.get().as_chunks::<ID_BYTES>().0;
        Uuid::from_bytes(ids.get(self.doc as usize).copied().unwrap_or_default())
    }

    pub(crate) fn seq(self) -> i64 {
        self.columns.seq.signed(self.doc)
    }

    pub(crate) fn number(self) -> i64 {
        self.columns.number.signed(self.doc)
    }

    pub(crate) fn created_at(self) -> i64 {
        self.columns.created_at.signed(self.doc)
    }

    /// The day (UTC, since 1970) of the commit.
    pub(crate) fn day(self) -> i64 {
        day(self.created_at())
    }

    /// `i64::MAX` for never.
    pub(crate) fn expires_at(self) -> i64 {
        self.columns.expires_at.signed(self.doc)
    }

    pub(crate) fn is_expired(self, now: i64) -> bool {
        let expires_at = self.expires_at();
        expires_at <= now && expires_at != i64::MAX
    }

    pub(crate) fn confidence(self) -> f64 {
        f64::from_bits(self.columns.confidence.get(self.doc))
    }

    #[inline]
    pub(crate) fn field(self, field: Field) -> Symbol {
        Symbol(self.columns.fields[field as usize].narrow(self.doc).wrapping_sub(1))
    }

    pub(crate) fn tags(self) -> impl Iterator<Item = Symbol> + use<'s> {
        let RowColumns { tags_end, tags, .. } = self.columns;
        (tags_end.start_of(self.doc)..tags_end.narrow(self.doc)).map(|tag| Symbol(tags.narrow(tag)))
    }

    fn flags(self) -> u64 {
        self.columns.flags.get(self.doc)
    }

    pub(crate) fn pinned(self) -> bool {
        self.flags() & PINNED != 0
    }

    /// Whether it ends with its session.
    pub(crate) fn is_session_only(self) -> bool {
        self.flags() & SESSION_ONLY != 0
    }

    pub(crate) fn is_question(self) -> bool {
        self.flags() & QUESTION != 0
    }

    pub(crate) fn language(self) -> Language {
        Language::ALL.get(((self.flags() & !SESSION_ONLY) >> 2) as usize).copied().unwrap_or_default()
    }

    pub(crate) fn pronouns(self) -> PronounStats {
        let RowColumns { first_person, second_person, .. } = self.columns;
        PronounStats { first: first_person.narrow(self.doc), second: second_person.narrow(self.doc) }
    }

    pub(crate) fn fingerprint(self) -> ContentFingerprint {
        ContentFingerprint(self.columns.fingerprint.get(self.doc))
    }

    pub(crate) fn sketch(self) -> ContentSketch {
        let sketches = self.columns.sketches.get().as_chunks().0;
        ContentSketch::from_bytes(sketches.get(self.doc as usize).unwrap_or(&[0xff; ContentSketch::BYTES]))
    }

    /// A copy with the symbols of its segment; `words` is its length.
    pub(super) fn to_new(self, words: u32) -> NewRow {
        NewRow {
            id: self.id(),
            seq: self.seq(),
            number: self.number(),
            created_at: self.created_at(),
            expires_at: self.expires_at(),
            confidence: self.confidence(),
            fields: Field::ALL.map(|field| self.field(field)),
            tags: self.tags().collect(),
            pinned: self.pinned(),
            session_only: self.is_session_only(),
            language: self.language(),
            is_question: self.is_question(),
            pronouns: self.pronouns(),
            fingerprint: self.fingerprint(),
            sketch: self.sketch(),
            words,
        }
    }
}

/// How often a memory contains words of the first and of the second person.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct PronounStats {
    pub(crate) first: u32,
    pub(crate) second: u32,
}

impl PronounStats {
    pub(super) fn of(doc: &Doc) -> Self {
        let mut stats = PronounStats::default();
        for term in doc.analysis.terms.iter() {
            let count = term.positions.len() as u32;
            match Person::of(term.word, doc.analysis.language) {
                Some(Person::First) => stats.first = stats.first.saturating_add(count),
                Some(Person::Second) => stats.second = stats.second.saturating_add(count),
                None => {}
            }
        }
        stats
    }
}

/// Sums of the [`PronounStats`] of some memories.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct PronounTotals {
    pub(crate) first: u64,
    pub(crate) second: u64,
}

impl PronounTotals {
    pub(crate) fn add(&mut self, other: Self) {
        self.first += other.first;
        self.second += other.second;
    }

    /// Removes a memory that is part of the sums.
    pub(crate) fn subtract(&mut self, memory: PronounStats) {
        self.first -= u64::from(memory.first);
        self.second -= u64::from(memory.second);
    }
}

impl From<PronounStats> for PronounTotals {
    fn from(memory: PronounStats) -> Self {
        PronounTotals { first: memory.first.into(), second: memory.second.into() }
    }
}
