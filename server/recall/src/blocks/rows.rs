//! The rows of a block: their keys, and the words that they contain.

use uuid::Uuid;

use super::record::{self, Record};
use super::{BlockError, RowKey, WordMatches, begin, check, finish, open};
use crate::bytes::{ByteReader, ByteWriter};

/// The part has the start of the record of each 32nd word.
pub(super) const GROUP: usize = 32;

/// The keys of the rows of a block, and for each word the rows that contain it.
#[derive(Clone, Copy, Debug)]
pub struct BlockRows<'b> {
    /// The checksum of the words of the block.
    words_checksum: u64,
    word_count: usize,
    ids: &'b [[u8; 16]],
    /// The times as differences from `oldest`, each of `time_size` bytes.
    times: &'b [u8],
    time_size: usize,
    oldest: i64,
    /// The starts of the records of each [`GROUP`] of words.
    starts: &'b [[u8; 4]],
    records: &'b [u8],
}

impl<'b> BlockRows<'b> {
    /// Reads the rows from bytes that may be anything.
    ///
    /// # Complexity
    /// O(bytes), for the checksum. Allocates nothing.
    pub fn read(bytes: &'b [u8]) -> Result<Self, BlockError> {
        let (content, _) = open(bytes)?;
        let mut input = ByteReader::new(content);
        let words_checksum = u64::from_le_bytes(input.array()?);
        // each row and word has at least one byte
        let (row_count, word_count) = (input.count()?, input.count()?);
        let (oldest, time_size) = (i64::from_le_bytes(input.array()?), usize::from(input.byte()?));
        check(time_size <= 8, "a time of more than eight bytes")?;
        let (ids, _) = input.take(row_count.saturating_mul(16))?.as_chunks();
        let (starts, _) = input.take(word_count.div_ceil(GROUP).saturating_mul(4))?.as_chunks();
        let times = input.take(row_count.saturating_mul(time_size))?;
        let records = input.take(input.remaining())?;
        Ok(BlockRows { words_checksum, word_count, ids, times, time_size, oldest, starts, records })
    }

    /// Number of rows.
    pub fn len(&self) -> usize {
        self.ids.len()
    }

    /// Whether there are no rows. [`BlockBuilder::finish`](super::BlockBuilder::finish) builds no such block.
    pub fn is_empty(&self) -> bool {
        self.ids.is_empty()
    }

    /// The keys of the rows, newest first.
    pub fn keys(&self) -> impl ExactSizeIterator<Item = RowKey> + use<'b> {
        let rows = *self;
        self.ids.iter().enumerate().map(move |(row, id)| rows.key(row, *id))
    }

    /// The key of the row with a number and an id.
    #[inline]
    fn key(&self, row: usize, id: [u8; 16]) -> RowKey {
        let mut bytes = [0; 8];
        let stored = self.times.get(row * self.time_size..).unwrap_or_default();
        bytes.iter_mut().zip(stored).take(self.time_size).for_each(|(to, from)| *to = *from);
        let created_at = self.oldest.wrapping_add(u64::from_le_bytes(bytes) as i64);
        RowKey { created_at, id: Uuid::from_bytes(id) }
    }

    /// The keys of the rows that contain at least `least` of the query words, newest first, each with the number of query
    /// words that it contains. `matches` are of the words of the same block.
    ///
    /// # Errors
    /// [`BlockError::Mismatch`] for the matches of another block.
    ///
    /// # Complexity
    /// O(rows · query words + words + rows of each word in `matches`). Allocates O(rows), and the result.
    pub fn matching(&self, matches: &WordMatches, least: u32) -> Result<Vec<(RowKey, u32)>, BlockError> {
        self.check_words(matches.checksum)?;
        let mut counts = vec![0; self.len()];
        let mut flags = vec![0; self.len()];
        for words in matches.words.iter().filter(|words| !words.is_empty()) {
            flags.fill(0);
            let mut records = self.records();
            words.iter().try_for_each(|&word| records.seek(word)?.flag(&mut flags))?;
            counts.iter_mut().zip(&flags).for_each(|(count, flag)| *count += u32::from(*flag));
        }
        let with_counts = self.ids.iter().zip(counts).enumerate().filter(|(_, (_, count))| *count >= least);
        Ok(with_counts.map(|(row, (id, count))| (self.key(row, *id), count)).collect())
    }

    /// Fails for the checksum of the words of another block.
    pub(super) fn check_words(&self, checksum: u64) -> Result<(), BlockError> {
        if checksum == self.words_checksum { Ok(()) } else { Err(BlockError::Mismatch) }
    }

    pub(super) fn word_count(&self) -> usize {
        self.word_count
    }

    pub(super) fn records(&self) -> Records<'b> {
        Records { rows: *self, rest: ByteReader::new(self.records), next: 0 }
    }
}

/// A position in the records that only moves forward, so that no bytes are read twice.
pub(super) struct Records<'b> {
    rows: BlockRows<'b>,
    rest: ByteReader<'b>,
    /// The word whose record begins `rest`.
    next: usize,
}

impl<'b> Records<'b> {
    /// The record of `word`, which is greater than the previous one.
    pub(super) fn seek(&mut self, word: u32) -> Result<Record<'b>, BlockError> {
        let (word, row_count) = (word as usize, self.rows.len());
        check(self.next <= word && word < self.rows.word_count, "a word out of range")?;
        let group = word / GROUP;
        if group > self.next / GROUP {
            let start = self.rows.starts.get(group).ok_or(BlockError::Truncated)?;
            let read = self.rows.records.len() - self.rest.remaining();
            let ahead = (u32::from_le_bytes(*start) as usize).checked_sub(read);
            self.rest.take(ahead.ok_or(BlockError::Damaged("starts out of order"))?)?;
            self.next = group * GROUP;
        }
        while self.next < word {
            Record::read(&mut self.rest, row_count)?;
            self.next += 1;
        }
        self.next += 1;
        Record::read(&mut self.rest, row_count)
    }
}

/// Writes rows with `keys`, which descend, and for each word the numbers of those that contain it, ascending.
pub(super) fn write<'w>(
    words_checksum: u64,
    keys: &[RowKey],
    words: impl ExactSizeIterator<Item = &'w [u32]>,
) -> Vec<u8> {
    let word_count = words.len();
    let (mut starts, mut records) = (Vec::new(), ByteWriter::default());
    for (number, rows) in words.enumerate() {
        if number.is_multiple_of(GROUP) {
            starts.extend_from_slice(&(records.bytes.len() as u32).to_le_bytes());
        }
        record::write(&mut records, rows, keys.len());
    }
    let mut out = begin();
    out.bytes.extend_from_slice(&words_checksum.to_le_bytes());
    [keys.len(), word_count].into_iter().for_each(|number| out.number(number as u64));
    let oldest = keys.last().map_or(0, |key| key.created_at);
    let time = |key: &RowKey| key.created_at.wrapping_sub(oldest) as u64;
    let time_size = (u64::BITS - keys.first().map_or(0, time).leading_zeros()).div_ceil(8) as usize;
    out.bytes.extend_from_slice(&oldest.to_le_bytes());
    out.byte(time_size as u8);
    keys.iter().for_each(|key| out.bytes.extend_from_slice(key.id.as_bytes()));
    out.bytes.append(&mut starts);
    keys.iter().for_each(|key| out.bytes.extend_from_slice(&time(key).to_le_bytes()[..time_size]));
    out.bytes.append(&mut records.bytes);
    finish(out).0
}
