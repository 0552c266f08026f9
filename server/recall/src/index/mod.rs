//! The inverted index of a partition.

mod builder;
mod bytes;
mod doc;
mod passages;
mod postings;
mod row;
mod segment;
mod timeline;
mod vectors;

use std::collections::HashMap;
use std::sync::Arc;

use uuid::Uuid;

pub use doc::{DecodeError, Doc, Meta};
pub(crate) use passages::Passages;
pub(crate) use postings::{Cursor, Postings, TermRecord};
pub(crate) use row::{Field, MICROSECONDS_PER_DAY, PronounTotals, Row, Symbol};
pub(crate) use segment::{HashedStr, LanguageStems, Segment};
pub(crate) use vectors::VectorColumn;

use crate::tuning::{MAX_SEGMENT_DOCS, MAX_SEGMENT_OCCURRENCES, MERGE_FACTOR};
use builder::SegmentBuilder;

/// The index of one partition: memories that the same readers can read.
///
/// Cloning is cheap (the segments are shared), and a clone is a snapshot: it does not see later changes. So readers
/// use one version while a writer prepares the next.
///
/// The index consists of immutable *segments*, each with the set of its deleted documents. New documents form a small
/// segment; segments of similar size are merged, so that n memories are in O(log n) segments and each memory is moved
/// O(log n) times.
///
/// ```
/// use orgmem_recall::{Doc, Meta, PartitionIndex, analyze};
///
/// let doc = |id: u128, text| Doc { meta: Meta { id: uuid::Uuid::from_u128(id), ..Meta::default() }, analysis: analyze(text), embeddings: None };
/// let mut index = PartitionIndex::build([doc(1, "rate limits"), doc(2, "retries")]);
/// index.upsert(doc(2, "retries with backoff"));
/// index.remove(uuid::Uuid::from_u128(1));
/// assert_eq!(index.len(), 1);
/// ```
#[derive(Clone, Debug, Default)]
pub struct PartitionIndex {
    segments: Vec<LiveSegment>,
}

/// Segments of a version of a [`PartitionIndex`] without the removed memories: for each its source and its replacement.
#[derive(Debug, Default)]
pub struct Rewrites(Vec<(LiveSegment, LiveSegment)>);

/// A segment and its deleted documents.
#[derive(Clone, Debug)]
pub(crate) struct LiveSegment {
    pub(crate) segment: Arc<Segment>,
    pub(crate) deleted: BitSet,
    /// Number of documents that are not deleted.
    pub(crate) live: u32,
}

impl PartitionIndex {
    /// The index of `docs`; of several with the same id, the last one counts.
    pub fn build(docs: impl IntoIterator<Item = Doc>) -> Self {
        let mut index = PartitionIndex::default();
        index.extend(docs);
        index
    }

    /// Adds `doc` or replaces the document with its id. [`extend`](PartitionIndex::extend) is cheaper for many.
    pub fn upsert(&mut self, doc: Doc) {
        self.extend([doc]);
    }

    /// Removes the memory `id`; returns whether it existed.
    pub fn remove(&mut self, id: Uuid) -> bool {
        let found = self.segments.iter_mut().any(|segment| segment.remove(id));
        if found {
            self.merge();
        }
        found
    }

    /// Frees the content of removed memories, which the index otherwise keeps until their segment is merged.
    ///
    /// # Complexity
    /// That of building the segments with removed memories.
    pub fn purge(&mut self) {
        self.apply_rewrites(self.rewrites());
    }

    /// The segments with removed memories, without them. A later version of the index can adopt them by
    /// [`apply_rewrites`](Self::apply_rewrites), so that nothing waits for this.
    ///
    /// # Complexity
    /// That of building these segments.
    pub fn rewrites(&self) -> Rewrites {
        let with_deleted = self.segments.iter().filter(|segment| !segment.deleted.is_empty());
        Rewrites(with_deleted.map(|live| (live.clone(), LiveSegment::merged(std::slice::from_ref(live)))).collect())
    }

    /// Frees the content of the memories that were removed before `rewrites` were made. Memories that were removed since
    /// stay removed. Segments that were merged since have no removed memories.
    ///
    /// # Complexity
    /// O(segments + memories that were removed from them since).
    pub fn apply_rewrites(&mut self, rewrites: Rewrites) {
        for (before, mut after) in rewrites.0 {
            let is_source = |live: &&mut LiveSegment| Arc::ptr_eq(&live.segment, &before.segment);
            let Some(live) = self.segments.iter_mut().find(is_source) else { continue };
            for doc in live.deleted.iter().filter(|doc| !before.deleted.contains(*doc)) {
                after.remove(before.segment.row(doc).id);
            }
            *live = after;
        }
        self.segments.retain(|segment| segment.live > 0);
    }

    /// Number of memories, expired ones included.
    pub fn len(&self) -> usize {
        self.segments.iter().map(|segment| segment.live as usize).sum()
    }

    /// Whether the index has no memory.
    pub fn is_empty(&self) -> bool {
        self.segments.is_empty()
    }

    /// Approximate size in memory, shared segments included.
    pub fn size_bytes(&self) -> usize {
        let size = |it: &LiveSegment| size_of::<LiveSegment>() + it.deleted.size_bytes() + it.segment.size_bytes();
        size_of::<PartitionIndex>() + self.segments.iter().map(size).sum::<usize>()
    }

    pub(crate) fn segments(&self) -> &[LiveSegment] {
        &self.segments
    }

    /// Merges segments of similar size, and rewrites those with mostly deleted documents.
    fn merge(&mut self) {
        self.segments.retain(|segment| segment.live > 0);
        for segment in &mut self.segments {
            if segment.live < segment.segment.len() / 2 {
                *segment = LiveSegment::merged(std::slice::from_ref(segment));
            }
        }
        while let Some(tier) = (0..u32::BITS).find(|&tier| self.of_tier(tier).count() >= MERGE_FACTOR as usize) {
            let merged: Vec<LiveSegment> = self.of_tier(tier).cloned().collect();
            self.segments.retain(|segment| segment.tier() != Some(tier));
            self.segments.push(LiveSegment::merged(&merged));
        }
    }

    fn of_tier(&self, tier: u32) -> impl Iterator<Item = &LiveSegment> {
        self.segments.iter().filter(move |segment| segment.tier() == Some(tier))
    }
}

impl Extend<Doc> for PartitionIndex {
    /// Adds `docs`, replacing documents with the same id; of several with the same id, the last one counts.
    fn extend<I: IntoIterator<Item = Doc>>(&mut self, docs: I) {
        let newest: HashMap<Uuid, Doc> = docs.into_iter().map(|doc| (doc.meta.id, doc)).collect();
        for &id in newest.keys() {
            self.segments.iter_mut().any(|segment| segment.remove(id));
        }
        let mut docs = newest.values().peekable();
        while docs.peek().is_some() {
            let mut builder = SegmentBuilder::default();
            while let Some(doc) = docs.next_if(|_| !builder.is_full()) {
                builder.add_doc(doc);
            }
            self.segments.push(LiveSegment::new(builder.finish()));
        }
        self.merge();
    }
}

impl LiveSegment {
    fn new(segment: Segment) -> Self {
        LiveSegment { live: segment.len(), segment: Arc::new(segment), deleted: BitSet::default() }
    }

    fn merged(segments: &[LiveSegment]) -> Self {
        let mut builder = SegmentBuilder::default();
        segments.iter().for_each(|live| builder.add_segment(&live.segment, &live.deleted));
        LiveSegment::new(builder.finish())
    }

    /// The logarithm of its size to base [`MERGE_FACTOR`]; `None` if a merge would exceed the maximum size.
    fn tier(&self) -> Option<u32> {
        let factor = MERGE_FACTOR as usize;
        let is_final = self.live as usize * factor > MAX_SEGMENT_DOCS
            || self.segment.occurrences * factor > MAX_SEGMENT_OCCURRENCES;
        (!is_final).then(|| self.live.ilog(MERGE_FACTOR))
    }

    fn remove(&mut self, id: Uuid) -> bool {
        let Some(doc) = self.segment.find(id) else { return false };
        let is_new = self.deleted.insert(doc);
        self.live -= u32::from(is_new);
        is_new
    }
}

/// A growable set of small numbers; the empty set does not allocate.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct BitSet {
    words: Vec<u64>,
}

impl BitSet {
    pub(crate) fn contains(&self, number: u32) -> bool {
        self.words.get(number as usize / 64).is_some_and(|word| word >> (number % 64) & 1 == 1)
    }

    /// Returns whether `number` is new.
    pub(crate) fn insert(&mut self, number: u32) -> bool {
        let is_new = !self.contains(number);
        let at = number as usize / 64;
        self.words.resize(self.words.len().max(at + 1), 0);
        self.words[at] |= 1 << (number % 64);
        is_new
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// The numbers, ascending.
    pub(crate) fn iter(&self) -> impl Iterator<Item = u32> {
        (0..).zip(&self.words).flat_map(|(at, &word)| {
            let bits = std::iter::successors(Some(word), |word| Some(word & word.wrapping_sub(1)));
            bits.take_while(|word| *word != 0).map(move |word| at * 64 + word.trailing_zeros())
        })
    }

    fn size_bytes(&self) -> usize {
        size_of_val(&*self.words)
    }
}
