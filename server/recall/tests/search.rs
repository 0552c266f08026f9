//! Search equals a naive oracle, to the bit of every score, and is independent of the history of the index.

mod oracle;
mod strategies;

use std::collections::BTreeMap;
use std::sync::LazyLock;

use oracle::{Author, Written};
use orgmem_recall::{
    Byline, Doc, Filter, Meta, Order, PageRequest, Partition, PartitionIndex, Query, ReadTime, Scoring, Searcher,
    Vector, analyze, count, search,
};
use proptest::prelude::*;
use strategies::{any_doc, any_embedding, any_filter, any_page_request, any_query, any_read_time};
use uuid::Uuid;

#[derive(Clone, Debug)]
enum Change {
    Upsert(usize, Box<Doc>),
    Remove(usize, Uuid),
}

/// The author of each partition: two authors, one of them with two partitions.
const AUTHORS: [Author; 3] = [(1, "acme", 0), (2, "retry bot", 1), (2, "retry bot", 2)];

static BYLINES: LazyLock<[Byline; 3]> = LazyLock::new(|| AUTHORS.map(|(_, name, _)| Byline::of(name)));

const ALL: PageRequest = PageRequest { order: Order::Relevance, after: None, limit: usize::MAX };

fn partitions(indexes: &[PartitionIndex]) -> Vec<Partition<'_, usize>> {
    let partition = |(handle, index): (usize, _)| Partition {
        handle,
        author: Uuid::from_u128(AUTHORS[handle].0),
        byline: &BYLINES[handle],
        index,
    };
    indexes.iter().enumerate().map(partition).collect()
}

fn any_changes() -> impl Strategy<Value = Vec<Change>> {
    let upsert = (0..3usize, any_doc()).prop_map(|(partition, mut doc)| {
        doc.meta.id = id_in(partition, doc.meta.id.as_u128());
        Change::Upsert(partition, Box::new(doc))
    });
    let remove = (0..3usize, 0..40u128).prop_map(|(partition, id)| Change::Remove(partition, id_in(partition, id)));
    prop::collection::vec(prop_oneof![5 => upsert, 1 => remove], 0..80)
}

/// Ids of different partitions are different.
fn id_in(partition: usize, id: u128) -> Uuid {
    Uuid::from_u128(id * 3 + partition as u128)
}

/// Three partitions after some changes: their indexes and their documents.
fn apply(changes: &[Change]) -> ([PartitionIndex; 3], [BTreeMap<Uuid, Doc>; 3]) {
    let (mut indexes, mut docs): ([PartitionIndex; 3], [BTreeMap<Uuid, Doc>; 3]) = Default::default();
    for change in changes {
        match change {
            Change::Upsert(partition, doc) => {
                indexes[*partition].upsert((**doc).clone());
                docs[*partition].insert(doc.meta.id, (**doc).clone());
            }
            Change::Remove(partition, id) => {
                let existed = docs[*partition].remove(id).is_some();
                assert_eq!(indexes[*partition].remove(*id), existed);
            }
        }
    }
    (indexes, docs)
}

fn written(docs: &[BTreeMap<Uuid, Doc>; 3]) -> Vec<Written> {
    docs.iter().zip(AUTHORS).flat_map(|(docs, author)| docs.values().map(move |doc| (author, doc.clone()))).collect()
}

/// New indexes of the first two partitions.
fn fresh(docs: &[BTreeMap<Uuid, Doc>; 3]) -> Vec<PartitionIndex> {
    docs[..2].iter().map(|docs| PartitionIndex::build(docs.values().cloned())).collect()
}

fn hits(
    indexes: &[PartitionIndex],
    query: &Query,
    filter: &Filter,
    request: &PageRequest,
    time: ReadTime,
) -> Vec<(Uuid, f64)> {
    search(&partitions(indexes), query, filter, request, time).into_iter().map(|hit| (hit.id, hit.score)).collect()
}

/// `docs` with consecutive ids, different contents and otherwise equal properties, but their own embeddings.
fn equal_but_for_embeddings(docs: Vec<Doc>) -> Vec<Doc> {
    let equal = |(number, doc): (u128, Doc)| {
        let meta = Meta { id: Uuid::from_u128(number), confidence: 0.5, namespace: "a".into(), ..Meta::default() };
        Doc { meta, analysis: analyze(&format!("{number}")), ..doc }
    };
    (0..).zip(docs).map(equal).collect()
}

/// The vectors of `doc` that are comparable with `query`.
fn comparable<'d>(doc: &'d Doc, query: &orgmem_recall::Embedding) -> Vec<&'d Vector> {
    let own = doc.embeddings.iter().filter(|own| own.model == query.model).flat_map(|own| &own.vectors);
    own.filter(|vector| vector.dimensions() == query.vector.dimensions()).collect()
}

/// The number of places where one vector is above 0 and the other is not.
fn sign_distance(one: &Vector, other: &Vector) -> usize {
    let signs = |vector: &Vector| vector.encode()[4..].iter().map(|&value| value.cast_signed() > 0).collect::<Vec<_>>();
    signs(one).iter().zip(signs(other)).filter(|(one, other)| *one != other).count()
}

#[test]
fn purged_index_has_no_content_of_removed_memories() {
    let doc = |id, text| Doc {
        meta: Meta { id: Uuid::from_u128(id), subject: Some(format!("subject{id}")), ..Meta::default() },
        analysis: analyze(text),
        embeddings: None,
    };
    let mut index =
        PartitionIndex::build([doc(1, "the limit is seven"), doc(2, "zanzibar has a limit"), doc(3, "seven")]);
    let has_it = |index: &PartitionIndex| ["zanzibar", "subject2"].map(|word| format!("{index:?}").contains(word));
    assert!(index.remove(Uuid::from_u128(2)));
    assert_eq!(has_it(&index), [true, true], "removed, but not purged");
    index.purge();
    assert_eq!(has_it(&index), [false, false]);
    assert_eq!(index.len(), 2);
}

/// Rewrites of an older version are adopted by an index that changed meanwhile.
#[test]
fn rewritten_segments_keep_later_changes() {
    let id = Uuid::from_u128;
    let doc = |number: u128| Doc {
        meta: Meta { id: id(number), ..Meta::default() },
        analysis: analyze(&format!("word{number}x")),
        embeddings: None,
    };
    let has = |index: &PartitionIndex, number: u128| format!("{index:?}").contains(&format!("word{number}x"));
    for added in [1, 3, 40] {
        let mut index = PartitionIndex::build((0..20).map(doc));
        index.remove(id(3));
        assert!(has(&index, 3), "removed, but not purged");
        let rewrites = index.rewrites();
        // a later removal, and additions that merge segments or not
        index.remove(id(5));
        (20..20 + added).for_each(|number| index.upsert(doc(number)));
        index.apply_rewrites(rewrites);
        assert!(!has(&index, 3));
        assert_eq!(index.len() as u128, 18 + added);
        assert!(!index.remove(id(5)), "what was removed later stays removed");
        assert!(index.remove(id(4)) && index.remove(id(20)));
        index.purge();
        assert_eq!([4, 5, 6, 20].map(|number| has(&index, number)), [false, false, true, false]);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn search_equals_the_oracle(
        changes in any_changes(),
        (test_query, filter, request, time) in (any_query(), any_filter(), any_page_request(), any_read_time()),
    ) {
        let (indexes, docs) = apply(&changes);
        for (index, docs) in indexes.iter().zip(&docs) {
            prop_assert_eq!(index.len(), docs.len());
        }
        let (all, query) = (written(&docs), Query::parse(&test_query.text()));
        let expected = oracle::search(&all, &test_query, &filter, &request, time);
        prop_assert_eq!(hits(&indexes, &query, &filter, &request, time), expected);
        let expected = oracle::search(&all, &test_query, &filter, &ALL, time).len();
        prop_assert_eq!(count(&partitions(&indexes), &query, &filter, time), expected);
    }

    #[test]
    fn search_equals_that_of_a_fresh_index_of_the_readable_partitions(
        changes in any_changes(),
        (test_query, filter, request, time) in (any_query(), any_filter(), any_page_request(), any_read_time()),
    ) {
        let (indexes, docs) = apply(&changes);
        let query = Query::parse(&test_query.text());
        let expected = hits(&fresh(&docs), &query, &filter, &request, time);
        prop_assert_eq!(&hits(&indexes[..2], &query, &filter, &request, time), &expected);
        let mut purged = indexes;
        purged.iter_mut().for_each(PartitionIndex::purge);
        prop_assert_eq!(hits(&purged[..2], &query, &filter, &request, time), expected);
    }

    #[test]
    fn search_by_meaning_equals_that_of_a_fresh_index_of_the_readable_partitions(
        changes in any_changes(),
        (test_query, filter, request, time) in (any_query(), any_filter(), any_page_request(), any_read_time()),
        (embedding, with_words) in (any_embedding(), any::<bool>()),
    ) {
        let (indexes, docs) = apply(&changes);
        let query = Query::parse(&test_query.text()).with_meaning(vec![embedding]);
        let query = if with_words { query } else { query.without_words() };
        let expected = hits(&fresh(&docs), &query, &filter, &request, time);
        prop_assert_eq!(hits(&indexes[..2], &query, &filter, &request, time), expected);
    }

    #[test]
    fn search_with_shortlist_equals_that_of_a_fresh_index_of_the_visible_memories(
        changes in any_changes(),
        (test_query, filter, time) in (any_query(), any_filter(), any_read_time()),
        (embedding, exact_vectors, shortlist) in (any_embedding(), 0..10usize, 1..4usize),
    ) {
        let (indexes, docs) = apply(&changes);
        let query = Query::parse(&test_query.text()).with_meaning(vec![embedding]);
        let scoring = Scoring { exact_vectors, shortlist, ..Scoring::of(&query) };
        let found = |indexes: &[PartitionIndex]| {
            let searcher = Searcher::at(time, &partitions(indexes));
            let hits = searcher.page(&searcher.candidates_with(&scoring, &query, &filter), &ALL);
            hits.iter().map(|hit| (hit.id, hit.score.to_bits(), hit.similarity.map(f64::to_bits))).collect::<Vec<_>>()
        };
        let visible = docs.map(|docs| docs.into_iter().filter(|(_, doc)| oracle::is_visible(doc, time)).collect());
        prop_assert_eq!(found(&indexes[..2]), found(&fresh(&visible)));
    }

    #[test]
    fn shortlist_has_the_vectors_with_the_fewest_different_signs(
        docs in prop::collection::vec(any_doc(), 0..40),
        (embedding, exact_vectors, shortlist) in (any_embedding(), 0..30usize, 1..20usize),
    ) {
        let docs = equal_but_for_embeddings(docs);
        let distance = |vector: &Vector| sign_distance(vector, &embedding.vector);
        let mut distances: Vec<usize> = docs.iter().flat_map(|doc| comparable(doc, &embedding)).map(distance).collect();
        distances.sort_unstable();
        let is_exact = distances.len() <= exact_vectors;
        let radius = distances.get(shortlist - 1).copied().filter(|_| !is_exact).unwrap_or(usize::MAX);
        let nearest = |doc: &Doc| {
            let listed = comparable(doc, &embedding).into_iter().filter(|vector| distance(vector) <= radius);
            listed.map(|vector| vector.cosine(&embedding.vector)).max_by(f64::total_cmp)
        };
        let best = docs.iter().filter_map(nearest).fold(0.0, f64::max);

        let index = PartitionIndex::build(docs.iter().cloned());
        let query = Query::parse("whatever").with_meaning(vec![embedding.clone()]);
        let scoring = Scoring { exact_vectors, shortlist, ..Scoring::of(&query) };
        let searcher = Searcher::at(ReadTime::default(), &[Partition::without_author((), &index)]);
        let hits = searcher.page(&searcher.candidates_with(&scoring, &query, &Filter::default()), &ALL);
        for hit in &hits {
            let expected = nearest(&docs[hit.id.as_u128() as usize]);
            prop_assert!(hit.similarity.zip(expected).is_some_and(|(it, expected)| (it - expected).abs() < 1e-6), "{:?} {:?}", hit, expected);
        }
        let near = docs.iter().filter_map(nearest).filter(|&cosine| best >= 0.2 && cosine >= 0.7 * best).count();
        prop_assert!(hits.len() >= near, "{} of {near}", hits.len());
    }

    #[test]
    fn memories_equal_but_for_embeddings_are_ordered_by_cosine(
        docs in prop::collection::vec(any_doc(), 0..40),
        embedding in any_embedding(),
    ) {
        let docs = equal_but_for_embeddings(docs);
        let cosine = |doc: &Doc| {
            let vectors = comparable(doc, &embedding).into_iter();
            vectors.map(|vector| vector.cosine(&embedding.vector)).max_by(f64::total_cmp)
        };
        let index = PartitionIndex::build(docs.iter().cloned());
        let query = Query::parse("whatever").with_meaning(vec![embedding.clone()]);
        let partition = Partition::without_author((), &index);
        let hits = search(&[partition], &query, &Filter::default(), &ALL, ReadTime::default());
        let cosines: Vec<f64> = hits.iter().map(|hit| cosine(&docs[hit.id.as_u128() as usize]).expect("a comparable vector")).collect();
        prop_assert!(cosines.is_sorted_by(|one, next| one >= next), "{:?}", cosines);
        for (hit, cosine) in hits.iter().zip(&cosines) {
            prop_assert!(hit.similarity.is_some_and(|similarity| (similarity - cosine).abs() < 1e-6));
        }
        let nearest = docs.iter().filter_map(cosine).fold(0.0, f64::max);
        let near = docs.iter().filter_map(cosine).filter(|&cosine| nearest >= 0.2 && cosine >= 0.7 * nearest).count();
        prop_assert!(hits.len() >= near, "{} of {near}", hits.len());
        prop_assert!(nearest >= 0.2 || hits.is_empty());
    }

    #[test]
    fn pages_concatenated_equal_the_whole_list_despite_later_commits(
        changes in any_changes(),
        later in prop::collection::vec((0..3usize, any_doc()), 0..10),
        (test_query, filter, request) in (any_query(), any_filter(), any_page_request()),
        limit in 1..5usize,
    ) {
        let (mut indexes, _) = apply(&changes);
        let (query, time) = (Query::parse(&test_query.text()), ReadTime { now: 0, as_of: Some(30) });
        let whole = PageRequest { after: None, limit: usize::MAX, ..request };
        let expected = hits(&indexes, &query, &filter, &whole, time);
        for (number, (partition, mut doc)) in later.into_iter().enumerate() {
            doc.meta.id = Uuid::from_u128(1000 + number as u128);
            doc.meta.seq = 31;
            indexes[partition].upsert(doc);
        }
        let (mut pages, mut after) = (Vec::new(), None);
        loop {
            let page = search(&partitions(&indexes), &query, &filter, &PageRequest { after, limit, ..request }, time);
            let Some(last) = page.last() else { break };
            after = Some(last.key);
            pages.extend(page.iter().map(|hit| (hit.id, hit.score)));
        }
        prop_assert_eq!(pages, expected);
    }

    #[test]
    fn best_page_equals_the_page_of_all_accepted_candidates(
        changes in any_changes(),
        (test_query, filter, request, time) in (any_query(), any_filter(), any_page_request(), any_read_time()),
        (accepted, embedding) in (1..4u128, prop::option::weighted(0.2, any_embedding())),
    ) {
        let (indexes, _) = apply(&changes);
        let (partitions, query) = (partitions(&indexes), Query::parse(&test_query.text()));
        let query = query.with_meaning(embedding.into_iter().collect());
        let searcher = Searcher::at(time, &partitions);
        let accepts = |id: Uuid| id.as_u128().is_multiple_of(accepted);
        let mut candidates = searcher.candidates(&query, &filter);
        candidates.retain(|candidate| accepts(searcher.id(candidate)));
        let expected = searcher.page(&candidates, &request);
        let found = searcher.best_page((&query, &filter), &request, |candidate| accepts(searcher.id(candidate)));
        prop_assert_eq!(found, expected);
    }

    #[test]
    fn clone_of_an_index_does_not_see_later_changes(
        changes in any_changes(),
        (test_query, request, time) in (any_query(), any_page_request(), any_read_time()),
        docs in prop::collection::vec(any_doc(), 1..20),
    ) {
        let (mut indexes, _) = apply(&changes);
        let (snapshot, query, filter) = (indexes.clone(), Query::parse(&test_query.text()), Filter::default());
        let expected = hits(&snapshot, &query, &filter, &request, time);
        indexes[0].extend(docs);
        (0..40).for_each(|id| { indexes[1].remove(id_in(1, id)); });
        prop_assert_eq!(hits(&snapshot, &query, &filter, &request, time), expected);
    }

    #[test]
    fn neighbours_equal_those_of_the_oracle(
        changes in any_changes(),
        (time, reach) in (any_read_time(), 0..4u8),
    ) {
        let (indexes, docs) = apply(&changes);
        let all = written(&docs);
        let ids: Vec<Uuid> = all.iter().map(|(_, doc)| doc.meta.id).chain([Uuid::from_u128(1_000)]).collect();
        let found = Searcher::at(time, &partitions(&indexes)).neighbours(&ids, reach);
        for id in ids {
            let near: Vec<(i32, Uuid)> = found.get(&id).into_iter().flatten().map(|near| (near.offset, near.id)).collect();
            prop_assert_eq!(near, oracle::neighbours(&all, id, reach, time));
        }
        for near in found.values().flatten() {
            prop_assert!(docs[near.partition].contains_key(&near.id));
        }
    }

    #[test]
    fn score_equals_the_sum_of_its_explained_parts(
        changes in any_changes(),
        (test_query, filter, time) in (any_query(), any_filter(), any_read_time()),
    ) {
        let (indexes, _) = apply(&changes);
        let query = Query::parse(&test_query.text());
        let hits = search(&partitions(&indexes), &query, &filter, &ALL, time);
        let ids: Vec<Uuid> = hits.iter().map(|hit| hit.id).collect();
        let explained = Searcher::at(time, &partitions(&indexes)).explain(&query, &filter, &ids);
        for hit in hits.iter().filter(|_| !query.is_blank()) {
            let (parts, score) = (&explained[&hit.id], hit.score);
            let penalty = hit.repetition.map_or(0.0, |repetition| repetition.penalty);
            let sum: f64 = penalty + parts.iter().map(|(_, value)| value).sum::<f64>();
            prop_assert!((sum - score).abs() <= 1e-9 * score.abs().max(1.0), "{parts:?} are {sum}, not {score}");
            prop_assert!(parts.iter().all(|(_, value)| *value != 0.0) && parts.is_sorted_by_key(|(part, _)| *part));
        }
        if query.is_blank() {
            prop_assert!(explained.is_empty());
        }
    }

    #[test]
    fn collapsed_candidates_and_their_repetitions_are_all_candidates(
        changes in any_changes(),
        (test_query, filter, request, time) in (any_query(), any_filter(), any_page_request(), any_read_time()),
    ) {
        let (indexes, _) = apply(&changes);
        let (partitions, query) = (partitions(&indexes), Query::parse(&test_query.text()));
        let searcher = Searcher::at(time, &partitions);
        let candidates = searcher.candidates(&query, &filter);
        let whole = PageRequest { order: request.order, ..ALL };
        let all: Vec<Uuid> = searcher.page(&candidates, &whole).iter().map(|hit| hit.id).collect();
        let (remaining, repetitions) = searcher.collapsed(&candidates, request.order);
        let hits = searcher.page(&remaining, &whole);
        prop_assert!(hits.iter().all(|hit| hit.repetition.is_none_or(|repeated| repeated.is_near_copy)));
        let mut named: Vec<Uuid> = hits.iter().map(|hit| hit.id).chain(repetitions.into_values().flatten()).collect();
        named.sort_unstable();
        let mut all = all;
        all.sort_unstable();
        prop_assert_eq!(named, all);
    }
}
