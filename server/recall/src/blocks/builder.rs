//! Builds blocks from rows and from other blocks.

use std::cmp::Reverse;

use foldhash::fast::RandomState;
use hashbrown::HashMap;

use super::{BlockError, BlockRows, BlockWords, RowKey, TextBlock, check, rows, words};

/// Collects the rows of a [`TextBlock`].
///
/// Each key is added once. If one is added several times, the block has several rows with this key, in the order of adding.
#[derive(Clone, Debug, Default)]
pub struct BlockBuilder {
    keys: Vec<RowKey>,
    /// The positions in `keys` of the rows that contain each word.
    words: HashMap<String, Vec<u32>, RandomState>,
}

impl BlockBuilder {
    /// Adds a row. `folded` consists of outputs of [`fold_text`](crate::fold_text), one a line.
    pub fn add(&mut self, key: RowKey, folded: &str) {
        let row = self.keys.len() as u32;
        self.keys.push(key);
        for word in folded.split([' ', '\n']).filter(|word| !word.is_empty()) {
            let rows = self.rows_of(word);
            if rows.last() != Some(&row) {
                rows.push(row);
            }
        }
    }

    /// Adds the rows of `block` for whose key `is_retained` is true.
    ///
    /// # Errors
    /// [`BlockError`] for a block that is damaged; then no row is added.
    ///
    /// # Complexity
    /// O(bytes of the block + words of each row).
    pub fn merge(&mut self, block: &TextBlock, mut is_retained: impl FnMut(RowKey) -> bool) -> Result<(), BlockError> {
        let (words, rows) = (BlockWords::read(&block.words)?, BlockRows::read(&block.rows)?);
        rows.check_words(words.checksum())?;
        let mut keys = Vec::new();
        // by row of the block, the position in `self.keys`
        let mut positions: Vec<Option<u32>> = Vec::with_capacity(rows.len());
        for key in rows.keys() {
            let is_retained = is_retained(key);
            positions.push(is_retained.then_some((self.keys.len() + keys.len()) as u32));
            keys.extend(is_retained.then_some(key));
        }
        let (mut records, mut word_count) = (rows.records(), 0);
        let mut added: Vec<(&str, Vec<u32>)> = Vec::new();
        for (number, word) in words.iter()?.enumerate() {
            let mut rows_of_word = Vec::new();
            let record = records.seek(number as u32)?;
            record.for_each(rows.len(), |row| rows_of_word.extend(positions.get(row).copied().flatten()))?;
            if !rows_of_word.is_empty() {
                added.push((word, rows_of_word));
            }
            word_count += 1;
        }
        check(word_count == rows.word_count(), "another number of words")?;
        self.keys.append(&mut keys);
        added.into_iter().for_each(|(word, mut rows)| self.rows_of(word).append(&mut rows));
        Ok(())
    }

    /// Number of rows.
    pub fn len(&self) -> usize {
        self.keys.len()
    }

    /// Whether no row was added.
    pub fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }

    /// The block of the rows; `None` without rows. With distinct keys, it does not depend on the order of adding.
    ///
    /// # Complexity
    /// O(n log n) for n distinct words of rows.
    pub fn finish(mut self) -> Option<TextBlock> {
        if self.keys.is_empty() {
            return None;
        }
        let mut order: Vec<usize> = (0..self.keys.len()).collect();
        order.sort_by_key(|&row| Reverse(self.keys[row]));
        let mut ranks = vec![0; order.len()];
        order.iter().zip(0..).for_each(|(&row, rank)| ranks[row] = rank);
        let keys: Vec<RowKey> = order.iter().map(|&row| self.keys[row]).collect();

        for rows in self.words.values_mut() {
            rows.iter_mut().for_each(|row| *row = ranks[*row as usize]);
            rows.sort_unstable();
            rows.dedup();
        }
        let mut sorted: Vec<(&str, &[u32])> = self.words.iter().map(|(word, rows)| (&**word, &**rows)).collect();
        sorted.sort_unstable_by_key(|(word, _)| *word);
        let (words, checksum) = words::write(sorted.iter().map(|(word, _)| *word));
        Some(TextBlock { words, rows: rows::write(checksum, &keys, sorted.iter().map(|(_, rows)| *rows)) })
    }

    fn rows_of(&mut self, word: &str) -> &mut Vec<u32> {
        self.words.entry_ref(word).or_default()
    }
}
