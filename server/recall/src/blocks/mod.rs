//! Substring search: immutable blocks of the words of rows.
//!
//! A *row* is an episode or a memory with its folded text: outputs of [`fold_text`](crate::fold_text), one a line. A query
//! word has no white space, so each of its occurrences lies within a word of the text. A [`TextBlock`] of up to some
//! thousand rows has two parts that are stored and read separately:
//!
//! * [`BlockWords`]: the distinct words. A search reads them in each block, and looks for the query words in them.
//! * [`BlockRows`]: the keys of the rows, and for each word the rows that contain it. A search reads them in the blocks
//!   with a word that contains a query word.
//!
//! ```
//! use orgmem_recall::{BlockBuilder, BlockRows, BlockWords, Needles, RowKey};
//! use uuid::Uuid;
//!
//! let key = |number| RowKey { created_at: number, id: Uuid::from_u128(number as u128) };
//! let mut builder = BlockBuilder::default();
//! builder.add(key(1), "deployments freeze on fridays");
//! builder.add(key(2), "who froze the deployment?");
//! let block = builder.finish().expect("a block of two rows");
//!
//! let needles = Needles::new(&["deploy", "on"]);
//! let matches = BlockWords::read(&block.words)?.matching(&needles);
//! assert!(matches.has_all());
//! let rows = BlockRows::read(&block.rows)?;
//! assert_eq!(rows.matching(&matches, 2)?, [(key(1), 2)]);
//! assert_eq!(rows.matching(&matches, 1)?, [(key(2), 1), (key(1), 2)]);
//! # Ok::<(), orgmem_recall::BlockError>(())
//! ```
//!
//! # Format
//!
//! Both parts begin with a version and end with a [checksum](crate::bytes::checksum).
//!
//! The words are sorted, each followed by a line feed. The number of a word is its position.
//!
//! The rows are sorted by descending keys; the number of a row is its position. This part has: the checksum of the words;
//! the numbers of rows and words; the oldest time, and the size of the other ones; the ids; the starts of the records of
//! each [`GROUP`](rows::GROUP) of words; the times as differences from the oldest one; the [records](record) of the words.

mod builder;
mod record;
mod rows;
mod words;

use uuid::Uuid;

pub use builder::BlockBuilder;
pub use rows::BlockRows;
pub use words::{BlockWords, Needles, WordMatches};

use crate::bytes::{ByteWriter, checksum};
use crate::index::DecodeError;

/// Increase it for each change of the format, and for each change of [`fold_text`](crate::fold_text).
const VERSION: u8 = 1;

/// Identifies a row, and orders rows by time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RowKey {
    /// Microseconds since 1970.
    pub created_at: i64,
    /// Orders rows of the same time.
    pub id: Uuid,
}

/// A block as its two parts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextBlock {
    /// The bytes of [`BlockWords`].
    pub words: Vec<u8>,
    /// The bytes of [`BlockRows`].
    pub rows: Vec<u8>,
}

/// The number and the ranges of the rows of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BlockHead {
    /// Number of rows, at least 1.
    pub rows: u32,
    /// The greatest key.
    pub newest: RowKey,
    /// The least key.
    pub oldest: RowKey,
    /// The least id.
    pub min_id: Uuid,
    /// The greatest id.
    pub max_id: Uuid,
}

impl TextBlock {
    /// The keys of the rows, newest first.
    ///
    /// # Complexity
    /// O(bytes of the rows), for the checksum.
    pub fn keys(&self) -> Result<Vec<RowKey>, BlockError> {
        Ok(BlockRows::read(&self.rows)?.keys().collect())
    }

    /// The number and the ranges of the rows.
    ///
    /// # Complexity
    /// As [`keys`](TextBlock::keys).
    pub fn head(&self) -> Result<BlockHead, BlockError> {
        let keys = self.keys()?;
        let no_rows = BlockError::Damaged("a block without rows");
        let (newest, oldest) = keys.iter().max().zip(keys.iter().min()).ok_or(no_rows)?;
        let ids = || keys.iter().map(|key| key.id);
        let (min_id, max_id) = ids().min().zip(ids().max()).ok_or(no_rows)?;
        Ok(BlockHead { rows: keys.len() as u32, newest: *newest, oldest: *oldest, min_id, max_id })
    }
}

/// Why bytes are not a part of a [`TextBlock`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BlockError {
    /// Written by another version of this crate.
    #[error("text block of version `{0}`; this server reads version `{VERSION}`")]
    Version(u8),
    /// The bytes end too early.
    #[error("text block ends too early")]
    Truncated,
    /// The bytes are not those that were written.
    #[error("text block with another checksum")]
    Checksum,
    /// The words and the rows are parts of different blocks.
    #[error("words and rows of different text blocks")]
    Mismatch,
    /// This crate cannot have written the bytes.
    #[error("text block is damaged: {0}")]
    Damaged(&'static str),
}

impl From<DecodeError> for BlockError {
    fn from(error: DecodeError) -> Self {
        match error {
            DecodeError::Version(version) => BlockError::Version(version),
            DecodeError::Truncated => BlockError::Truncated,
            DecodeError::Malformed(fault) => BlockError::Damaged(fault),
        }
    }
}

/// Begins the bytes of a part.
fn begin() -> ByteWriter {
    let mut out = ByteWriter::default();
    out.byte(VERSION);
    out
}

/// Ends the bytes of a part; returns its checksum too.
fn finish(mut out: ByteWriter) -> (Vec<u8>, u64) {
    let sum = checksum(&out.bytes);
    out.bytes.extend_from_slice(&sum.to_le_bytes());
    (out.bytes, sum)
}

/// The content of a part, and its checksum.
fn open(bytes: &[u8]) -> Result<(&[u8], u64), BlockError> {
    let (checked, sum) = bytes.split_last_chunk().ok_or(BlockError::Truncated)?;
    let sum = u64::from_le_bytes(*sum);
    check(u32::try_from(bytes.len()).is_ok(), "a part of more than 4 GiB")?;
    match checked.split_first() {
        None => Err(BlockError::Truncated),
        Some((&VERSION, content)) if checksum(checked) == sum => Ok((content, sum)),
        Some((&VERSION, _)) => Err(BlockError::Checksum),
        Some((&other, _)) => Err(BlockError::Version(other)),
    }
}

fn check(is_valid: bool, fault: &'static str) -> Result<(), BlockError> {
    if is_valid { Ok(()) } else { Err(BlockError::Damaged(fault)) }
}

#[cfg(test)]
mod tests;
