//! The documents of a segment by time: their sessions, their days, and the newest first.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::ops::Range;

use super::row::{Field, MICROSECONDS_PER_DAY, Row, Symbol};

/// The sessions of a segment, by number.
#[derive(Debug, Default)]
pub(crate) struct SessionColumn {
    /// Ascending.
    names: Box<[Symbol]>,
    hashes: Box<[u64]>,
    /// End of the documents of each session.
    ends: Box<[u32]>,
    docs: Box<[u32]>,
    /// The session of each document, [`NO_SESSION`] if it has none; empty if there are no sessions.
    of_doc: Box<[u32]>,
    /// The place of each document in `docs`; empty if there are no sessions.
    places: Box<[u32]>,
}

const NO_SESSION: u32 = u32::MAX;

impl SessionColumn {
    /// `rows` are sorted by id; `hash` gives the [hash](super::HashedStr) of a name.
    pub(super) fn of(rows: &[Row], hash: impl Fn(Symbol) -> u64) -> Self {
        let has_session = |(_, row): &(u32, &Row)| row.field(Field::Session) != Symbol::NONE;
        let mut docs: Vec<u32> = (0..).zip(rows).filter(has_session).map(|(doc, _)| doc).collect();
        let row = |doc: u32| &rows[doc as usize];
        let name = |doc: u32| row(doc).field(Field::Session);
        docs.sort_unstable_by_key(|&doc| (name(doc), row(doc).created_at, row(doc).number, doc));
        let (mut names, mut ends) = (Vec::new(), Vec::new());
        let mut of_doc = vec![NO_SESSION; if docs.is_empty() { 0 } else { rows.len() }];
        for session in docs.chunk_by(|&a, &b| name(a) == name(b)) {
            session.iter().for_each(|&doc| of_doc[doc as usize] = names.len() as u32);
            names.push(name(session[0]));
            ends.push(ends.last().copied().unwrap_or(0) + session.len() as u32);
        }
        let mut places = vec![0; of_doc.len()];
        (0..).zip(&docs).for_each(|(place, &doc)| places[doc as usize] = place);
        let hashes = names.iter().map(|&name| hash(name)).collect();
        SessionColumn {
            names: names.into(),
            hashes,
            ends: ends.into(),
            docs: docs.into(),
            of_doc: of_doc.into(),
            places: places.into(),
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.names.len()
    }

    /// The hash of the name of each session.
    pub(crate) fn hashes(&self) -> &[u64] {
        &self.hashes
    }

    pub(crate) fn names(&self) -> &[Symbol] {
        &self.names
    }

    /// The number of the session with this name.
    pub(crate) fn find(&self, name: Symbol) -> Option<u32> {
        self.names.binary_search(&name).ok().map(|number| number as u32)
    }

    /// The number of the session of a document.
    #[inline]
    pub(crate) fn of_doc(&self, doc: u32) -> Option<u32> {
        self.of_doc.get(doc as usize).copied().filter(|session| *session != NO_SESSION)
    }

    /// The documents of a session, in order of commit.
    pub(crate) fn docs(&self, number: u32) -> &[u32] {
        let Range { start, end } = self.places(number);
        &self.docs[start as usize..end as usize]
    }

    /// The places of the documents of a session, in order of commit.
    pub(crate) fn places(&self, number: u32) -> Range<u32> {
        let start = number.checked_sub(1).map_or(0, |previous| self.ends[previous as usize]);
        start..self.ends[number as usize]
    }

    /// The place of a document that has a session.
    pub(crate) fn place(&self, doc: u32) -> u32 {
        self.places[doc as usize]
    }

    pub(crate) fn doc_at(&self, place: u32) -> u32 {
        self.docs[place as usize]
    }

    pub(super) fn size_bytes(&self) -> usize {
        size_of_val(&*self.names)
            + size_of_val(&*self.hashes)
            + size_of_val(&*self.ends)
            + size_of_val(&*self.docs)
            + size_of_val(&*self.of_doc)
            + size_of_val(&*self.places)
    }
}

/// The documents of a segment, newest first.
#[derive(Debug, Default)]
pub(crate) struct Newest {
    all: Box<[u32]>,
    pinned: Box<[u32]>,
    /// The number of documents of each day (UTC, since 1970), ascending.
    days: Box<[(i64, u32)]>,
}

impl Newest {
    /// `rows` are sorted by id.
    pub(super) fn of(rows: &[Row]) -> Self {
        let mut all: Vec<u32> = (0..rows.len() as u32).collect();
        all.sort_unstable_by_key(|&doc| Reverse((rows[doc as usize].created_at, doc)));
        let pinned = all.iter().copied().filter(|&doc| rows[doc as usize].pinned).collect();
        let mut days = BTreeMap::new();
        rows.iter().for_each(|row| *days.entry(row.day()).or_default() += 1);
        Newest { all: all.into(), pinned, days: days.into_iter().collect() }
    }

    /// All documents, by time, then by id.
    pub(crate) fn all(&self) -> &[u32] {
        &self.all
    }

    /// The pinned ones, in the same order.
    pub(crate) fn pinned(&self) -> &[u32] {
        &self.pinned
    }

    pub(crate) fn days(&self) -> &[(i64, u32)] {
        &self.days
    }

    pub(super) fn size_bytes(&self) -> usize {
        size_of_val(&*self.all) + size_of_val(&*self.pinned) + size_of_val(&*self.days)
    }
}

impl Row {
    /// The day (UTC, since 1970) of the commit.
    pub(crate) fn day(&self) -> i64 {
        self.created_at.div_euclid(MICROSECONDS_PER_DAY)
    }
}
