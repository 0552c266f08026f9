use proptest::collection::vec;
use proptest::prelude::*;
use uuid::Uuid;

use super::*;

/// Words of few letters, so that they are often parts of each other.
fn any_word() -> impl Strategy<Value = String> {
    prop_oneof![
        6 => "[ab%_]{1,4}",
        2 => "[aé你😀\\\\]{1,3}",
        1 => (0..4_u128).prop_map(|number| Uuid::from_u128(number << 100 | number).to_string()),
        1 => (0..9_u32).prop_map(|number| format!("{{\"status\":\"ok\",\"count\":{number}}}")),
    ]
}

fn any_text() -> impl Strategy<Value = String> {
    let words = || vec(any_word(), 0..8);
    prop_oneof![
        8 => (words(), words()).prop_map(|(first, second)| format!("{}\n{}", first.join(" "), second.join(" "))),
        1 => (any_word(), 1..40_usize).prop_map(|(word, times)| vec![word; times].join(" ")),
    ]
}

/// Rows with distinct keys in any order, many of them with equal times.
fn any_rows() -> impl Strategy<Value = Vec<(RowKey, String)>> {
    let time = prop_oneof![6 => 0..5_i64, 2 => 1_700_000_000_000_000..1_800_000_000_000_000_i64, 1 => any::<i64>()];
    let row = (time, any::<u64>(), any_text()).boxed();
    let rows = prop_oneof![9 => vec(row.clone(), 0..12), 1 => vec(row, 40..90)];
    rows.prop_map(|rows| {
        let row = |(number, (created_at, id, text)): (usize, (i64, u64, String))| {
            let id = Uuid::from_u128(u128::from(id) << 64 | number as u128);
            (RowKey { created_at, id }, text)
        };
        rows.into_iter().enumerate().map(row).collect()
    })
}

fn block<'r>(rows: impl IntoIterator<Item = &'r (RowKey, String)>) -> Option<TextBlock> {
    let mut builder = BlockBuilder::default();
    rows.into_iter().for_each(|(key, text)| builder.add(*key, text));
    builder.finish()
}

fn search(block: &TextBlock, words: &[String], least: u32) -> Result<Vec<(RowKey, u32)>, BlockError> {
    let matches = BlockWords::read(&block.words)?.matching(&Needles::new(words));
    BlockRows::read(&block.rows)?.matching(&matches, least)
}

/// What [`search`] finds, by comparison of each text with each word.
fn naive_search(rows: &[(RowKey, String)], words: &[String], least: u32) -> Vec<(RowKey, u32)> {
    let count = |text: &str| words.iter().filter(|word| text.contains(word.as_str())).count() as u32;
    let mut found: Vec<_> = rows.iter().map(|(key, text)| (*key, count(text))).collect();
    found.retain(|(_, count)| *count >= least);
    found.sort_by(|a, b| b.cmp(a));
    found
}

/// The same block after changes of single bytes, with the right checksums.
fn changed(mut block: TextBlock, changes: Vec<(bool, prop::sample::Index, u8)>) -> TextBlock {
    for (in_words, at, byte) in changes {
        let bytes = if in_words { &mut block.words } else { &mut block.rows };
        // the checksum is overwritten below
        let at = 1 + at.index(bytes.len() - 1);
        bytes[at] = byte;
    }
    let sum = with_checksum(&mut block.words);
    block.rows[1..9].copy_from_slice(&sum.to_le_bytes());
    with_checksum(&mut block.rows);
    block
}

fn with_checksum(bytes: &mut [u8]) -> u64 {
    let end = bytes.len() - 8;
    let sum = checksum(&bytes[..end]);
    bytes[end..].copy_from_slice(&sum.to_le_bytes());
    sum
}

/// Uses all functions that read.
fn read_all(block: &TextBlock, words: &[String]) {
    let _ = (block.keys(), block.head(), search(block, words, 1));
    let mut builder = BlockBuilder::default();
    builder.add(RowKey { created_at: 1, id: Uuid::nil() }, "a b");
    match builder.merge(block, |key| key.id.as_bytes()[0].is_multiple_of(2)) {
        Ok(()) => drop(builder.finish().map(|block| search(&block, words, 0))),
        Err(_) => assert_eq!(builder.len(), 1),
    }
}

proptest! {
    #[test]
    fn search_finds_the_rows_whose_text_contains_the_words(
        rows in any_rows(),
        words in vec(any_word(), 1..5),
        least in 0..4_u32,
    ) {
        let Some(block) = block(&rows) else {
 prop_assert!(rows.is_empty());
 return Ok(());
 };
        let expected = naive_search(&rows, &words, least);
        prop_assert_eq!(search(&block, &words, least), Ok(expected));

        let matches = BlockWords::read(&block.words).unwrap().matching(&Needles::new(&words));
        let contained = words.iter().filter(|word| rows.iter().any(|(_, text)| text.contains(word.as_str()))).count();
        prop_assert_eq!(matches.found() as usize, contained);
        prop_assert_eq!(matches.has_any(), contained > 0);
        prop_assert_eq!(matches.has_all(), contained == words.len());
    }

    #[test]
    fn block_has_the_keys_of_its_rows(rows in any_rows()) {
        let Some(block) = block(&rows) else {
 prop_assert!(rows.is_empty());
 return Ok(());
 };
        let mut keys: Vec<RowKey> = rows.iter().map(|(key, _)| *key).collect();
        keys.sort_by(|a, b| b.cmp(a));
        let head = block.head().unwrap();
        prop_assert_eq!(head.rows as usize, keys.len());
        prop_assert_eq!([Some(&head.newest), Some(&head.oldest)], [keys.first(), keys.last()]);
        prop_assert_eq!(Some(head.min_id), keys.iter().map(|key| key.id).min());
        prop_assert_eq!(Some(head.max_id), keys.iter().map(|key| key.id).max());
        prop_assert_eq!(block.keys(), Ok(keys));
    }

    #[test]
    fn order_of_adding_makes_no_difference(
        (rows, shuffled) in any_rows().prop_flat_map(|rows| (Just(rows.clone()), Just(rows).prop_shuffle()))
    ) {
        prop_assert_eq!(block(&rows), block(&shuffled));
    }

    #[test]
    fn merged_blocks_equal_the_block_of_the_retained_rows(
        rows in any_rows(),
        parts in vec(0..3_usize, 200),
        removed in vec(any::<bool>(), 200),
    ) {
        // part 0 is added as rows
        let rows: Vec<_> = rows.into_iter().zip(parts).zip(removed).collect();
        let is_removed = |key| rows.iter().any(|((row, _), removed)| *removed && row.0 == key);
        let mut builder = BlockBuilder::default();
        for part in [1, 0, 2] {
            let of_part = rows.iter().filter(|((_, of), removed)| *of == part && !(part == 0 && *removed));
            let of_part: Vec<_> = of_part.map(|((row, _), _)| row).collect();
            if part == 0 {
                of_part.iter().for_each(|(key, text)| builder.add(*key, text));
            } else if let Some(block) = block(of_part) {
                prop_assert_eq!(builder.merge(&block, |key| !is_removed(key)), Ok(()));
            }
        }
        let retained = rows.iter().filter(|(_, removed)| !removed).map(|((row, _), _)| row);
        prop_assert_eq!(builder.len(), retained.clone().count());
        prop_assert_eq!(builder.finish(), block(retained));
    }

    #[test]
    fn changed_or_missing_bytes_are_an_error(rows in any_rows(), at in any::<prop::sample::Index>(), change in 1..=255_u8) {
        let Some(block) = block(&rows) else { return Ok(()) };
        for (bytes, of_words) in [(&block.words, true), (&block.rows, false)] {
            let is_error = |bytes: &[u8]| match of_words {
                true => BlockWords::read(bytes).is_err(),
                false => BlockRows::read(bytes).is_err(),
            };
            let at = at.index(bytes.len());
            prop_assert!(!is_error(bytes));
            prop_assert!(is_error(&bytes[..at]));
            let mut changed = bytes.clone();
            changed[at] ^= change;
            prop_assert!(is_error(&changed));
        }
    }

    /// With the right checksums, so that only the checks of the content are left.
    #[test]
    fn hostile_bytes_are_an_error_or_any_result(
        rows in any_rows(),
        words in vec(any_word(), 1..4),
        changes in vec((any::<bool>(), any::<prop::sample::Index>(), any::<u8>()), 1..6),
    ) {
        if let Some(block) = block(&rows) {
            read_all(&changed(block, changes), &words);
        }
    }

    #[test]
    fn random_bytes_are_an_error_or_any_result(
        random in vec(prop_oneof![0..8_u8, any::<u8>()], 0..200),
        text in "[ab\n]{0,40}",
    ) {
        let random = |start: &[u8]| [&[VERSION], start, &random, &[0; 8]].concat();
        let block = TextBlock { words: random(text.as_bytes()), rows: random(&[0; 8]) };
        read_all(&block, &["a".into()]);
        read_all(&changed(block, vec![]), &["a".into()]);
        let words = [&[VERSION], text.as_bytes(), &[b'\n'; 9]].concat();
        read_all(&changed(TextBlock { words, rows: random(&[0; 8]) }, vec![]), &["a".into()]);
    }
}

fn key(number: i64) -> RowKey {
    RowKey { created_at: number, id: Uuid::from_u128(number as u128) }
}

fn row(number: i64, text: &str) -> (RowKey, String) {
    (key(number), text.to_owned())
}

#[test]
fn builder_without_rows_has_no_block() {
    assert!(BlockBuilder::default().is_empty());
    assert_eq!(BlockBuilder::default().finish(), None);
    let mut builder = BlockBuilder::default();
    builder.merge(&block(&[row(1, "a")]).unwrap(), |_| false).unwrap();
    assert_eq!(builder.finish(), None);
}

#[test]
fn key_that_is_added_twice_has_two_rows() {
    let block = block(&[row(1, "a b"), row(1, "a c")]).unwrap();
    assert_eq!(search(&block, &["a".into()], 1), Ok(vec![(key(1), 1), (key(1), 1)]));
    assert_eq!(search(&block, &["c".into()], 1), Ok(vec![(key(1), 1)]));
}

#[test]
fn rows_without_words_are_in_the_block() {
    let block = block(&[row(1, ""), row(2, "\n\n")]).unwrap();
    assert_eq!(block.keys(), Ok(vec![key(2), key(1)]));
    assert_eq!(search(&block, &["a".into()], 1), Ok(vec![]));
    assert_eq!(search(&block, &["a".into()], 0), Ok(vec![(key(2), 0), (key(1), 0)]));
}

#[test]
fn empty_needles_and_needles_with_white_space_match_no_word() {
    let block = block(&[row(1, "a b"), row(2, "")]).unwrap();
    for needle in ["", " ", "a b", "a\nb", "\n"] {
        let matches = BlockWords::read(&block.words).unwrap().matching(&Needles::new(&[needle]));
        assert!(!matches.has_any(), "{needle:?}");
    }
}

#[test]
fn matches_of_another_block_are_an_error() {
    let (first, second) = (block(&[row(1, "a")]).unwrap(), block(&[row(1, "a b")]).unwrap());
    let mixed = TextBlock { words: first.words, rows: second.rows };
    assert_eq!(search(&mixed, &["a".into()], 1), Err(BlockError::Mismatch));
    assert_eq!(BlockBuilder::default().merge(&mixed, |_| true), Err(BlockError::Mismatch));
}

#[test]
fn other_version_is_an_error() {
    let mut block = block(&[row(1, "a")]).unwrap();
    (block.words[0], block.rows[0]) = (7, 8);
    assert_eq!(BlockWords::read(&block.words).err(), Some(BlockError::Version(7)));
    assert_eq!(BlockRows::read(&block.rows).err(), Some(BlockError::Version(8)));
}

/// All groups of words with the same start of records, so that each jump would read the same records.
#[test]
fn starts_that_do_not_ascend_are_an_error() {
    let words: Vec<String> = (0..200).map(|number| format!("w{number}")).collect();
    let mut block = block(&[row(1, &words.join(" "))]).unwrap();
    let starts = 1 + 8 + 3 + 9 + 16; // after the version, the checksum of the words, the counts, the time and the id
    assert_eq!(block.rows[starts + 4..starts + 8], 32_u32.to_le_bytes());
    block.rows[starts + 4..starts + 28].fill(0);
    with_checksum(&mut block.rows);
    assert_eq!(search(&block, &["w0".into()], 1), Ok(vec![(key(1), 1)]));
    assert_eq!(search(&block, &["7".into()], 1), Err(BlockError::Damaged("starts out of order")));
}
