//! Posting lists: the passages that contain one stem, as a record of a segment.
//!
//! A record is the number of forms of the stem, each form as a delta to the stem; the number of passages, and how many of
//! them follow another one of the same document; the size of the list in bytes; the list; the positions.
//!
//! The list has a gap for each passage, with a bit that marks several occurrences, and if so their number. The positions
//! are the gaps between the positions within a passage, each combined with the number of the form at that position. They
//! are separate because only pairs, phrases and prefixes need them. A record of more than [`BLOCK`] passages is divided
//! into blocks: before each block the list has its last passage and its size in both parts, so that it can be skipped.

use super::Passages;
use crate::bytes::{ByteReader, ByteWriter};

/// Maximum number of passages of a block.
pub(super) const BLOCK: u32 = 128;

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
    passages: &Passages,
) {
    let form_count = forms.len() as u64;
    out.number(form_count);
    forms.for_each(|form| out.delta(stem, form));
    let passage = |it: &Occurrence| passages.at(it.doc, it.position);
    let in_passages: Vec<&[Occurrence]> = occurrences.chunk_by(|a, b| passage(a) == passage(b)).collect();
    let docs = occurrences.chunk_by(|a, b| a.doc == b.doc).count();
    out.number(in_passages.len() as u64);
    out.number((in_passages.len() - docs) as u64);
    let (mut list, mut positions) = (ByteWriter::default(), ByteWriter::default());
    let mut previous = 0;
    for block in in_passages.chunks(BLOCK as usize) {
        let (mut block_list, mut block_positions) = (ByteWriter::default(), ByteWriter::default());
        let before = previous;
        for &in_passage in block {
            let number = passage(&in_passage[0]);
            let frequency = in_passage.len();
            block_list.number(u64::from(number - previous) << 1 | u64::from(frequency > 1));
            if frequency > 1 {
                block_list.number(frequency as u64);
            }
            let mut position = passages.first_position(in_passage[0].doc, number);
            for occurrence in in_passage {
                let gap = u64::from(occurrence.position - position);
                block_positions.number(gap * form_count + u64::from(occurrence.form));
                position = occurrence.position;
            }
            previous = number;
        }
        if in_passages.len() > BLOCK as usize {
            list.number(u64::from(previous - before));
            list.number(block_list.bytes.len() as u64);
            list.number(block_positions.bytes.len() as u64);
        }
        list.bytes.append(&mut block_list.bytes);
        positions.bytes.append(&mut block_positions.bytes);
    }
    out.number(list.bytes.len() as u64);
    out.bytes.append(&mut list.bytes);
    out.bytes.append(&mut positions.bytes);
}

/// Reads a record.
///
/// INVARIANT: [`write_record`] wrote its bytes, or [`check_record`](super::record_check::check_record) accepts them, so the
/// defaults for malformed bytes are never used.
#[derive(Clone, Copy)]
pub(crate) struct TermRecord<'p> {
    stem: &'p [u8],
    bytes: ByteReader<'p>,
}

impl<'p> TermRecord<'p> {
    pub(super) fn new(stem: &'p [u8], bytes: &'p [u8]) -> Self {
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
            form(Form { prefix: &self.stem[..shared], suffix });
        }
        let len = number(&mut self.bytes) as u32;
        let docs = len - number(&mut self.bytes) as u32;
        let list_size = number(&mut self.bytes) as usize;
        let list = ByteReader::new(self.bytes.take(list_size).unwrap_or_default());
        Postings { docs, len, list, positions: self.bytes, form_count }
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

    pub(crate) fn to_word(self) -> String {
        String::from_utf8([self.prefix, self.suffix].concat()).unwrap_or_default()
    }

    /// The word, in a buffer that can be used again.
    pub(crate) fn spell(self, buffer: &mut Vec<u8>) -> &str {
        buffer.clear();
        buffer.extend_from_slice(self.prefix);
        buffer.extend_from_slice(self.suffix);
        std::str::from_utf8(buffer).unwrap_or_default()
    }
}

/// The passages that contain a stem, in order.
#[derive(Clone, Copy)]
pub(crate) struct Postings<'p> {
    /// Number of documents.
    pub(crate) docs: u32,
    /// Number of passages.
    pub(crate) len: u32,
    list: ByteReader<'p>,
    positions: ByteReader<'p>,
    form_count: u64,
}

impl<'p> Postings<'p> {
    /// Passes each passage with the frequency of the stem in it to `sink`, in order.
    #[inline]
    pub(crate) fn for_each(self, mut sink: impl FnMut(u32, u32)) {
        for mut block in Blocks::new(self) {
            for _ in 0..block.len {
                let (passage, frequency) = block.next_passage();
                sink(passage, frequency);
            }
        }
    }

    /// The same for those of `wanted`, which are ascending. Blocks without one of them are skipped.
    #[inline]
    pub(crate) fn for_each_of(self, wanted: &[u32], mut sink: impl FnMut(u32, u32)) {
        let mut wanted = wanted.iter().copied();
        let Some(mut next) = wanted.next() else { return };
        for mut block in Blocks::new(self) {
            while block.len > 0 && next <= block.last {
                block.len -= 1;
                let (passage, frequency) = block.next_passage();
                while next < passage {
                    let Some(following) = wanted.next() else { return };
                    next = following;
                }
                if passage == next {
                    sink(passage, frequency);
                }
            }
        }
    }

    /// A cursor before the first passage.
    pub(crate) fn cursor(self) -> Cursor<'p> {
        let empty = ByteReader::new(&[]);
        let block = Block { passage: 0, last: 0, len: 0, list: empty, positions: empty };
        let (form_count, blocks) = (self.form_count.max(1), Blocks::new(self));
        Cursor { form_count, blocks, block, current: None, unread: 0, is_read: false }
    }
}

/// The blocks of a posting list.
struct Blocks<'p> {
    remaining: u32,
    list: ByteReader<'p>,
    positions: ByteReader<'p>,
    has_heads: bool,
    /// The last passage of the previous block.
    last: u32,
}

struct Block<'p> {
    /// The passage before the next one.
    passage: u32,
    /// Not less than the last passage.
    last: u32,
    /// Number of passages that were not read.
    len: u32,
    list: ByteReader<'p>,
    positions: ByteReader<'p>,
}

impl<'p> Blocks<'p> {
    fn new(postings: Postings<'p>) -> Self {
        let Postings { len: remaining, list, positions, .. } = postings;
        Blocks { remaining, list, positions, has_heads: remaining > BLOCK, last: 0 }
    }
}

impl<'p> Iterator for Blocks<'p> {
    type Item = Block<'p>;

    fn next(&mut self) -> Option<Block<'p>> {
        let len = self.remaining.min(BLOCK);
        if len == 0 {
            return None;
        }
        self.remaining -= len;
        let passage = self.last;
        if !self.has_heads {
            return Some(Block { passage, last: u32::MAX, len, list: self.list, positions: self.positions });
        }
        self.last += number(&mut self.list) as u32;
        let (list_size, positions_size) = (number(&mut self.list) as usize, number(&mut self.list) as usize);
        let list = ByteReader::new(self.list.take(list_size).unwrap_or_default());
        let positions = ByteReader::new(self.positions.take(positions_size).unwrap_or_default());
        Some(Block { passage, last: self.last, len, list, positions })
    }
}

impl Block<'_> {
    /// The next passage, and the frequency of the stem in it.
    #[inline]
    fn next_passage(&mut self) -> (u32, u32) {
        let code = number(&mut self.list);
        self.passage += (code >> 1) as u32;
        (self.passage, if code & 1 == 1 { number(&mut self.list) as u32 } else { 1 })
    }
}

/// A position in a posting list that only moves forward, and skips blocks.
pub(crate) struct Cursor<'p> {
    blocks: Blocks<'p>,
    block: Block<'p>,
    /// The passage and the frequency at the cursor.
    current: Option<(u32, u32)>,
    form_count: u64,
    /// Number of positions in the block before those of the current passage that were not read.
    unread: u32,
    /// Whether the positions of the current passage were read.
    is_read: bool,
}

impl Cursor<'_> {
    /// Moves to the first passage that is not before `target`, and returns it with its frequency. `None` at the end.
    #[inline]
    pub(crate) fn seek(&mut self, target: u32) -> Option<(u32, u32)> {
        if let Some(current) = self.current
            && current.0 >= target
        {
            return Some(current);
        }
        while self.block.len == 0 || self.block.last < target {
            (self.current, self.unread, self.is_read) = (None, 0, false);
            self.block = self.blocks.next()?;
        }
        loop {
            let (passage, frequency) = self.advance()?;
            if passage >= target {
                return Some((passage, frequency));
            }
        }
    }

    /// Moves to the next passage.
    #[inline]
    pub(crate) fn advance(&mut self) -> Option<(u32, u32)> {
        let is_read = std::mem::take(&mut self.is_read);
        if let Some((_, frequency)) = self.current.take().filter(|_| !is_read) {
            self.unread += frequency;
        }
        while self.block.len == 0 {
            self.unread = 0;
            self.block = self.blocks.next()?;
        }
        self.block.len -= 1;
        self.current = Some(self.block.next_passage());
        self.current
    }

    /// Passes each position in the current passage, which begins at `start`, with the number of its form to `sink`,
    /// ascending. Can be called once for each passage.
    pub(crate) fn positions(&mut self, start: u32, mut sink: impl FnMut(u32, u32)) {
        let Some((_, frequency)) = self.current.filter(|_| !self.is_read) else { return };
        for _ in 0..std::mem::take(&mut self.unread) {
            number(&mut self.block.positions);
        }
        let mut position = start;
        for _ in 0..frequency {
            let code = number(&mut self.block.positions);
            position += (code / self.form_count) as u32;
            sink(position, (code % self.form_count) as u32);
        }
        self.is_read = true;
    }
}

#[inline]
fn number(bytes: &mut ByteReader<'_>) -> u64 {
    bytes.number().unwrap_or_default()
}

#[cfg(test)]
#[path = "postings_tests.rs"]
mod tests;
