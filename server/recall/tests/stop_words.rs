//! Searches with many stop words: the best page equals the page of all candidates, and no score depends on segments.

use std::sync::LazyLock;

use orgmem_recall::{
    Byline, Doc, Filter, Hidden, Meta, Order, PageRequest, Partition, PartitionIndex, Query, ReadTime, Searcher,
    analyze,
};
use proptest::prelude::*;
use uuid::Uuid;

const DAY: i64 = 24 * 3_600_000_000;

/// 1 May 2023, in days since 1970.
const MAY_FIRST: i64 = 19_478;

const CONTENT: [&str; 6] = ["deploy", "retry", "invoice", "rechnung", "yesterday", "acme"];
const ENGLISH: [&str; 8] = ["the", "what", "did", "i", "you", "is", "about", "of"];
const GERMAN: [&str; 6] = ["die", "der", "und", "ist", "nicht", "ich"];

static BYLINES: LazyLock<[Byline; 2]> = LazyLock::new(|| ["acme", "retry bot"].map(Byline::of));

/// Text in one of two languages, in which most words are stop words.
fn any_text(words: std::ops::Range<usize>) -> impl Strategy<Value = String> {
    let of = |stop_words: &'static [&'static str]| {
        let word = prop_oneof![3 => prop::sample::select(stop_words), 1 => prop::sample::select(&CONTENT[..])];
        prop::collection::vec(word, words.clone()).prop_map(|words| words.join(" "))
    };
    prop_oneof![2 => of(&ENGLISH), 1 => of(&GERMAN)]
}

fn any_doc() -> impl Strategy<Value = Doc> {
    let text = prop_oneof![8 => any_text(0..15), 1 => any_text(100..400)];
    let session = prop::option::weighted(0.8, prop::sample::select(&["a", "b", "c", "d", "e", "f"][..]));
    (text, any::<bool>(), session, 0..40i64, any::<bool>()).prop_map(|(text, asks, session, day, pinned)| Doc {
        meta: Meta {
            created_at: (MAY_FIRST + day) * DAY,
            confidence: 0.5,
            pinned,
            session_id: session.map(str::to_owned),
            ..Meta::default()
        },
        analysis: analyze(&(text + if asks { "?" } else { "" })),
        embeddings: None,
    })
}

fn any_query() -> impl Strategy<Value = Query> {
    let date = prop::sample::select(&["", " on 8 may 2023", " in may", "?"][..]);
    (any_text(2..14), date).prop_map(|(text, date)| Query::parse(&(text + date)))
}

/// Two authors, the documents of each in several segments.
fn indexes(docs: &[Doc], segment_docs: usize) -> [PartitionIndex; 2] {
    [0, 1].map(|author| {
        let own: Vec<Doc> = docs.iter().filter(|doc| doc.meta.number % 2 == author).cloned().collect();
        let mut index = PartitionIndex::default();
        own.chunks(segment_docs).for_each(|docs| index.extend(docs.to_vec()));
        index
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(120))]

    #[test]
    fn best_page_has_the_scores_of_all_candidates_in_any_segments(
        docs in prop::collection::vec(any_doc(), 1..120),
        query in any_query(),
        (segment_docs, limit, hidden) in (1..60usize, 1..12usize, 2..9u128),
    ) {
        let docs: Vec<Doc> = (0i64..).zip(docs).map(|(number, mut doc)| {
            (doc.meta.id, doc.meta.number) = (Uuid::from_u128(number as u128), number);
            doc
        }).collect();
        let is_hidden = |id: Uuid| id.as_u128().is_multiple_of(hidden);
        let hidden = Hidden { ids: Some(&is_hidden), ..Hidden::default() };
        let request = PageRequest { order: Order::Relevance, after: None, limit };
        let pages = [segment_docs, usize::MAX].map(|segment_docs| {
            let indexes = indexes(&docs, segment_docs);
            let partitions: Vec<Partition<'_, usize>> = (0..2).map(|author| Partition {
                handle: author,
                author: Uuid::from_u128(author as u128),
                byline: &BYLINES[author],
                index: &indexes[author],
            }).collect();
            let searcher = Searcher::without(hidden, ReadTime::default(), &partitions);
            let filter = Filter::default();
            let all = searcher.page(&searcher.candidates(&query, &filter), &request);
            let best = searcher.best_page((&query, &filter), &request, |_| true);
            [all, best].map(|hits| hits.iter().map(|hit| (hit.id, hit.score.to_bits())).collect::<Vec<_>>())
        });
        prop_assert_eq!(&pages[0][0], &pages[0][1]);
        prop_assert_eq!(&pages[1][0], &pages[1][1]);
        prop_assert_eq!(&pages[0][0], &pages[1][0]);
    }
}
