//! Which index for keywords? The candidates of `docs/decisions/0002-keyword-index.md`, beside each other.

use std::time::Instant;

use crate::candidates::{self, Candidate, Document};
use crate::error::Outcome;
use crate::figure::{Figure, Unit};
use crate::library::Library;
use crate::report::Report;
use crate::rounds::Spread;
use crate::setup::Setup;

/// Memories of the org that is asked, and of all others together.
const OWN: usize = 100_000;
const OTHERS: usize = 1_000_000;
/// Of one of the others.
const OTHER: usize = 1_000;

/// Questions of one round, and memories that are written then, in groups.
const QUESTIONS: usize = 200;
const WRITTEN: usize = 1_280;
const GROUP: usize = 64;

/// Memories that are added at once before anything is measured.
const BULK: usize = 5_000;

/// Every candidate is filled, asked first by readers whom it does not know yet, then again and again, and written to.
pub(crate) fn run(setup: &Setup, report: &mut Report) -> Outcome<()> {
    let library = Library::new(setup.sized(OWN));
    let readers: Vec<Vec<i64>> = Library::readers().map(|place| library.seen_by(place)).collect();
    let questions = setup.texts.questions().iter().take(setup.sized(QUESTIONS));
    let asked: Vec<(&String, &Vec<i64>)> = questions.zip(readers.iter().cycle()).collect();
    for (name, mut candidate) in candidates::all(setup.kind)? {
        let name = |what: &str| format!("{name}: {what}, {}", setup.kind.name());
        fill(setup, &library, &mut *candidate)?;
        let disk = candidate.disk()? / 1e6;
        candidate.restart()?;
        let first = asked.iter().take(readers.len()).map(|asked| search(&mut *candidate, asked));
        let first = Spread::of(first.collect::<Outcome<Vec<_>>>()?.into_iter().map(|micros| micros / 1e3));
        let (mut searches, mut writes) = (Vec::new(), Vec::new());
        for round in 0..setup.rounds {
            let micros = asked.iter().map(|asked| search(&mut *candidate, asked)).collect::<Outcome<Vec<_>>>()?;
            searches
                .push((Spread::of(micros.iter().copied()).median, micros.iter().sum::<f64>() / micros.len() as f64));
            writes.push(write(setup, &library, &mut *candidate, round)?);
        }
        let medians = Spread::of(searches.iter().map(|search| search.0));
        report.add(Figure::alone("index", name("search, median"), Unit::Microseconds, medians));
        let means = Spread::of(searches.iter().map(|search| search.1));
        report.add(Figure::alone("index", name("search, mean"), Unit::Microseconds, means));
        report.add(Figure::alone("index", name("first search of a reader"), Unit::Milliseconds, first));
        report.add(Figure::alone("index", name("write, each of 64"), Unit::Microseconds, Spread::of(writes)));
        report.add(Figure::alone("index", name("on disk"), Unit::Megabytes, Spread::once(disk)));
    }
    Ok(())
}

fn fill(setup: &Setup, library: &Library, candidate: &mut dyn Candidate) -> Outcome<()> {
    let own = (0..).zip(library.shelves()).map(|(id, shelf)| (id, 0, shelf));
    let first = setup.sized(OWN) as i64;
    // the other orgs are as large as most are, each with ten shelves
    let others = (0..setup.sized(OTHERS) as i64).map(|number| (first + number, 1 + number / OTHER as i64, number % 10));
    let mut documents =
        own.chain(others).map(|(id, org, shelf)| Document { id, org, shelf, text: setup.texts.memory(id as usize) });
    loop {
        let bulk: Vec<Document> = documents.by_ref().take(BULK).collect();
        if bulk.is_empty() {
            return candidate.settle();
        }
        candidate.add(&bulk)?;
    }
}

/// How many microseconds one search takes.
fn search(candidate: &mut dyn Candidate, (question, shelves): &(&String, &Vec<i64>)) -> Outcome<f64> {
    let begin = Instant::now();
    candidate.search(shelves, question)?;
    Ok(begin.elapsed().as_secs_f64() * 1e6)
}

/// How many microseconds one of a group of memories takes to be written.
fn write(setup: &Setup, library: &Library, candidate: &mut dyn Candidate, round: usize) -> Outcome<f64> {
    let count = setup.sized(WRITTEN);
    let first = setup.sized(OWN) + setup.sized(OTHERS) + round * count;
    let new = (first..first + count).zip(library.shelves().skip(round)).map(|(id, shelf)| Document {
        id: id as i64,
        org: 0,
        shelf,
        text: setup.texts.memory(id),
    });
    let new: Vec<Document> = new.collect();
    let begin = Instant::now();
    new.chunks(GROUP).try_for_each(|group| candidate.add(group))?;
    Ok(begin.elapsed().as_secs_f64() * 1e6 / count as f64)
}
