//! Checks of the [records](super::postings) of stems.
//!
//! Most bytes of a segment are records, and a first search checks all of them. So a check decodes only the gaps between
//! passages; positions, which are as many bytes, are bounded together.

use super::SegmentError;
use super::column::check;
use super::postings::BLOCK;
use crate::bytes::ByteReader;

/// The gaps between the positions of a block add up to less, so no position in a document exceeds 32 bits.
const MAX_POSITIONS: u64 = 1 << 31;

/// Checks a record that may be anything: each passage is below `passages` and after the previous one, each position is in
/// range, each form is UTF-8 if `stem` is, and no number overflows.
///
/// # Complexity
/// O(bytes). Allocates only for a form that begins or ends within a character of the stem.
pub(super) fn check_record(stem: &[u8], record: &[u8], passages: u32) -> Result<(), SegmentError> {
    let mut bytes = ByteReader::new(record);
    let form_count = bytes.number().map_err(ends_early)?;
    check(form_count > 0, "a stem without a form")?;
    for _ in 0..form_count {
        let (cut, suffix) = bytes.delta().map_err(ends_early)?;
        check_form(stem, cut, suffix)?;
    }
    let (len, more) = (bytes.narrow().map_err(ends_early)?, bytes.number().map_err(ends_early)?);
    check(more < len.into(), "a stem without a document")?;
    let list_size = bytes.count().map_err(ends_early)?;
    let list = bytes.take(list_size).map_err(ends_early)?;
    let positions = bytes.rest();
    if len <= BLOCK {
        return check_block(list, positions, (len, form_count), None, passages).map(drop);
    }
    let (mut list, mut positions) = (ByteReader::new(list), ByteReader::new(positions));
    let (mut remaining, mut last) = (len, None);
    while remaining > 0 {
        let count = remaining.min(BLOCK);
        remaining -= count;
        let end = u64::from(last.unwrap_or(0)).saturating_add(list.number().map_err(ends_early)?);
        let (list_size, positions_size) = (list.count().map_err(ends_early)?, list.number().map_err(ends_early)?);
        let block_list = list.take(list_size).map_err(ends_early)?;
        let block_positions = positions.take(positions_size as usize).map_err(ends_early)?;
        let passage = check_block(block_list, block_positions, (count, form_count), last, passages)?;
        check(u64::from(passage) == end, "a block that ends elsewhere")?;
        last = Some(passage);
    }
    check(list.remaining() == 0 && positions.remaining() == 0, "something follows the last block")
}

fn ends_early(_: super::DecodeError) -> SegmentError {
    SegmentError::Damaged("a record that ends too early")
}

/// Checks the form that is `stem` without its last `cut` bytes, and `suffix`.
fn check_form(stem: &[u8], cut: usize, suffix: &[u8]) -> Result<(), SegmentError> {
    let (prefix, rest) = stem
        .len()
        .checked_sub(cut)
        .and_then(|shared| stem.split_at_checked(shared))
        .ok_or(SegmentError::Damaged("a cut longer than the stem"))?;
    let is_boundary = rest.first().is_none_or(|byte| (*byte as i8) >= FIRST_BYTE);
    let is_valid = match is_boundary {
        true => suffix.is_ascii() || std::str::from_utf8(suffix).is_ok(),
        false => std::str::from_utf8(&[prefix, suffix].concat()).is_ok(),
    };
    check(is_valid, "a form that is not UTF-8")
}

/// The least byte, as a signed number, that begins a character of UTF-8.
const FIRST_BYTE: i8 = -64;

/// Checks a block of `count` passages after `last`; returns the last of them.
#[inline]
fn check_block(
    list: &[u8],
    positions: &[u8],
    (count, form_count): (u32, u64),
    last: Option<u32>,
    passages: u32,
) -> Result<u32, SegmentError> {
    let mut list = ByteReader::new(list);
    let (mut passage, mut least_gap) = (u64::from(last.unwrap_or(0)), u64::from(last.is_some()));
    let mut occurrences = u64::from(count);
    for _ in 0..count {
        let code = list.number().map_err(ends_early)?;
        let gap = code >> 1;
        passage += gap;
        check(gap >= least_gap && passage < passages.into(), "a passage out of order")?;
        least_gap = 1;
        if code & 1 == 1 {
            let frequency = list.number().map_err(ends_early)?;
            check(frequency > 0 && frequency <= positions.len() as u64, "a passage without positions")?;
            occurrences += frequency - 1;
        }
    }
    check(list.remaining() == 0, "something follows the last passage of a block")?;
    check_positions(positions, occurrences, form_count)?;
    Ok(passage as u32)
}

/// Checks that a block has `occurrences` positions, with gaps whose sum is in range.
#[inline]
fn check_positions(positions: &[u8], occurrences: u64, form_count: u64) -> Result<(), SegmentError> {
    let len = positions.len() as u64;
    // one byte each
    if len == occurrences && len < MAX_POSITIONS / 0x80 && positions.is_ascii() {
        return Ok(());
    }
    check_long_positions(positions, occurrences, form_count)
}

fn check_long_positions(positions: &[u8], occurrences: u64, form_count: u64) -> Result<(), SegmentError> {
    let mut positions = ByteReader::new(positions);
    let mut sum = 0;
    for _ in 0..occurrences {
        let gap = positions.number().map_err(ends_early)? / form_count;
        sum = gap.saturating_add(sum);
        check(sum < MAX_POSITIONS, "a position beyond its passage")?;
    }
    check(positions.remaining() == 0, "something follows the last position of a block")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A record with one form, the stem itself, in two passages.
    const VALID: [u8; 9] = [1, 0, 2, 0, 2, 0, 2, 0, 0];

    fn check_deploy(record: &[u8]) -> Result<(), SegmentError> {
        check_record(b"deploy", record, 2)
    }

    #[test]
    fn record_with_a_missing_or_further_byte_is_an_error() {
        assert_eq!(check_deploy(&VALID), Ok(()));
        for end in 0..VALID.len() {
            assert!(check_deploy(&VALID[..end]).is_err(), "{end} bytes");
        }
        assert!(check_deploy(&[&VALID[..], &[0]].concat()).is_err());
    }

    #[test]
    fn each_number_beyond_its_range_is_an_error() {
        for (at, number, fault) in [
            (0, 0, "no form"),
            (1, 0x70, "a cut longer than the stem"),
            (2, 0, "no passage"),
            (2, 1, "fewer passages than in the list"),
            (3, 2, "no document"),
            (4, 1, "a list without its last passage"),
            (5, 4, "passages beyond the last"),
            (6, 0, "a passage twice"),
            (6, 4, "a passage beyond the last"),
            (7, 0x80, "a position of which the end is missing"),
        ] {
            let mut record = VALID;
            record[at] = number;
            if at == 7 {
                record[8] = 0x80;
            }
            assert!(check_deploy(&record).is_err(), "{fault}");
        }
    }

    #[test]
    fn frequency_must_equal_the_number_of_positions() {
        let record = |frequency, positions: &[u8]| [&[1, 0, 1, 0, 2, 1, frequency], positions].concat();
        assert_eq!(check_deploy(&record(2, &[0, 1])), Ok(()));
        assert_eq!(check_deploy(&record(2, &[0, 0x80, 1])), Ok(()));
        for (frequency, positions) in [(0, &[][..]), (1, &[0, 1]), (2, &[0]), (3, &[0, 1]), (2, &[0, 1, 0x80])] {
            assert!(check_deploy(&record(frequency, positions)).is_err(), "{frequency} of {positions:?}");
        }
    }

    #[test]
    fn positions_of_a_block_that_add_up_to_more_than_31_bits_are_an_error() {
        let record = |positions: &[u8]| [&[1, 0, 1, 0, 2, 1, 2], positions].concat();
        assert_eq!(check_deploy(&record(&[0, 0xff, 0xff, 0xff, 0xff, 7])), Ok(()));
        assert!(check_deploy(&record(&[1, 0xff, 0xff, 0xff, 0xff, 7])).is_err());
        let greatest = [&[1][..], &[0xff; 9], &[1]].concat();
        assert!(check_deploy(&record(&greatest)).is_err(), "the sum exceeds 64 bits");
    }

    #[test]
    fn form_must_be_utf8_with_the_part_of_the_stem_that_it_shares() {
        let check_form = |delta: &[u8]| check_form("\u{e9}".as_bytes(), usize::from(delta[0] >> 4), &delta[1..]);
        for valid in [&[0x00][..], b"\x03\xc3\xa9s", b"\x20", b"\x11\xa8", b"\x21e"] {
            assert_eq!(check_form(valid), Ok(()), "{valid:?}");
        }
        for invalid in [&[0x10][..], b"\x11e", b"\x01\xa8", b"\x01\xff", b"\x30"] {
            assert!(check_form(invalid).is_err(), "{invalid:?}");
        }
    }
}
