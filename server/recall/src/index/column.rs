//! Columns of numbers and strings in the bytes of a segment.
//!
//! A column of numbers has one width for all: that of the difference of the greatest and the least. A number is read from
//! eight bytes, of which those after its width are masked; so at least eight bytes follow the start of the last number.

use std::sync::Arc;

use memchr::memmem::Finder;

use super::SegmentError;
use crate::bytes::{ByteReader, ByteWriter};

/// Bytes after the last column, so that eight bytes can be read at the last number.
pub(super) const PADDING: usize = 8;

/// Some of the bytes of a segment.
#[derive(Clone)]
pub(crate) struct Slice {
    bytes: Arc<[u8]>,
    start: usize,
    end: usize,
}

impl Slice {
    #[inline]
    pub(crate) fn get(&self) -> &[u8] {
        self.bytes.get(self.start..self.end).unwrap_or_default()
    }

    pub(super) fn len(&self) -> usize {
        self.end - self.start
    }
}

/// Numbers by position.
#[derive(Clone)]
pub(crate) struct Column {
    bytes: Arc<[u8]>,
    start: usize,
    len: u32,
    /// Bytes of a number, 0 to 8.
    width: usize,
    mask: u64,
    /// The least number.
    base: u64,
}

impl Column {
    /// A number; any number for a position that is not below [`len`](Column::len).
    #[inline]
    pub(crate) fn get(&self, position: u32) -> u64 {
        let at = self.start + position as usize * self.width;
        let word = self.bytes.get(at..).and_then(|rest| rest.first_chunk()).map_or(0, |word| u64::from_le_bytes(*word));
        self.base.wrapping_add(word & self.mask)
    }

    /// A number of a column of 32-bit numbers.
    #[inline]
    pub(crate) fn narrow(&self, position: u32) -> u32 {
        self.get(position) as u32
    }

    /// A number of a column of signed numbers.
    #[inline]
    pub(crate) fn signed(&self, position: u32) -> i64 {
        signed(self.get(position))
    }

    pub(crate) fn len(&self) -> u32 {
        self.len
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = u64> {
        (0..self.len).map(|position| self.get(position))
    }

    /// The greatest number; 0 of an empty column.
    pub(super) fn greatest(&self) -> u64 {
        let words = self.bytes.get(self.start..self.start + self.len as usize * self.width).unwrap_or_default();
        let greatest = match self.width {
            // a sum that wraps around is not in order
            _ if self.base.checked_add(self.mask).is_none() => None,
            _ if self.len == 0 => None,
            0 => Some(0),
            1 => words.iter().max().copied().map(u64::from),
            2 => words.as_chunks().0.iter().map(|word| u16::from_le_bytes(*word)).max().map(u64::from),
            _ => None,
        };
        greatest.map_or_else(|| self.iter().max().unwrap_or(0), |greatest| self.base + greatest)
    }

    /// The least number; `u64::MAX` for an empty column.
    pub(super) fn least(&self) -> u64 {
        match self.width {
            0 if self.len > 0 => self.base,
            _ => self.iter().min().unwrap_or(u64::MAX),
        }
    }

    /// The first position for which `is_before` is false; it is true for all smaller ones.
    pub(crate) fn partition_point(&self, is_before: impl Fn(u64) -> bool) -> u32 {
        partition_point(0..self.len, |position| is_before(self.get(position)))
    }

    /// The end of the previous item in a column of ends.
    #[inline]
    pub(super) fn start_of(&self, position: u32) -> u32 {
        position.checked_sub(1).map_or(0, |previous| self.narrow(previous))
    }
}

const SIGN: u64 = 1 << 63;

/// A signed number as a number with the same order.
pub(super) fn unsigned(number: i64) -> u64 {
    number as u64 ^ SIGN
}

/// The inverse of [`unsigned`].
pub(super) fn signed(number: u64) -> i64 {
    (number ^ SIGN) as i64
}

/// The first of `numbers` for which `is_before` is false; it is true for all smaller ones.
pub(super) fn partition_point(mut numbers: std::ops::Range<u32>, is_before: impl Fn(u32) -> bool) -> u32 {
    while !numbers.is_empty() {
        let middle = numbers.start + (numbers.end - numbers.start) / 2;
        match is_before(middle) {
            true => numbers.start = middle + 1,
            false => numbers.end = middle,
        }
    }
    numbers.start
}

/// Short strings by number.
#[derive(Clone)]
pub(crate) struct Strings {
    ends: Column,
    text: Slice,
}

impl Strings {
    pub(crate) fn len(&self) -> u32 {
        self.ends.len()
    }

    #[inline]
    pub(crate) fn bytes(&self, number: u32) -> &[u8] {
        let (start, end) = (self.ends.start_of(number), self.ends.narrow(number));
        self.text.get().get(start as usize..end as usize).unwrap_or_default()
    }

    /// The bytes of each string.
    pub(super) fn iter(&self) -> impl Iterator<Item = &[u8]> {
        let (text, mut start) = (self.text.get(), 0);
        self.ends
            .iter()
            .map(move |end| text.get(std::mem::replace(&mut start, end as usize)..end as usize).unwrap_or_default())
    }

    pub(crate) fn get(&self, number: u32) -> &str {
        // INVARIANT: the reader has checked each string
        std::str::from_utf8(self.bytes(number)).unwrap_or_default()
    }

    /// The number of `string` within `range`, which is sorted.
    pub(crate) fn find(&self, range: std::ops::Range<u32>, string: &str) -> Option<u32> {
        let end = range.end;
        let found = partition_point(range, |number| self.bytes(number) < string.as_bytes());
        (found < end && self.bytes(found) == string.as_bytes()).then_some(found)
    }

    /// The numbers of the strings of `range` that contain `part`, ascending, with the offset of its first occurrence.
    ///
    /// # Complexity
    /// O(bytes of the strings + matches · log strings). The strings are searched as one text, which is far quicker than
    /// one after the other.
    pub(crate) fn containing(&self, range: std::ops::Range<u32>, part: &str) -> impl Iterator<Item = (u32, u32)> {
        let finder = Finder::new(part.as_bytes()).into_owned();
        let end = self.ends.start_of(range.end);
        let (mut rest, mut from) = (range.clone(), self.ends.start_of(range.start));
        std::iter::from_fn(move || {
            while !rest.is_empty() {
                let text = self.text.get().get(from as usize..end as usize)?;
                let at = from + finder.find(text)? as u32;
                rest.start = partition_point(rest.clone(), |number| self.ends.narrow(number) <= at);
                if rest.is_empty() {
                    break;
                }
                let (number, after) = (rest.start, self.ends.narrow(rest.start));
                if at as usize + finder.needle().len() <= after as usize {
                    (rest.start, from) = (number + 1, after);
                    return Some((number, at - self.ends.start_of(number)));
                }
                // it begins in this string and ends in a later one
                from = at + 1;
            }
            None
        })
    }
}

impl ByteWriter {
    /// Writes a [`Column`].
    pub(super) fn column(&mut self, numbers: impl IntoIterator<Item = u64>) {
        let numbers: Vec<u64> = numbers.into_iter().collect();
        let base = numbers.iter().copied().min().unwrap_or(0);
        let greatest = numbers.iter().copied().max().unwrap_or(0) - base;
        let width = (u64::BITS - greatest.leading_zeros()).div_ceil(8) as usize;
        self.number(numbers.len() as u64);
        self.byte(width as u8);
        self.bytes.extend_from_slice(&base.to_le_bytes());
        self.bytes.reserve(numbers.len() * width);
        numbers.iter().for_each(|number| self.bytes.extend_from_slice(&(number - base).to_le_bytes()[..width]));
    }

    /// Writes [`Strings`].
    pub(super) fn strings<'s>(&mut self, strings: impl IntoIterator<Item = &'s str>) {
        let (mut text, mut ends) = (Vec::new(), Vec::new());
        for string in strings {
            text.extend_from_slice(string.as_bytes());
            ends.push(text.len() as u64);
        }
        self.column(ends);
        self.slice(&text);
    }

    /// Writes a [`Slice`].
    pub(super) fn slice(&mut self, bytes: &[u8]) {
        self.number(bytes.len() as u64);
        self.bytes.extend_from_slice(bytes);
    }
}

/// Reads columns from the front of the bytes of a segment. All content gives columns within the bytes, or an error.
pub(super) struct ColumnReader {
    bytes: Arc<[u8]>,
    at: usize,
    end: usize,
}

impl ColumnReader {
    /// A reader of `bytes` without the [`PADDING`] at its end.
    pub(super) fn new(bytes: Arc<[u8]>) -> Result<Self, SegmentError> {
        let end = bytes.len().checked_sub(PADDING).ok_or(SegmentError::Truncated)?;
        Ok(ColumnReader { bytes, at: 0, end })
    }

    fn read<T>(
        &mut self,
        read: impl FnOnce(&mut ByteReader<'_>) -> Result<T, super::DecodeError>,
    ) -> Result<T, SegmentError> {
        let mut reader = ByteReader::new(self.bytes.get(self.at..self.end).unwrap_or_default());
        let value = read(&mut reader).map_err(|_| SegmentError::Truncated)?;
        self.at = self.end - reader.remaining();
        Ok(value)
    }

    pub(super) fn byte(&mut self) -> Result<u8, SegmentError> {
        self.read(|reader| reader.byte())
    }

    pub(super) fn number(&mut self) -> Result<u64, SegmentError> {
        self.read(|reader| reader.number())
    }

    /// A number of at most 32 bits.
    pub(super) fn narrow(&mut self) -> Result<u32, SegmentError> {
        self.read(|reader| reader.narrow())
    }

    pub(super) fn slice(&mut self) -> Result<Slice, SegmentError> {
        let len = self.read(|reader| reader.count())?;
        self.slice_of(len)
    }

    /// A slice of `len` bytes without their number.
    pub(super) fn slice_of(&mut self, len: usize) -> Result<Slice, SegmentError> {
        let start = self.at;
        self.read(|reader| reader.take(len).map(drop))?;
        Ok(Slice { bytes: Arc::clone(&self.bytes), start, end: self.at })
    }

    pub(super) fn column(&mut self) -> Result<Column, SegmentError> {
        let (len, width) = (self.narrow()?, usize::from(self.byte()?));
        let base = u64::from_le_bytes(self.read(|reader| reader.array())?);
        let mask = match width {
            0 => 0,
            1..=8 => u64::MAX >> (64 - 8 * width),
            _ => return Err(SegmentError::Damaged("a number of more than eight bytes")),
        };
        // each item has at least one byte somewhere, so a longer column would only cost time
        check(len as usize <= self.bytes.len(), "a column longer than its segment")?;
        let data = self.slice_of((len as usize).checked_mul(width).ok_or(SegmentError::Truncated)?)?;
        Ok(Column { bytes: data.bytes, start: data.start, len, width, mask, base })
    }

    /// A column of `len` numbers.
    pub(super) fn column_of(&mut self, len: u32) -> Result<Column, SegmentError> {
        let column = self.column()?;
        check(column.len == len, "a column of another length")?;
        Ok(column)
    }

    /// A column of numbers below `limit`.
    pub(super) fn column_below(&mut self, limit: u64) -> Result<Column, SegmentError> {
        let column = self.column()?;
        check(column.len == 0 || column.greatest() < limit, "a number beyond its range")?;
        Ok(column)
    }

    /// A column of the ends of consecutive ranges.
    pub(super) fn ends(&mut self) -> Result<Column, SegmentError> {
        let column = self.column()?;
        let mut previous = 0;
        let is_ascending = column.iter().all(|end| std::mem::replace(&mut previous, end) <= end);
        check(is_ascending && previous <= u32::MAX.into(), "ends out of order")?;
        Ok(column)
    }

    pub(super) fn strings(&mut self) -> Result<Strings, SegmentError> {
        let ends = self.ends()?;
        let text = self.slice()?;
        let whole = std::str::from_utf8(text.get()).map_err(|_| SegmentError::Damaged("a string that is not UTF-8"))?;
        let is_valid = whole.is_ascii() || ends.iter().all(|end| whole.is_char_boundary(end as usize));
        check(is_valid && ends.start_of(ends.len()) as usize == whole.len(), "a string that is not whole")?;
        Ok(Strings { ends, text })
    }

    /// Fails if something follows.
    pub(super) fn finish(&self) -> Result<(), SegmentError> {
        check(self.at == self.end, "something follows the last column")
    }
}

pub(super) fn check(is_valid: bool, fault: &'static str) -> Result<(), SegmentError> {
    if is_valid { Ok(()) } else { Err(SegmentError::Damaged(fault)) }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn strings_of(strings: &[String]) -> Strings {
        let mut out = ByteWriter::default();
        out.strings(strings.iter().map(String::as_str));
        out.bytes.extend_from_slice(&[0; PADDING]);
        let reader = ColumnReader::new(out.bytes.into()).and_then(|mut reader| reader.strings());
        reader.expect("they were just written")
    }

    proptest! {
        #[test]
        fn greatest_and_least_number_are_those_of_all(
            base in prop_oneof![Just(0), any::<u64>()],
            offsets in prop::collection::vec(prop_oneof![0..3u64, 0..600u64, 0..90_000u64], 0..9),
            wraps in any::<bool>(),
        ) {
            let mut out = ByteWriter::default();
            out.column(offsets.iter().map(|offset| base.saturating_add(*offset)));
            if wraps {
                // a base that this crate does not write, after the length and the width
                out.bytes[2..10].copy_from_slice(&(u64::MAX - 1).to_le_bytes());
            }
            out.bytes.extend_from_slice(&[0; PADDING]);
            let column = ColumnReader::new(out.bytes.into()).and_then(|mut reader| reader.column());
            let column = column.expect("it was just written");
            prop_assert_eq!(column.greatest(), column.iter().max().unwrap_or(0));
            prop_assert_eq!(column.least(), column.iter().min().unwrap_or(u64::MAX));
        }

        /// Few letters, so that a part often begins in one string and ends in the next.
        #[test]
        fn parts_are_found_within_single_strings(
            strings in prop::collection::vec("[abä]{0,5}", 0..12),
            (start, end) in (0usize..13, 0usize..13),
            part in "[abä]{1,3}",
        ) {
            let end = end.min(strings.len());
            let start = start.min(end);
            let found: Vec<(u32, u32)> = strings_of(&strings).containing(start as u32..end as u32, &part).collect();
            let each = (start..end).filter_map(|number| Some((number as u32, strings[number].find(&part)? as u32)));
            prop_assert_eq!(found, each.collect::<Vec<_>>());
        }
    }
}
