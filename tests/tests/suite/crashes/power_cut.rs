//! Power cuts: unsynced writes are lost, acknowledged ones are not.
//!
//! The server writes to a simulated disk that records all operations. Then the test computes possible states after a
//! power cut at many instants, opens each, and compares it with the writes acknowledged by then.

use diesel::connection::SimpleConnection;
use diesel::{Connection, SqliteConnection};
use orgmem_store::{Store, StoreConfig};
use orgmem_tests::generators::Seeded;
use orgmem_tests::{Disk, On, Tables, TestApp, repetitions, run, test_epoch};
use tempfile::TempDir;

use super::ledger::Ledger;
use super::load::{Load, create_org};

#[test]
fn acknowledged_writes_survive_a_power_cut_at_any_instant() {
    run(async {
        let mut app = TestApp::builder(On::Sqlite).on_disk().start().await;
        let org = create_org(&app).await;
        let planted = app.disk().now();
        let mut ledger = Ledger::default();
        // a restart checkpoints and deletes the log
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
        for cut in 0..repetitions(48, 120) {
            // a missing sync would show directly after an acknowledgement
            let at = if cut % 2 == 0 { seeded.one_of(&acknowledged) } else { seeded.one_of(&span) };
            let left = DiskState::after(disk, at, &mut seeded);
            let faults = ledger.faults(&mut left.tables().expect("it opens"), at).expect("the tables can be read");
            assert!(faults.is_empty(), "cut {cut} at {at}: {faults:#?}");
            if cut % 10 == 0 {
                left.open().close();
            }
        }
    });
}

/// A server that lost power before its first response starts again with any remaining files.
#[test]
fn interrupted_first_start_is_repeated() {
    run(async {
        let mut app = TestApp::builder(On::Sqlite).on_disk().start().await;
        app.stop().await;
        let disk = app.disk();
        let mut seeded = Seeded::new(8);
        let instants: Vec<_> = (0..=disk.now()).collect();
        for _ in 0..repetitions(16, 40) {
            let at = seeded.one_of(&instants);
            DiskState::after(disk, at, &mut seeded).open().close();
        }
    });
}

/// The model can fail: without syncs it loses acknowledged writes.
#[test]
fn unsynced_disk_loses_acknowledged_writes() {
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
            let left = DiskState::after(&disk, at, &mut seeded);
            let numbers =
                left.tables().and_then(|mut tables| tables.try_query("SELECT '' || number AS line FROM numbers"));
            let found = numbers.map_or(0, |numbers| numbers.len());
            lost += usize::from(found < due);
        }
        assert_eq!(lost > 0, loses, "synchronous={synchronous}: {lost} of 60 cuts lost something");
    }
}

/// A state after a power cut.
struct DiskState(TempDir);

impl DiskState {
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

    /// Opens the store as a server does.
    fn open(&self) -> Store {
        let clock = std::sync::Arc::new(orgmem_store::ManualClock::at(test_epoch()));
        Store::open(&self.config(), clock).expect("a server starts on what is left")
    }
}
