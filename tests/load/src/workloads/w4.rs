//! W4: key/value memory.

use serde_json::json;

use crate::error::Outcome;
use crate::figure::{Aim, Figure, Unit};
use crate::home::Kind;
use crate::http::{Client, Lane, Wire, request};
use crate::mirror;
use crate::org;
use crate::report::Report;
use crate::rounds::{Pairs, Spread};
use crate::server::Server;
use crate::setup::Setup;
use crate::shape::Shape;
use crate::token;

const CONNECTIONS: usize = 64;

/// Requests of one round.
const GETS: usize = 64_000;
const SETS: usize = 12_800;

/// Entries are read, beside the framework's own "hello"; and set on the version that they have.
pub(crate) fn run(setup: &Setup, report: &mut Report) -> Outcome<()> {
    let mut site = setup.site()?;
    let shape = Shape::new(73, 1);
    org::plant(&mut site.client, &shape)?;
    let mut agents = Vec::new();
    for place in 0..CONNECTIONS {
        let id = shape.ids()[place];
        agents.push(Agent { path: format!("/workspaces/{}/memory", id.uuid()), token: token::agent(id)? });
    }
    let mut client = Client::connect(site.server.address(), CONNECTIONS)?;
    let each = setup.sized(SETS) / CONNECTIONS;
    let mut version = 0;
    let mut set = || -> Outcome<f64> {
        let run = client.run(agents.iter().map(|agent| agent.sets(version, each)).collect())?;
        version += each;
        Ok(run.per_second())
    };
    let hello = Server::hello()?;
    let mut greeted = Client::connect(hello.address(), CONNECTIONS)?;
    let greeting: Vec<Lane> = agents.iter().map(|agent| agent.gets("/", setup.sized(GETS) / CONNECTIONS)).collect();
    let mut hello = || Ok(greeted.run(greeting.clone())?.per_second());
    hello()?;
    let name = |what: &str| format!("{what}, 64 connections, {}", setup.kind.name());
    let mut mirror = mirror::of(setup.kind, &site.home)?;
    let before = mirror.commits()?;
    set()?;
    let count = each * CONNECTIONS;
    let group = count.div_ceil(usize::try_from(mirror.commits()? - before)?.max(1));
    let pairs = Pairs::measure(setup.rounds, set, || mirror.put(count, group))?;
    report.add(Figure::beside("W4", name("sets on a version; limit: the driver"), Unit::PerSecond, &pairs));
    report.add(Figure::alone("W4", name("sets that share a commit"), Unit::Pieces, Spread::once(group as f64)));

    let key = |agent: &Agent| format!("{}/plan", agent.path);
    let gets: Vec<Lane> = agents.iter().map(|agent| agent.gets(&key(agent), setup.sized(GETS) / CONNECTIONS)).collect();
    let mut get = || Ok(client.run(gets.clone())?.per_second());
    get()?;
    let pairs = Pairs::measure(setup.rounds, get, hello)?;
    let figure = Figure::beside("W4", name("gets; limit: hello"), Unit::PerSecond, &pairs);
    report.add(if setup.kind == Kind::Sqlite { figure.aimed(Aim::AtLeast(0.6)) } else { figure });
    Ok(())
}

struct Agent {
    path: String,
    token: String,
}

impl Agent {
    /// Reads `path` again and again.
    fn gets(&self, path: &str, count: usize) -> Lane {
        Lane { count, ..Lane::once(vec![request("GET", path, &self.token, None)]) }
    }

    /// Sets one key, each time on the version that it has by then.
    fn sets(&self, version: usize, count: usize) -> Lane {
        let set = |version: usize| -> Wire {
            let value = json!({"step": version, "next": "ask the planner for the rest of the week", "done": false});
            let body = json!({"key": "plan", "value": value, "if_match_version": version});
            request("POST", &self.path, &self.token, Some(&body.to_string()))
        };
        Lane::once((version..version + count).map(set).collect())
    }
}
