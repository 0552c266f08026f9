//! W2b: one agent commits memories, one after the other.

use std::cell::RefCell;

use crate::error::Outcome;
use crate::figure::{Aim, Figure, Unit};
use crate::http::{Client, Lane, request};
use crate::mirror;
use crate::org;
use crate::report::Report;
use crate::rounds::{Pairs, Spread};
use crate::server::Server;
use crate::setup::Setup;
use crate::shape::Shape;

use super::w2::lanes;

/// Memories of one round.
const MEMORIES: usize = 2_000;

/// One connection commits; beside it, the driver commits one row of the same, and another, and another. What the way there
/// and back costs by itself, the framework's "hello" tells.
pub(crate) fn run(setup: &Setup, report: &mut Report) -> Outcome<()> {
    let mut site = setup.site()?;
    let shape = Shape::new(73, 1);
    org::plant(&mut site.client, &shape)?;
    let mut client = Client::connect(site.server.address(), 1)?;
    let mirror = RefCell::new(mirror::of(setup.kind, &site.home)?);
    let each = setup.sized(MEMORIES);
    let mut done = 0;
    let mut commit = || -> Outcome<f64> {
        let run = client.run(lanes(&setup.texts, &shape, 1, done, each)?)?;
        done += each;
        mirror.borrow_mut().read()?;
        Ok(run.mean_micros())
    };
    commit()?;
    let pairs = Pairs::measure(setup.rounds, commit, || mirror.borrow_mut().write_singly(each))?;
    let name = format!("one commit, one connection, {}", setup.kind.name());
    report.add(Figure::beside("W2b", name, Unit::Microseconds, &pairs).aimed(Aim::AtMost(1.3)));
    let hello = Server::hello()?;
    let mut greeted = Client::connect(hello.address(), 1)?;
    let lane = Lane { count: each, ..Lane::once(vec![request("GET", "/", "", None)]) };
    let mut greet = || Ok(greeted.run(vec![lane.clone()])?.mean_micros());
    greet()?;
    let greetings = (0..setup.rounds).map(|_| greet()).collect::<Outcome<Vec<f64>>>()?;
    let greeting = Spread::of(greetings);
    report.add(Figure::alone("W2b", "one hello, one connection", Unit::Microseconds, greeting));
    Ok(())
}
