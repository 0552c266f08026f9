//! W8: a start with much data.

use std::time::Instant;

use serde_json::json;

use crate::crowd;
use crate::error::Outcome;
use crate::figure::{Aim, Figure, Unit};
use crate::home::Home;
use crate::http::{Client, request};
use crate::report::Report;
use crate::rounds::{Pairs, Spread};
use crate::server::{Memory, Server};
use crate::setup::{Setup, Site};
use crate::token;

/// Orgs that are touched, and workspaces of each.
const TOUCHED: usize = 10;
const AGENTS: usize = 20;

/// Starts of one round.
const STARTS: usize = 5;

/// Starts with a thousand orgs, beside starts with nothing; and what is resident then, and after ten orgs were used.
pub(crate) fn run(setup: &Setup, report: &mut Report) -> Outcome<()> {
    let mut site = setup.site()?;
    crowd::join(&mut site.client, setup)?;
    let Site { home, server, .. } = site;
    server.stop()?;
    let empty = Home::with_tables(setup.kind)?;
    let pairs = Pairs::measure(setup.rounds, || starts(setup, &home), || starts(setup, &empty))?;
    let name = |what: &str| format!("{what}, {} memories, {}", crowd::memories(setup), setup.kind.name());
    let figure = Figure::beside("W8", name("start until ready; limit: nothing stored"), Unit::Milliseconds, &pairs);
    report.add(figure.aimed(Aim::AtMost(1.25)));

    let (mut ready, mut touched) = (Vec::new(), Vec::new());
    for _ in 0..setup.rounds {
        let server = Server::start(&setup.program, &home)?;
        let mut client = Client::connect(server.address(), 1)?;
        client.ask(&request("GET", "/readyz", "", None))?;
        ready.push(server.memory()?);
        (0..TOUCHED).try_for_each(|org| touch(setup, &mut client, org))?;
        touched.push(server.memory()?);
        server.stop()?;
    }
    for (when, memory) in [("when ready", ready), ("after touching ten orgs", touched)] {
        let megabytes = |of: fn(&Memory) -> f64| Spread::of(memory.iter().map(|memory| of(memory) / 1e6));
        let resident = megabytes(|memory| memory.resident);
        let figure = Figure::alone("W8", name(&format!("resident {when}")), Unit::Megabytes, resident);
        report.add(figure.aimed(Aim::AtMost(100.0)));
        let own = megabytes(|memory| memory.own);
        report.add(Figure::alone("W8", name(&format!("of that its own {when}")), Unit::Megabytes, own));
    }
    Ok(())
}

/// The mean time from the start of the program until it is ready, in milliseconds.
fn starts(setup: &Setup, home: &Home) -> Outcome<f64> {
    let mut millis = 0.0;
    for _ in 0..STARTS {
        let begin = Instant::now();
        let server = Server::start(&setup.program, home)?;
        Client::connect(server.address(), 1)?.ask(&request("GET", "/readyz", "", None))?;
        millis += begin.elapsed().as_secs_f64() * 1e3;
        server.stop()?;
    }
    Ok(millis / STARTS as f64)
}

/// Some agents of an org search and commit.
fn touch(setup: &Setup, client: &mut Client, org: usize) -> Outcome<()> {
    let shape = crowd::shape(org);
    for (&agent, question) in shape.ids().iter().take(AGENTS).zip(["week", "travel", "budget"].iter().cycle()) {
        let token = token::agent(agent)?;
        let path = format!("/workspaces/{}/memories", agent.uuid());
        client.ask(&request("GET", &format!("{path}?q={question}"), &token, None))?;
        let body = json!({"scope": "TEAM", "content": setup.texts.memory(org)});
        client.ask(&request("POST", &path, &token, Some(&body.to_string())))?;
    }
    Ok(())
}
