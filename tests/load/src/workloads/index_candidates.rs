//! The candidates of `docs/decisions/0002-keyword-index.md`, compared.

use std::time::Instant;

use crate::candidates::{self, Candidate, Document};
use crate::corpus::Corpus;
use crate::deployment::Setup;
use crate::error::Outcome;
use crate::figure::{Figure, Unit};
use crate::report::Report;
use crate::rounds::Spread;

/// Memories of the searched org, and of all others together.
const OWN: usize = 100_000;
const OTHERS: usize = 1_000_000;
/// Memories of each other org.
const OTHER: usize = 1_000;

/// Questions and written memories of one round; the memories are written in groups.
const QUESTIONS: usize = 200;
const WRITTEN: usize = 1_280;
const GROUP: usize = 64;

/// Memories per transaction of the initial load.
const BULK: usize = 5_000;

/// Fills each candidate, and measures first searches, repeated searches and writes.
pub(crate) fn run(setup: &Setup, report: &mut Report) -> Outcome<()> {
    let corpus = Corpus::new(setup.sized(OWN));
    let readers: Vec<Vec<i64>> = Corpus::readers().map(|index| corpus.readable_by(index)).collect();
    let questions = setup.texts.questions().iter().take(setup.sized(QUESTIONS));
    let searches_by_reader: Vec<(&String, &Vec<i64>)> = questions.zip(readers.iter().cycle()).collect();
    for (name, mut candidate) in candidates::all(setup.kind)? {
        let name = |what: &str| format!("{name}: {what}, {}", setup.kind.name());
        fill(setup, &corpus, &mut *candidate)?;
        let disk = candidate.disk()? / 1e6;
        candidate.restart()?;
        let first = searches_by_reader
            .iter()
            .take(readers.len())
            .map(|searches_by_reader| search(&mut *candidate, searches_by_reader));
        let first = Spread::of(first.collect::<Outcome<Vec<_>>>()?.into_iter().map(|micros| micros / 1e3));
        let (mut searches, mut writes) = (Vec::new(), Vec::new());
        for round in 0..setup.rounds {
            let micros = searches_by_reader
                .iter()
                .map(|searches_by_reader| search(&mut *candidate, searches_by_reader))
                .collect::<Outcome<Vec<_>>>()?;
            searches
                .push((Spread::of(micros.iter().copied()).median, micros.iter().sum::<f64>() / micros.len() as f64));
            writes.push(write(setup, &corpus, &mut *candidate, round)?);
        }
        let medians = Spread::of(searches.iter().map(|search| search.0));
        report.add(Figure::value("index-candidates", name("search, median"), Unit::Microseconds, medians));
        let means = Spread::of(searches.iter().map(|search| search.1));
        report.add(Figure::value("index-candidates", name("search, mean"), Unit::Microseconds, means));
        report.add(Figure::value("index-candidates", name("first search of a reader"), Unit::Milliseconds, first));
        report.add(Figure::value(
            "index-candidates",
            name("write, each of 64"),
            Unit::Microseconds,
            Spread::of(writes),
        ));
        report.add(Figure::value("index-candidates", name("on disk"), Unit::Megabytes, Spread::once(disk)));
    }
    Ok(())
}

fn fill(setup: &Setup, corpus: &Corpus, candidate: &mut dyn Candidate) -> Outcome<()> {
    let searched = (0..).zip(corpus.partitions()).map(|(id, partition)| (id, 0, partition));
    let first = setup.sized(OWN) as i64;
    // the other orgs have the usual size, with ten partitions each
    let others = (0..setup.sized(OTHERS) as i64).map(|number| (first + number, 1 + number / OTHER as i64, number % 10));
    let mut documents = searched.chain(others).map(|(id, org, partition)| Document {
        id,
        org,
        partition,
        text: setup.texts.memory(id as usize),
    });
    loop {
        let bulk: Vec<Document> = documents.by_ref().take(BULK).collect();
        if bulk.is_empty() {
            return candidate.finish_bulk();
        }
        candidate.add(&bulk)?;
    }
}

/// The time of one search, in microseconds.
fn search(candidate: &mut dyn Candidate, (question, partitions): &(&String, &Vec<i64>)) -> Outcome<f64> {
    let begin = Instant::now();
    candidate.search(partitions, question)?;
    Ok(begin.elapsed().as_secs_f64() * 1e6)
}

/// The time per memory of a group, in microseconds.
fn write(setup: &Setup, corpus: &Corpus, candidate: &mut dyn Candidate, round: usize) -> Outcome<f64> {
    let count = setup.sized(WRITTEN);
    let first = setup.sized(OWN) + setup.sized(OTHERS) + round * count;
    let new = (first..first + count).zip(corpus.partitions().skip(round)).map(|(id, partition)| Document {
        id: id as i64,
        org: 0,
        partition,
        text: setup.texts.memory(id),
    });
    let new: Vec<Document> = new.collect();
    let begin = Instant::now();
    new.chunks(GROUP).try_for_each(|group| candidate.add(group))?;
    Ok(begin.elapsed().as_secs_f64() * 1e6 / count as f64)
}
