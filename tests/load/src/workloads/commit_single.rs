//! W2b: sequential commits of one agent.

use std::cell::RefCell;

use crate::deployment::Setup;
use crate::error::Outcome;
use crate::figure::{Aim, Figure, Unit};
use crate::http::{Client, Lane, request};
use crate::mirror;
use crate::org;
use crate::org_shape::Shape;
use crate::report::Report;
use crate::rounds::{Pairs, Spread};
use crate::server::Server;

use super::commit_concurrent::lanes;

const MEMORIES: usize = 2_000;

/// Commits on one connection; limit: commits of one row by the driver. The latency of hello shows the share of the
/// round trip.
pub(crate) fn run(setup: &Setup, report: &mut Report) -> Outcome<()> {
    let mut deployment = setup.deploy()?;
    let shape = Shape::new(73, 1);
    org::create(&mut deployment.client, &shape)?;
    let mut client = Client::connect(deployment.server.address(), 1)?;
    let mirror = RefCell::new(mirror::of(setup.kind, &deployment.storage)?);
    let each = setup.sized(MEMORIES);
    let mut committed = 0;
    let mut commit = || -> Outcome<f64> {
        let run = client.run(lanes(&setup.texts, &shape, 1, committed, each)?)?;
        committed += each;
        mirror.borrow_mut().read()?;
        Ok(run.mean_micros())
    };
    commit()?;
    let pairs = Pairs::measure(setup.rounds, commit, || mirror.borrow_mut().write_singly(each))?;
    let name = format!("one commit, one connection, {}", setup.kind.name());
    report.add(Figure::against_limit("W2b", name, Unit::Microseconds, &pairs).with_aim(Aim::AtMost(1.5)));
    let hello = Server::hello()?;
    let mut hello_client = Client::connect(hello.address(), 1)?;
    let lane = Lane { count: each, ..Lane::once(vec![request("GET", "/", "", None)]) };
    let mut say_hello = || Ok(hello_client.run(vec![lane.clone()])?.mean_micros());
    say_hello()?;
    let hello_micros = (0..setup.rounds).map(|_| say_hello()).collect::<Outcome<Vec<f64>>>()?;
    let hello_spread = Spread::of(hello_micros);
    report.add(Figure::value("W2b", "one hello, one connection", Unit::Microseconds, hello_spread));
    Ok(())
}
