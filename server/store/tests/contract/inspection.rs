//! Inspection of a database without opening a store.

use orgmem_store::{StoreConfig, examine};

use crate::stores::TestStore;

on_both!(database_in_use_reports_its_release_and_no_pending_migration, inspection_changes_nothing);

async fn database_in_use_reports_its_release_and_no_pending_migration(at: TestStore) {
    let examined = examine(&at.config).expect("reachable").expect("there");
    assert!(examined.release.starts_with("SQLite 3.") || examined.release.starts_with("PostgreSQL 1"), "{examined:?}");
    assert!(!examined.applied.is_empty(), "{examined:?}");
    assert_eq!(examined.pending, [""; 0]);
}

async fn inspection_changes_nothing(at: TestStore) {
    let before = examine(&at.config).expect("reachable");
    let at = at.reopened();
    assert_eq!(at.store.migrated(), [""; 0], "opened again, nothing had to be migrated");
    assert_eq!(examine(&at.config).expect("reachable"), before);
}

#[test]
fn inspection_does_not_create_a_database() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("orgmem.db");
    assert_eq!(examine(&StoreConfig::sqlite(&path)).expect("nothing to reach"), None);
    assert!(!path.exists());
}

#[test]
fn database_of_a_newer_server_is_reported() {
    use diesel::connection::SimpleConnection;
    use diesel::{Connection, SqliteConnection};

    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("orgmem.db");
    let mut conn = SqliteConnection::establish(&path.to_string_lossy()).expect("a file");
    conn.batch_execute(
        "CREATE TABLE __diesel_schema_migrations (version VARCHAR(50) PRIMARY KEY, run_on TIMESTAMP);
         INSERT INTO __diesel_schema_migrations (version) VALUES ('9999');",
    )
    .expect("written");
    let error = examine(&StoreConfig::sqlite(&path)).expect_err("newer").to_string();
    assert_eq!(error, "the database was migrated by a newer server (`9999` is unknown here); start that one");
}
