//! The memories that a reader can read at one time.

use std::borrow::Cow;
use std::collections::HashMap;

use uuid::Uuid;

use crate::index::{BitSet, Field, LiveSegment, PartitionIndex, Row, Segment, Symbol};
use crate::query::Byline;

/// The time of a search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ReadTime {
    /// µs since 1970; memories that have expired by then are absent.
    pub now: i64,
    /// Memories with a greater `seq` are absent. A cursor has the org's version of its first page here, so that later
    /// commits change neither scores nor order of the following pages.
    pub as_of: Option<i64>,
}

/// A partition that a reader can read.
#[derive(Clone, Copy, Debug)]
pub struct Partition<'a, S> {
    /// The caller's identifier; hits refer to it.
    pub handle: S,
    /// The author of its memories.
    pub author: Uuid,
    /// The current name of the author.
    pub byline: &'a Byline,
    /// Its memories.
    pub index: &'a PartitionIndex,
}

impl<'a, S> Partition<'a, S> {
    /// A partition for searches in which the author does not matter.
    pub fn without_author(handle: S, index: &'a PartitionIndex) -> Self {
        Partition { handle, author: Uuid::nil(), byline: Byline::NONE, index }
    }
}

/// Memories that a reader cannot see.
#[derive(Clone, Copy, Default)]
pub struct Hidden<'h> {
    /// Those of these kinds.
    pub kinds: &'h [String],
    /// Those with these ids.
    pub ids: Option<&'h dyn Fn(Uuid) -> bool>,
    /// Those of this author, with this subject and this session.
    pub users: Option<HiddenUsers<'h>>,
    /// Those with one of these tags, by the position of their partition; none beyond the end.
    pub tags: &'h [Vec<String>],
}

/// Whether memories of an author with a subject and a session are hidden.
pub type HiddenUsers<'h> = &'h dyn Fn(Uuid, Option<&str>, Option<&str>) -> bool;

/// [`HiddenUsers`] in the symbols of one segment, which has few of them.
struct HiddenSymbols<'s> {
    author: Uuid,
    segment: &'s Segment,
    is_hidden: HiddenUsers<'s>,
    known: HashMap<(Symbol, Symbol), bool>,
}

impl HiddenSymbols<'_> {
    fn hides(&mut self, row: Row<'_>) -> bool {
        let (subject, session) = (row.field(Field::Subject), row.field(Field::Session));
        let string = |symbol| (symbol != Symbol::NONE).then(|| self.segment.string(symbol));
        let is_hidden = || (self.is_hidden)(self.author, string(subject), string(session));
        *self.known.entry((subject, session)).or_insert_with(is_hidden)
    }
}

/// The memories of some partitions at one time, with statistics of exactly those.
///
/// For callers that need the steps of a [`search`](crate::search): candidates with scores, and a page of them.
pub struct Searcher<'a, S> {
    pub(super) views: Vec<SegmentView<'a, S>>,
    /// Number of visible memories.
    pub(super) len: u64,
}

/// One segment, and which of its documents are visible.
pub(super) struct SegmentView<'a, S> {
    pub(super) handle: S,
    /// The number of its partition.
    pub(super) partition: u32,
    pub(super) author: Uuid,
    pub(super) byline: &'a Byline,
    pub(super) segment: &'a Segment,
    hidden: Cow<'a, BitSet>,
    visible: u32,
}

/// A document, by the number of its view and its number there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct DocRef {
    pub(super) view: u32,
    pub(super) doc: u32,
}

/// A memory that matches. A caller can change its score before it requests a [page](Searcher::page).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Candidate {
    pub(super) at: DocRef,
    /// Greater is better; 0 in a listing.
    pub score: f64,
    /// Whether the memory matches itself, and not only by its context.
    pub(super) is_match: bool,
    /// The cosine of the nearest embedding and the query; `None` if none was compared.
    pub similarity: Option<f64>,
    /// What its score gained or lost because it has another version.
    pub(super) gain: f64,
    /// The newest version of what it says.
    pub(super) newer: Option<DocRef>,
}

impl<'a, S: Copy> Searcher<'a, S> {
    /// The memories of `partitions` at `time`.
    ///
    /// # Complexity
    /// O(segments), plus O(documents) of segments with documents that have expired or are too new.
    pub fn at(time: ReadTime, partitions: &[Partition<'a, S>]) -> Self {
        Self::without(Hidden::default(), time, partitions)
    }

    /// The same for a reader who cannot see the memories of `without`: they are absent from results and from statistics.
    ///
    /// # Complexity
    /// As for [`at`](Searcher::at), plus O(documents) of segments with such kinds or tags, or of all with hidden ids or users.
    pub fn without(without: Hidden<'_>, time: ReadTime, partitions: &[Partition<'a, S>]) -> Self {
        let as_of = time.as_of.unwrap_or(i64::MAX);
        let mut searcher = Searcher { views: Vec::with_capacity(partitions.len()), len: 0 };
        for (number, &Partition { handle, author, byline, index }) in (0..).zip(partitions) {
            for LiveSegment { segment, deleted, live } in index.segments() {
                let kinds: Vec<Symbol> = without.kinds.iter().filter_map(|kind| segment.symbol(kind)).collect();
                let (mut hidden, mut visible) = (Cow::Borrowed(deleted), *live);
                let mut users =
                    without.users.map(|is_hidden| HiddenSymbols { author, segment, is_hidden, known: HashMap::new() });
                let tags = without.tags.get(number as usize).into_iter().flatten();
                let tags: Vec<Symbol> = tags.filter_map(|tag| segment.symbol(tag)).collect();
                let has_hidden = !kinds.is_empty() || !tags.is_empty() || without.ids.is_some() || users.is_some();
                if segment.earliest_expiry <= time.now || segment.latest_seq > as_of || has_hidden {
                    for (doc, row) in segment.rows() {
                        let is_absent = row.is_expired(time.now)
                            || row.seq() > as_of
                            || kinds.contains(&row.field(Field::Kind))
                            || (!tags.is_empty() && row.tags().any(|tag| tags.contains(&tag)))
                            || users.as_mut().is_some_and(|users| users.hides(row))
                            || without.ids.is_some_and(|is_hidden| is_hidden(row.id()));
                        if is_absent && !hidden.contains(doc) {
                            hidden.to_mut().insert(doc);
                            visible -= 1;
                        }
                    }
                }
                if visible > 0 {
                    let partition = number;
                    searcher.views.push(SegmentView { handle, partition, author, byline, segment, hidden, visible });
                    searcher.len += u64::from(visible);
                }
            }
        }
        searcher
    }

    /// Number of visible memories.
    pub fn len(&self) -> usize {
        self.len as usize
    }

    /// Whether no memory is visible.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The id of a candidate of this searcher.
    pub fn id(&self, candidate: &Candidate) -> Uuid {
        self.row(candidate.at).id()
    }

    /// The handle of the partition of a candidate of this searcher.
    pub fn partition(&self, candidate: &Candidate) -> S {
        self.view(candidate.at).handle
    }

    pub(super) fn view(&self, at: DocRef) -> &SegmentView<'a, S> {
        &self.views[at.view as usize]
    }

    pub(super) fn row(&self, at: DocRef) -> Row<'a> {
        self.view(at).segment.row(at.doc)
    }
}

impl<'a, S> SegmentView<'a, S> {
    pub(super) fn is_all_visible(&self) -> bool {
        self.hidden.is_empty()
    }

    #[inline]
    pub(super) fn is_visible(&self, doc: u32) -> bool {
        self.hidden.is_empty() || !self.hidden.contains(doc)
    }

    /// The invisible documents, ascending.
    pub(super) fn hidden(&self) -> impl Iterator<Item = (u32, Row<'a>)> + use<'_, 'a, S> {
        self.hidden.iter().map(|doc| (doc, self.segment.row(doc)))
    }

    pub(super) fn hidden_count(&self) -> u32 {
        self.segment.len() - self.visible
    }

    pub(super) fn visible_rows(&self) -> impl Iterator<Item = (u32, Row<'a>)> {
        self.segment.rows().filter(|(doc, _)| self.is_visible(*doc))
    }
}
