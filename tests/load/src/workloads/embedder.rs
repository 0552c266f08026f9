//! Commits while an embedder is at work on those before, beside commits without one.

use std::path::Path;

use crate::error::Outcome;
use crate::figure::{Aim, Figure, Unit};
use crate::home::Home;
use crate::http::{Client, Run};
use crate::org;
use crate::report::Report;
use crate::rounds::Pairs;
use crate::server::Server;
use crate::setup::Setup;
use crate::shape::Shape;

use super::w2::{CONNECTIONS, lanes};

/// Memories of one round: on one connection, and on all. Many, as a start, when nothing waits yet, is not what is measured.
const MEMORIES: [usize; 2] = [6_000, 80_000];

/// One agent commits, one memory after the other; then very many at once. What the embedder has not come to in one round
/// waits for it in the next, so that it never rests.
pub(crate) fn run(setup: &Setup, model: &Path, report: &mut Report) -> Outcome<()> {
    let model = model.to_str().ok_or("the model's folder has a name that is no text")?;
    let alone = |count| Side::new(setup, &[], count);
    let embedding = |count| Side::new(setup, &[("ORGMEM_EMBEDDER", model)], count);

    let (mut with, mut without) = (embedding(1)?, alone(1)?);
    let each = setup.sized(MEMORIES[0]);
    let latency = |side: &mut Side| Ok(side.commit(setup, each)?.mean_micros());
    let pairs = Pairs::measure(setup.rounds, || latency(&mut with), || latency(&mut without))?;
    let name = format!("one commit, one connection, limit: no embedder, {}", setup.kind.name());
    report.add(Figure::beside("Embedder", name, Unit::Microseconds, &pairs).aimed(Aim::AtMost(1.1)));

    let (mut with, mut without) = (embedding(CONNECTIONS)?, alone(CONNECTIONS)?);
    let each = setup.sized(MEMORIES[1]);
    let throughput = |side: &mut Side| Ok(side.commit(setup, each)?.per_second());
    let pairs = Pairs::measure(setup.rounds, || throughput(&mut with), || throughput(&mut without))?;
    let name = format!("commits, {CONNECTIONS} connections, limit: no embedder, {}", setup.kind.name());
    report.add(Figure::beside("Embedder", name, Unit::PerSecond, &pairs).aimed(Aim::AtLeast(0.91)));
    Ok(())
}

/// A server that runs only while it is measured: an embedder at work would slow the other one, too.
struct Side<'s> {
    home: Home,
    settings: Vec<(&'s str, &'s str)>,
    shape: Shape,
    connections: usize,
    done: usize,
}

impl<'s> Side<'s> {
    /// With an org in it, and memories that an embedder has to do with.
    fn new(setup: &Setup, settings: &[(&'s str, &'s str)], connections: usize) -> Outcome<Self> {
        let home = Home::new(setup.kind)?;
        let shape = Shape::new(73, 1);
        let mut side = Self { home, settings: settings.to_vec(), shape, connections, done: 0 };
        let server = Server::start_with(&setup.program, &side.home, settings)?;
        org::plant(&mut Client::connect(server.address(), 1)?, &side.shape)?;
        server.stop()?;
        side.commit(setup, setup.sized(MEMORIES[0]))?;
        Ok(side)
    }

    fn commit(&mut self, setup: &Setup, count: usize) -> Outcome<Run> {
        let server = Server::start_with(&setup.program, &self.home, &self.settings)?;
        let mut client = Client::connect(server.address(), self.connections)?;
        let run = client.run(lanes(&setup.texts, &self.shape, self.connections, self.done, count)?)?;
        self.done += count;
        drop(client);
        server.stop()?;
        Ok(run)
    }
}
