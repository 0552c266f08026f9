//! A segment and its deleted documents.

use std::sync::Arc;

use uuid::Uuid;

use super::builder::SegmentBuilder;
use super::segment::Segment;
use super::{Doc, SegmentError};
use crate::tuning::{MAX_SEGMENT_BYTES, MAX_SEGMENT_DOCS, MERGE_FACTOR};

/// A segment and its deleted documents: its [bytes](LiveSegment::bytes) never change, and the deleted documents are a
/// [bit set](LiveSegment::deleted_bytes), so that a deletion need not write the segment again.
///
/// ```
/// use orgmem_recall::{Doc, LiveSegment, Meta, PartitionIndex, analyze};
/// use uuid::Uuid;
///
/// let doc = |id, text| Doc { meta: Meta { id: Uuid::from_u128(id), ..Meta::default() }, analysis: analyze(text), embeddings: None };
/// let mut segments = LiveSegment::build(&[doc(1, "rate limits"), doc(2, "retries")]);
/// assert!(segments[0].remove(Uuid::from_u128(1)));
/// let read = LiveSegment::read(segments[0].bytes().into(), &segments[0].deleted_bytes()).expect("as it was written");
/// assert_eq!(PartitionIndex::of_segments([read]).len(), 1);
/// ```
#[derive(Clone, Debug)]
pub struct LiveSegment {
    pub(crate) segment: Arc<Segment>,
    pub(crate) deleted: BitSet,
    /// Number of documents that are not deleted.
    pub(crate) live: u32,
}

impl LiveSegment {
    fn new(segment: Segment) -> Self {
        LiveSegment { live: segment.len(), segment: Arc::new(segment), deleted: BitSet::default() }
    }

    /// The segments of `docs`, each id once: one, or several if there are many.
    pub fn build<'d>(docs: impl IntoIterator<Item = &'d Doc>) -> Vec<Self> {
        let mut docs = docs.into_iter().peekable();
        let mut segments = Vec::new();
        while docs.peek().is_some() {
            let mut builder = SegmentBuilder::default();
            while let Some(doc) = docs.next_if(|_| !builder.is_full()) {
                builder.add_doc(doc);
            }
            segments.push(LiveSegment::new(builder.finish()));
        }
        segments
    }

    /// The documents of some segments that are not deleted.
    pub fn merged<'l>(segments: impl IntoIterator<Item = &'l LiveSegment>) -> Self {
        let mut builder = SegmentBuilder::default();
        segments.into_iter().for_each(|live| builder.add_segment(&live.segment, &live.deleted));
        LiveSegment::new(builder.finish())
    }

    /// Reads a segment from [`bytes`](LiveSegment::bytes) and [`deleted_bytes`](LiveSegment::deleted_bytes).
    ///
    /// # Errors
    /// [`SegmentError`] for any other bytes. Never panics, and allocates little more than the arguments.
    ///
    /// # Complexity
    /// O(bytes), for a check of all references between the parts.
    pub fn read(bytes: Arc<[u8]>, deleted: &[u8]) -> Result<Self, SegmentError> {
        let segment = Segment::read(bytes)?;
        let deleted = BitSet::from_bytes(deleted, segment.len())?;
        Ok(LiveSegment { live: segment.len() - deleted.len(), segment: Arc::new(segment), deleted })
    }

    /// The bytes of the segment, deleted documents included.
    pub fn bytes(&self) -> &[u8] {
        &self.segment.bytes
    }

    /// The deleted documents; empty without any.
    pub fn deleted_bytes(&self) -> Vec<u8> {
        self.deleted.words.iter().flat_map(|word| word.to_le_bytes()).collect()
    }

    /// Number of documents that are not deleted.
    pub fn len(&self) -> usize {
        self.live as usize
    }

    /// Whether all documents are deleted.
    pub fn is_empty(&self) -> bool {
        self.live == 0
    }

    /// Whether a document is deleted whose content is still in the segment.
    pub fn has_deleted(&self) -> bool {
        !self.deleted.is_empty()
    }

    /// Whether most documents are deleted, so that the rest should be written again.
    pub fn is_mostly_deleted(&self) -> bool {
        self.live < self.segment.len() / 2
    }

    /// The least and the greatest id, of deleted documents too; none without documents.
    pub fn id_range(&self) -> Option<(Uuid, Uuid)> {
        let last = self.segment.len().checked_sub(1)?;
        Some((self.segment.row(0).id(), self.segment.row(last).id()))
    }

    /// The logarithm of its size to base [`MERGE_FACTOR`](crate::MERGE_FACTOR): as many segments of one tier should be merged. `None` if a
    /// merge would exceed the maximum size.
    pub fn tier(&self) -> Option<u32> {
        Self::tier_of(self.len(), self.bytes().len())
    }

    /// The [tier](LiveSegment::tier) of a segment with `live` documents and `bytes` bytes.
    pub fn tier_of(live: usize, bytes: usize) -> Option<u32> {
        let factor = MERGE_FACTOR as usize;
        let is_final = live * factor > MAX_SEGMENT_DOCS || bytes * factor > MAX_SEGMENT_BYTES;
        live.checked_ilog(factor).filter(|_| !is_final)
    }

    /// Whether the segment has the content of a document, deleted or not.
    pub fn contains(&self, id: Uuid) -> bool {
        self.segment.find(id).is_some()
    }

    /// Deletes a document; returns whether it was there.
    pub fn remove(&mut self, id: Uuid) -> bool {
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
    /// The set of numbers below `limit` with these bytes.
    fn from_bytes(bytes: &[u8], limit: u32) -> Result<Self, SegmentError> {
        let (words, rest) = bytes.as_chunks();
        let set = BitSet { words: words.iter().map(|word| u64::from_le_bytes(*word)).collect() };
        let is_valid = rest.is_empty() && words.len() <= limit.div_ceil(64) as usize;
        if is_valid && set.iter().last().is_none_or(|last| last < limit) {
            return Ok(set);
        }
        Err(SegmentError::Damaged("deleted documents that are not there"))
    }

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

    fn len(&self) -> u32 {
        self.words.iter().map(|word| word.count_ones()).sum()
    }

    /// The numbers, ascending.
    pub(crate) fn iter(&self) -> impl Iterator<Item = u32> {
        (0..).zip(&self.words).flat_map(|(at, &word)| {
            let bits = std::iter::successors(Some(word), |word| Some(word & word.wrapping_sub(1)));
            bits.take_while(|word| *word != 0).map(move |word| at * 64 + word.trailing_zeros())
        })
    }

    pub(super) fn size_bytes(&self) -> usize {
        size_of_val(&*self.words)
    }
}
