//! W3: questions to an org of growing size.

use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};

use crate::error::Outcome;
use crate::figure::{Aim, Figure, Unit};
use crate::fts::Fts;
use crate::http::{Client, Lane, Wire, request};
use crate::library::Library;
use crate::org;
use crate::report::Report;
use crate::rounds::{Pairs, Spread};
use crate::setup::{Setup, Site};
use crate::texts::Texts;
use crate::token;

const SIZES: [usize; 3] = [1_000, 10_000, 100_000];

/// Questions of one round.
pub(super) const QUESTIONS: usize = 400;

/// One connection asks, the best ten each time; beside it, FTS5 is asked for the same, without HTTP.
pub(crate) fn run(setup: &Setup, report: &mut Report) -> Outcome<()> {
    for size in SIZES {
        let size = setup.sized(size);
        let library = Library::new(size);
        let site = filled(setup, &library)?;
        let questions = Questions::new(setup, &library)?;
        let mut client = Client::connect(site.server.address(), 1)?;
        let name = |what: &str| format!("{what}, {size} memories, {}", setup.kind.name());
        report.add(Figure::alone(
            "W3",
            name("first search of a reader"),
            Unit::Milliseconds,
            questions.first(&mut client)?,
        ));

        let mut medians = Vec::new();
        let mut ask = || -> Outcome<f64> {
            let run = client.run(vec![questions.lane()])?;
            medians.push((run.median_micros(), run.p99_micros()));
            Ok(run.mean_micros())
        };
        ask()?;
        let fts = Fts::of(&library, &setup.texts)?;
        let pairs = Pairs::measure(setup.rounds, ask, || questions.ask_fts(&fts))?;
        let figure = Figure::beside("W3", name("search, limit: FTS5"), Unit::Microseconds, &pairs);
        report.add(if size >= setup.sized(10_000) { figure.aimed(Aim::AtMost(1.0)) } else { figure });
        let spread = |of: fn(&(f64, f64)) -> f64| Spread::of(medians.iter().map(of));
        report.add(Figure::alone("W3", name("the same, median"), Unit::Microseconds, spread(|run| run.0)));
        report.add(Figure::alone("W3", name("the same, 99th percentile"), Unit::Microseconds, spread(|run| run.1)));
        let seen = Library::readers().map(|reader| 100.0 * library.part_seen_by(reader));
        report.add(Figure::alone("W3", name("seen by a reader, in a hundred"), Unit::Pieces, Spread::of(seen)));
        site.server.stop()?;
    }
    Ok(())
}

/// What is asked, and by whom.
pub(super) struct Questions<'a> {
    library: &'a Library,
    texts: &'a Texts,
    wires: Vec<Wire>,
}

impl<'a> Questions<'a> {
    pub(super) fn new(setup: &'a Setup, library: &'a Library) -> Outcome<Self> {
        let readers = Library::readers().map(|place| {
            let id = library.id(place);
            Ok((format!("/workspaces/{}/memories?limit=10&q=", id.uuid()), token::agent(id)?))
        });
        let readers: Vec<(String, String)> = readers.collect::<Outcome<_>>()?;
        let ask = |(question, (path, token)): (&String, &(String, String))| {
            let path = format!("{path}{}", utf8_percent_encode(question, NON_ALPHANUMERIC));
            request("GET", &path, token, None)
        };
        let questions = setup.texts.questions().iter().take(setup.sized(QUESTIONS));
        let wires = questions.zip(readers.iter().cycle()).map(ask).collect();
        Ok(Self { library, texts: &setup.texts, wires })
    }

    /// One search of each reader, none of whom has asked before, in milliseconds.
    pub(super) fn first(&self, client: &mut Client) -> Outcome<Spread> {
        let readers = Library::readers().count();
        let first = self
            .wires
            .iter()
            .take(readers)
            .map(|wire| Ok(client.run(vec![Lane::once(vec![wire.clone()])])?.mean_micros() / 1e3));
        Ok(Spread::of(first.collect::<Outcome<Vec<_>>>()?))
    }

    pub(super) fn lane(&self) -> Lane {
        Lane::once(self.wires.clone())
    }

    /// The body of each answer.
    pub(super) fn answers(&self, client: &mut Client) -> Outcome<Vec<Vec<u8>>> {
        self.wires.iter().map(|wire| client.ask(wire)).collect()
    }

    /// How many microseconds FTS5 takes for one of them.
    fn ask_fts(&self, fts: &Fts) -> Outcome<f64> {
        let readers: Vec<Vec<i64>> = Library::readers().map(|place| self.library.seen_by(place)).collect();
        let questions = self.texts.questions().iter().take(self.wires.len());
        let begin = std::time::Instant::now();
        for (question, shelves) in questions.zip(readers.iter().cycle()) {
            fts.search(shelves, question)?;
        }
        Ok(begin.elapsed().as_secs_f64() * 1e6 / self.wires.len() as f64)
    }
}

/// A server with this library on it.
pub(super) fn filled(setup: &Setup, library: &Library) -> Outcome<Site> {
    filled_with(setup, library, &[])
}

/// The same with these settings, as the environment gives them.
pub(super) fn filled_with(setup: &Setup, library: &Library, settings: &[(&str, &str)]) -> Outcome<Site> {
    let mut site = setup.site_with(settings)?;
    org::plant(&mut site.client, &library.shape)?;
    org::fill(&mut site.client, library.commits(&setup.texts))?;
    Ok(site)
}
