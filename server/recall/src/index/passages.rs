//! The passages of documents.

use std::ops::Range;
use std::sync::Arc;

use super::SegmentError;
use super::column::{Column, ColumnReader, PADDING, Slice, check, partition_point};
use crate::bytes::ByteWriter;
use crate::tuning::PASSAGE_WORDS;

/// Positions in documents fit into 31 bits.
const MAX_PASSAGES: usize = (i32::MAX as u32 / PASSAGE_WORDS) as usize;

/// The passages of some documents, numbered consecutively. The score of a long text is that of its best passage.
pub(crate) struct Passages {
    /// End of the passages of each document; empty if each has one passage.
    ends: Column,
    /// Words of each passage.
    lengths: Slice,
}

impl Passages {
    /// Writes the passages of documents of these lengths; returns them.
    pub(super) fn write(out: &mut ByteWriter, doc_lengths: &[u32]) -> Result<Self, SegmentError> {
        let mut lengths = Vec::new();
        let ends = doc_lengths.iter().map(|&length| {
            let full = (length.saturating_add(PASSAGE_WORDS / 2) / PASSAGE_WORDS).saturating_sub(1);
            lengths.resize(lengths.len() + full as usize, PASSAGE_WORDS as u8);
            lengths.push((length - full * PASSAGE_WORDS) as u8);
            lengths.len() as u64
        });
        let mut ends: Vec<u64> = ends.collect();
        if ends.len() == lengths.len() {
            ends.clear();
        }
        let mut own = ByteWriter::default();
        own.column(ends);
        own.slice(&lengths);
        out.bytes.extend_from_slice(&own.bytes);
        own.bytes.resize(own.bytes.len() + PADDING, 0);
        Self::read(&mut ColumnReader::new(Arc::from(own.bytes))?, doc_lengths.len() as u32)
    }

    /// Reads the passages of `docs` documents.
    pub(super) fn read(input: &mut ColumnReader, docs: u32) -> Result<Self, SegmentError> {
        let passages = Passages { ends: input.ends()?, lengths: input.slice()? };
        let Passages { ends, lengths } = &passages;
        let len = lengths.len() as u32;
        check(lengths.len() <= MAX_PASSAGES, "too many passages")?;
        if ends.len() == 0 {
            check(len == docs, "a document without a passage")?;
        } else {
            let mut previous = 0;
            let is_ascending = ends.iter().all(|end| std::mem::replace(&mut previous, end) < end);
            check(is_ascending && ends.len() == docs && previous == len.into(), "a document without a passage")?;
        }
        Ok(passages)
    }

    pub(crate) fn len(&self) -> usize {
        self.lengths.len()
    }

    /// The passages of a document; never empty.
    #[inline]
    pub(crate) fn of_doc(&self, doc: u32) -> Range<u32> {
        if self.ends.len() == 0 {
            return doc..doc + 1;
        }
        self.ends.start_of(doc)..self.ends.narrow(doc)
    }

    /// The document of a passage.
    #[inline]
    pub(crate) fn doc(&self, passage: u32) -> u32 {
        if self.ends.len() == 0 { passage } else { self.ends.partition_point(|end| end <= passage.into()) }
    }

    /// Each of `passages`, which are ascending, with its document. Near ones are found in a few steps.
    pub(crate) fn with_docs(&self, passages: impl Iterator<Item = u32>) -> impl Iterator<Item = (u32, u32)> {
        // the last document and the end of its passages
        let (mut doc, mut end) = (0, self.ends.narrow(0));
        passages.map(move |passage| {
            if self.ends.len() == 0 {
                return (passage, passage);
            }
            if passage >= end {
                // each document between the two has a passage
                let nearest = doc + 1;
                let furthest = (nearest + (passage - end)).min(self.ends.len() - 1);
                doc = partition_point(nearest..furthest, |doc| self.ends.narrow(doc) <= passage);
                end = self.ends.narrow(doc);
            }
            (passage, doc)
        })
    }

    /// The passage of `doc` that contains `position`.
    pub(crate) fn at(&self, doc: u32, position: u32) -> u32 {
        let Range { start, end } = self.of_doc(doc);
        start.saturating_add(position / PASSAGE_WORDS).min(end - 1)
    }

    /// The position in `doc` at which a passage begins.
    pub(crate) fn first_position(&self, doc: u32, passage: u32) -> u32 {
        (passage - self.of_doc(doc).start) * PASSAGE_WORDS
    }

    /// The words of each passage.
    #[inline]
    pub(crate) fn lengths(&self) -> &[u8] {
        self.lengths.get()
    }

    /// Words of a document.
    pub(crate) fn doc_words(&self, doc: u32) -> u32 {
        let Range { start, end } = self.of_doc(doc);
        let lengths = self.lengths().get(start as usize..end as usize).unwrap_or_default();
        lengths.iter().copied().map(u32::from).sum()
    }
}
