//! The passages of documents.

use std::ops::Range;

use crate::tuning::PASSAGE_WORDS;

/// The passages of some documents, numbered consecutively. The score of a long text is that of its best passage.
#[derive(Debug, Default)]
pub(crate) struct Passages {
    /// End of the passages of each document; empty if each has one passage.
    ends: Box<[u32]>,
    /// Words of each passage.
    lengths: Box<[u8]>,
}

impl Passages {
    pub(super) fn of(doc_lengths: impl Iterator<Item = u32>) -> Self {
        let mut lengths = Vec::new();
        let ends = doc_lengths.map(|length| {
            let full = (length.saturating_add(PASSAGE_WORDS / 2) / PASSAGE_WORDS).saturating_sub(1);
            lengths.resize(lengths.len() + full as usize, PASSAGE_WORDS as u8);
            lengths.push((length - full * PASSAGE_WORDS) as u8);
            lengths.len() as u32
        });
        let mut ends: Vec<u32> = ends.collect();
        if ends.len() == lengths.len() {
            ends.clear();
        }
        Passages { ends: ends.into(), lengths: lengths.into() }
    }

    pub(crate) fn len(&self) -> usize {
        self.lengths.len()
    }

    /// The passages of a document; never empty.
    #[inline]
    pub(crate) fn of_doc(&self, doc: u32) -> Range<u32> {
        if self.ends.is_empty() {
            return doc..doc + 1;
        }
        let start = doc.checked_sub(1).map_or(0, |previous| self.ends[previous as usize]);
        start..self.ends[doc as usize]
    }

    /// The document of a passage.
    #[inline]
    pub(crate) fn doc(&self, passage: u32) -> u32 {
        if self.ends.is_empty() { passage } else { self.ends.partition_point(|end| *end <= passage) as u32 }
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

    /// Words of a passage.
    #[inline]
    pub(crate) fn words(&self, passage: u32) -> u8 {
        self.lengths[passage as usize]
    }

    /// Words of a document.
    pub(crate) fn doc_words(&self, doc: u32) -> u32 {
        self.of_doc(doc).map(|passage| u32::from(self.words(passage))).sum()
    }

    pub(super) fn size_bytes(&self) -> usize {
        size_of_val(&*self.ends) + self.lengths.len()
    }
}
