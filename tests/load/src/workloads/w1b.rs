//! W1b: a subtree moves.

use std::time::Instant;

use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};
use rusqlite::Connection;
use serde_json::json;

use crate::error::Outcome;
use crate::figure::{Aim, Figure, Unit};
use crate::home::{Home, Kind};
use crate::http::{Client, Lane, Wire, request};
use crate::report::Report;
use crate::rounds::Pairs;
use crate::rows;
use crate::setup::{Setup, Site};
use crate::shape::{Shape, TEAM};
use crate::token;

const SIZES: [usize; 3] = [1_000, 100_000, 1_000_000];

/// Moves of one round.
const MOVES: usize = 500;

/// Teams move to another lead, one after the other; beside it, the driver updates one row durably as often.
pub(crate) fn run(setup: &Setup, report: &mut Report) -> Outcome<()> {
    for size in SIZES {
        let size = setup.sized(size);
        let shape = Shape::new(size, 1);
        let home = Home::with_tables(setup.kind)?;
        rows::plant(&home, &shape)?;
        let Site { home: _home, server, mut client } = setup.site_at(home)?;
        let admin = token::admin()?;
        let root = format!("/workspaces/{}", shape.ids()[0].uuid());
        // the first look at the org reads the tree
        client.ask(&request("GET", &format!("{root}/reach?scope=LOCAL"), &admin, None))?;
        let mut random = SmallRng::seed_from_u64(5);
        let mut client = Client::connect(server.address(), 1)?;
        let mut limit = OneRow::new(setup.kind)?;
        let count = setup.sized(MOVES);
        let mut ours = || -> Outcome<f64> {
            let moves = (0..count).map(|_| a_move(&shape, &mut random, &admin)).collect();
            Ok(client.run(vec![Lane::once(moves)])?.mean_micros())
        };
        ours()?;
        let pairs = Pairs::measure(setup.rounds, ours, || limit.update(count))?;
        let name = format!("move of a subtree, {size} workspaces, {}", setup.kind.name());
        report.add(Figure::beside("W1b", name, Unit::Microseconds, &pairs).aimed(Aim::AtMost(1.5)));
        server.stop()?;
    }
    Ok(())
}

/// Somebody of the third level, with all below, moves to another lead on the second.
fn a_move(shape: &Shape, random: &mut SmallRng, token: &str) -> Wire {
    let who = random.random_range(1 + TEAM..1 + TEAM + TEAM * TEAM);
    let lead = random.random_range(1..1 + TEAM);
    let body = json!({"parent_id": shape.ids()[lead].uuid()});
    request("PATCH", &format!("/workspaces/{}", shape.ids()[who].uuid()), token, Some(&body.to_string()))
}

/// The limit: one row, updated durably.
struct OneRow {
    driver: Driver,
    /// Where the row is.
    _home: Home,
}

enum Driver {
    Sqlite(Connection),
    Postgres(Box<postgres::Client>),
}

impl OneRow {
    fn new(kind: Kind) -> Outcome<Self> {
        const TABLE: &str = "CREATE TABLE one (id INTEGER PRIMARY KEY, version BIGINT); INSERT INTO one VALUES (1, 0);";
        let home = Home::new(kind)?;
        let driver = match home.database() {
            None => {
                let conn = Connection::open(home.file())?;
                conn.execute_batch("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;")?;
                conn.execute_batch(TABLE)?;
                Driver::Sqlite(conn)
            }
            Some(url) => {
                let mut client = postgres::Client::connect(url, postgres::NoTls)?;
                client.batch_execute(TABLE)?;
                Driver::Postgres(Box::new(client))
            }
        };
        Ok(Self { driver, _home: home })
    }

    /// How many microseconds one of `count` updates takes.
    fn update(&mut self, count: usize) -> Outcome<f64> {
        const UPDATE: &str = "UPDATE one SET version = version + 1 WHERE id = 1";
        let begin;
        match &mut self.driver {
            Driver::Sqlite(conn) => {
                let mut update = conn.prepare_cached(UPDATE)?;
                begin = Instant::now();
                for _ in 0..count {
                    update.execute([])?;
                }
            }
            Driver::Postgres(client) => {
                let update = client.prepare(UPDATE)?;
                begin = Instant::now();
                for _ in 0..count {
                    client.execute(&update, &[])?;
                }
            }
        }
        Ok(begin.elapsed().as_secs_f64() * 1e6 / count as f64)
    }
}
