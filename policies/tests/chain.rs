//! Every manipulation of a sealed log is found, and the row is named.

use chrono::{DateTime, Utc};
use orgmem_policies::chain::{ChainFault, ChainRow, GENESIS, RowHash, Seal, SealKey, check, check_order};
use proptest::prelude::*;
use uuid::Uuid;

const ORG: Uuid = Uuid::from_u128(7);

fn key() -> SealKey {
    SealKey::new(b"the key of this test")
}

/// A modifiable row.
#[derive(Clone, Debug, PartialEq)]
struct AnyRow {
    at: i64,
    texts: [String; 4],
    ids: [Option<Uuid>; 3],
    content_hash: Option<Vec<u8>>,
    memories: Vec<u8>,
}

impl AnyRow {
    fn hash(&self) -> RowHash {
        let [verb, subject, role, context] = &self.texts;
        let [token, workspace, run] = self.ids;
        ChainRow {
            org: ORG,
            at: DateTime::<Utc>::from_timestamp_micros(self.at).expect("a time"),
            verb,
            subject,
            role,
            token,
            workspace: workspace.unwrap_or_default(),
            run,
            content_hash: self.content_hash.as_deref(),
            memories: &self.memories,
            context,
        }
        .hash()
    }
}

fn any_row() -> impl Strategy<Value = AnyRow> {
    let id = || proptest::option::of(any::<u128>().prop_map(Uuid::from_u128));
    let parts = (0..4_000_000_000_000_000_i64, proptest::array::uniform4("[a-z{}\"]{0,6}"), [id(), id(), id()]);
    let bytes = || proptest::collection::vec(any::<u8>(), 0..8);
    (parts, proptest::option::of(bytes()), bytes()).prop_map(|((at, texts, ids), content_hash, memories)| AnyRow {
        at,
        texts,
        ids,
        content_hash,
        memories,
    })
}

/// A sealed log: rows and seals.
#[derive(Clone, Debug)]
struct Log {
    rows: Vec<(i64, RowHash)>,
    seals: Vec<Seal>,
}

impl Log {
    fn of(rows: &[AnyRow], range_size: usize) -> Self {
        let rows: Vec<(i64, RowHash)> = (1..).zip(rows.iter().map(AnyRow::hash)).collect();
        let mut link = GENESIS;
        let mut seals = Vec::new();
        for rows in rows.chunks(range_size) {
            let seal = Seal::of(ORG, link, rows, &key()).expect("rows in order");
            link = seal.link;
            seals.push(seal);
        }
        Self { rows, seals }
    }

    fn check(&self) -> Result<(), ChainFault> {
        let mut link = GENESIS;
        let mut rows = self.rows.as_slice();
        for seal in &self.seals {
            let (of_seal, rest) = rows.split_at(rows.partition_point(|(seq, _)| *seq <= seal.last));
            link = check(ORG, &link, seal, of_seal, &[key()])?.link;
            rows = rest;
        }
        let sealed = self.seals.last().map_or(0, |seal| seal.last);
        check_order(sealed, sealed, rows.iter().map(|(seq, _)| *seq))
    }
}

/// A log of distinct rows, the sizes of its ranges, and one of its rows.
fn any_log() -> impl Strategy<Value = (Vec<AnyRow>, usize, usize)> {
    let rows = proptest::collection::vec(any_row(), 2..24).prop_map(|mut rows| {
        rows.iter_mut().zip(0..).for_each(|(row, at)| row.at = at);
        rows
    });
    (rows, 1..9_usize, any::<prop::sample::Index>()).prop_map(|(rows, range_size, at)| {
        let at = at.index(rows.len());
        (rows, range_size, at)
    })
}

fn number(at: usize) -> i64 {
    i64::try_from(at).expect("few rows") + 1
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn untouched_log_is_intact((rows, range_size, _) in any_log()) {
        prop_assert_eq!(Log::of(&rows, range_size).check(), Ok(()));
    }

    #[test]
    fn changed_row_is_named((rows, range_size, at) in any_log(), other in any_row(), part in 0..6) {
        let mut log = Log::of(&rows, range_size);
        let mut row = rows[at].clone();
        match part {
            0 => row.at = other.at + 1_000_000,
            1 => row.texts[usize::try_from(other.at % 4).expect("small")].push('x'),
            2 => row.ids[0] = Some(row.ids[0].map_or(Uuid::nil(), |id| Uuid::from_u128(!id.as_u128()))),
            3 => row.ids[2] = if row.ids[2].is_some() { None } else { Some(Uuid::nil()) },
            4 => row.content_hash = match row.content_hash { None => Some(Vec::new()), Some(_) => None },
            _ => row.memories.push(0),
        }
        log.rows[at].1 = row.hash();
        prop_assert_eq!(log.check(), Err(ChainFault::Changed(number(at))));
    }

    #[test]
    fn removed_row_is_missing_only_where_its_seal_does_not_name_it((rows, range_size, at) in any_log(), other in any::<prop::sample::Index>()) {
        let mut log = Log::of(&rows, range_size);
        let seal = at / range_size;
        log.seals[seal] = log.seals[seal].clone().without(ORG, vec![number(at)], &key());
        prop_assert_eq!(log.check(), Err(ChainFault::Inserted(number(at))), "the row is still there");
        let removed = log.rows.remove(at);
        prop_assert_eq!(log.check(), Ok(()));
        let mut unsigned = log.clone();
        unsigned.seals[seal].removed.clear();
        prop_assert_eq!(unsigned.check(), Err(ChainFault::Seal(unsigned.seals[seal].first)));
        let other = log.rows[other.index(log.rows.len())].0;
        log.rows.retain(|(seq, _)| *seq != other);
        prop_assert_eq!(log.check(), Err(ChainFault::Missing(other)));
        prop_assert_ne!(removed.0, other);
    }

    #[test]
    fn text_moved_between_parts_of_a_row_changes_its_hash(row in any_row()) {
        let mut moved = row.clone();
        let last = moved.texts[1].pop();
        prop_assume!(last.is_some());
        moved.texts[2].insert(0, last.expect("it was there"));
        prop_assert_ne!(row.hash(), moved.hash());
    }

    #[test]
    fn deleted_row_is_named((rows, range_size, at) in any_log()) {
        let mut log = Log::of(&rows, range_size);
        log.rows.remove(at);
        prop_assert_eq!(log.check(), Err(ChainFault::Missing(number(at))));
    }

    #[test]
    fn row_inserted_after_the_end_is_named((rows, range_size, at) in any_log()) {
        let mut log = Log::of(&rows, range_size);
        let after_end = number(rows.len());
        log.rows.push((after_end, rows[at].hash()));
        prop_assert_eq!(log.check(), Err(ChainFault::Inserted(after_end)));
    }

    #[test]
    fn row_inserted_before_the_start_is_named((rows, range_size, at) in any_log(), below in 0..100_i64) {
        let mut log = Log::of(&rows, range_size);
        log.rows.insert(0, (-below, rows[at].hash()));
        prop_assert_eq!(log.check(), Err(ChainFault::Inserted(-below)));
    }

    #[test]
    fn swapped_rows_are_named((rows, range_size, at) in any_log(), with in any::<prop::sample::Index>()) {
        let with = with.index(rows.len());
        prop_assume!(at != with);
        let (one, other) = (at.min(with), at.max(with));
        let mut log = Log::of(&rows, range_size);
        let hash = log.rows[one].1;
        log.rows[one].1 = log.rows[other].1;
        log.rows[other].1 = hash;
        let of = number(other);
        let expected = match one / range_size == other / range_size {
            true => ChainFault::Reordered { at: number(one), of },
            // seals of other orgs or keys are not searched
            false => ChainFault::Changed(number(one)),
        };
        prop_assert_eq!(log.check(), Err(expected));
    }

    #[test]
    fn changed_seal_is_named((rows, range_size, at) in any_log(), part in 0..7, bit in 0..256_usize) {
        let mut log = Log::of(&rows, range_size);
        let at = at / range_size;
        let seal = &mut log.seals[at];
        let first = seal.first;
        let flip = |bytes: &mut [u8]| bytes[bit / 8 % bytes.len()] ^= 1 << (bit % 8);
        match part {
            0 => flip(&mut seal.previous),
            1 => flip(&mut seal.link),
            2 => flip(&mut seal.mac),
            3 => flip(&mut seal.hashes[0]),
            4 => seal.hashes.push([0; 32]),
            5 => { seal.hashes.pop(); },
            _ => flip(&mut seal.key),
        }
        let expected = if part == 6 { ChainFault::UnknownKey(first) } else { ChainFault::Seal(first) };
        prop_assert_eq!(log.check(), Err(expected));
    }

    #[test]
    fn deleted_seal_is_found((rows, range_size, at) in any_log()) {
        let mut log = Log::of(&rows, range_size);
        let gone = log.seals.remove(at / range_size).first;
        prop_assert!(log.check().is_err(), "{gone} was not found missing");
    }

    #[test]
    fn seal_with_another_key_is_refused((rows, range_size, at) in any_log()) {
        let mut log = Log::of(&rows, range_size);
        let at = at / range_size;
        let seal = log.seals[at].clone();
        let rows: Vec<_> = log.rows.iter().copied().filter(|(seq, _)| (seal.first..=seal.last).contains(seq)).collect();
        let forged = Seal::of(ORG, seal.previous, &rows, &SealKey::new(b"another")).expect("rows in order");
        log.seals[at] = Seal { key: seal.key, ..forged };
        prop_assert_eq!(log.check(), Err(ChainFault::Seal(seal.first)));
    }

    #[test]
    fn chain_continues_from_a_checkpoint((rows, range_size, at) in any_log()) {
        let log = Log::of(&rows, range_size);
        let seal = log.seals[at / range_size].clone();
        let checkpoint = seal.clone().checkpoint(ORG, &key());
        let checked = check(ORG, &seal.previous, &checkpoint, &[], &[key()]);
        prop_assert_eq!(checked.map(|checked| checked.link), Ok(seal.link));
        // an emptied seal without a new signature is found
        let emptied = Seal { hashes: Vec::new(), ..seal.clone() };
        prop_assert_eq!(check(ORG, &seal.previous, &emptied, &[], &[key()]), Err(ChainFault::Seal(seal.first)));
    }
}

#[test]
fn unsealed_rows_must_be_consecutive() {
    let check = |rows: &[i64], expected| assert_eq!(check_order(4, 7, rows.iter().copied()), expected, "{rows:?}");
    check(&[5, 6, 7], Ok(()));
    check(&[5, 6], Err(ChainFault::Missing(7)));
    check(&[5, 7], Err(ChainFault::Missing(6)));
    check(&[], Err(ChainFault::Missing(5)));
    check(&[5, 6, 7, 8], Err(ChainFault::Inserted(8)));
    check(&[4, 5, 6, 7], Err(ChainFault::Inserted(4)));
}
