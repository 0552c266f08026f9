//! W2: concurrent commits.

use std::cell::RefCell;

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
use crate::storage::Kind;
use crate::texts::Texts;
use crate::token;

pub(super) const CONNECTIONS: usize = 64;

const MEMORIES: usize = 12_800;

/// Commits on 64 connections; limit: the driver writes the same rows in group_sizes of the same size.
pub(crate) fn run(setup: &Setup, report: &mut Report) -> Outcome<()> {
    let mut deployment = setup.deploy()?;
    // three levels: at least as many workspaces as connections
    let shape = Shape::new(73, 1);
    org::create(&mut deployment.client, &shape)?;
    let mut client = Client::connect(deployment.server.address(), CONNECTIONS)?;
    let mirror = RefCell::new(mirror::of(setup.kind, &deployment.storage)?);
    let (mut committed, mut micros, mut group_sizes) = (0, Vec::new(), Vec::new());
    let each = setup.sized(MEMORIES);
    let mut commit = || -> Outcome<f64> {
        let run = client.run(lanes(&setup.texts, &shape, CONNECTIONS, committed, each)?)?;
        committed += each;
        micros.push((run.median_micros(), run.p99_micros()));
        let counts = mirror.borrow_mut().read()?;
        group_sizes.push(counts.memories as f64 / counts.commits as f64);
        Ok(run.per_second())
    };
    // the driver needs rows to write, also if it is first in a round
    commit()?;
    let pairs = Pairs::measure(setup.rounds, commit, || mirror.borrow_mut().write())?;
    let aim = match setup.kind {
        Kind::Sqlite => Aim::AtLeast(0.6),
        Kind::Postgres => Aim::AtLeast(0.5),
    };
    let label = |figure: &str| format!("{figure}, {}", setup.kind.name());
    report.add(Figure::against_limit("W2", label("commits, 64 connections"), Unit::PerSecond, &pairs).with_aim(aim));
    let spread = |values: &[(f64, f64)], of: fn(&(f64, f64)) -> f64| Spread::of(values.iter().map(of));
    report.add(Figure::value("W2", label("latency, median"), Unit::Microseconds, spread(&micros, |m| m.0)));
    report.add(Figure::value("W2", label("latency, 99th percentile"), Unit::Microseconds, spread(&micros, |m| m.1)));
    report.add(Figure::value("W2", label("memories per commit"), Unit::Count, Spread::of(group_sizes)));
    Ok(())
}

/// The requests on `connections` connections, `count` in all, with texts from number `committed` on.
pub(super) fn lanes(
    texts: &Texts,
    shape: &Shape,
    connections: usize,
    committed: usize,
    count: usize,
) -> Outcome<Vec<Lane>> {
    // a single agent is not the root
    let authors = if connections == 1 { 1..2 } else { 0..connections };
    let each = count / connections;
    authors
        .zip(0..)
        .map(|(author_index, number)| lane(texts, shape, author_index, committed + number * each, each))
        .collect()
}

fn lane(texts: &Texts, shape: &Shape, author_index: usize, first: usize, each: usize) -> Outcome<Lane> {
    let author = shape.ids()[author_index];
    let token = token::agent(author)?;
    let path = format!("/workspaces/{}/memories", author.uuid());
    let commit = |number: usize| -> RequestBytes {
        // the root shares two thirds with all, the others with their team
        let scope = match (author_index, number % 3) {
            (_, 0) => "LOCAL",
            (0, _) => "GLOBAL",
            _ => "TEAM",
        };
        let content = texts.memory(first + number);
        request("POST", &path, &token, Some(&json!({"scope": scope, "content": content}).to_string()))
    };
    Ok(Lane::once((0..each).map(commit).collect()))
}
