//! Of versions of one statement the newest comes first, and the others name it.

use orgmem_recall::{
    Doc, Filter, Hit, Meta, PageRequest, Partition, PartitionIndex, Query, ReadTime, Searcher, analyze,
};
use proptest::prelude::*;
use uuid::Uuid;

const DAY: i64 = 86_400_000_000;

fn doc(id: u128, text: &str) -> Doc {
    let meta = Meta { id: Uuid::from_u128(id), created_at: id as i64 * DAY, ..Meta::default() };
    Doc { meta, analysis: analyze(text), embeddings: None }
}

fn hits(docs: &[Doc], query: &str, limit: usize) -> Vec<Hit<()>> {
    let index = PartitionIndex::build(docs.iter().cloned());
    let searcher = Searcher::at(ReadTime::default(), &[Partition::without_author((), &index)]);
    let query = Query::parse(query);
    let query = searcher.understand(&query).query;
    searcher.best_page((&query, &Filter::default()), &PageRequest { limit, ..PageRequest::default() }, |_| true)
}

/// The ids, and the ids that they name as newer.
fn ids(docs: &[Doc], query: &str) -> Vec<(u128, Option<u128>)> {
    let hits = hits(docs, query, 50);
    hits.iter().map(|hit| (hit.id.as_u128(), hit.outdated_by.map(|newer| newer.as_u128()))).collect()
}

#[test]
fn newest_version_comes_first_although_an_older_one_scores_more() {
    let mut docs = vec![
        doc(1, "The Acme office is in Lisbon."),
        doc(2, "The Acme office is in Riga now, since this week."),
        doc(3, "The Borealis office is in Turin."),
    ];
    docs[0].meta.pinned = true;
    docs[0].meta.confidence = 1.0;
    assert_eq!(ids(&docs, "where is the Acme office?")[..2], [(2, None), (1, Some(2))]);
}

#[test]
fn statements_that_are_no_versions_keep_their_order() {
    let about = |texts: &[&str]| {
        let docs: Vec<Doc> = (1..).zip(texts).map(|(id, text)| doc(id, text)).collect();
        ids(&docs, "where is the Acme office?").into_iter().map(|(_, newer)| newer).collect::<Vec<_>>()
    };
    assert_eq!(about(&["The Acme office is in Lisbon.", "The Borealis office is in Riga."]), [None, None]);
    assert_eq!(about(&["The Acme office is in Lisbon.", "the acme office is in lisbon"]), [None, None]);
    assert_eq!(
        about(&["The Acme office is in Lisbon.", "Acme paints an office: green walls, new lamps"]),
        [None, None]
    );
}

#[test]
fn versions_of_one_session_other_subjects_and_other_speakers_keep_their_order() {
    let [mut one, mut other] = [doc(1, "The Acme office is in Lisbon."), doc(2, "The Acme office is in Riga.")];
    let outdated = |docs: &[Doc]| ids(docs, "Acme office").into_iter().any(|(_, newer)| newer.is_some());
    assert!(outdated(&[one.clone(), other.clone()]));
    one.meta.session_id = Some("a".into());
    other.meta.session_id = Some("b".into());
    assert!(outdated(&[one.clone(), other.clone()]));
    other.meta.session_id = Some("a".into());
    assert!(!outdated(&[one.clone(), other.clone()]));
    (one.meta.session_id, other.meta.session_id) = (None, None);
    other.meta.subject = Some("u1".into());
    assert!(!outdated(&[one, other]));

    let indexes = ["I live in Lisbon now", "I live in Riga now"].map(|text| {
        let id = if text.contains("Riga") { 2 } else { 1 };
        PartitionIndex::build([doc(id, text)])
    });
    let named = |authors: [u128; 2]| {
        let partition =
            |(index, author)| Partition { author: Uuid::from_u128(author), ..Partition::without_author((), index) };
        let partitions: Vec<Partition<'_, ()>> = indexes.iter().zip(authors).map(partition).collect();
        let searcher = Searcher::at(ReadTime::default(), &partitions);
        let query = Query::parse("live");
        let query = searcher.understand(&query).query;
        let hits = searcher.best_page((&query, &Filter::default()), &PageRequest::default(), |_| true);
        hits.iter().any(|hit| hit.outdated_by.is_some())
    };
    assert!(named([7, 7]), "a speaker changed the statement");
    assert!(!named([7, 8]), "two speakers");
}

#[test]
fn query_with_a_date_finds_the_version_of_that_time_first() {
    let docs = [doc(14_000, "The Acme office is in Lisbon."), doc(14_100, "The Acme office is in Riga.")];
    let first = hits(&docs, "where was the Acme office in May 2008?", 50)[0].id.as_u128();
    assert_eq!(first, 14_000);
    assert!(ids(&docs, "Acme office in May 2008").iter().all(|(_, newer)| newer.is_none()));
}

#[test]
fn search_by_meaning_only_knows_the_versions_by_the_words_of_the_query() {
    let docs = [doc(1, "The Acme office is in Lisbon."), doc(2, "The Acme office is in Riga.")];
    let embedded = |doc: &Doc, numbers: [f32; 2]| {
        let vectors = vec![orgmem_recall::Vector::of(&numbers).expect("a direction")];
        Doc { embeddings: Some(orgmem_recall::Embeddings { model: 1, vectors }), ..doc.clone() }
    };
    let index = PartitionIndex::build([embedded(&docs[0], [1.0, 0.0]), embedded(&docs[1], [0.9, 0.3])]);
    let searcher = Searcher::at(ReadTime::default(), &[Partition::without_author((), &index)]);
    let vector = orgmem_recall::Vector::of(&[1.0, 0.0]).expect("a direction");
    let meaning = vec![orgmem_recall::Embedding { model: 1, vector }];
    let query = Query::parse("Acme office").without_words().with_meaning(meaning);
    let first = |query: &Query| {
        searcher.best_page((query, &Filter::default()), &PageRequest::default(), |_| true)[0].id.as_u128()
    };
    assert_eq!(first(&query), 1, "the nearest");
    assert_eq!(first(&searcher.understand(&query).query), 2, "the newest");
}

const PARTS: [&[&str]; 4] =
    [&["acme", "borealis"], &["office", "contract"], &["is in", "ends in", "moved to"], &["lisbon", "riga", "turin"]];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    /// The places of other memories and the set of scores stay, pages join, and no older version comes before its newest.
    #[test]
    fn versions_exchange_places_and_nothing_else_moves(
        chosen in prop::collection::vec((0..2usize, 0..2usize, 0..3usize, 0..3usize), 0..90),
        page in 1..9usize,
    ) {
        let text = |(a, b, c, d): &(usize, usize, usize, usize)| {
            format!("The {} {} {} {}", PARTS[0][*a], PARTS[1][*b], PARTS[2][*c], PARTS[3][*d])
        };
        let docs: Vec<Doc> = (1..).zip(&chosen).map(|(id, parts)| doc(id, &text(parts))).collect();
        let index = PartitionIndex::build(docs.iter().cloned());
        let searcher = Searcher::at(ReadTime::default(), &[Partition::without_author((), &index)]);
        let plain = Query::parse("acme office");
        let query = searcher.understand(&plain).query;
        let mut candidates = searcher.candidates(&query, &Filter::default());
        let scores = |candidates: &[orgmem_recall::Candidate]| {
            let mut scores: Vec<u64> = candidates.iter().map(|it| it.score.to_bits()).collect();
            scores.sort_unstable();
            scores
        };
        let before = scores(&candidates);
        searcher.put_newest_first(&query, &mut candidates);
        prop_assert_eq!(scores(&candidates), before);
        let whole = searcher.page(&candidates, &PageRequest { limit: usize::MAX, ..PageRequest::default() });
        let mut joined: Vec<(Uuid, u64, Option<Uuid>)> = Vec::new();
        let mut request = PageRequest { limit: page, ..PageRequest::default() };
        loop {
            let hits = searcher.best_page((&query, &Filter::default()), &request, |_| true);
            joined.extend(hits.iter().map(|hit| (hit.id, hit.score.to_bits(), hit.outdated_by)));
            let Some(last) = hits.last() else { break };
            request.after = Some(last.key);
        }
        let all: Vec<_> = whole.iter().map(|hit| (hit.id, hit.score.to_bits(), hit.outdated_by)).collect();
        prop_assert_eq!(joined, all);
        for hit in &whole {
            if let Some(newer) = hit.outdated_by {
                let created_at = |id: Uuid| whole.iter().find(|hit| hit.id == id).map(|hit| hit.key.created_at);
                prop_assert!(created_at(newer) > created_at(hit.id));
            }
        }
    }
}
