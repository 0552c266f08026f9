//! The rows of one word.
//!
//! A record begins with a number. If it is odd, its upper bits are the number of the only row. Otherwise they are the size
//! of what follows: a bitmap of all rows, or if that would be longer, the differences of the numbers of rows minus 1.

use super::{BlockError, check};
use crate::bytes::{ByteReader, ByteWriter};

/// Which rows of a block contain a word, in one of the forms of a record.
#[derive(Clone, Copy)]
pub(super) enum Record<'b> {
    /// The number of the only row.
    One(u32),
    /// Differences of the numbers of rows.
    List(&'b [u8]),
    /// One bit for each row of the block, the first in the lowest bit.
    Bitmap(&'b [u8]),
}

/// Size of a bitmap of `rows` rows.
fn bitmap_size(rows: usize) -> usize {
    rows.div_ceil(8)
}

/// Appends the record of a word; `rows` are those that contain it, ascending and below `row_count`.
pub(super) fn write(out: &mut ByteWriter, rows: &[u32], row_count: usize) {
    if let &[row] = rows {
        return out.number(u64::from(row) << 1 | 1);
    }
    let mut list = ByteWriter::default();
    let mut least = 0;
    for &row in rows {
        list.number(u64::from(row - least));
        least = row + 1;
    }
    if list.bytes.len() >= bitmap_size(row_count) {
        list.bytes.clear();
        list.bytes.resize(bitmap_size(row_count), 0);
        rows.iter().for_each(|&row| list.bytes[row as usize / 8] |= 1 << (row % 8));
    }
    out.number((list.bytes.len() as u64) << 1);
    out.bytes.append(&mut list.bytes);
}

impl<'b> Record<'b> {
    /// Reads a record of a block of `row_count` rows.
    pub(super) fn read(bytes: &mut ByteReader<'b>, row_count: usize) -> Result<Self, BlockError> {
        let code = bytes.number()?;
        if code & 1 == 1 {
            let row = u32::try_from(code >> 1).map_err(|_| OUT_OF_RANGE)?;
            return Ok(Record::One(row));
        }
        let content = bytes.take(usize::try_from(code >> 1).map_err(|_| BlockError::Truncated)?)?;
        Ok(if content.len() < bitmap_size(row_count) { Record::List(content) } else { Record::Bitmap(content) })
    }

    /// Passes the number of each row to `sink`, ascending. Fails for a number that is not below `row_count`.
    pub(super) fn for_each(self, row_count: usize, mut sink: impl FnMut(usize)) -> Result<(), BlockError> {
        let row_count = row_count as u64;
        match self {
            Record::One(row) => {
                in_range(row.into(), row_count)?;
                sink(row as usize);
            }
            Record::List(list) => {
                let (mut list, mut least) = (ByteReader::new(list), 0_u64);
                while list.remaining() > 0 {
                    let row = least.saturating_add(list.number()?);
                    in_range(row, row_count)?;
                    sink(row as usize);
                    least = row + 1;
                }
            }
            Record::Bitmap(bitmap) => {
                let mut rows = ones(bitmap);
                rows.try_for_each(|row| in_range(row as u64, row_count).map(|()| sink(row)))?;
            }
        }
        Ok(())
    }

    /// Sets the flags of the rows to 1; `flags` has one for each row of the block.
    pub(super) fn flag(self, flags: &mut [u8]) -> Result<(), BlockError> {
        if let Record::Bitmap(bitmap) = self {
            check(bitmap.len() == bitmap_size(flags.len()), "a bitmap of another size")?;
            for (flags, byte) in flags.chunks_mut(8).zip(bitmap) {
                flags.iter_mut().zip(0..8).for_each(|(flag, bit)| *flag |= byte >> bit & 1);
            }
            return Ok(());
        }
        self.for_each(flags.len(), |row| flags.get_mut(row).into_iter().for_each(|flag| *flag = 1))
    }
}

const OUT_OF_RANGE: BlockError = BlockError::Damaged("a row out of range");

#[inline]
fn in_range(row: u64, row_count: u64) -> Result<(), BlockError> {
    if row < row_count { Ok(()) } else { Err(OUT_OF_RANGE) }
}

/// The numbers of the rows in a bitmap, ascending.
fn ones(bitmap: &[u8]) -> impl Iterator<Item = usize> {
    bitmap.iter().zip((0..).step_by(8)).filter(|(byte, _)| **byte != 0).flat_map(|(&byte, first)| {
        let next = move |rest: &u8| Some(rest & rest.wrapping_sub(1)).filter(|&rest| rest != 0);
        std::iter::successors(Some(byte), next).map(move |rest| first + rest.trailing_zeros() as usize)
    })
}
