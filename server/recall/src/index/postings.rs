//! Posting lists: the occurrences of one stem, as a record of a segment; and the passages they fall into.
//!
//! A record is the number of forms of the stem, each form as a delta to the stem; the number of documents; then for each
//! document, in order: the gap to the previous one with a bit that marks several occurrences, if so their number, and
//! the gaps between the positions, each combined with the number of the form at that position.

use std::ops::Range;

use super::bytes::{ByteReader, ByteWriter};
use crate::tuning::PASSAGE_WORDS;

/// One occurrence of a stem.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Occurrence {
    pub(super) stem: u32,
    pub(super) doc: u32,
    pub(super) position: u32,
    pub(super) form: u32,
}

/// Appends the record of a stem; `occurrences` are those of the stem, sorted.
pub(super) fn write_record<'f>(
    out: &mut ByteWriter,
    stem: &str,
    forms: impl ExactSizeIterator<Item = &'f str>,
    occurrences: &[Occurrence],
) {
    let form_count = forms.len() as u64;
    out.number(form_count);
    forms.for_each(|form| out.delta(stem, form));
    let docs = || occurrences.chunk_by(|a, b| a.doc == b.doc);
    out.number(docs().count() as u64);
    let mut previous_doc = 0;
    for in_doc in docs() {
        let doc = in_doc[0].doc;
        out.number(u64::from(doc - previous_doc) << 1 | u64::from(in_doc.len() > 1));
        if in_doc.len() > 1 {
            out.number(in_doc.len() as u64);
        }
        let mut previous_position = 0;
        for occurrence in in_doc {
            let gap = occurrence.position - previous_position;
            out.number(u64::from(gap) * form_count + u64::from(occurrence.form));
            previous_position = occurrence.position;
        }
        previous_doc = doc;
    }
}

/// Reads a record.
///
/// INVARIANT: [`write_record`] wrote its bytes, so the defaults for malformed bytes are never used.
#[derive(Clone, Copy)]
pub(crate) struct TermRecord<'p> {
    stem: &'p str,
    bytes: ByteReader<'p>,
}

impl<'p> TermRecord<'p> {
    pub(super) fn new(stem: &'p str, bytes: &'p [u8]) -> Self {
        TermRecord { stem, bytes: ByteReader::new(bytes) }
    }

    /// The posting list of the stem in any form.
    pub(crate) fn postings(self) -> Postings<'p> {
        self.postings_with_forms(|_| {})
    }

    /// The same; passes the forms to `form` first, in the order of their numbers.
    pub(crate) fn postings_with_forms(mut self, mut form: impl FnMut(Form<'p>)) -> Postings<'p> {
        let form_count = number(&mut self.bytes);
        for _ in 0..form_count {
            let (cut, suffix) = self.bytes.delta().unwrap_or_default();
            let shared = self.stem.len().saturating_sub(cut);
            form(Form { prefix: &self.stem.as_bytes()[..shared], suffix });
        }
        let remaining = number(&mut self.bytes);
        Postings { bytes: self.bytes, form_count, remaining, doc: 0 }
    }
}

/// A spelling of a stem: a prefix that it shares with the stem, and a suffix.
#[derive(Clone, Copy)]
pub(crate) struct Form<'p> {
    prefix: &'p [u8],
    suffix: &'p [u8],
}

impl Form<'_> {
    pub(crate) fn starts_with(self, prefix: &str) -> bool {
        let prefix = prefix.as_bytes();
        match prefix.strip_prefix(self.prefix) {
            Some(rest) => self.suffix.starts_with(rest),
            None => self.prefix.starts_with(prefix),
        }
    }

    pub(super) fn to_word(self) -> String {
        String::from_utf8([self.prefix, self.suffix].concat()).unwrap_or_default()
    }
}

/// The documents of a stem, in order.
#[derive(Clone)]
pub(crate) struct Postings<'p> {
    bytes: ByteReader<'p>,
    form_count: u64,
    remaining: u64,
    doc: u32,
}

impl Postings<'_> {
    /// Number of remaining documents.
    pub(crate) fn len(&self) -> u64 {
        self.remaining
    }
}

/// A document and the positions of a stem in it.
pub(crate) struct Posting<'p> {
    pub(crate) doc: u32,
    frequency: u32,
    positions: ByteReader<'p>,
    form_count: u64,
}

impl<'p> Iterator for Postings<'p> {
    type Item = Posting<'p>;

    #[inline]
    fn next(&mut self) -> Option<Posting<'p>> {
        self.remaining = self.remaining.checked_sub(1)?;
        let code = number(&mut self.bytes);
        self.doc += (code >> 1) as u32;
        let frequency = if code & 1 == 1 { number(&mut self.bytes) as u32 } else { 1 };
        let positions = self.bytes;
        for _ in 0..frequency {
            number(&mut self.bytes);
        }
        Some(Posting { doc: self.doc, frequency, positions, form_count: self.form_count })
    }
}

impl<'p> Posting<'p> {
    /// Passes each passage with the frequency of the stem in it to `sink`, in order.
    #[inline]
    pub(crate) fn by_passage(self, passages: &Passages, mut sink: impl FnMut(u32, u32)) {
        let doc = self.doc;
        let of_doc = passages.of_doc(doc);
        if of_doc.len() == 1 {
            return sink(of_doc.start, self.frequency);
        }
        let (mut current, mut frequency) = (of_doc.start, 0);
        for (position, _) in self.positions() {
            let passage = passages.at(doc, position);
            if passage != current {
                if frequency > 0 {
                    sink(current, frequency);
                }
                (current, frequency) = (passage, 0);
            }
            frequency += 1;
        }
        sink(current, frequency);
    }

    /// The positions, ascending, each with the number of its form.
    pub(crate) fn positions(self) -> impl Iterator<Item = (u32, u32)> + use<'p> {
        let Posting { frequency, mut positions, form_count, .. } = self;
        let mut position = 0;
        (0..frequency).map(move |_| {
            let code = number(&mut positions);
            position += (code / form_count) as u32;
            (position, (code % form_count) as u32)
        })
    }
}

#[inline]
fn number(bytes: &mut ByteReader<'_>) -> u64 {
    bytes.number().unwrap_or_default()
}

/// The passages of some documents, numbered consecutively. The score of a long text is that of its best passage.
#[derive(Debug, Default)]
pub(crate) struct Passages {
    /// End of the passages of each document.
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
        Passages { ends: ends.collect(), lengths: lengths.into() }
    }

    pub(crate) fn len(&self) -> usize {
        self.lengths.len()
    }

    /// The passages of a document; never empty.
    pub(crate) fn of_doc(&self, doc: u32) -> Range<u32> {
        let start = doc.checked_sub(1).map_or(0, |previous| self.ends[previous as usize]);
        start..self.ends[doc as usize]
    }

    /// The passage of `doc` that contains `position`.
    pub(crate) fn at(&self, doc: u32, position: u32) -> u32 {
        let Range { start, end } = self.of_doc(doc);
        start.saturating_add(position / PASSAGE_WORDS).min(end - 1)
    }

    /// Words of a passage.
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
