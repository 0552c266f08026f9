//! Commits while the embedder works on earlier ones; limit: no embedder.

use std::path::Path;

use crate::deployment::Setup;
use crate::error::Outcome;
use crate::figure::{Aim, Figure, Unit};
use crate::http::{Client, Run};
use crate::org;
use crate::org_shape::Shape;
use crate::report::Report;
use crate::rounds::Pairs;
use crate::server::Server;
use crate::storage::Storage;

use super::commit_concurrent::{CONNECTIONS, lanes};

/// Memories of one round on one connection, and on all. Many, because the first commits after a start do not wait for
/// the embedder.
const MEMORIES: [usize; 2] = [6_000, 80_000];

/// One agent commits sequentially, then many concurrently. The embedder's queue survives the rounds, so that it never
/// rests.
pub(crate) fn run(setup: &Setup, model: &Path, report: &mut Report) -> Outcome<()> {
    let model = model.to_str().ok_or("the path of the model's folder is not UTF-8")?;
    let without_embedder = |count| OnDemandServer::new(setup, &[], count);
    let with_embedder = |count| OnDemandServer::new(setup, &[("ORGMEM_EMBEDDER", model)], count);

    let (mut loaded, mut baseline) = (with_embedder(1)?, without_embedder(1)?);
    let each = setup.sized(MEMORIES[0]);
    let latency = |server_on_demand: &mut OnDemandServer| Ok(server_on_demand.commit(setup, each)?.mean_micros());
    let pairs = Pairs::measure(setup.rounds, || latency(&mut loaded), || latency(&mut baseline))?;
    let name = format!("one commit, one connection, limit: no embedder, {}", setup.kind.name());
    report.add(
        Figure::against_limit("commit-while-with_embedder", name, Unit::Microseconds, &pairs)
            .with_aim(Aim::AtMost(1.1)),
    );

    let (mut loaded, mut baseline) = (with_embedder(CONNECTIONS)?, without_embedder(CONNECTIONS)?);
    let each = setup.sized(MEMORIES[1]);
    let throughput = |server_on_demand: &mut OnDemandServer| Ok(server_on_demand.commit(setup, each)?.per_second());
    let pairs = Pairs::measure(setup.rounds, || throughput(&mut loaded), || throughput(&mut baseline))?;
    let name = format!("commits, {CONNECTIONS} connections, limit: no embedder, {}", setup.kind.name());
    report.add(
        Figure::against_limit("commit-while-with_embedder", name, Unit::PerSecond, &pairs).with_aim(Aim::AtLeast(0.91)),
    );
    Ok(())
}

/// A server that runs only during its measurements, because its embedder would slow the other one.
struct OnDemandServer<'s> {
    storage: Storage,
    settings: Vec<(&'s str, &'s str)>,
    shape: Shape,
    connections: usize,
    done: usize,
}

impl<'s> OnDemandServer<'s> {
    /// With an org, and memories for the embedder.
    fn new(setup: &Setup, settings: &[(&'s str, &'s str)], connections: usize) -> Outcome<Self> {
        let storage = Storage::new(setup.kind)?;
        let shape = Shape::new(73, 1);
        let mut server_on_demand = Self { storage, settings: settings.to_vec(), shape, connections, done: 0 };
        let server = Server::start_with(&setup.program, &server_on_demand.storage, settings)?;
        org::create(&mut Client::connect(server.address(), 1)?, &server_on_demand.shape)?;
        server.stop()?;
        server_on_demand.commit(setup, setup.sized(MEMORIES[0]))?;
        Ok(server_on_demand)
    }

    fn commit(&mut self, setup: &Setup, count: usize) -> Outcome<Run> {
        let server = Server::start_with(&setup.program, &self.storage, &self.settings)?;
        let mut client = Client::connect(server.address(), self.connections)?;
        let run = client.run(lanes(&setup.texts, &self.shape, self.connections, self.done, count)?)?;
        self.done += count;
        drop(client);
        server.stop()?;
        Ok(run)
    }
}
