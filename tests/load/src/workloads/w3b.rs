//! W3b: what other orgs have beside it.

use crate::crowd;
use crate::error::Outcome;
use crate::figure::{Aim, Figure, Unit};
use crate::http::Client;
use crate::library::Library;
use crate::report::Report;
use crate::rounds::Pairs;
use crate::setup::{Setup, Site};

use super::w3::{Questions, filled};

const SIZE: usize = 10_000;

/// The questions of W3 at 10,000 memories, with a million in a thousand other orgs and without them.
pub(crate) fn run(setup: &Setup, report: &mut Report) -> Outcome<()> {
    let library = Library::new(setup.sized(SIZE));
    let questions = Questions::new(setup, &library)?;
    let alone = filled(setup, &library)?;
    let mut beside = filled(setup, &library)?;
    crowd::join(&mut beside.client, setup)?;
    let connect = |site: &Site| Client::connect(site.server.address(), 1);
    let (mut alone_client, mut beside_client) = (connect(&alone)?, connect(&beside)?);
    let ask = |client: &mut Client| Ok(client.run(vec![questions.lane()])?.mean_micros());
    ask(&mut alone_client)?;
    ask(&mut beside_client)?;
    let pairs = Pairs::measure(setup.rounds, || ask(&mut beside_client), || ask(&mut alone_client))?;
    let name = format!("search beside {} in other orgs, limit: alone, {}", crowd::memories(setup), setup.kind.name());
    report.add(Figure::beside("W3b", name, Unit::Microseconds, &pairs).aimed(Aim::AtMost(1.1)));
    Ok(())
}
