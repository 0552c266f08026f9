//! The documents of a segment by time: their sessions, their days, and the newest first.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::ops::Range;

use super::SegmentError;
use super::column::{Column, ColumnReader, check, unsigned};
use super::row::{Field, MICROSECONDS_PER_DAY, NewRow, Symbol};
use crate::bytes::ByteWriter;

/// The sessions of a segment, by number.
pub(crate) struct SessionColumn {
    /// The symbols of the names, ascending.
    names: Column,
    /// End of the documents of each session.
    ends: Column,
    docs: Column,
    /// The session of each document, from 1; 0 if it has none. Empty if there are no sessions.
    of_doc: Column,
    /// The place of each document in `docs`; empty if there are no sessions.
    places: Column,
}

impl SessionColumn {
    /// `rows` are sorted by id.
    pub(super) fn write(out: &mut ByteWriter, rows: &[&NewRow]) {
        let row = |doc: u32| rows[doc as usize];
        let name = |doc: u32| row(doc).field(Field::Session);
        let mut docs: Vec<u32> = (0..rows.len() as u32).filter(|&doc| name(doc) != Symbol::NONE).collect();
        docs.sort_unstable_by_key(|&doc| (name(doc), row(doc).created_at, row(doc).number, doc));
        let (mut names, mut ends) = (Vec::new(), Vec::new());
        let mut of_doc = vec![0; if docs.is_empty() { 0 } else { rows.len() }];
        for session in docs.chunk_by(|&a, &b| name(a) == name(b)) {
            names.push(u64::from(name(session[0]).0));
            ends.push(ends.last().copied().unwrap_or(0) + session.len() as u64);
            session.iter().for_each(|&doc| of_doc[doc as usize] = names.len() as u64);
        }
        let mut places = vec![0; of_doc.len()];
        (0..).zip(&docs).for_each(|(place, &doc)| places[doc as usize] = place);
        out.column(names);
        out.column(ends);
        out.column(docs.into_iter().map(u64::from));
        out.column(of_doc);
        out.column(places);
    }

    /// Reads the sessions of `docs` documents, with names among `symbols`.
    pub(super) fn read(input: &mut ColumnReader, docs: u32, symbols: u32) -> Result<Self, SegmentError> {
        let names = input.column_below(symbols.into())?;
        let ends = input.ends()?;
        let sessions = SessionColumn {
            docs: input.column_below(docs.into())?,
            of_doc: input.column_below(u64::from(names.len()) + 1)?,
            places: input.column_below(docs.into())?,
            names,
            ends,
        };
        let SessionColumn { names, ends, docs: members, of_doc, places } = &sessions;
        let has_sessions = if names.len() == 0 { 0 } else { docs };
        let is_whole = ends.len() == names.len() && ends.start_of(ends.len()) == members.len();
        check(is_whole && of_doc.len() == has_sessions && places.len() == has_sessions, "sessions that do not match")?;
        Ok(sessions)
    }

    pub(crate) fn len(&self) -> usize {
        self.names.len() as usize
    }

    /// The name of a session.
    pub(crate) fn name(&self, number: u32) -> Symbol {
        Symbol(self.names.narrow(number))
    }

    /// The number of the session of a document.
    #[inline]
    pub(crate) fn of_doc(&self, doc: u32) -> Option<u32> {
        if self.of_doc.len() == 0 { None } else { self.of_doc.narrow(doc).checked_sub(1) }
    }

    /// The documents of a session, in order of commit.
    pub(crate) fn docs(&self, number: u32) -> impl DoubleEndedIterator<Item = u32> {
        self.places(number).map(|place| self.doc_at(place))
    }

    /// The places of the documents of a session, in order of commit.
    pub(crate) fn places(&self, number: u32) -> Range<u32> {
        self.ends.start_of(number)..self.ends.narrow(number)
    }

    /// The place of a document that has a session.
    pub(crate) fn place(&self, doc: u32) -> u32 {
        self.places.narrow(doc)
    }

    pub(crate) fn doc_at(&self, place: u32) -> u32 {
        self.docs.narrow(place)
    }
}

/// The documents of a segment, newest first.
pub(crate) struct Newest {
    all: Column,
    pinned: Column,
    /// The days (UTC, since 1970) with a document, ascending, and the number of documents of each.
    days: Column,
    counts: Column,
}

impl Newest {
    /// `rows` are sorted by id.
    pub(super) fn write(out: &mut ByteWriter, rows: &[&NewRow]) {
        let mut all: Vec<u32> = (0..rows.len() as u32).collect();
        all.sort_unstable_by_key(|&doc| Reverse((rows[doc as usize].created_at, doc)));
        let mut days = BTreeMap::new();
        rows.iter().for_each(|row| *days.entry(day(row.created_at)).or_default() += 1);
        out.column(all.iter().copied().map(u64::from));
        out.column(all.iter().filter(|doc| rows[**doc as usize].pinned).copied().map(u64::from));
        out.column(days.keys().copied().map(unsigned));
        out.column(days.into_values());
    }

    pub(super) fn read(input: &mut ColumnReader, docs: u32) -> Result<Self, SegmentError> {
        let newest = Newest {
            all: input.column_below(docs.into())?,
            pinned: input.column_below(docs.into())?,
            days: input.column()?,
            counts: input.column()?,
        };
        let is_whole = newest.all.len() == docs && newest.days.len() == newest.counts.len();
        check(is_whole && newest.pinned.len() <= docs, "a list of another length")?;
        Ok(newest)
    }

    /// All documents, by time, then by id.
    pub(crate) fn all(&self) -> &Column {
        &self.all
    }

    /// The pinned ones, in the same order.
    pub(crate) fn pinned(&self) -> &Column {
        &self.pinned
    }

    pub(crate) fn days(&self) -> impl Iterator<Item = (i64, u32)> {
        (0..self.days.len()).map(|number| (self.days.signed(number), self.counts.narrow(number)))
    }
}

/// The day (UTC, since 1970) of a time.
pub(super) fn day(time: i64) -> i64 {
    time.div_euclid(MICROSECONDS_PER_DAY)
}
