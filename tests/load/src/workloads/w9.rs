//! W9: search by meaning among 100,000 and 1,000,000 vectors of 384 numbers, without HTTP and without the embedder.

use std::hint::black_box;
use std::time::Instant;

use ndarray::{Array1, Array2};
use orgmem_recall::{
    Cut, Doc, Embedding, Embeddings, Filter, Meta, Moment, Query, Scoring, Segment, Shelf, Shelves, Vector, analyze,
    search,
};
use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};
use uuid::Uuid;

use crate::error::Outcome;
use crate::figure::{Aim, Figure, Unit};
use crate::report::Report;
use crate::rounds::{Pairs, Spread};
use crate::setup::Setup;

/// Up to so many each is compared; of more, a shortlist.
const VECTORS: [usize; 2] = [100_000, 1_000_000];
const DIMENSIONS: usize = 384;
/// Directions that vectors lie around, as those of texts about like things do.
const TOPICS: usize = 200;
/// Questions of one round.
const QUESTIONS: usize = 40;
/// Shelves that the memories lie on.
const SHELVES: usize = 40;
/// Memories of one session.
const SESSION: usize = 20;

/// Each question is searched for by meaning, and by words and meaning, the best ten; beside it, all vectors as numbers of
/// four bytes are multiplied with that of the question, and the best ten taken.
pub(crate) fn run(setup: &Setup, report: &mut Report) -> Outcome<()> {
    VECTORS.into_iter().try_for_each(|count| among(setup, setup.sized(count), report))
}

fn among(setup: &Setup, count: usize, report: &mut Report) -> Outcome<()> {
    let mut random = SmallRng::seed_from_u64(9);
    let topics: Vec<Vec<f32>> = (0..TOPICS).map(|_| direction(&mut random, None)).collect();
    let vectors: Vec<Vec<f32>> = (0..count)
        .map(|_| {
            let topic = random.random_range(0..TOPICS);
            direction(&mut random, Some(&topics[topic]))
        })
        .collect();
    let asked: Vec<(String, Vec<f32>)> = setup
        .texts
        .questions()
        .iter()
        .take(QUESTIONS)
        .map(|question| {
            let topic = random.random_range(0..TOPICS);
            (question.clone(), direction(&mut random, Some(&topics[topic])))
        })
        .collect();
    let segments = segments(setup, &vectors)?;
    let shelves: Vec<Shelf<'_, usize>> =
        segments.iter().enumerate().map(|(handle, segment)| Shelf::nameless(handle, segment)).collect();
    let queries = asked.iter().map(|(text, numbers)| {
        let vector = Vector::of(numbers).ok_or("a vector points nowhere")?;
        Ok(Query::parse(text).with_meaning(vec![Embedding { model: 1, vector }]))
    });
    let queries: Vec<Query> = queries.collect::<Outcome<_>>()?;
    let by_meaning: Vec<Query> = queries.iter().cloned().map(Query::without_words).collect();

    let matrix = Array2::from_shape_vec((count, DIMENSIONS), vectors.concat())?;
    drop(vectors);
    let asked: Vec<Array1<f32>> = asked.into_iter().map(|(_, numbers)| numbers.into()).collect();
    let mut exact = Vec::new();
    let mut scan = || {
        exact.clear();
        let begin = Instant::now();
        exact.extend(asked.iter().map(|asked| best(&matrix.dot(asked))));
        Ok(begin.elapsed().as_secs_f64() * 1e3 / asked.len() as f64)
    };
    let cut = Cut { limit: 10, ..Cut::default() };
    let ours = |queries: &[Query]| {
        let begin = Instant::now();
        for query in queries {
            black_box(search(&shelves, query, &Filter::default(), &cut, Moment::default()));
        }
        Ok(begin.elapsed().as_secs_f64() * 1e3 / queries.len() as f64)
    };
    ours(&queries)?;
    let pairs = Pairs::measure(setup.rounds, || ours(&by_meaning), &mut scan)?;
    let name = |what: &str| format!("{what}, {count} vectors, limit: a scan");
    report.add(Figure::beside("W9", name("semantic"), Unit::Milliseconds, &pairs));
    let pairs = Pairs::measure(setup.rounds, || ours(&queries), &mut scan)?;
    report.add(Figure::beside("W9", name("hybrid"), Unit::Milliseconds, &pairs).aimed(Aim::AtMost(1.5)));
    for (what, queries) in [("semantic", &by_meaning), ("hybrid", &queries)] {
        let shares: Vec<f64> = queries.iter().map(|query| share_of_exact(&shelves, query, &cut)).collect();
        let recall = Spread::of([shares.iter().sum::<f64>() / shares.len() as f64]);
        let name = format!("{what}, {count} vectors, recall@10 of comparing each");
        report.add(Figure::alone("W9", name, Unit::Pieces, recall).aimed(Aim::AtLeast(0.98)));
    }
    Ok(())
}

/// How many of the hits are there that a search finds which compares each vector: 1 for all.
fn share_of_exact(shelves: &[Shelf<'_, usize>], query: &Query, cut: &Cut) -> f64 {
    let shelves = Shelves::at(Moment::default(), shelves);
    let found = |scoring: &Scoring| -> Vec<Uuid> {
        let candidates = shelves.candidates_by(scoring, query, &Filter::default());
        shelves.cut(candidates, cut).iter().map(|hit| hit.id).collect()
    };
    let ours = found(&Scoring::of(query));
    let exact = found(&Scoring { exact_vectors: usize::MAX, ..Scoring::of(query) });
    exact.iter().filter(|id| ours.contains(id)).count() as f64 / exact.len().max(1) as f64
}

/// The memories on their shelves, in sessions, with texts of real conversations.
fn segments(setup: &Setup, vectors: &[Vec<f32>]) -> Outcome<Vec<Segment>> {
    let mut shelves: Vec<Vec<Doc>> = vec![Vec::new(); SHELVES];
    for (number, numbers) in (1..).zip(vectors) {
        let session = number as usize / SESSION;
        let meta = Meta {
            id: Uuid::from_u128(number as u128),
            seq: number,
            number,
            created_at: number * 60_000_000,
            confidence: 0.5,
            namespace: "general".into(),
            kind: "fact".into(),
            source: "agent".into(),
            session_id: Some(session.to_string()),
            ..Meta::default()
        };
        let vector = Vector::of(numbers).ok_or("a vector points nowhere")?;
        let analysis = analyze(&setup.texts.memory(number as usize));
        shelves[session % SHELVES].push(Doc {
            meta,
            analysis,
            embeddings: Some(Embeddings { model: 1, vectors: vec![vector] }),
        });
    }
    Ok(shelves.into_iter().map(Segment::build).collect())
}

/// Of length 1; near to another one where that is given.
fn direction(random: &mut SmallRng, near: Option<&[f32]>) -> Vec<f32> {
    let mut numbers: Vec<f32> = (0..DIMENSIONS).map(|_| random.random_range(-1.0..1.0)).collect();
    if let Some(near) = near {
        numbers.iter_mut().zip(near).for_each(|(number, near)| *number = *number * 0.06 + near);
    }
    let length = numbers.iter().map(|number| number * number).sum::<f32>().sqrt();
    numbers.iter_mut().for_each(|number| *number /= length);
    numbers
}

/// The places of the ten greatest.
fn best(cosines: &Array1<f32>) -> Vec<usize> {
    let mut places: Vec<usize> = (0..cosines.len()).collect();
    let by_cosine = |a: &usize, b: &usize| cosines[*b].total_cmp(&cosines[*a]);
    if places.len() > 10 {
        places.select_nth_unstable_by(10, by_cosine);
        places.truncate(10);
    }
    places.sort_unstable_by(by_cosine);
    places
}
