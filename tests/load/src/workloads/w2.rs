//! W2: many agents commit memories at once.

use std::cell::RefCell;

use serde_json::json;

use crate::error::Outcome;
use crate::figure::{Aim, Figure, Unit};
use crate::home::Kind;
use crate::http::{Client, Lane, Wire, request};
use crate::mirror;
use crate::org;
use crate::report::Report;
use crate::rounds::{Pairs, Spread};
use crate::setup::Setup;
use crate::shape::Shape;
use crate::texts::Texts;
use crate::token;

/// Connections that commit at once.
pub(super) const CONNECTIONS: usize = 64;

/// Memories of one round.
const MEMORIES: usize = 12_800;

/// 64 connections commit; beside it, their rows are written by the driver in groups of the same size.
pub(crate) fn run(setup: &Setup, report: &mut Report) -> Outcome<()> {
    let mut site = setup.site()?;
    // the root, its team, and theirs: as many workspaces as there are connections at least
    let shape = Shape::new(73, 1);
    org::plant(&mut site.client, &shape)?;
    let mut client = Client::connect(site.server.address(), CONNECTIONS)?;
    let mirror = RefCell::new(mirror::of(setup.kind, &site.home)?);
    let (mut done, mut micros, mut groups) = (0, Vec::new(), Vec::new());
    let each = setup.sized(MEMORIES);
    let mut commit = || -> Outcome<f64> {
        let run = client.run(lanes(&setup.texts, &shape, CONNECTIONS, done, each)?)?;
        done += each;
        micros.push((run.median_micros(), run.p99_micros()));
        let taken = mirror.borrow_mut().read()?;
        groups.push(taken.memories as f64 / taken.commits as f64);
        Ok(run.per_second())
    };
    // whoever is first in a round, there is something for the driver to write
    commit()?;
    let pairs = Pairs::measure(setup.rounds, commit, || mirror.borrow_mut().write())?;
    let aim = match setup.kind {
        Kind::Sqlite => Aim::AtLeast(0.6),
        Kind::Postgres => Aim::AtLeast(0.5),
    };
    let name = |what: &str| format!("{what}, {}", setup.kind.name());
    report.add(Figure::beside("W2", name("commits, 64 connections"), Unit::PerSecond, &pairs).aimed(aim));
    let spread = |values: &[(f64, f64)], of: fn(&(f64, f64)) -> f64| Spread::of(values.iter().map(of));
    report.add(Figure::alone("W2", name("latency, median"), Unit::Microseconds, spread(&micros, |m| m.0)));
    report.add(Figure::alone("W2", name("latency, 99th percentile"), Unit::Microseconds, spread(&micros, |m| m.1)));
    report.add(Figure::alone("W2", name("memories that share a commit"), Unit::Pieces, Spread::of(groups)));
    Ok(())
}

/// What agents commit on so many connections, `count` memories all together, each the next after `done`.
pub(super) fn lanes(texts: &Texts, shape: &Shape, connections: usize, done: usize, count: usize) -> Outcome<Vec<Lane>> {
    // one alone is not the root
    let places = if connections == 1 { 1..2 } else { 0..connections };
    let each = count / connections;
    places.zip(0..).map(|(place, number)| lane(texts, shape, place, done + number * each, each)).collect()
}

/// What the agent at `place` commits.
fn lane(texts: &Texts, shape: &Shape, place: usize, first: usize, each: usize) -> Outcome<Lane> {
    let author = shape.ids()[place];
    let token = token::agent(author)?;
    let path = format!("/workspaces/{}/memories", author.uuid());
    let commit = |number: usize| -> Wire {
        // a root says most things to all; the others keep a third to themselves
        let scope = match (place, number % 3) {
            (_, 0) => "LOCAL",
            (0, _) => "GLOBAL",
            _ => "TEAM",
        };
        let content = texts.memory(first + number);
        request("POST", &path, &token, Some(&json!({"scope": scope, "content": content}).to_string()))
    };
    Ok(Lane::once((0..each).map(commit).collect()))
}
