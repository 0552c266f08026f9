//! The memories that one reader sees at one moment.

use std::borrow::Cow;

use uuid::Uuid;

use crate::byline::Byline;
use crate::segment::{Bits, Pack, Part, Row, Segment, Symbol};

/// The moment at which a search looks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Moment {
    /// The time, in µs since 1970: what has expired by then is absent.
    pub now: i64,
    /// Memories with a greater `seq` are absent. A cursor carries the org's version of its first page here, so that
    /// later commits change neither scores nor order of the pages that follow.
    pub as_of: Option<i64>,
}

/// A shelf that a reader may see.
#[derive(Clone, Copy, Debug)]
pub struct Shelf<'a, S> {
    /// The caller's own; its hits carry it.
    pub handle: S,
    /// Who wrote what lies on it.
    pub author: Uuid,
    /// The author's name now.
    pub byline: &'a Byline,
    /// What lies on it.
    pub segment: &'a Segment,
}

impl<'a, S> Shelf<'a, S> {
    /// A shelf of which does not matter whose it is.
    pub fn nameless(handle: S, segment: &'a Segment) -> Self {
        Shelf { handle, author: Uuid::nil(), byline: Byline::NONE, segment }
    }
}

/// The memories of some shelves at a moment: what is there, and the statistics of exactly that.
///
/// The parts of a [`search`](crate::search), for callers that have more to say between them: candidates with their
/// scores, and the cut.
pub struct Shelves<'a, S> {
    pub(super) views: Vec<View<'a, S>>,
    /// Number of memories.
    pub(super) len: u64,
    /// Number of docs in all views, those that are not there included.
    pub(super) docs: usize,
}

/// One pack, and which of its docs are not there.
pub(super) struct View<'a, S> {
    pub(super) handle: S,
    /// Number of the shelf.
    pub(super) shelf: u32,
    pub(super) author: Uuid,
    pub(super) byline: &'a Byline,
    pub(super) pack: &'a Pack,
    hidden: Cow<'a, Bits>,
    /// Number of the first of its docs among those of all views.
    pub(super) first: usize,
}

/// A memory that matches: where it is, and how well it matches.
///
/// Whatever else is to weigh on the order changes `score` before the [cut](Shelves::cut).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Candidate {
    pub(super) view: u32,
    pub(super) doc: u32,
    /// Greater is better; 0 in a listing.
    pub score: f64,
    /// Whether it matches by itself, and not by what it stands next to.
    pub(super) matches: bool,
    /// The cosine of what it means and what the query means; none where no vector took part.
    pub similarity: Option<f64>,
}

impl<'a, S: Copy> Shelves<'a, S> {
    /// What is on `shelves` at `moment`.
    ///
    /// # Complexity
    /// O(packs), plus O(docs) of those packs where something has expired or is too new.
    pub fn at(moment: Moment, shelves: &[Shelf<'a, S>]) -> Self {
        Self::without(&[], moment, shelves)
    }

    /// The same for a reader to whom memories of these kinds are not there: in no answer, and in no score.
    ///
    /// # Complexity
    /// As for [`at`](Shelves::at), plus O(docs) of the packs that have such kinds.
    pub fn without(kinds: &[String], moment: Moment, shelves: &[Shelf<'a, S>]) -> Self {
        let mut all = Shelves { views: Vec::with_capacity(shelves.len()), len: 0, docs: 0 };
        for (number, shelf) in (0..).zip(shelves) {
            for part in shelf.segment.parts() {
                all.add(number, shelf, part, moment, kinds);
            }
        }
        all
    }

    fn add(&mut self, number: u32, shelf: &Shelf<'a, S>, part: &'a Part, moment: Moment, kinds: &[String]) {
        let pack = &*part.pack;
        let kinds: Vec<Symbol> = kinds.iter().filter_map(|kind| pack.symbol(kind)).collect();
        let as_of = moment.as_of.unwrap_or(i64::MAX);
        let mut hidden = Cow::Borrowed(&part.dead);
        let mut live = part.live;
        if pack.earliest_expiry() <= moment.now || pack.latest_seq() > as_of || !kinds.is_empty() {
            for (doc, row) in pack.rows() {
                let is_absent = row.is_expired(moment.now) || row.seq > as_of || kinds.contains(&row.kind);
                if is_absent && !hidden.contains(doc) {
                    hidden.to_mut().insert(doc);
                    live -= 1;
                }
            }
        }
        if live > 0 {
            let Shelf { handle, author, byline, .. } = *shelf;
            self.views.push(View { handle, shelf: number, author, byline, pack, hidden, first: self.docs });
            self.len += u64::from(live);
            self.docs += pack.len() as usize;
        }
    }

    /// Number of memories.
    pub fn len(&self) -> u64 {
        self.len
    }

    /// Whether nothing is there.
    pub fn is_empty(&self) -> bool {
        self.views.is_empty()
    }

    /// The memory that `candidate`, one of these shelves' own, is.
    pub fn id(&self, candidate: &Candidate) -> Uuid {
        self.row(candidate).id
    }

    /// The handle of the shelf that `candidate`, one of these shelves' own, lies on.
    pub fn shelf(&self, candidate: &Candidate) -> S {
        self.views[candidate.view as usize].handle
    }

    pub(super) fn row(&self, candidate: &Candidate) -> &'a Row {
        self.views[candidate.view as usize].pack.row(candidate.doc)
    }
}

impl<S> View<'_, S> {
    /// Whether all of its docs are there.
    pub(super) fn shows_all(&self) -> bool {
        self.hidden.is_empty()
    }

    /// The number of `doc` among those of all views.
    pub(super) fn place(&self, doc: u32) -> usize {
        self.first + doc as usize
    }

    /// Whether `doc` is there.
    pub(super) fn shows(&self, doc: u32) -> bool {
        self.hidden.is_empty() || !self.hidden.contains(doc)
    }
}
