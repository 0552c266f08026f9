//! Search is held to a naive model, to the bit of every score.

mod any;
mod oracle;

use std::collections::BTreeMap;
use std::sync::LazyLock;

use any::{any_asked, any_cut, any_doc, any_embedding, any_filter, any_moment};
use oracle::{Asked, Author, Written};
use orgmem_recall::{
    Byline, Cut, Doc, Filter, Meta, Moment, Order, Query, Scoring, Segment, Shelf, Shelves, Vector, analyze, count,
    search,
};
use proptest::prelude::*;
use uuid::Uuid;

#[derive(Clone, Debug)]
enum Change {
    Upsert(usize, Box<Doc>),
    Remove(usize, Uuid),
}

/// Who wrote what lies on each shelf: two authors, one of them with two shelves.
const AUTHORS: [Author; 3] = [(1, "acme", 0), (2, "retry bot", 1), (2, "retry bot", 2)];

static BYLINES: LazyLock<[Byline; 3]> = LazyLock::new(|| AUTHORS.map(|(_, name, _)| Byline::of(name)));

fn shelves(segments: &[Segment]) -> Vec<Shelf<'_, usize>> {
    let shelf = |(handle, segment): (usize, _)| Shelf {
        handle,
        author: Uuid::from_u128(AUTHORS[handle].0),
        byline: &BYLINES[handle],
        segment,
    };
    segments.iter().enumerate().map(shelf).collect()
}

/// In how many places one is above 0 and the other is not.
fn signs_apart(one: &Vector, other: &Vector) -> usize {
    let signs = |vector: &Vector| vector.encode()[4..].iter().map(|&value| value.cast_signed() > 0).collect::<Vec<_>>();
    signs(one).iter().zip(signs(other)).filter(|(one, other)| *one != other).count()
}

fn any_change() -> impl Strategy<Value = Change> {
    prop_oneof![
        5 => (0..3usize, any_doc()).prop_map(|(shelf, mut doc)| {
            doc.meta.id = id_on(shelf, doc.meta.id);
            Change::Upsert(shelf, Box::new(doc))
        }),
        1 => (0..3usize, 0..40u128).prop_map(|(shelf, id)| Change::Remove(shelf, id_on(shelf, Uuid::from_u128(id)))),
    ]
}

/// A memory lies on one shelf.
fn id_on(shelf: usize, id: Uuid) -> Uuid {
    Uuid::from_u128(id.as_u128() * 3 + shelf as u128)
}

/// Three shelves, changed step by step, and what lies on them.
fn play(changes: &[Change]) -> ([Segment; 3], [BTreeMap<Uuid, Doc>; 3]) {
    let (mut segments, mut docs): ([Segment; 3], [BTreeMap<Uuid, Doc>; 3]) = Default::default();
    for change in changes {
        match change {
            Change::Upsert(shelf, doc) => {
                segments[*shelf].upsert((**doc).clone());
                docs[*shelf].insert(doc.meta.id, (**doc).clone());
            }
            Change::Remove(shelf, id) => {
                let was_there = docs[*shelf].remove(id).is_some();
                assert_eq!(segments[*shelf].remove(*id), was_there);
            }
        }
    }
    (segments, docs)
}

fn found(segments: &[Segment], asked: &Asked, filter: &Filter, cut: &Cut, moment: Moment) -> Vec<(Uuid, f64)> {
    found_by(segments, &Query::parse(&asked.text()), filter, cut, moment)
}

fn found_by(segments: &[Segment], query: &Query, filter: &Filter, cut: &Cut, moment: Moment) -> Vec<(Uuid, f64)> {
    let shelves = shelves(segments);
    let hits = search(&shelves, query, filter, cut, moment);
    hits.into_iter().map(|hit| (hit.id, hit.score)).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn a_search_answers_as_the_oracle_does(
        changes in prop::collection::vec(any_change(), 0..80),
        (asked, filter, cut, moment) in (any_asked(), any_filter(), any_cut(), any_moment()),
    ) {
        let (segments, docs) = play(&changes);
        for (segment, docs) in segments.iter().zip(&docs) {
            prop_assert_eq!(segment.len(), docs.len());
        }
        let all: Vec<Written> = docs.iter().zip(AUTHORS).flat_map(|(docs, author)| docs.values().map(move |doc| (author, doc.clone()))).collect();
        let expected = oracle::search(&all, &asked, &filter, &cut, moment);
        prop_assert_eq!(found(&segments, &asked, &filter, &cut, moment), expected);

        let everything = Cut { after: None, limit: usize::MAX, order: Order::Relevance };
        let expected = oracle::search(&all, &asked, &filter, &everything, moment).len();
        let shelves = shelves(&segments);
        prop_assert_eq!(count(&shelves, &Query::parse(&asked.text()), &filter, moment), expected);
    }

    /// What lies on a shelf that is not handed in, and how the rest came to be, leaves no trace.
    #[test]
    fn a_search_answers_as_a_fresh_store_of_the_readable_does(
        changes in prop::collection::vec(any_change(), 0..80),
        (asked, filter, cut, moment) in (any_asked(), any_filter(), any_cut(), any_moment()),
    ) {
        let (segments, docs) = play(&changes);
        let fresh: Vec<Segment> = docs[..2].iter().map(|docs| Segment::build(docs.values().cloned())).collect();
        let expected = found(&fresh, &asked, &filter, &cut, moment);
        prop_assert_eq!(found(&segments[..2], &asked, &filter, &cut, moment), expected);
    }

    /// The same for what a query means, with its words and without.
    #[test]
    fn a_search_by_meaning_answers_as_a_fresh_store_of_the_readable_does(
        changes in prop::collection::vec(any_change(), 0..80),
        (asked, filter, cut, moment) in (any_asked(), any_filter(), any_cut(), any_moment()),
        (meaning, by_words) in (any_embedding(), any::<bool>()),
    ) {
        let (segments, docs) = play(&changes);
        let query = Query::parse(&asked.text()).with_meaning(vec![meaning]);
        let query = if by_words { query } else { query.without_words() };
        let fresh: Vec<Segment> = docs[..2].iter().map(|docs| Segment::build(docs.values().cloned())).collect();
        let expected = found_by(&fresh, &query, &filter, &cut, moment);
        prop_assert_eq!(found_by(&segments[..2], &query, &filter, &cut, moment), expected);
    }

    /// The same where there are too many vectors to compare each; what has expired or is too new is not there either.
    #[test]
    fn a_search_by_shortlist_answers_as_a_fresh_store_of_the_readable_does(
        changes in prop::collection::vec(any_change(), 0..80),
        (asked, filter, moment) in (any_asked(), any_filter(), any_moment()),
        (meaning, exact_vectors, shortlist) in (any_embedding(), 0..10usize, 1..4usize),
    ) {
        let (segments, docs) = play(&changes);
        let query = Query::parse(&asked.text()).with_meaning(vec![meaning]);
        let scoring = Scoring { exact_vectors, shortlist, ..Scoring::of(&query) };
        let found = |segments: &[Segment]| {
            let shelves = Shelves::at(moment, &shelves(segments));
            let hits = shelves.cut(shelves.candidates_by(&scoring, &query, &filter), &Cut { limit: usize::MAX, ..Cut::default() });
            hits.iter().map(|hit| (hit.id, hit.score.to_bits(), hit.similarity.map(f64::to_bits))).collect::<Vec<_>>()
        };
        let is_there = |doc: &&Doc| {
            let Meta { expires_at, seq, .. } = doc.meta;
            expires_at.is_none_or(|at| at > moment.now) && moment.as_of.is_none_or(|newest| seq <= newest)
        };
        let there = |docs: &BTreeMap<Uuid, Doc>| Segment::build(docs.values().filter(is_there).cloned());
        let fresh: Vec<Segment> = docs[..2].iter().map(there).collect();
        prop_assert_eq!(found(&segments[..2]), found(&fresh));
    }

    /// Of very many vectors those are compared whose signs differ from what is asked in the fewest places.
    #[test]
    fn a_shortlist_has_those_that_differ_in_the_fewest_signs(
        docs in prop::collection::vec(any_doc(), 0..40),
        (meaning, exact_vectors, shortlist) in (any_embedding(), 0..30usize, 1..20usize),
    ) {
        let plain = |(number, doc): (u128, Doc)| {
            let meta = Meta { id: Uuid::from_u128(number), confidence: 0.5, namespace: "a".into(), ..Meta::default() };
            Doc { meta, analysis: analyze(&format!("{number}")), ..doc }
        };
        let docs: Vec<Doc> = (0..).zip(docs).map(plain).collect();
        let is_comparable = |vector: &&Vector| vector.dimensions() == meaning.vector.dimensions();
        let vectors = |doc: &Doc| {
            let own = doc.embeddings.iter().filter(|own| own.model == meaning.model).flat_map(|own| &own.vectors);
            own.filter(is_comparable).cloned().collect::<Vec<_>>()
        };
        let mut distances: Vec<usize> = docs.iter().flat_map(vectors).map(|vector| signs_apart(&vector, &meaning.vector)).collect();
        distances.sort_unstable();
        let is_exact = distances.len() <= exact_vectors;
        let radius = distances.get(shortlist - 1).copied().filter(|_| !is_exact).unwrap_or(usize::MAX);
        let nearest = |doc: &Doc| {
            let listed = vectors(doc).into_iter().filter(|vector| signs_apart(vector, &meaning.vector) <= radius);
            listed.map(|vector| vector.cosine(&meaning.vector)).max_by(f64::total_cmp)
        };
        let best = docs.iter().filter_map(nearest).fold(0.0, f64::max);

        let segment = Segment::build(docs.iter().cloned());
        let query = Query::parse("whatever").with_meaning(vec![meaning.clone()]);
        let scoring = Scoring { exact_vectors, shortlist, ..Scoring::of(&query) };
        let shelves = [Shelf::nameless((), &segment)];
        let shelves = Shelves::at(Moment::default(), &shelves);
        let hits = shelves.cut(shelves.candidates_by(&scoring, &query, &Filter::default()), &Cut { limit: usize::MAX, ..Cut::default() });
        for hit in &hits {
            let expected = nearest(&docs[hit.id.as_u128() as usize]);
            prop_assert!(hit.similarity.zip(expected).is_some_and(|(told, expected)| (told - expected).abs() < 1e-6), "{:?} {:?}", hit, expected);
        }
        let near = docs.iter().filter_map(nearest).filter(|&cosine| best >= 0.2 && cosine >= 0.7 * best).count();
        prop_assert!(hits.len() >= near, "{} of {near}", hits.len());
    }

    /// Apart from what stands around them and from their age, memories come in the order of their cosines.
    #[test]
    fn what_is_nearest_in_meaning_comes_first(
        docs in prop::collection::vec(any_doc(), 0..40),
        meaning in any_embedding(),
    ) {
        let plain = |(number, doc): (u128, Doc)| {
            let meta = Meta { id: Uuid::from_u128(number), confidence: 0.5, namespace: "a".into(), ..Meta::default() };
            // distinct, so that none is folded into another
            Doc { meta, analysis: analyze(&format!("{number}")), ..doc }
        };
        let docs: Vec<Doc> = (0..).zip(docs).map(plain).collect();
        let cosine = |doc: &Doc| {
            let own = doc.embeddings.as_ref().filter(|own| own.model == meaning.model)?;
            let comparable = own.vectors.iter().filter(|vector| vector.dimensions() == meaning.vector.dimensions());
            comparable.map(|vector| vector.cosine(&meaning.vector)).max_by(f64::total_cmp)
        };
        let segment = Segment::build(docs.iter().cloned());
        let query = Query::parse("whatever").with_meaning(vec![meaning.clone()]);
        let cut = Cut { limit: usize::MAX, ..Cut::default() };
        let hits = search(&[Shelf::nameless((), &segment)], &query, &Filter::default(), &cut, Moment::default());
        let cosines: Vec<f64> = hits.iter().map(|hit| cosine(&docs[hit.id.as_u128() as usize]).expect("it was compared")).collect();
        prop_assert!(cosines.is_sorted_by(|before, after| before >= after), "{:?}", cosines);
        for (hit, cosine) in hits.iter().zip(&cosines) {
            prop_assert!(hit.similarity.is_some_and(|told| (told - cosine).abs() < 1e-6));
        }
        let nearest = docs.iter().filter_map(cosine).fold(0.0, f64::max);
        let near = docs.iter().filter_map(cosine).filter(|&cosine| nearest >= 0.2 && cosine >= 0.7 * nearest).count();
        prop_assert!(hits.len() >= near, "{} of {near}", hits.len());
        prop_assert!(nearest >= 0.2 || hits.is_empty());
    }

    #[test]
    fn pages_by_cursor_are_the_whole_list(
        changes in prop::collection::vec(any_change(), 0..80),
        later in prop::collection::vec((0..3usize, any_doc()), 0..10),
        (asked, filter, cut) in (any_asked(), any_filter(), any_cut()),
        step in 1..5usize,
    ) {
        let (mut segments, _) = play(&changes);
        let moment = Moment { now: 0, as_of: Some(30) };
        let whole = Cut { after: None, limit: usize::MAX, ..cut };
        let expected = found(&segments, &asked, &filter, &whole, moment);
        for (number, (shelf, mut doc)) in later.into_iter().enumerate() {
            doc.meta.id = Uuid::from_u128(1000 + number as u128);
            doc.meta.seq = 31;
            segments[shelf].upsert(doc);
        }
        let shelves = shelves(&segments);
        let (mut pages, mut after) = (Vec::new(), None);
        loop {
            let cut = Cut { after, limit: step, ..cut };
            let hits = search(&shelves, &Query::parse(&asked.text()), &filter, &cut, moment);
            let Some(last) = hits.last() else { break };
            after = Some(last.key);
            pages.extend(hits.iter().map(|hit| (hit.id, hit.score)));
        }
        prop_assert_eq!(pages, expected);
    }

    #[test]
    fn a_clone_does_not_see_later_changes(
        before in prop::collection::vec(any_change(), 0..40),
        (asked, cut, moment) in (any_asked(), any_cut(), any_moment()),
        docs in prop::collection::vec(any_doc(), 1..20),
    ) {
        let (mut segments, _) = play(&before);
        let kept = segments.clone();
        let expected = found(&kept, &asked, &Filter::default(), &cut, moment);
        segments[0].extend(docs);
        (0..40).for_each(|id| { segments[1].remove(id_on(1, Uuid::from_u128(id))); });
        prop_assert_eq!(found(&kept, &asked, &Filter::default(), &cut, moment), expected);
    }

    #[test]
    fn neighbours_are_those_of_the_oracle(
        changes in prop::collection::vec(any_change(), 0..80),
        (moment, reach) in (any_moment(), 0..4u8),
    ) {
        let (segments, docs) = play(&changes);
        let all: Vec<Written> = docs.iter().zip(AUTHORS).flat_map(|(docs, author)| docs.values().map(move |doc| (author, doc.clone()))).collect();
        let ids: Vec<Uuid> = all.iter().map(|(_, doc)| doc.meta.id).chain([Uuid::from_u128(1_000)]).collect();
        let shelves = shelves(&segments);
        let told = Shelves::at(moment, &shelves).neighbours(&ids, reach);
        for id in ids {
            let near: Vec<(i32, Uuid)> = told.get(&id).into_iter().flatten().map(|near| (near.offset, near.id)).collect();
            prop_assert_eq!(near, oracle::neighbours(&all, id, reach, moment));
        }
        for near in told.values().flatten() {
            prop_assert!(docs[near.shelf].contains_key(&near.id));
        }
    }

    #[test]
    fn a_score_is_the_sum_of_its_parts(
        changes in prop::collection::vec(any_change(), 0..80),
        (asked, filter, moment) in (any_asked(), any_filter(), any_moment()),
    ) {
        let (segments, _) = play(&changes);
        let (shelves, query) = (shelves(&segments), Query::parse(&asked.text()));
        let cut = Cut { limit: usize::MAX, ..Cut::default() };
        let hits = search(&shelves, &query, &filter, &cut, moment);
        let ids: Vec<Uuid> = hits.iter().map(|hit| hit.id).collect();
        let explained = Shelves::at(moment, &shelves).explain(&query, &filter, &ids);
        for hit in hits.iter().filter(|_| !query.is_blank()) {
            let parts = &explained[&hit.id];
            let sum: f64 = parts.iter().map(|(_, value)| value).sum();
            prop_assert!((sum - hit.score).abs() <= 1e-9 * hit.score.abs().max(1.0), "{parts:?} are {sum}, not {}", hit.score);
            prop_assert!(parts.iter().all(|(_, value)| *value != 0.0) && parts.is_sorted_by_key(|(part, _)| *part));
        }
        if query.is_blank() {
            prop_assert!(explained.is_empty());
        }
    }
}
