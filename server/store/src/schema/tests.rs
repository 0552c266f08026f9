use diesel::prelude::*;
use diesel::sql_types::Text;
use diesel::sqlite::Sqlite;
use diesel::{SqliteConnection, debug_query, sql_query};
use diesel_migrations::MigrationHarness;

#[derive(QueryableByName)]
struct Name {
    #[diesel(sql_type = Text)]
    name: String,
}

/// The names in backticks: table, column, table, column, …, table.
fn quoted(sql: &str) -> Vec<&str> {
    sql.split('`').skip(1).step_by(2).collect()
}

#[test]
fn declared_tables_match_the_migrations() {
    let mut conn = SqliteConnection::establish(":memory:").expect("a database");
    conn.run_pending_migrations(crate::migrations::SQLITE).expect("up");
    let mut described = 0;
    let mut check = |sql: String| {
        let names = quoted(&sql);
        let table = *names.last().expect("a table");
        let columns: Vec<&str> = names[..names.len() - 1].iter().skip(1).step_by(2).copied().collect();
        let made = sql_query(format!("SELECT name FROM pragma_table_info('{table}') ORDER BY cid"));
        let made: Vec<Name> = made.load(&mut conn).expect("columns");
        assert_eq!(columns, made.iter().map(|column| column.name.as_str()).collect::<Vec<_>>(), "{table}");
        described += 1;
    };
    macro_rules! check_all {
        ($($table:ident),* $(,)?) => {
            $(check(debug_query::<Sqlite, _>(&crate::schema::$table::table.select(crate::schema::$table::all_columns)).to_string());)*
        };
    }
    check_all!(
        orgs,
        workspace_orgs,
        workspaces,
        memory_partitions,
        budgets,
        memories,
        memory_versions,
        documents,
        document_versions,
        document_passages,
        collections,
        collection_rows,
        processors,
        processor_rows,
        processor_groups,
        processor_runs,
        turns,
        redactions,
        erasures,
        memory_index,
        entries,
        episodes,
        tokens,
        revocations,
        idempotency_keys,
        access_log,
        access_seals,
        audit_ranges,
        org_days,
        events,
        runs,
        pending_memories,
        embeddings,
        profiles,
        pages,
        page_work,
        memory_uses,
        skills,
        skill_versions,
        skill_sources,
        skill_rules,
        plugin_namespaces,
        records,
        record_fields,
        reviews,
        grants,
        provider_outbox,
        provider_queues,
        provider_items,
        provider_surfaces,
        memory_segments,
        segment_progress,
        text_blocks,
        text_workspaces,
        text_progress,
        episode_changes,
    );
    let made = sql_query(
        "SELECT name FROM sqlite_schema
         WHERE type = 'table' AND name NOT LIKE '%\\_\\_%' ESCAPE '\\' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'",
    );
    assert_eq!(made.load::<Name>(&mut conn).expect("tables").len(), described);
}
