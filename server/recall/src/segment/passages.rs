//! How texts fall into passages.
//!
//! A long text is as good as the best passage of it, so words are counted by passage.

use std::ops::Range;

/// Words of a passage; the last one of a text has half as many at least and less than half as many more, unless it is
/// the only one.
const WORDS: u32 = 60;

/// The passages of some docs, numbered through.
#[derive(Debug, Default)]
pub(crate) struct Passages {
    /// Where those of each doc end.
    ends: Box<[u32]>,
    /// Words in each.
    lengths: Box<[u8]>,
}

impl Passages {
    /// The passages of docs of these lengths.
    pub(super) fn of(doc_lengths: impl Iterator<Item = u32>) -> Self {
        let mut lengths = Vec::new();
        let ends = doc_lengths.map(|length| {
            let more = (length.saturating_add(WORDS / 2) / WORDS).saturating_sub(1);
            lengths.resize(lengths.len() + more as usize, WORDS as u8);
            lengths.push((length - more * WORDS) as u8);
            lengths.len() as u32
        });
        Passages { ends: ends.collect(), lengths: lengths.into() }
    }

    pub(crate) fn count(&self) -> usize {
        self.lengths.len()
    }

    /// Those of `doc`, one at least.
    pub(crate) fn of_doc(&self, doc: u32) -> Range<u32> {
        let start = doc.checked_sub(1).map_or(0, |before| self.ends[before as usize]);
        start..self.ends[doc as usize]
    }

    /// The one of `doc` that `position` lies in.
    pub(crate) fn at(&self, doc: u32, position: u32) -> u32 {
        let Range { start, end } = self.of_doc(doc);
        start.saturating_add(position / WORDS).min(end - 1)
    }

    /// Words of a passage.
    pub(crate) fn length(&self, passage: u32) -> u8 {
        self.lengths[passage as usize]
    }

    /// Words of a doc.
    pub(crate) fn doc_length(&self, doc: u32) -> u32 {
        self.of_doc(doc).map(|passage| u32::from(self.length(passage))).sum()
    }

    pub(super) fn size_bytes(&self) -> usize {
        size_of_val(&*self.ends) + self.lengths.len()
    }
}
