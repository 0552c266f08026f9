//! =

use serde_json::json;

use crate::deployment::Setup;
use crate::error::Outcome;
use crate::figure::{Aim, Figure, Unit};
use crate::http::{Client, Lane, RequestBytes, request};
use crate::mirror;
use crate::org;
use crate::org_shape::Shape;
use crate::report::Report;
use crate::rounds::{Pairs, Spread};
use crate::server::Server;
use crate::storage::Kind;
use crate::token;

const CONNECTIONS: usize = 64;

/// =
const GETS: usize = 64_000;
const SETS: usize = 12_800;

/// Gets, with hello as the limit; sets with a version check, with the driver as the limit.
pub(crate) fn run(setup: &Setup, report: &mut Report) -> Outcome<()> {
    let mut deployment = setup.deploy()?;
    let shape = Shape::new(73, 1);
    org::create(&mut deployment.client, &shape)?;
    let mut agents = Vec::new();
    for index in 0..CONNECTIONS {
        let id = shape.ids()[index];
        agents.push(Agent { path: format!("/workspaces/{}/memory", id.uuid()), token: token::agent(id)? });
    }
    let mut client = Client::connect(deployment.server.address(), CONNECTIONS)?;
    let each = setup.sized(SETS) / CONNECTIONS;
    let mut version = 0;
    let mut set = || -> Outcome<f64> {
        let run = client.run(agents.iter().map(|agent| agent.sets(version, each)).collect())?;
        version += each;
        Ok(run.per_second())
    };
    let hello = Server::hello()?;
    let mut hello_client = Client::connect(hello.address(), CONNECTIONS)?;
    let hello_lanes: Vec<Lane> = agents.iter().map(|agent| agent.gets("/", setup.sized(GETS) / CONNECTIONS)).collect();
    let mut hello = || Ok(hello_client.run(hello_lanes.clone())?.per_second());
    hello()?;
    let name = |what: &str| format!("{what}, 64 connections, {}", setup.kind.name());
    let mut mirror = mirror::of(setup.kind, &deployment.storage)?;
    let before = mirror.commits()?;
    set()?;
    let count = each * CONNECTIONS;
    let group = count.div_ceil(usize::try_from(mirror.commits()? - before)?.max(1));
    let pairs = Pairs::measure(setup.rounds, set, || mirror.put(count, group))?;
    let figure =
        Figure::against_limit("W4", name("sets with a version check; limit: the driver"), Unit::PerSecond, &pairs);
    report.add(figure.with_aim(Aim::AtLeast(0.5)));
    report.add(Figure::value("W4", name("sets per commit"), Unit::Count, Spread::once(group as f64)));

    let key = |agent: &Agent| format!("{}/plan", agent.path);
    let gets: Vec<Lane> = agents.iter().map(|agent| agent.gets(&key(agent), setup.sized(GETS) / CONNECTIONS)).collect();
    let mut get = || Ok(client.run(gets.clone())?.per_second());
    get()?;
    let pairs = Pairs::measure(setup.rounds, get, hello)?;
    let figure = Figure::against_limit("W4", name("gets; limit: hello"), Unit::PerSecond, &pairs);
    let aim = match setup.kind {
        Kind::Sqlite => Aim::AtLeast(0.6),
        Kind::Postgres => Aim::AtLeast(0.2),
    };
    report.add(figure.with_aim(aim));
    Ok(())
}

struct Agent {
    path: String,
    token: String,
}

impl Agent {
    fn gets(&self, path: &str, count: usize) -> Lane {
        Lane { count, ..Lane::once(vec![request("GET", path, &self.token, None)]) }
    }

    /// Sets one key repeatedly, each time with its current version.
    fn sets(&self, version: usize, count: usize) -> Lane {
        let set = |version: usize| -> RequestBytes {
            let value = json!({"step": version, "next": "ask the planner for the rest of the week", "done": false});
            let body = json!({"key": "plan", "value": value, "if_match_version": version});
            request("POST", &self.path, &self.token, Some(&body.to_string()))
        };
        Lane::once((version..version + count).map(set).collect())
    }
}
