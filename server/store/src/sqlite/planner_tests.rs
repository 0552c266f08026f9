//! The assumed statistics of the migrations, and the indexes that SQLite takes with them.

use diesel::prelude::*;
use diesel::sql_types::{Nullable, Text};
use diesel::{SqliteConnection, sql_query};
use diesel_migrations::MigrationHarness;

#[derive(QueryableByName)]
struct Step {
    #[diesel(sql_type = Nullable<Text>)]
    detail: Option<String>,
}

fn lines(conn: &mut SqliteConnection, sql: &str) -> Vec<String> {
    let steps: Vec<Step> = sql_query(sql).load(conn).expect(sql);
    steps.into_iter().filter_map(|step| step.detail).collect()
}

fn migrated() -> SqliteConnection {
    let mut conn = SqliteConnection::establish(":memory:").expect("a database");
    conn.run_pending_migrations(crate::migrations::SQLITE).expect("up");
    conn
}

#[test]
fn every_index_has_statistics() {
    let mut conn = migrated();
    // the primary key of a table is the alternative to each of its indexes
    let missing = lines(
        &mut conn,
        "WITH indexes AS (SELECT tbl_name, name FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL)
         SELECT tbl_name || ' ' || name AS detail FROM (SELECT * FROM indexes UNION SELECT tbl_name, tbl_name FROM indexes)
         WHERE (tbl_name, name) NOT IN (SELECT tbl, idx FROM sqlite_stat1)",
    );
    assert_eq!(missing, [""; 0], "add them to `sqlite_stat1` in the migration that creates the index");
    let unknown = lines(
        &mut conn,
        "SELECT tbl || ' ' || idx AS detail FROM sqlite_stat1 WHERE idx NOT IN (SELECT name FROM sqlite_master)",
    );
    assert_eq!(unknown, [""; 0]);
}

#[test]
fn queries_take_the_index_with_all_their_columns() {
    let mut conn = migrated();
    let expected = [
        (
            "episodes_by_thread",
            "episodes WHERE org_id = ? AND workspace_id = ? AND correlation_id IS NOT NULL
            AND coalesce(session_id, correlation_id) IN (?, ?) AND subject = ?",
        ),
        (
            "episodes_by_thread",
            "episodes WHERE org_id = ? AND workspace_id = ? AND correlation_id IS NOT NULL
            AND coalesce(session_id, correlation_id) IN (?, ?) AND subject IS NULL",
        ),
        (
            "episodes_by_target",
            "episodes WHERE org_id = ? AND workspace_id = ? AND target_id = ? AND names_target = 1 AND target_id IS NOT NULL",
        ),
        ("episodes_by_subject", "episodes WHERE org_id = ? AND subject = ?"),
        ("pages_by_subject", "pages WHERE org_id = ? AND workspace_id = ? AND subject = ?"),
        ("pages_by_time", "pages WHERE org_id = ? AND workspace_id = ? ORDER BY last_at DESC, id DESC LIMIT 10"),
        ("memories_by_subject", "memories WHERE org_id = ? AND subject = ?"),
        ("sqlite_autoindex_memories_1", "memories WHERE org_id = ? AND id IN (?, ?)"),
        ("PRIMARY KEY", "episodes WHERE org_id = ? AND workspace_id = ? ORDER BY id DESC LIMIT 10"),
        // of text blocks
        ("sqlite_autoindex_memories_1", "memories WHERE org_id = ? AND author_id = ? AND status = ? AND id IN (?, ?)"),
        ("memory_index_by_org_version", "memory_index WHERE org_id = ? AND org_version > ? LIMIT 10"),
        (
            "memory_index_purged",
            "memory_index WHERE org_id = ? AND org_version > ? AND doc IS NULL AND folded = '' ORDER BY org_version",
        ),
        ("PRIMARY KEY", "episodes WHERE org_id = ? AND workspace_id = ? AND id > ? ORDER BY id LIMIT 1 OFFSET 10"),
    ];
    for (index, rows) in expected {
        let plan = lines(&mut conn, &format!("EXPLAIN QUERY PLAN SELECT * FROM {rows}"));
        assert!(plan[0].contains(&format!("{index} (")), "`{index}` for {rows}: {plan:?}");
    }
}
