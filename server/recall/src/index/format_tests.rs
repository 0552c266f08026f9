use std::sync::Arc;

use proptest::prelude::*;
use uuid::Uuid;

use super::*;
use crate::{
    Doc, Embedding, Embeddings, Filter, LiveSegment, Meta, Order, PageRequest, Partition, PartitionIndex, Query,
    ReadTime, Vector, analyze, count, search,
};

const TEXTS: [&str; 7] = [
    "Deployments freeze on Fridays; deploy on Thursday instead",
    "Rate limit of the API: 500/s (ERR-4012)",
    "did I say when we deploy?",
    "Die Rechnung ist noch nicht bezahlt und wird am Freitag bezahlt",
    "deploy deploy deploy deploys deployed deploying \u{4f60}\u{597d}",
    "",
    "\u{e9}t\u{e9}",
];

/// A document for each text, several times, so that some stems have more than one block.
fn docs(texts: &[usize]) -> Vec<Doc> {
    let doc = |(number, text): (usize, &usize)| {
        let names = ["a", "b", "\u{f6}"];
        let name = |of: usize| names[of % names.len()].to_owned();
        let meta = Meta {
            id: Uuid::from_u128(number as u128 * 7),
            seq: number as i64,
            number: number as i64,
            created_at: number as i64 * 7_200_000_000,
            expires_at: (number % 5 == 0).then_some(1 << 50),
            confidence: [0.5, 0.9][number % 2],
            pinned: number.is_multiple_of(7),
            namespace: name(number),
            kind: name(number / 2),
            source: name(number / 3),
            subject: (number % 3 == 0).then(|| name(number)),
            session_id: (number % 4 != 0).then(|| name(number / 4)),
            session_only: number % 8 == 1,
            run_id: None,
            tags: (0..number % 3).map(name).collect(),
        };
        let vector = Vector::of(&[1.0, number as f32, -2.0]).into_iter().collect();
        let embeddings = (number % 2 == 0).then_some(Embeddings { model: 1, vectors: vector });
        let long = TEXTS[text % TEXTS.len()].repeat(1 + 12 * usize::from(number % 11 == 0));
        Doc { meta, analysis: analyze(&long), embeddings }
    };
    texts.iter().enumerate().map(doc).collect()
}

/// The result of each kind of search, as text.
fn results(segment: LiveSegment) -> String {
    let index = PartitionIndex::of_segments([segment]);
    let partitions = [Partition::without_author((), &index)];
    let time = ReadTime { now: 3, as_of: None };
    let mut all = format!("{} ", index.len());
    for text in ["deploy", "when did I deploy on friday?", "\"rate limit\"", "depl*", "rechnung bezahlt", ""] {
        let mut query = Query::parse(text);
        for meaning in
            [vec![], Vector::of(&[1.0, 2.0, 3.0]).map(|vector| Embedding { model: 1, vector }).into_iter().collect()]
        {
            query = query.with_meaning(meaning);
            for order in [Order::Relevance, Order::Recent, Order::Confidence] {
                let page = PageRequest { order, after: None, limit: 20 };
                let hits = search(&partitions, &query, &Filter::default(), &page, time);
                all += &format!("{hits:?}");
                let filter = Filter { tag: Some("a".into()), kinds: vec!["b".into()], ..Filter::default() };
                all += &format!("{}", count(&partitions, &query, &filter, time));
            }
        }
    }
    all
}

fn with_checksum(mut bytes: Vec<u8>) -> Arc<[u8]> {
    let end = bytes.len() - PADDING;
    let sum = long_checksum(&bytes[..end]);
    bytes[end..].copy_from_slice(&sum.to_le_bytes());
    bytes.into()
}

fn any_texts() -> impl Strategy<Value = Vec<usize>> {
    prop_oneof![9 => prop::collection::vec(0..TEXTS.len(), 1..12), 1 => prop::collection::vec(0..3usize, 150..300)]
}

proptest! {
    #[test]
    fn segment_that_is_read_again_gives_the_same_results(texts in any_texts(), deleted in prop::collection::vec(0..12u128, 0..4)) {
        let mut segments = LiveSegment::build(&docs(&texts));
        prop_assert_eq!(segments.len(), 1);
        let mut segment = segments.remove(0);
        deleted.iter().for_each(|number| { segment.remove(Uuid::from_u128(number * 7)); });
        let read = LiveSegment::read(segment.bytes().into(), &segment.deleted_bytes());
        let read = read.map_err(|error| TestCaseError::fail(error.to_string()))?;
        prop_assert_eq!(read.len(), segment.len());
        let merged = LiveSegment::merged([&read]);
        prop_assert_eq!(results(read), results(segment.clone()));
        prop_assert_eq!(results(merged), results(segment));
    }

    #[test]
    fn changed_or_missing_bytes_are_an_error(texts in any_texts(), at in any::<prop::sample::Index>(), change in 1..=255u8) {
        let bytes = LiveSegment::build(&docs(&texts)).remove(0).bytes().to_vec();
        let at = at.index(bytes.len());
        prop_assert!(LiveSegment::read(bytes[..at].into(), &[]).is_err());
        let mut changed = bytes.clone();
        changed[at] ^= change;
        prop_assert!(LiveSegment::read(changed.into(), &[]).is_err());
        prop_assert!(LiveSegment::read(bytes.into(), &[0, 0, 0, 0, 0, 0, 0, 0x80]).is_err() || texts.len() >= 64);
    }

    /// With the right checksum, so that only the checks of the content are left.
    #[test]
    fn hostile_bytes_are_an_error_or_a_segment(
        texts in any_texts(),
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..4),
    ) {
        let mut bytes = LiveSegment::build(&docs(&texts)).remove(0).bytes().to_vec();
        let content = bytes.len() - PADDING;
        changes.into_iter().for_each(|(at, byte)| bytes[at.index(content)] = byte);
        if let Ok(segment) = LiveSegment::read(with_checksum(bytes), &[]) {
            LiveSegment::merged([&segment]);
            results(segment);
        }
    }
}
