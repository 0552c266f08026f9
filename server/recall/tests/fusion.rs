//! How much meaning counts in comparison with words.

use orgmem_recall::{
    Doc, Embedding, Embeddings, Filter, Meta, PageRequest, Partition, PartitionIndex, Query, ReadTime, ScorePart,
    Searcher, Vector, analyze,
};
use uuid::Uuid;

/// The id, the text, and the cosine with the query, if it has a vector.
type Memory<'t> = (u128, &'t str, Option<f32>);

fn vector(cosine: f32) -> Vector {
    Vector::of(&[cosine, (1.0 - cosine * cosine).sqrt()]).expect("a direction")
}

fn index(memories: &[Memory<'_>]) -> PartitionIndex {
    let doc = |&(id, text, cosine): &Memory<'_>| Doc {
        meta: Meta { id: Uuid::from_u128(id), ..Meta::default() },
        analysis: analyze(text),
        embeddings: cosine.map(|cosine| Embeddings { model: 1, vectors: vec![vector(cosine)] }),
    };
    PartitionIndex::build(memories.iter().map(doc))
}

/// Asks `query` by words and meaning. Returns the id of the first hit, and the greatest score for meaning relative to the
/// greatest score for words.
fn ask(memories: &[Memory<'_>], query: &str) -> (u128, f64) {
    let index = index(memories);
    let searcher = Searcher::at(ReadTime::default(), &[Partition::without_author((), &index)]);
    let query = Query::parse(query).with_meaning(vec![Embedding { model: 1, vector: vector(1.0) }]);
    let query = searcher.understand(&query).query;
    let hits = searcher.best_page((&query, &Filter::default()), &PageRequest::default(), |_| true);
    let ids: Vec<Uuid> = memories.iter().map(|(id, ..)| Uuid::from_u128(*id)).collect();
    let explained = searcher.explain(&query, &Filter::default(), &ids);
    let greatest = |wanted: &[ScorePart]| {
        let score = |parts: &Vec<(ScorePart, f64)>| {
            parts.iter().filter(|(part, _)| wanted.contains(part)).map(|(_, score)| *score).sum::<f64>()
        };
        explained.values().map(score).fold(0.0, f64::max)
    };
    let words = greatest(&[ScorePart::Words, ScorePart::Pairs]);
    (hits[0].id.as_u128(), greatest(&[ScorePart::Meaning]) / words)
}

/// The first matches a word of the queries below, and the second has their meaning.
const PREFERENCES: [Memory<'static>; 4] = [
    (1, "Please recommend restaurants near the station.", Some(0.6)),
    (2, "I dislike videos, written textbooks suit me.", Some(1.0)),
    (3, "My flat has two balconies.", Some(0.2)),
    (4, "Trains are nicer than planes.", Some(0.1)),
];

#[test]
fn nearest_memory_is_first_if_no_memory_has_most_words_of_the_query() {
    let (first, meaning) = ask(&PREFERENCES, "recommend beginner python programming resources");
    assert_eq!(first, 2);
    assert!(meaning > 2.0, "{meaning}");
}

#[test]
fn match_by_words_is_first_if_memories_have_the_words_of_the_query() {
    assert_eq!(ask(&PREFERENCES, "recommend restaurants").0, 1);
    assert_eq!(ask(&PREFERENCES, "what do you recommend?").0, 1, "stop words are not missing");
}

#[test]
fn missing_words_do_not_matter_if_the_others_identify_a_memory() {
    let missing = "python programming course covering generators decorators asyncio packaging typing metaclasses";
    let (first, _) = ask(&PREFERENCES, &format!("Please recommend restaurants near the station. {missing}"));
    assert_eq!(first, 1);
    assert_eq!(ask(&PREFERENCES, &format!("recommend {missing}")).0, 2);
}

#[test]
fn word_that_was_understood_is_not_missing() {
    assert_eq!(ask(&PREFERENCES, "recomend").0, 1, "a typing error");
    assert_eq!(ask(&PREFERENCES, "recommend restau").0, 1, "the beginning of a word");
}

#[test]
fn date_is_not_missing() {
    assert_eq!(ask(&PREFERENCES, "recommend, on the 14th of March 2031").0, 1);
}

#[test]
fn pairs_of_characters_of_a_script_without_spaces_are_not_missing() {
    let memories =
        [(1, "发票由会计保管。", Some(0.6)), (2, "打印机在二楼。", Some(1.0)), (3, "周五有蛋糕。", Some(0.2))];
    assert_eq!(ask(&memories, "发票应该寄到什么地方?").0, 1);
}

#[test]
fn meaning_counts_less_if_the_nearest_memories_have_no_words_of_the_query() {
    let text = "the rate limit of the gateway";
    let meaning = |memories: &[Memory<'_>]| ask(memories, "gateway rate limit").1;
    let agreeing = meaning(&[(1, text, Some(1.0))]);
    assert!((agreeing - 1.0).abs() < 1e-9, "{agreeing}");
    let differing = meaning(&[(1, text, None), (2, "lunch is at noon", Some(1.0))]);
    assert!((differing - 0.6).abs() < 1e-9, "{differing}");
    // one of four: half of the mean from which on both agree
    let others = [2, 3, 4].map(|id| (id, "lunch is at noon", Some(0.9)));
    let between = meaning(&[&[(1, text, Some(1.0))], &others[..]].concat());
    assert!((between - 0.8).abs() < 1e-9, "{between}");
}

#[test]
fn only_the_ten_nearest_memories_show_the_agreement() {
    let text = "the rate limit of the gateway";
    let near = (1..=10).map(|id| (id, text, Some(1.0)));
    let far = (11..=60).map(|id| (id, "lunch is at noon", Some(0.5)));
    let (_, meaning) = ask(&near.chain(far).collect::<Vec<_>>(), "gateway rate limit");
    assert!((meaning - 1.0).abs() < 1e-9, "{meaning}");
}
