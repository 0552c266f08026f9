//! W1b: a move of a subtree.

use std::time::Instant;

use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};
use rusqlite::Connection;
use serde_json::json;

use crate::bulk_insert;
use crate::deployment::{Deployment, Setup};
use crate::error::Outcome;
use crate::figure::{Aim, Figure, Unit};
use crate::http::{Client, Lane, RequestBytes, request};
use crate::org_shape::{Shape, TEAM};
use crate::report::Report;
use crate::rounds::Pairs;
use crate::storage::{Kind, Storage};
use crate::token;

const SIZES: [usize; 3] = [1_000, 100_000, 1_000_000];

const MOVES: usize = 500;

/// Sequential moves of teams to another parent; limit: as many durable updates of one row by the driver.
pub(crate) fn run(setup: &Setup, report: &mut Report) -> Outcome<()> {
    for size in SIZES {
        let size = setup.sized(size);
        let shape = Shape::new(size, 1);
        let storage = Storage::with_tables(setup.kind)?;
        bulk_insert::insert_org(&storage, &shape)?;
        let Deployment { storage: _storage, server, mut client } = setup.deploy_on(storage)?;
        let admin = token::admin()?;
        let root = format!("/workspaces/{}", shape.ids()[0].uuid());
        // the first request reads the tree
        client.send(&request("GET", &format!("{root}/reach?scope=LOCAL"), &admin, None))?;
        let mut random = SmallRng::seed_from_u64(5);
        let mut client = Client::connect(server.address(), 1)?;
        let mut limit = OneRow::new(setup.kind)?;
        let count = setup.sized(MOVES);
        let mut ours = || -> Outcome<f64> {
            let moves = (0..count).map(|_| random_move(&shape, &mut random, &admin)).collect();
            Ok(client.run(vec![Lane::once(moves)])?.mean_micros())
        };
        ours()?;
        let pairs = Pairs::measure(setup.rounds, ours, || limit.update(count))?;
        let name = format!("move of a subtree, {size} workspaces, {}", setup.kind.name());
        report.add(Figure::against_limit("W1b", name, Unit::Microseconds, &pairs).with_aim(Aim::AtMost(1.5)));
        server.stop()?;
    }
    Ok(())
}

/// A workspace of the third level, with its descendants, moves to another parent on the second.
fn random_move(shape: &Shape, random: &mut SmallRng, token: &str) -> RequestBytes {
    let workspace = random.random_range(1 + TEAM..1 + TEAM + TEAM * TEAM);
    let parent = random.random_range(1..1 + TEAM);
    let body = json!({"parent_id": shape.ids()[parent].uuid()});
    request("PATCH", &format!("/workspaces/{}", shape.ids()[workspace].uuid()), token, Some(&body.to_string()))
}

struct OneRow {
    driver: Driver,
    /// The database of the row.
    _storage: Storage,
}

enum Driver {
    Sqlite(Connection),
    Postgres(Box<postgres::Client>),
}

impl OneRow {
    fn new(kind: Kind) -> Outcome<Self> {
        const TABLE: &str = "CREATE TABLE one (id INTEGER PRIMARY KEY, version BIGINT); INSERT INTO one VALUES (1, 0);";
        let storage = Storage::new(kind)?;
        let driver = match storage.database() {
            None => {
                let conn = Connection::open(storage.file())?;
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
        Ok(Self { driver, _storage: storage })
    }

    /// The time per update, in microseconds.
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
