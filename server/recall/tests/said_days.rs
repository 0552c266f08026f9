//! Memories that name a day relative to their own.

use orgmem_recall::{Doc, Filter, Meta, PageRequest, Partition, PartitionIndex, Query, ReadTime, Searcher, analyze};
use uuid::Uuid;

const DAY: i64 = 86_400_000_000;
/// 1 May 2023, a Monday, at noon.
const MAY_FIRST: i64 = 19_478 * DAY + DAY / 2;

/// The numbers of the memories that a query finds, each made at its distance in days from 1 May 2023.
fn found(memories: &[(i64, &str)], query: &str) -> Vec<u128> {
    let doc = |(number, (days, text)): (u128, &(i64, &str))| {
        let meta = Meta { id: Uuid::from_u128(number), created_at: MAY_FIRST + days * DAY, ..Meta::default() };
        Doc { meta, analysis: analyze(text), embeddings: None }
    };
    let index = PartitionIndex::build((1..).zip(memories).map(doc));
    let searcher = Searcher::at(ReadTime::default(), &[Partition::without_author((), &index)]);
    let hits = searcher.best_page((&Query::parse(query), &Filter::default()), &PageRequest::default(), |_| true);
    hits.iter().map(|hit| hit.id.as_u128()).collect()
}

#[test]
fn day_said_relative_to_that_of_the_memory_comes_first() {
    let cases = [
        (1, "I watched a film last night", "I watched a film on the train"),
        (1, "We watched a film yesterday", "We watched a film today"),
        (-1, "We watch a film tomorrow", "We watch a film with Ben"),
        (4, "I watched a film on Monday", "I watched a film on Tuesday"),
        (1, "Wir haben gestern den Film gesehen", "Wir haben heute den Film gesehen"),
        (-2, "Übermorgen sehen wir den Film mit Ben", "Heute sehen wir den Film mit Ben"),
        (1, "Ayer vimos la película film con Ben", "Hoy vimos la película film con Ben"),
        (1, "вчера мы смотрели film", "сегодня мы смотрели film"),
        (1, "昨日 film を見た", "今日 film を見た"),
    ];
    for (days, said, other) in cases {
        // the other one was made on the same day, and later of two equal ones would come first
        let memories = [(days, said), (days, other), (40, "I watched a film yesterday")];
        assert_eq!(found(&memories, "film 2023-05-01").first(), Some(&1), "{said}");
    }
}

#[test]
fn question_without_other_words_finds_what_was_said_of_the_day() {
    let memories = [(1, "Yesterday the boiler broke"), (1, "Lunch with Ben"), (2, "Yesterday was calm")];
    assert_eq!(found(&memories, "what happened on 2023-05-01?"), [1]);
    // "hier" is French for yesterday, and German for here
    let memories =
        [(1, "La chaudière est tombée en panne hier avec le toit"), (1, "Wir haben hier den Kessel und das Dach")];
    assert_eq!(found(&memories, "what happened on 2023-05-01?"), [1]);
    assert_eq!(found(&memories, "what happened in June 2023?"), [0; 0]);
}
