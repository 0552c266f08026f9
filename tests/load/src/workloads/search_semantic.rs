//! W9: semantic and hybrid search over 100,000 and 1,000,000 vectors, in-process and without the embedder.

use std::hint::black_box;
use std::time::Instant;

use ndarray::{Array1, Array2};
use orgmem_recall::{
    Doc, Embedding, Embeddings, Filter, Meta, PageRequest, Partition, PartitionIndex, Query, ReadTime, Scoring,
    Searcher, Vector, analyze, search,
};
use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};
use uuid::Uuid;

use crate::deployment::Setup;
use crate::error::Outcome;
use crate::figure::{Aim, Figure, Unit};
use crate::report::Report;
use crate::rounds::{Pairs, Spread};

/// The first size is searched exhaustively, the second by a shortlist.
const VECTORS: [usize; 2] = [100_000, 1_000_000];
const DIMENSIONS: usize = 384;
/// Cluster centres, as those of texts on one topic.
const TOPICS: usize = 200;
/// =
const QUESTIONS: usize = 40;
/// =
const PARTITIONS: usize = 40;
/// =
const SESSION: usize = 20;

/// Semantic and hybrid search for the best ten; limit: the product of all vectors as `f32` with the question's, and a
/// selection of the best ten.
pub(crate) fn run(setup: &Setup, report: &mut Report) -> Outcome<()> {
    VECTORS.into_iter().try_for_each(|count| measure(setup, setup.sized(count), report))
}

fn measure(setup: &Setup, count: usize, report: &mut Report) -> Outcome<()> {
    let mut random = SmallRng::seed_from_u64(9);
    let topics: Vec<Vec<f32>> = (0..TOPICS).map(|_| unit_vector(&mut random, None)).collect();
    let vectors: Vec<Vec<f32>> = (0..count)
        .map(|_| {
            let topic = random.random_range(0..TOPICS);
            unit_vector(&mut random, Some(&topics[topic]))
        })
        .collect();
    let questions: Vec<(String, Vec<f32>)> = setup
        .texts
        .questions()
        .iter()
        .take(QUESTIONS)
        .map(|question| {
            let topic = random.random_range(0..TOPICS);
            (question.clone(), unit_vector(&mut random, Some(&topics[topic])))
        })
        .collect();
    let segments = segments(setup, &vectors)?;
    let partitions: Vec<Partition<'_, usize>> =
        segments.iter().enumerate().map(|(handle, segment)| Partition::without_author(handle, segment)).collect();
    let queries = questions.iter().map(|(text, numbers)| {
        let vector = Vector::of(numbers).ok_or("the vector is zero")?;
        Ok(Query::parse(text).with_meaning(vec![Embedding { model: 1, vector }]))
    });
    let queries: Vec<Query> = queries.collect::<Outcome<_>>()?;
    let by_meaning: Vec<Query> = queries.iter().cloned().map(Query::without_words).collect();

    let matrix = Array2::from_shape_vec((count, DIMENSIONS), vectors.concat())?;
    drop(vectors);
    let questions: Vec<Array1<f32>> = questions.into_iter().map(|(_, numbers)| numbers.into()).collect();
    let mut exact = Vec::new();
    let mut scan = || {
        exact.clear();
        let begin = Instant::now();
        exact.extend(questions.iter().map(|questions| best(&matrix.dot(questions))));
        Ok(begin.elapsed().as_secs_f64() * 1e3 / questions.len() as f64)
    };
    let cut = PageRequest { limit: 10, ..PageRequest::default() };
    let ours = |queries: &[Query]| {
        let begin = Instant::now();
        for query in queries {
            black_box(search(&partitions, query, &Filter::default(), &cut, ReadTime::default()));
        }
        Ok(begin.elapsed().as_secs_f64() * 1e3 / queries.len() as f64)
    };
    ours(&queries)?;
    let pairs = Pairs::measure(setup.rounds, || ours(&by_meaning), &mut scan)?;
    let name = |what: &str| format!("{what}, {count} vectors, limit: a scan");
    report.add(Figure::against_limit("W9", name("semantic"), Unit::Milliseconds, &pairs));
    let pairs = Pairs::measure(setup.rounds, || ours(&queries), &mut scan)?;
    report.add(Figure::against_limit("W9", name("hybrid"), Unit::Milliseconds, &pairs).with_aim(Aim::AtMost(1.5)));
    for (what, queries) in [("semantic", &by_meaning), ("hybrid", &queries)] {
        let shares: Vec<f64> = queries.iter().map(|query| share_of_exact(&partitions, query, &cut)).collect();
        let recall = Spread::of([shares.iter().sum::<f64>() / shares.len() as f64]);
        let name = format!("{what}, {count} vectors, recall@10 of comparing each");
        report.add(Figure::value("W9", name, Unit::Count, recall).with_aim(Aim::AtLeast(0.98)));
    }
    Ok(())
}

/// The share of an exhaustive search's hits that the search finds.
fn share_of_exact(partitions: &[Partition<'_, usize>], query: &Query, cut: &PageRequest) -> f64 {
    let partitions = Searcher::at(ReadTime::default(), partitions);
    let found = |scoring: &Scoring| -> Vec<Uuid> {
        let candidates = partitions.candidates_with(scoring, query, &Filter::default());
        partitions.page(&candidates, cut).iter().map(|hit| hit.id).collect()
    };
    let ours = found(&Scoring::of(query));
    let exact = found(&Scoring { exact_vectors: usize::MAX, ..Scoring::of(query) });
    exact.iter().filter(|id| ours.contains(id)).count() as f64 / exact.len().max(1) as f64
}

/// The memories in their partitions, in sessions.
fn segments(setup: &Setup, vectors: &[Vec<f32>]) -> Outcome<Vec<PartitionIndex>> {
    let mut partitions: Vec<Vec<Doc>> = vec![Vec::new(); PARTITIONS];
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
        let vector = Vector::of(numbers).ok_or("the vector is zero")?;
        let analysis = analyze(&setup.texts.memory(number as usize));
        partitions[session % PARTITIONS].push(Doc {
            meta,
            analysis,
            embeddings: Some(Embeddings { model: 1, vectors: vec![vector] }),
        });
    }
    Ok(partitions.into_iter().map(PartitionIndex::build).collect())
}

/// A unit vector, close to `near` if given.
fn unit_vector(random: &mut SmallRng, near: Option<&[f32]>) -> Vec<f32> {
    let mut numbers: Vec<f32> = (0..DIMENSIONS).map(|_| random.random_range(-1.0..1.0)).collect();
    if let Some(near) = near {
        numbers.iter_mut().zip(near).for_each(|(number, near)| *number = *number * 0.06 + near);
    }
    let length = numbers.iter().map(|number| number * number).sum::<f32>().sqrt();
    numbers.iter_mut().for_each(|number| *number /= length);
    numbers
}

/// The indexes of the ten greatest.
fn best(cosines: &Array1<f32>) -> Vec<usize> {
    let mut indexes: Vec<usize> = (0..cosines.len()).collect();
    let by_cosine = |a: &usize, b: &usize| cosines[*b].total_cmp(&cosines[*a]);
    if indexes.len() > 10 {
        indexes.select_nth_unstable_by(10, by_cosine);
        indexes.truncate(10);
    }
    indexes.sort_unstable_by(by_cosine);
    indexes
}
