//! Strategies for random memories, filters, queries, page requests and read times.

use orgmem_recall::{
    Doc, Embedding, Embeddings, Filter, Meta, Order, PageRequest, ReadTime, SortKey, Tier, Vector, analyze,
};
use proptest::prelude::*;
use uuid::Uuid;

use crate::oracle::{GERMAN, PERSONS, TestQuery, WORDS};

/// Five hours between memories, so that they are of several days.
const HOURS: i64 = 5 * 3_600_000_000;

fn any_text() -> impl Strategy<Value = String> {
    let words = |most| prop::collection::vec(prop::sample::select(&WORDS[..]), 0..most);
    let spoken = prop::collection::vec(prop::sample::select([&WORDS[..], &PERSONS, &PERSONS].concat()), 1..12);
    prop_oneof![
        3 => words(12).prop_map(|words| words.join(" ")),
        3 => (spoken, any::<bool>()).prop_map(|(words, asks)| words.join(" ") + if asks { "?" } else { "" }),
        1 => words(200).prop_map(|words| words.join(" ")),
        2 => words(12).prop_map(|words| format!("{GERMAN} {}", words.join(" "))),
    ]
}

fn any_meta() -> impl Strategy<Value = Meta> {
    let name = || prop::sample::select(&["a", "b"][..]).prop_map(str::to_owned);
    let session = prop::option::of(prop::sample::select(&["a", "b", "c", "d", "e", "f", "g", "h"][..]));
    let session = session.prop_map(|name| name.map(str::to_owned));
    let names = (name(), name(), name(), prop::option::of(name()), session, prop::option::of(name()));
    let times = ((0..20i64, 0..3i64), prop::option::of(0..20i64), 0..30i64);
    let flags = (any::<bool>(), any::<bool>());
    let rest = (prop::sample::select(&[0.2, 0.5, 0.9][..]), flags, prop::collection::vec(name(), 0..3));
    (0..40u128, times, names, rest).prop_map(
        |(id, ((created_at, number), expires_at, seq), names, (confidence, (pinned, session_only), tags))| {
            let (namespace, kind, source, subject, session_id, run_id) = names;
            let id = Uuid::from_u128(id);
            Meta {
                id,
                seq,
                number,
                created_at: created_at * HOURS,
                expires_at,
                confidence,
                pinned,
                namespace,
                kind,
                source,
                subject,
                session_id,
                session_only,
                run_id,
                tags,
            }
        },
    )
}

pub(crate) fn any_doc() -> impl Strategy<Value = Doc> {
    let embeddings = prop::option::of(any_embeddings());
    (any_meta(), any_text(), embeddings).prop_map(|(meta, text, embeddings)| Doc {
        meta,
        analysis: analyze(&text),
        embeddings,
    })
}

/// Of one of two models, and of one dimension or, for the second model, another.
pub(crate) fn any_embeddings() -> impl Strategy<Value = Embeddings> {
    let numbers = prop::collection::vec(prop::sample::select(&[-1.0f32, -0.3, 0.0, 0.3, 1.0][..]), 3);
    (prop::collection::vec(numbers, 1..4), 0..3i32).prop_filter_map("all are valid", |(mut parts, space)| {
        if space == 2 {
            parts.iter_mut().for_each(|numbers| numbers.push(0.5));
        }
        let vectors = parts.iter().map(|numbers| Vector::of(numbers)).collect::<Option<_>>()?;
        Some(Embeddings { model: space.min(1), vectors })
    })
}

pub(crate) fn any_embedding() -> impl Strategy<Value = Embedding> {
    any_embeddings().prop_map(|Embeddings { model, mut vectors }| Embedding { model, vector: vectors.swap_remove(0) })
}

pub(crate) fn any_filter() -> impl Strategy<Value = Filter> {
    let name = || prop::option::weighted(0.2, prop::sample::select(&["a", "b", "c"][..]).prop_map(str::to_owned));
    let names = || prop_oneof![3 => Just(vec![]), 1 => name().prop_map(|name| name.into_iter().collect::<Vec<_>>())];
    let time = || prop::option::weighted(0.2, (0..20i64).prop_map(|time| time * HOURS));
    let confidence = prop::option::weighted(0.2, prop::sample::select(&[0.2, 0.5, 0.9][..]));
    let pinned = prop::option::weighted(0.2, any::<bool>());
    let tier = prop::option::weighted(0.2, prop::sample::select(&[Tier::Session, Tier::User, Tier::Tenant][..]));
    (names(), names(), [name(), name(), name(), name(), name()], time(), time(), confidence, (pinned, tier)).prop_map(
        |(namespaces, kinds, strings, since, until, min_confidence, (pinned, tier))| {
            let [source, tag, subject, session_id, run_id] = strings;
            let names = Filter { namespaces, kinds, source, tag, subject, session_id, run_id, ..Filter::default() };
            Filter { since, until, min_confidence, pinned, tier, ..names }
        },
    )
}

pub(crate) fn any_query() -> impl Strategy<Value = TestQuery> {
    let word = || prop::sample::select(&WORDS[..]);
    prop_oneof![
        1 => Just(TestQuery::Blank),
        5 => prop::collection::vec(word(), 1..5).prop_map(TestQuery::Words),
        3 => prop::collection::vec(word(), 1..5).prop_map(TestQuery::FirstPerson),
        2 => (word(), word()).prop_map(|(first, second)| TestQuery::Phrase(first, second)),
        1 => prop::sample::select(&["d", "depl", "retrie", "rechnung", "x"][..]).prop_map(TestQuery::Prefix),
    ]
}

pub(crate) fn any_page_request() -> impl Strategy<Value = PageRequest> {
    let order = prop::sample::select(&[Order::Relevance, Order::Recent, Order::Confidence][..]);
    let rank = prop::sample::select(&[0.0, 0.5, 1.0, 1.3][..]);
    let key = (rank, 0..20i64, 0..120u128);
    let key = key.prop_map(|(rank, created_at, id)| SortKey {
        rank,
        created_at: created_at * HOURS,
        id: Uuid::from_u128(id),
    });
    let limit = prop_oneof![0..8usize, Just(usize::MAX)];
    (order, prop::option::weighted(0.3, key), limit).prop_map(|(order, after, limit)| PageRequest {
        order,
        after,
        limit,
    })
}

pub(crate) fn any_read_time() -> impl Strategy<Value = ReadTime> {
    (0..22i64, prop::option::of(0..32i64)).prop_map(|(now, as_of)| ReadTime { now, as_of })
}
