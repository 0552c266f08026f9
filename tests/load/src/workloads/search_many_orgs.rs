//! W3b: the influence of other orgs.

use crate::corpus::Corpus;
use crate::deployment::{Deployment, Setup};
use crate::error::Outcome;
use crate::figure::{Aim, Figure, Unit};
use crate::http::Client;
use crate::other_orgs;
use crate::report::Report;
use crate::rounds::{Pairs, Spread};

use super::search_keyword::{Questions, filled_server};

const SIZE: usize = 10_000;

/// The questions of W3 at 10,000 memories with a million memories in a thousand other orgs; limit: without them. The
/// responses must not change.
pub(crate) fn run(setup: &Setup, report: &mut Report) -> Outcome<()> {
    let corpus = Corpus::new(setup.sized(SIZE));
    let questions = Questions::new(setup, &corpus)?;
    let single = filled_server(setup, &corpus)?;
    let mut crowded = filled_server(setup, &corpus)?;
    let before = questions.bodies(&mut crowded.client)?;
    other_orgs::import(&mut crowded.client, setup)?;
    let after = questions.bodies(&mut crowded.client)?;
    let identical = before.iter().zip(&after).filter(|(before, after)| before == after).count() as f64;
    let name = |what: &str| format!("{what} {} in other orgs, {}", other_orgs::memories(setup), setup.kind.name());
    let share = Spread::of([identical / before.len() as f64]);
    let figure = Figure::value("W3b", name("identical responses before and after,"), Unit::Count, share);
    report.add(figure.with_aim(Aim::AtLeast(1.0)));
    let connect = |deployment: &Deployment| Client::connect(deployment.server.address(), 1);
    let (mut single_client, mut crowded_client) = (connect(&single)?, connect(&crowded)?);
    let search = |client: &mut Client| Ok(client.run(vec![questions.lane()])?.mean_micros());
    search(&mut single_client)?;
    search(&mut crowded_client)?;
    let pairs = Pairs::measure(setup.rounds, || search(&mut crowded_client), || search(&mut single_client))?;
    let name = name("search, limit: without other orgs; with");
    report.add(Figure::against_limit("W3b", name, Unit::Microseconds, &pairs).with_aim(Aim::AtMost(1.1)));
    Ok(())
}
