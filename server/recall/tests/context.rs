//! Scores that memories get from their neighbours.

use orgmem_recall::{
    Doc, Filter, Meta, PageRequest, Partition, PartitionIndex, Query, ReadTime, ScorePart, Searcher, analyze,
};
use uuid::Uuid;

const STATEMENT: &str = "Falcon budget vendor signed.";
const QUESTION: &str = "Falcon budget vendor signed?";

/// The same words in a long memory, whose score is about four fifths.
const LONG: &str = "Falcon budget vendor, although lawyers in three countries wanted to read every clause of that agreement \
    again before anybody could agree on dates, prices, penalties, support hours, data centres, audits, insurance and \
    the names of people responsible";

fn index(texts: [&str; 2]) -> PartitionIndex {
    let doc = |(number, text): (i64, &str)| {
        let (id, session_id) = (Uuid::from_u128(number as u128), Some("session".to_owned()));
        let meta = Meta { id, number, created_at: number, session_id, ..Meta::default() };
        Doc { meta, analysis: analyze(text), embeddings: None }
    };
    PartitionIndex::build((1..).zip(texts).map(doc))
}

/// The ids in order of relevance.
fn order(texts: [&str; 2], query: &str) -> Vec<u128> {
    let index = index(texts);
    let searcher = Searcher::at(ReadTime::default(), &[Partition::without_author((), &index)]);
    let hits = searcher.best_page((&Query::parse(query), &Filter::default()), &PageRequest::default(), |_| true);
    hits.iter().map(|hit| hit.id.as_u128()).collect()
}

/// The score that the second memory gets from the first, relative to that of the first by words.
fn before(texts: [&str; 2], query: &str) -> f64 {
    let index = index(texts);
    let searcher = Searcher::at(ReadTime::default(), &[Partition::without_author((), &index)]);
    let ids = [1, 2].map(Uuid::from_u128);
    let parts = searcher.explain(&Query::parse(query), &Filter::default(), &ids);
    let sum = |id: Uuid, wanted: &[ScorePart]| {
        parts[&id].iter().filter(|(part, _)| wanted.contains(part)).map(|(_, score)| score).sum::<f64>()
    };
    sum(ids[1], &[ScorePart::Before]) / sum(ids[0], &[ScorePart::Words, ScorePart::Pairs])
}

#[test]
fn match_after_a_better_match_does_not_outrank_it() {
    assert_eq!(order([STATEMENT, LONG], "falcon budget vendor"), [1, 2]);
}

#[test]
fn memory_gets_less_from_its_neighbours_the_better_it_matches() {
    let query = "falcon budget vendor";
    let [none, weak, equal] =
        ["Lunch at noon.", "The vendor phoned.", STATEMENT].map(|text| before([STATEMENT, text], query));
    assert!((none - 0.3).abs() < 1e-9, "{none}");
    assert!(weak < 0.3 && weak > 0.25, "{weak}");
    assert!((equal - 0.3 * 0.4).abs() < 1e-9, "{equal}");
}

#[test]
fn reply_to_a_question_gets_all_unless_the_query_is_in_the_first_person() {
    let reply = before([QUESTION, STATEMENT], "falcon budget vendor");
    assert!((reply - 0.6).abs() < 1e-9, "{reply}");
    let first_person = before([QUESTION, STATEMENT], "which falcon budget vendor did I choose?");
    assert!(first_person < 0.3, "{first_person}");
}

#[test]
fn message_that_continues_earlier_work_finds_the_neighbours_of_matches() {
    let message = before([STATEMENT, STATEMENT], "I chose the falcon budget vendor.");
    assert!((message - 0.3).abs() < 1e-9, "{message}");
}
