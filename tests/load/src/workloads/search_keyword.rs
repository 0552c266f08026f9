//! W3: keyword search in orgs of several sizes.

use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};

use crate::corpus::Corpus;
use crate::deployment::{Deployment, Setup};
use crate::error::Outcome;
use crate::figure::{Aim, Figure, Unit};
use crate::fts::Fts;
use crate::http::{Client, Lane, RequestBytes, request};
use crate::org;
use crate::report::Report;
use crate::rounds::{Pairs, Spread};
use crate::texts::Texts;
use crate::token;

/// Memories of the org, with the aim of the ratio.
const SIZES: [(usize, Aim); 3] = [(1_000, Aim::AtMost(1.5)), (10_000, Aim::AtMost(0.8)), (100_000, Aim::AtMost(0.3))];

pub(super) const QUESTIONS: usize = 400;

/// Searches for the best ten on one connection; limit: FTS5 without HTTP.
pub(crate) fn run(setup: &Setup, report: &mut Report) -> Outcome<()> {
    for (size, aim) in SIZES {
        let size = setup.sized(size);
        let corpus = Corpus::new(size);
        let deployment = filled_server(setup, &corpus)?;
        let questions = Questions::new(setup, &corpus)?;
        let mut client = Client::connect(deployment.server.address(), 1)?;
        let name = |what: &str| format!("{what}, {size} memories, {}", setup.kind.name());
        report.add(Figure::value(
            "W3",
            name("first_searches search of a reader"),
            Unit::Milliseconds,
            questions.first_searches(&mut client)?,
        ));

        let mut medians = Vec::new();
        let mut search = || -> Outcome<f64> {
            let run = client.run(vec![questions.lane()])?;
            medians.push((run.median_micros(), run.p99_micros()));
            Ok(run.mean_micros())
        };
        search()?;
        let fts = Fts::of(&corpus, &setup.texts)?;
        let pairs = Pairs::measure(setup.rounds, search, || questions.search_fts(&fts))?;
        let figure = Figure::against_limit("W3", name("search, limit: FTS5"), Unit::Microseconds, &pairs);
        report.add(figure.with_aim(aim));
        let spread = |of: fn(&(f64, f64)) -> f64| Spread::of(medians.iter().map(of));
        report.add(Figure::value("W3", name("the same, median"), Unit::Microseconds, spread(|run| run.0)));
        report.add(Figure::value("W3", name("the same, 99th percentile"), Unit::Microseconds, spread(|run| run.1)));
        let readable = Corpus::readers().map(|reader| 100.0 * corpus.readable_share(reader));
        report.add(Figure::value("W3", name("percent readable by a reader"), Unit::Count, Spread::of(readable)));
        deployment.server.stop()?;
    }
    Ok(())
}

/// Search requests of several readers.
pub(super) struct Questions<'a> {
    corpus: &'a Corpus,
    texts: &'a Texts,
    requests: Vec<RequestBytes>,
}

impl<'a> Questions<'a> {
    pub(super) fn new(setup: &'a Setup, corpus: &'a Corpus) -> Outcome<Self> {
        let readers = Corpus::readers().map(|index| {
            let id = corpus.id(index);
            Ok((format!("/workspaces/{}/memories?limit=10&q=", id.uuid()), token::agent(id)?))
        });
        let readers: Vec<(String, String)> = readers.collect::<Outcome<_>>()?;
        let search = |(question, (path, token)): (&String, &(String, String))| {
            let path = format!("{path}{}", utf8_percent_encode(question, NON_ALPHANUMERIC));
            request("GET", &path, token, None)
        };
        let questions = setup.texts.questions().iter().take(setup.sized(QUESTIONS));
        let requests = questions.zip(readers.iter().cycle()).map(search).collect();
        Ok(Self { corpus, texts: &setup.texts, requests })
    }

    /// The first_searches search of each reader, in milliseconds.
    pub(super) fn first_searches(&self, client: &mut Client) -> Outcome<Spread> {
        let readers = Corpus::readers().count();
        let first_searches = self
            .requests
            .iter()
            .take(readers)
            .map(|wire| Ok(client.run(vec![Lane::once(vec![wire.clone()])])?.mean_micros() / 1e3));
        Ok(Spread::of(first_searches.collect::<Outcome<Vec<_>>>()?))
    }

    pub(super) fn lane(&self) -> Lane {
        Lane::once(self.requests.clone())
    }

    pub(super) fn bodies(&self, client: &mut Client) -> Outcome<Vec<Vec<u8>>> {
        self.requests.iter().map(|wire| client.send(wire)).collect()
    }

    /// The time of one search by FTS5, in microseconds.
    fn search_fts(&self, fts: &Fts) -> Outcome<f64> {
        let readers: Vec<Vec<i64>> = Corpus::readers().map(|index| self.corpus.readable_by(index)).collect();
        let questions = self.texts.questions().iter().take(self.requests.len());
        let begin = std::time::Instant::now();
        for (question, partitions) in questions.zip(readers.iter().cycle()) {
            fts.search(partitions, question)?;
        }
        Ok(begin.elapsed().as_secs_f64() * 1e6 / self.requests.len() as f64)
    }
}

/// A server with the memories of this corpus.
pub(super) fn filled_server(setup: &Setup, corpus: &Corpus) -> Outcome<Deployment> {
    filled_server_with(setup, corpus, &[])
}

/// With these environment variables.
pub(super) fn filled_server_with(setup: &Setup, corpus: &Corpus, settings: &[(&str, &str)]) -> Outcome<Deployment> {
    let mut deployment = setup.deploy_with(settings)?;
    org::create(&mut deployment.client, &corpus.shape)?;
    org::fill(&mut deployment.client, corpus.commits(&setup.texts))?;
    Ok(deployment)
}
