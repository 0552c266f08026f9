//! The schema is the same on both databases, and after a migration down and up.

#[path = "../../../tests/src/stores.rs"]
#[allow(unreachable_pub, dead_code, reason = "elsewhere it is part of a library")]
mod stores;

use diesel::prelude::*;
use diesel::sql_types::{Bool, Text};
use diesel::{PgConnection, SqliteConnection, sql_query};
use diesel_migrations::{EmbeddedMigrations, MigrationHarness, embed_migrations};

const SQLITE: EmbeddedMigrations = embed_migrations!("../../migrations/sqlite");
const POSTGRES: EmbeddedMigrations = embed_migrations!("../../migrations/postgres");

#[derive(QueryableByName, Debug, PartialEq, Eq)]
struct Column {
    #[diesel(sql_type = Text)]
    table_name: String,
    #[diesel(sql_type = Text)]
    column_name: String,
    #[diesel(sql_type = Text)]
    kind: String,
    #[diesel(sql_type = Bool)]
    nullable: bool,
}

#[derive(QueryableByName, Debug, PartialEq, Eq)]
struct Object {
    #[diesel(sql_type = Text)]
    name: String,
    #[diesel(sql_type = Text)]
    definition: String,
}

const SQLITE_COLUMNS: &str = "SELECT t.name AS table_name, c.name AS column_name, c.type AS kind, \
     NOT c.\"notnull\" AS nullable FROM sqlite_schema t, pragma_table_info(t.name) c \
     WHERE t.type = 'table' AND t.name NOT LIKE '\\_\\_%' ESCAPE '\\' AND t.name NOT LIKE 'sqlite%' \
     ORDER BY t.name, c.cid";

const POSTGRES_COLUMNS: &str = "SELECT table_name::text, column_name::text, data_type::text AS kind, \
     is_nullable = 'YES' AS nullable FROM information_schema.columns \
     WHERE table_schema = 'public' AND table_name NOT LIKE '\\_\\_%' \
     ORDER BY table_name COLLATE \"C\", ordinal_position";

const SQLITE_KEYS: &str = "SELECT t.name AS name, (SELECT group_concat(name, ', ') FROM (SELECT name \
     FROM pragma_table_info(t.name) WHERE pk > 0 ORDER BY pk)) AS definition FROM sqlite_schema t \
     WHERE t.type = 'table' AND t.name NOT LIKE '\\_\\_%' ESCAPE '\\' AND t.name NOT LIKE 'sqlite%' \
     UNION ALL SELECT i.name, (SELECT group_concat(name, ', ') FROM pragma_index_info(i.name)) \
     FROM sqlite_schema i WHERE i.type = 'index' AND i.sql IS NOT NULL ORDER BY 1";

const POSTGRES_KEYS: &str = "SELECT CASE WHEN x.indisprimary THEN t.relname ELSE i.relname END::text AS name, \
     (SELECT string_agg(a.attname, ', ' ORDER BY k.nth) FROM unnest(x.indkey) WITH ORDINALITY k(attnum, nth) \
     JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum = k.attnum)::text AS definition \
     FROM pg_index x JOIN pg_class i ON i.oid = x.indexrelid JOIN pg_class t ON t.oid = x.indrelid \
     WHERE t.relnamespace = 'public'::regnamespace AND t.relname NOT LIKE '\\_\\_%'";

const SQLITE_ALL: &str = "SELECT name, coalesce(sql, '') AS definition FROM sqlite_schema ORDER BY name";

const POSTGRES_ALL: &str = "SELECT indexname::text AS name, indexdef::text AS definition FROM pg_indexes \
     WHERE schemaname = 'public' UNION ALL SELECT conname::text, pg_get_constraintdef(oid)::text FROM pg_constraint \
     WHERE connamespace = 'public'::regnamespace UNION ALL SELECT table_name || '.' || column_name, \
     concat_ws(' ', ordinal_position, data_type, is_nullable, collation_name, column_default) \
     FROM information_schema.columns WHERE table_schema = 'public' ORDER BY 1, 2";

fn sqlite() -> SqliteConnection {
    let mut conn = SqliteConnection::establish(":memory:").expect("a database");
    conn.run_pending_migrations(SQLITE).expect("up");
    conn
}

fn postgres() -> PgConnection {
    let mut conn = PgConnection::establish(&stores::cluster().empty_database()).expect("a database");
    conn.run_pending_migrations(POSTGRES).expect("up");
    conn
}

/// SQLite's type for a type of PostgreSQL.
fn in_sqlite(kind: &str) -> &str {
    match kind {
        "uuid" | "bytea" => "BLOB",
        "bigint" | "integer" | "boolean" | "timestamp with time zone" => "INTEGER",
        "double precision" => "REAL",
        "text" => "TEXT",
        other => panic!("what is `{other}` on SQLite?"),
    }
}

#[test]
fn columns_are_the_same_on_both_databases() {
    let here: Vec<Column> = sql_query(SQLITE_COLUMNS).load(&mut sqlite()).expect("columns");
    let mut there: Vec<Column> = sql_query(POSTGRES_COLUMNS).load(&mut postgres()).expect("columns");
    there.iter_mut().for_each(|column| column.kind = in_sqlite(&column.kind).to_owned());
    assert!(here.len() > 80);
    assert_eq!(here, there);
}

#[test]
fn keys_and_indexes_are_the_same_on_both_databases() {
    let here: Vec<Object> = sql_query(SQLITE_KEYS).load(&mut sqlite()).expect("keys");
    let mut there: Vec<Object> = sql_query(POSTGRES_KEYS).load(&mut postgres()).expect("keys");
    there.sort_by(|one, other| one.name.cmp(&other.name));
    assert_eq!(here, there);
}

#[test]
fn every_key_begins_with_the_org() {
    let keys: Vec<Object> = sql_query(SQLITE_KEYS).load(&mut sqlite()).expect("keys");
    let tables: Vec<Column> = sql_query(SQLITE_COLUMNS).load(&mut sqlite()).expect("columns");
    for key in keys.iter().filter(|key| tables.iter().any(|column| column.table_name == key.name)) {
        // this table maps a workspace to its org
        let first = if key.name == "workspace_orgs" { "id" } else { "org_id" };
        assert!(key.definition.starts_with(first), "{key:?}");
    }
}

#[test]
fn migration_down_and_up_restores_the_sqlite_schema() {
    let mut conn = sqlite();
    let before: Vec<Object> = sql_query(SQLITE_ALL).load(&mut conn).expect("a schema");
    conn.revert_all_migrations(SQLITE).expect("down");
    let left: Vec<Object> = sql_query(SQLITE_ALL).load(&mut conn).expect("a schema");
    assert!(left.iter().all(|object| object.name.contains("__diesel")), "{left:?}");
    conn.run_pending_migrations(SQLITE).expect("up");
    assert_eq!(sql_query(SQLITE_ALL).load::<Object>(&mut conn).expect("a schema"), before);
}

#[test]
fn migration_down_and_up_restores_the_postgres_schema() {
    let mut conn = postgres();
    let before: Vec<Object> = sql_query(POSTGRES_ALL).load(&mut conn).expect("a schema");
    conn.revert_all_migrations(POSTGRES).expect("down");
    let left: Vec<Object> = sql_query(POSTGRES_ALL).load(&mut conn).expect("a schema");
    assert!(left.iter().all(|object| object.name.contains("__diesel")), "{left:?}");
    conn.run_pending_migrations(POSTGRES).expect("up");
    assert_eq!(sql_query(POSTGRES_ALL).load::<Object>(&mut conn).expect("a schema"), before);
}

#[test]
fn migrations_have_the_same_names_in_both_dialects() {
    let names = |dialect: &str| -> Vec<String> {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../migrations").join(dialect);
        let mut names: Vec<String> = std::fs::read_dir(folder)
            .expect("the folder")
            .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
            .collect();
        names.sort();
        names
    };
    assert_eq!(names("sqlite"), names("postgres"));
}

#[test]
fn schema_of_a_newer_version_is_refused() {
    let folder = tempfile::TempDir::new().expect("a temporary folder");
    let file = folder.path().join("orgmem.db");
    let mut conn = SqliteConnection::establish(&file.to_string_lossy()).expect("a database");
    conn.run_pending_migrations(SQLITE).expect("up");
    sql_query("INSERT INTO __diesel_schema_migrations (version) VALUES ('9999')").execute(&mut conn).expect("a row");
    drop(conn);
    let clock = std::sync::Arc::new(orgmem_store::SystemClock);
    let refused = orgmem_store::Store::open(&orgmem_store::StoreConfig::sqlite(file), clock);
    let message = refused.err().expect("a refusal").to_string();
    assert!(message.contains("`9999` is unknown here"), "{message}");
}
