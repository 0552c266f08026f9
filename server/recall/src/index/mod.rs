//! The inverted index of a partition.

mod builder;
mod column;
mod content;
mod doc;
mod format;
mod live;
mod passages;
mod postings;
mod record_check;
mod row;
mod segment;
mod timeline;
mod vectors;

use std::collections::HashMap;
use std::sync::Arc;

use uuid::Uuid;

pub(crate) use column::Column;
pub use doc::{DecodeError, Doc, Meta};
pub use format::SegmentError;
pub(crate) use live::BitSet;
pub use live::LiveSegment;
pub(crate) use passages::Passages;
pub(crate) use postings::{Cursor, Postings, TermRecord};
pub(crate) use row::{Field, MICROSECONDS_PER_DAY, PronounTotals, Row, Symbol};
pub(crate) use segment::{HashedStr, LanguageStems, Segment};
pub(crate) use vectors::VectorColumn;

use crate::tuning::MERGE_FACTOR;

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

impl PartitionIndex {
    /// The index of `docs`; of several with the same id, the last one counts.
    pub fn build(docs: impl IntoIterator<Item = Doc>) -> Self {
        let mut index = PartitionIndex::default();
        index.extend(docs);
        index
    }

    /// The index of the documents of some segments, each id once.
    pub fn of_segments(segments: impl IntoIterator<Item = LiveSegment>) -> Self {
        PartitionIndex { segments: segments.into_iter().filter(|segment| segment.live > 0).collect() }
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
        Rewrites(with_deleted.map(|live| (live.clone(), LiveSegment::merged([live]))).collect())
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
                after.remove(before.segment.row(doc).id());
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

    /// Its segments.
    pub fn segments(&self) -> &[LiveSegment] {
        &self.segments
    }

    /// Merges segments of similar size, and rewrites those with mostly deleted documents.
    fn merge(&mut self) {
        self.segments.retain(|segment| segment.live > 0);
        for segment in &mut self.segments {
            if segment.live < segment.segment.len() / 2 {
                *segment = LiveSegment::merged([&*segment]);
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
        // segments that were loaded may be due for a merge, which their first search must not wait for
        if newest.is_empty() {
            return;
        }
        for &id in newest.keys() {
            self.segments.iter_mut().any(|segment| segment.remove(id));
        }
        self.segments.extend(LiveSegment::build(newest.values()));
        self.merge();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn segments_that_are_due_for_a_merge_are_merged_by_the_next_document() {
        let doc = |id| Doc {
            meta: Meta { id: Uuid::from_u128(id), ..Meta::default() },
            analysis: crate::analyze("text"),
            embeddings: None,
        };
        let due = u128::from(MERGE_FACTOR);
        let mut index = PartitionIndex::of_segments((0..due).flat_map(|id| LiveSegment::build(&[doc(id)])));
        index.extend([]);
        assert_eq!(index.segments().len(), MERGE_FACTOR as usize, "no document");
        index.upsert(doc(due));
        assert!(index.segments().len() < MERGE_FACTOR as usize);
        assert_eq!(index.len(), MERGE_FACTOR as usize + 1);
    }
}
