//! W3b: what other orgs have beside it.

use crate::crowd;
use crate::error::Outcome;
use crate::figure::{Aim, Figure, Unit};
use crate::http::Client;
use crate::library::Library;
use crate::report::Report;
use crate::rounds::{Pairs, Spread};
use crate::setup::{Setup, Site};

use super::w3::{Questions, filled};

const SIZE: usize = 10_000;

/// The questions of W3 at 10,000 memories, with a million in a thousand other orgs and without them: what they are answered
/// does not change, and how long that takes hardly does.
pub(crate) fn run(setup: &Setup, report: &mut Report) -> Outcome<()> {
    let library = Library::new(setup.sized(SIZE));
    let questions = Questions::new(setup, &library)?;
    let alone = filled(setup, &library)?;
    let mut beside = filled(setup, &library)?;
    let before = questions.answers(&mut beside.client)?;
    crowd::join(&mut beside.client, setup)?;
    let after = questions.answers(&mut beside.client)?;
    let same = before.iter().zip(&after).filter(|(before, after)| before == after).count() as f64;
    let name = |what: &str| format!("{what} {} in other orgs, {}", crowd::memories(setup), setup.kind.name());
    let share = Spread::of([same / before.len() as f64]);
    let figure = Figure::alone("W3b", name("answers, byte for byte the same before and after"), Unit::Pieces, share);
    report.add(figure.aimed(Aim::AtLeast(1.0)));
    let connect = |site: &Site| Client::connect(site.server.address(), 1);
    let (mut alone_client, mut beside_client) = (connect(&alone)?, connect(&beside)?);
    let ask = |client: &mut Client| Ok(client.run(vec![questions.lane()])?.mean_micros());
    ask(&mut alone_client)?;
    ask(&mut beside_client)?;
    let pairs = Pairs::measure(setup.rounds, || ask(&mut beside_client), || ask(&mut alone_client))?;
    let name = name("search, limit: alone; beside");
    report.add(Figure::beside("W3b", name, Unit::Microseconds, &pairs).aimed(Aim::AtMost(1.1)));
    Ok(())
}
