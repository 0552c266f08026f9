//! W8: starts with much data.

use std::time::Instant;

use serde_json::json;

use crate::deployment::{Deployment, Setup};
use crate::error::Outcome;
use crate::figure::{Aim, Figure, Unit};
use crate::http::{Client, request};
use crate::other_orgs;
use crate::report::Report;
use crate::rounds::{Pairs, Spread};
use crate::server::{Memory, Server};
use crate::storage::Storage;
use crate::token;

/// Orgs used after a start, and agents of each.
const USED_ORGS: usize = 10;
const AGENTS: usize = 20;

/// =
const STARTS: usize = 5;

/// Starts with a thousand orgs, limit: an empty store; and resident memory after a start and after the use of ten orgs.
pub(crate) fn run(setup: &Setup, report: &mut Report) -> Outcome<()> {
    let mut deployment = setup.deploy()?;
    other_orgs::import(&mut deployment.client, setup)?;
    let Deployment { storage, server, .. } = deployment;
    server.stop()?;
    let empty = Storage::with_tables(setup.kind)?;
    let pairs = Pairs::measure(setup.rounds, || starts(setup, &storage), || starts(setup, &empty))?;
    let name = |what: &str| format!("{what}, {} memories, {}", other_orgs::memories(setup), setup.kind.name());
    let figure = Figure::against_limit("W8", name("start until ready; limit: empty store"), Unit::Milliseconds, &pairs);
    report.add(figure.with_aim(Aim::AtMost(1.25)));

    let (mut ready, mut used) = (Vec::new(), Vec::new());
    for _ in 0..setup.rounds {
        let server = Server::start(&setup.program, &storage)?;
        let mut client = Client::connect(server.address(), 1)?;
        client.send(&request("GET", "/readyz", "", None))?;
        ready.push(server.memory()?);
        (0..USED_ORGS).try_for_each(|org| use_org(setup, &mut client, org))?;
        used.push(server.memory()?);
        server.stop()?;
    }
    for (when, memory) in [("when ready", ready), ("after the use of ten orgs", used)] {
        let megabytes = |of: fn(&Memory) -> f64| Spread::of(memory.iter().map(|memory| of(memory) / 1e6));
        let resident = megabytes(|memory| memory.resident);
        let figure = Figure::value("W8", name(&format!("resident {when}")), Unit::Megabytes, resident);
        report.add(figure.with_aim(Aim::AtMost(100.0)));
        let private = megabytes(|memory| memory.private);
        report.add(Figure::value("W8", name(&format!("private memory {when}")), Unit::Megabytes, private));
    }
    Ok(())
}

/// The mean time from the start until readiness, in milliseconds.
fn starts(setup: &Setup, storage: &Storage) -> Outcome<f64> {
    let mut millis = 0.0;
    for _ in 0..STARTS {
        let begin = Instant::now();
        let server = Server::start(&setup.program, storage)?;
        Client::connect(server.address(), 1)?.send(&request("GET", "/readyz", "", None))?;
        millis += begin.elapsed().as_secs_f64() * 1e3;
        server.stop()?;
    }
    Ok(millis / STARTS as f64)
}

/// Some agents of an org search and commit.
fn use_org(setup: &Setup, client: &mut Client, org: usize) -> Outcome<()> {
    let shape = other_orgs::shape(org);
    for (&agent, question) in shape.ids().iter().take(AGENTS).zip(["week", "travel", "budget"].iter().cycle()) {
        let token = token::agent(agent)?;
        let path = format!("/workspaces/{}/memories", agent.uuid());
        client.send(&request("GET", &format!("{path}?q={question}"), &token, None))?;
        let body = json!({"scope": "TEAM", "content": setup.texts.memory(org)});
        client.send(&request("POST", &path, &token, Some(&body.to_string())))?;
    }
    Ok(())
}
