//! Binary encoding of numbers and strings, and checksums; decoding never trusts its input.

use crate::index::DecodeError;

/// Appends to a buffer.
#[derive(Default)]
pub(crate) struct ByteWriter {
    pub(crate) bytes: Vec<u8>,
}

impl ByteWriter {
    pub(crate) fn byte(&mut self, byte: u8) {
        self.bytes.push(byte);
    }

    /// LEB128: 1 byte below 128, at most 10.
    pub(crate) fn number(&mut self, mut number: u64) {
        while number >= 0x80 {
            self.bytes.push(number as u8 | 0x80);
            number >>= 7;
        }
        self.bytes.push(number as u8);
    }

    /// Zigzag encoding, so that small negative numbers are short.
    pub(crate) fn signed(&mut self, number: i64) {
        self.number(((number << 1) ^ (number >> 63)) as u64);
    }

    pub(crate) fn string(&mut self, string: &str) {
        self.number(string.len() as u64);
        self.bytes.extend_from_slice(string.as_bytes());
    }

    /// `to` as a difference from `from`: the bytes to cut off its end, and those to append. Usually one byte and the
    /// appended bytes.
    pub(crate) fn delta(&mut self, from: &str, to: &str) {
        let shared = from.bytes().zip(to.bytes()).take_while(|(a, b)| a == b).count();
        let (cut, added) = (from.len() - shared, &to.as_bytes()[shared..]);
        if cut < 15 && added.len() < 16 {
            self.byte((cut << 4 | added.len()) as u8);
        } else {
            self.byte(LONG_DELTA);
            self.number(cut as u64);
            self.number(added.len() as u64);
        }
        self.bytes.extend_from_slice(added);
    }
}

/// Marks a delta whose lengths do not fit into half a byte each.
const LONG_DELTA: u8 = 0xf0;

/// Reads from the front of a buffer; any content gives values or a [`DecodeError`].
#[derive(Clone, Copy)]
pub(crate) struct ByteReader<'b> {
    bytes: &'b [u8],
}

impl<'b> ByteReader<'b> {
    pub(crate) fn new(bytes: &'b [u8]) -> Self {
        ByteReader { bytes }
    }

    pub(crate) fn remaining(&self) -> usize {
        self.bytes.len()
    }

    pub(crate) fn rest(self) -> &'b [u8] {
        self.bytes
    }

    pub(crate) fn take(&mut self, len: usize) -> Result<&'b [u8], DecodeError> {
        let (taken, rest) = self.bytes.split_at_checked(len).ok_or(DecodeError::Truncated)?;
        self.bytes = rest;
        Ok(taken)
    }

    pub(crate) fn array<const N: usize>(&mut self) -> Result<[u8; N], DecodeError> {
        let (taken, rest) = self.bytes.split_first_chunk::<N>().ok_or(DecodeError::Truncated)?;
        self.bytes = rest;
        Ok(*taken)
    }

    pub(crate) fn byte(&mut self) -> Result<u8, DecodeError> {
        let [byte] = self.array()?;
        Ok(byte)
    }

    #[inline]
    pub(crate) fn number(&mut self) -> Result<u64, DecodeError> {
        match self.bytes {
            [byte @ 0..0x80, rest @ ..] => {
                self.bytes = rest;
                Ok(u64::from(*byte))
            }
            [low, high @ 0..0x80, rest @ ..] => {
                self.bytes = rest;
                Ok(u64::from(*low & 0x7f) | u64::from(*high) << 7)
            }
            _ => {
                let number;
                (number, *self) = self.long_number()?;
                Ok(number)
            }
        }
    }

    /// A number, and what follows it. By value, so that a reader can stay in registers.
    fn long_number(mut self) -> Result<(u64, Self), DecodeError> {
        let mut number = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            number |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Ok((number, self));
            }
        }
        Err(DecodeError::Malformed("a number of more than ten bytes"))
    }

    pub(crate) fn signed(&mut self) -> Result<i64, DecodeError> {
        let number = self.number()?;
        Ok((number >> 1) as i64 ^ -((number & 1) as i64))
    }

    /// The number of items that follow, each of at least one byte.
    pub(crate) fn count(&mut self) -> Result<usize, DecodeError> {
        let count = self.number()?;
        usize::try_from(count).ok().filter(|&count| count <= self.remaining()).ok_or(DecodeError::Truncated)
    }

    pub(crate) fn narrow(&mut self) -> Result<u32, DecodeError> {
        u32::try_from(self.number()?).map_err(|_| DecodeError::Malformed("a number of more than 32 bits"))
    }

    pub(crate) fn string(&mut self) -> Result<&'b str, DecodeError> {
        let len = self.count()?;
        std::str::from_utf8(self.take(len)?).map_err(|_| DecodeError::Malformed("a string that is not UTF-8"))
    }

    /// Applies a [delta](Writer::delta) to the bytes of a string.
    pub(crate) fn apply_delta(&mut self, string: &mut Vec<u8>) -> Result<(), DecodeError> {
        let (cut, added) = self.delta()?;
        let shared = string.len().checked_sub(cut).ok_or(DecodeError::Malformed("a cut longer than the word"))?;
        string.truncate(shared);
        string.extend_from_slice(added);
        Ok(())
    }

    /// The number of bytes to cut off, and the bytes to append.
    #[inline]
    pub(crate) fn delta(&mut self) -> Result<(usize, &'b [u8]), DecodeError> {
        let (cut, added) = match self.byte()? {
            LONG_DELTA => (self.narrow()? as usize, self.count()?),
            short => (usize::from(short >> 4), usize::from(short & 0xf)),
        };
        Ok((cut, self.take(added)?))
    }
}

/// A checksum that differs if one word of eight bytes differs.
pub(crate) fn checksum(bytes: &[u8]) -> u64 {
    let (words, rest) = bytes.as_chunks::<8>();
    let mut last = [0; 8];
    last.iter_mut().zip(rest).for_each(|(to, byte)| *to = *byte);
    words.iter().chain([&last]).fold(bytes.len() as u64, checksum_step)
}

/// The same for long bytes. Four sums at once take a quarter of the time, because each step waits for the previous one.
pub(crate) fn long_checksum(bytes: &[u8]) -> u64 {
    let (blocks, rest) = bytes.as_chunks::<32>();
    let mut sums = [bytes.len() as u64; 4];
    for block in blocks {
        let words = block.as_chunks().0;
        sums.iter_mut().zip(words).for_each(|(sum, word)| *sum = checksum_step(*sum, word));
    }
    sums.iter().fold(checksum(rest), |all, sum| checksum_step(all, &sum.to_le_bytes()))
}

/// A bijection of the sum for each word, and of the word for each sum.
fn checksum_step(sum: u64, word: &[u8; 8]) -> u64 {
    (sum ^ u64::from_le_bytes(*word)).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn checksums_differ_if_bytes_are_changed_swapped_or_missing() {
        for len in 0..100usize {
            let bytes: Vec<u8> = (0..len).map(|at| (at * at) as u8).collect();
            for checksum in [checksum, long_checksum] {
                let sum = checksum(&bytes);
                assert_ne!(sum, checksum(&[&bytes[..], &[0]].concat()), "a byte after {len}");
                for bit in 0..len * 8 {
                    let mut changed = bytes.clone();
                    changed[bit / 8] ^= 1 << (bit % 8);
                    assert_ne!(sum, checksum(&changed), "bit {bit} of {len} bytes");
                }
                for at in (8..len.saturating_sub(7)).step_by(8) {
                    let mut swapped = bytes.clone();
                    swapped.rotate_left(at);
                    assert!(swapped == bytes || sum != checksum(&swapped), "{len} bytes from {at}");
                }
            }
        }
    }
}
