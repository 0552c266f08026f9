//! The power goes, and with it whatever the server had written but not made durable. Nothing acknowledged was among it.
//!
//! The server writes to a disk that remembers everything; afterwards the disk is asked what it would hold had the power
//! gone at this instant or that one, and each of these is opened and compared with what was acknowledged by then.

use diesel::connection::SimpleConnection;
use diesel::{Connection, SqliteConnection};
use orgmem_store::{Store, StoreConfig};
use orgmem_tests::generators::Seeded;
use orgmem_tests::{Disk, On, Tables, TestApp, run, test_epoch};
use tempfile::TempDir;

use super::ledger::Ledger;
use super::load::{Load, plant};

const CUTS: usize = 120;

#[test]
fn what_was_acknowledged_outlives_a_power_cut_at_any_instant() {
    run(async {
        let mut app = TestApp::builder(On::Sqlite).on_disk().start().await;
        let org = plant(&app).await;
        let planted = app.disk().now();
        let mut ledger = Ledger::default();
        // stopping and starting moves the log into the file and takes it away
        for round in 0..3 {
            let disk = app.disk().clone();
            let mut load = Load::start(&app, &org, round, move || disk.now());
            load.acknowledged(500).await;
            app.stop().await;
            load.end(&mut ledger).await;
            app.restart().await;
        }
        let disk = app.disk();
        assert!(disk.written("orgmem.db") > 1 << 20, "the log was never moved into the file");
        let mut seeded = Seeded::new(7);
        let acknowledged = ledger.instants();
        let span: Vec<_> = (planted..=disk.now()).collect();
        for cut in 0..CUTS {
            // right at an acknowledgement is where a missing sync would show
            let at = if cut % 2 == 0 { seeded.one_of(&acknowledged) } else { seeded.one_of(&span) };
            let left = Left::after(disk, at, &mut seeded);
            let faults = ledger.faults(&mut left.tables().expect("it opens"), at).expect("the tables can be read");
            assert!(faults.is_empty(), "cut {cut} at {at}: {faults:#?}");
            if cut % 10 == 0 {
                left.open().close();
            }
        }
    });
}

/// A server whose power goes before it has answered anybody starts again, whatever is left of its files.
#[test]
fn a_first_start_that_was_cut_short_is_begun_again() {
    run(async {
        let mut app = TestApp::builder(On::Sqlite).on_disk().start().await;
        app.stop().await;
        let disk = app.disk();
        let mut seeded = Seeded::new(8);
        let instants: Vec<_> = (0..=disk.now()).collect();
        for _ in 0..40 {
            let at = seeded.one_of(&instants);
            Left::after(disk, at, &mut seeded).open().close();
        }
    });
}

/// The model must be able to fail: what is not synced is lost in it, now and then, and what is synced is not.
#[test]
fn a_disk_that_is_not_waited_for_loses_what_was_acknowledged() {
    for (synchronous, loses) in [("FULL", false), ("NORMAL", true), ("OFF", true)] {
        let folder = TempDir::new().expect("a temporary folder");
        let disk = Disk::below(folder.path());
        let path = folder.path().join("orgmem.db");
        let mut conn = SqliteConnection::establish(&path.display().to_string()).expect("it opens");
        let mut does = |statement: &str| conn.batch_execute(statement).expect("a statement");
        does(&format!("PRAGMA journal_mode = WAL; PRAGMA synchronous = {synchronous}; PRAGMA wal_autocheckpoint = 50"));
        does("CREATE TABLE numbers (number INTEGER PRIMARY KEY)");
        let mut acknowledged = Vec::new();
        for number in 0..150 {
            does(&format!("INSERT INTO numbers VALUES ({number})"));
            acknowledged.push(disk.now());
        }
        let mut seeded = Seeded::new(5);
        let mut lost = 0;
        for _ in 0..60 {
            let at = seeded.one_of(&acknowledged);
            let due = acknowledged.iter().filter(|when| **when <= at).count();
            let left = Left::after(&disk, at, &mut seeded);
            let numbers =
                left.tables().and_then(|mut tables| tables.try_query("SELECT '' || number AS line FROM numbers"));
            let found = numbers.map_or(0, |numbers| numbers.len());
            lost += usize::from(found < due);
        }
        assert_eq!(lost > 0, loses, "synchronous={synchronous}: {lost} of 60 cuts lost something");
    }
}

/// What a power cut left.
struct Left(TempDir);

impl Left {
    fn after(disk: &Disk, at: usize, seeded: &mut Seeded) -> Self {
        let folder = TempDir::new().expect("a temporary folder");
        let percent: Vec<_> = (0..100).collect();
        disk.cut_power(at, folder.path(), || seeded.one_of(&percent));
        Self(folder)
    }

    fn config(&self) -> StoreConfig {
        StoreConfig::sqlite(self.0.path().join("orgmem.db"))
    }

    fn tables(&self) -> Result<Tables, String> {
        Tables::of(&self.config())
    }

    /// As a server starts on it.
    fn open(&self) -> Store {
        let clock = std::sync::Arc::new(orgmem_store::ManualClock::at(test_epoch()));
        Store::open(&self.config(), clock).expect("a server starts on what is left")
    }
}
