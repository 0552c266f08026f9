//! W3c: the first search after a start.

use std::time::Instant;

use orgmem_store::{Store, StoreConfig, SystemClock};
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};

use crate::corpus::Corpus;
use crate::deployment::{Deployment, Setup};
use crate::error::Outcome;
use crate::figure::{Aim, Figure, Unit};
use crate::http::{Client, RequestBytes, request};
use crate::org::{self, Commit};
use crate::report::Report;
use crate::rounds::{Pairs, Spread};
use crate::server::Server;
use crate::storage::Storage;
use crate::token;

/// Memories of one workspace, all visible.
const SIZES: [usize; 2] = [20_000, 100_000];

const WARM_SEARCHES: usize = 200;

/// Changes of the index that are written at once.
const CHANGES: usize = 5_000;

/// The first search, limit: a warm one; and limit: the first search without segments, which builds the index from rows.
pub(crate) fn run(setup: &Setup, report: &mut Report) -> Outcome<()> {
    for size in SIZES.map(|size| setup.sized(size)) {
        let corpus = Corpus::new(size);
        let Deployment { storage, server, mut client } = setup.deploy()?;
        org::create(&mut client, &corpus.shape)?;
        let reader = corpus.id(0);
        let commits = corpus.commits(&setup.texts).into_iter();
        org::fill(&mut client, commits.map(|commit| Commit { author: reader, scope: "LOCAL", ..commit }).collect())?;
        server.stop()?;
        write_segments(&storage)?;
        let path = format!("/workspaces/{}/memories?limit=10&q=", reader.uuid());
        let token = token::agent(reader)?;
        let search = |question: &String| {
            request("GET", &format!("{path}{}", utf8_percent_encode(question, NON_ALPHANUMERIC)), &token, None)
        };
        let searches: Vec<RequestBytes> = setup.texts.questions().iter().take(WARM_SEARCHES).map(search).collect();
        let name = |what: &str| format!("{what}, {size} memories, {}", setup.kind.name());

        let (mut warm, mut resident) = (Vec::new(), Vec::new());
        let mut cold = || -> Outcome<f64> {
            let server = Server::start(&setup.program, &storage)?;
            let mut client = Client::connect(server.address(), 1)?;
            let first = millis(&mut client, &searches[0])?;
            let mut times: Vec<f64> = searches.iter().map(|wire| millis(&mut client, wire)).collect::<Outcome<_>>()?;
            times.sort_by(f64::total_cmp);
            warm.push(times[times.len() / 2]);
            resident.push(server.memory()?.resident / 1e6);
            server.stop()?;
            Ok(first)
        };
        let from_rows = || -> Outcome<f64> {
            execute(&storage, "DELETE FROM memory_segments; DELETE FROM segment_progress")?;
            let server = Server::start(&setup.program, &storage)?;
            let first = millis(&mut Client::connect(server.address(), 1)?, &searches[0])?;
            server.stop()?;
            write_segments(&storage)?;
            Ok(first)
        };
        let pairs = Pairs::measure(setup.rounds, &mut cold, from_rows)?;
        let what = name("first search; limit: without segments");
        report.add(Figure::against_limit("W3c", what, Unit::Milliseconds, &pairs).with_aim(Aim::AtMost(0.2)));
        let what = name("warm search, median");
        report.add(Figure::value("W3c", what, Unit::Milliseconds, Spread::of(warm)));
        report.add(Figure::value("W3c", name("resident after that"), Unit::Megabytes, Spread::of(resident)));
    }
    Ok(())
}

fn millis(client: &mut Client, wire: &RequestBytes) -> Outcome<f64> {
    let begin = Instant::now();
    client.send(wire)?;
    Ok(begin.elapsed().as_secs_f64() * 1e3)
}

/// Writes all segments, as the job of a server does.
fn write_segments(storage: &Storage) -> Outcome<()> {
    let config = match storage.database() {
        None => StoreConfig::sqlite(storage.file()),
        Some(url) => StoreConfig::postgres(url),
    };
    let store = Store::open(&config, std::sync::Arc::new(SystemClock))?;
    tokio::runtime::Runtime::new()?.block_on(async {
        for org in store.orgs_to_segment().await? {
            while store.store_segments(org, CHANGES).await? {}
        }
        Outcome::Ok(())
    })?;
    store.close();
    Ok(())
}

fn execute(storage: &Storage, statements: &str) -> Outcome<()> {
    match storage.database() {
        None => rusqlite::Connection::open(storage.file())?.execute_batch(statements)?,
        Some(url) => postgres::Client::connect(url, postgres::NoTls)?.batch_execute(statements)?,
    }
    Ok(())
}
