//! Distribution by org: one partition for each statement, and the distribution of the tables over Citus.
//!
//! Citus itself is not needed. A table that is partitioned by a hash of the org has the same restriction on keys, and its plans
//! show which statements touch more than one shard. The functions of Citus are replaced by ones that record their calls.

use std::collections::{BTreeMap, BTreeSet};

use chrono::TimeDelta;
use diesel::connection::SimpleConnection;
use diesel::sql_types::Text;
use diesel::{Connection, PgConnection, QueryableByName, RunQueryDsl};
use orgmem_store::{ManualClock, Spread, Store, StoreConfig, shard};
use serde_json::Value;

use super::both_databases::{Random, create_org, read_something, write_something};
use crate::stores::{On, TestStore, cluster, partition_by_org, test_epoch};

/// The beginnings of the statements that touch several partitions, with the reason.
const EXCEPTIONS: [(&str, &str); 0] = [];

fn block_on<T>(work: impl Future<Output = T>) -> T {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
    runtime.expect("a runtime").block_on(work)
}

fn execute(url: &str, statements: &str) {
    let mut conn = PgConnection::establish(url).expect("a connection");
    conn.batch_execute(statements).expect("the statements succeed");
}

/// The plans in the log of the cluster that used partitions with this suffix, each with its statement.
fn plans(log: &str, suffix: &str) -> Vec<(String, BTreeMap<String, BTreeSet<String>>)> {
    let mut plans = Vec::new();
    for entry in log.split(" plan:\n").skip(1) {
        // continuation lines begin with a tab; the next entry does not
        let json: String = entry.lines().take_while(|line| line.starts_with('\t')).map(|line| &line[1..]).collect();
        let Ok(plan) = serde_json::from_str::<Value>(&json) else { panic!("not a plan: {json}") };
        let mut used = BTreeMap::new();
        collect(&plan["Plan"], suffix, &mut used);
        if !used.is_empty() {
            plans.push((plan["Query Text"].as_str().unwrap_or_default().to_owned(), used));
        }
    }
    plans
}

/// The partitions that a plan read or wrote, by table.
fn collect(node: &Value, suffix: &str, used: &mut BTreeMap<String, BTreeSet<String>>) {
    let has_run = node["Actual Loops"].as_f64().is_some_and(|loops| loops > 0.0);
    if let (true, Some(relation)) = (has_run, node["Relation Name"].as_str())
        && let Some((table, _)) = relation.split_once(suffix)
    {
        used.entry(table.to_owned()).or_default().insert(relation.to_owned());
    }
    for child in node["Plans"].as_array().into_iter().flatten() {
        collect(child, suffix, used);
    }
}

#[test]
fn statements_of_an_org_touch_one_partition_of_each_table() {
    block_on(async {
        const SUFFIX: &str = "_planned";
        let url = cluster().empty_database();
        let config = StoreConfig::postgres(url.clone());
        let clock = std::sync::Arc::new(ManualClock::at(test_epoch()));
        Store::open(&config, clock.clone()).expect("it is migrated").close();
        partition_by_org(&url, &SUFFIX[1..]);
        execute(
            &url,
            "DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET session_preload_libraries = auto_explain', current_database());
             EXECUTE format('ALTER DATABASE %I SET auto_explain.log_min_duration = 0', current_database());
             EXECUTE format('ALTER DATABASE %I SET auto_explain.log_analyze = on', current_database());
             EXECUTE format('ALTER DATABASE %I SET auto_explain.log_timing = off', current_database());
             EXECUTE format('ALTER DATABASE %I SET auto_explain.log_format = json', current_database()); END $$",
        );
        let t = TestStore::on_database(config, clock);
        let mut random = Random(31);
        create_org(&t, &mut random).await;
        for _ in 0..150 {
            t.clock.advance(TimeDelta::milliseconds(1 + random.below(3000) as i64));
            write_something(&t, &mut random).await;
        }
        for _ in 0..80 {
            read_something(&t, &mut random).await;
        }
        t.store.close();
        let plans = plans(&cluster().log(), SUFFIX);
        assert!(plans.len() > 300, "{} plans are no history", plans.len());
        let mut several = BTreeMap::new();
        for (statement, used) in &plans {
            let tables: Vec<String> =
                used.values().filter(|parts| parts.len() > 1).map(|parts| format!("{parts:?}")).collect();
            let is_known = EXCEPTIONS.iter().any(|(start, _)| statement.starts_with(start));
            if !tables.is_empty() && !is_known {
                several.insert(statement.clone(), tables);
            }
        }
        assert!(several.is_empty(), "statements that touch several shards: {several:#?}");
    });
}

/// Makes a database look as if it had Citus. The functions record their calls.
fn with_fake_citus(url: &str) {
    execute(
        url,
        "CREATE TABLE pg_dist_partition (logicalrelid oid);
         CREATE TABLE citus_calls (number serial, call text);
         CREATE FUNCTION create_reference_table(name regclass) RETURNS void LANGUAGE sql AS $$
           INSERT INTO pg_dist_partition VALUES (name); INSERT INTO citus_calls (call) VALUES ('reference ' || name) $$;
         CREATE FUNCTION create_distributed_table(name regclass, by_column text, colocate_with text) RETURNS void
           LANGUAGE sql AS $$ INSERT INTO pg_dist_partition VALUES (name);
           INSERT INTO citus_calls (call) VALUES (name || ' by ' || by_column || ' with ' || colocate_with) $$;
         INSERT INTO pg_extension (oid, extname, extowner, extnamespace, extrelocatable, extversion)
           VALUES (16383, 'citus', 10, 2200, false, '13.0-1');",
    );
}

#[derive(QueryableByName)]
struct Call {
    #[diesel(sql_type = Text)]
    call: String,
}

fn calls(url: &str) -> Vec<String> {
    let mut conn = PgConnection::establish(url).expect("a connection");
    let calls = diesel::sql_query("SELECT call FROM citus_calls ORDER BY number").load::<Call>(&mut conn);
    calls.expect("calls").into_iter().map(|call| call.call).collect()
}

#[test]
fn all_tables_are_distributed_once_and_those_of_migrations_on_start() {
    let url = cluster().empty_database();
    let config = StoreConfig::postgres(url.clone());
    let clock = || std::sync::Arc::new(ManualClock::at(test_epoch()));
    Store::open(&config, clock()).expect("it is migrated").close();
    let missing = shard(&config, false, &mut |_| {}).expect_err("no Citus").to_string();
    assert!(missing.contains("PostgreSQL has no Citus: install it on every node"), "{missing}");
    with_fake_citus(&url);
    let planned = shard(&config, true, &mut |_| {}).expect("a dry run");
    assert!(planned.dry_run && planned.tables.iter().all(|table| !table.already));
    assert_eq!(calls(&url), Vec::<String>::new(), "a dry run changes nothing");
    // until the tables are distributed, a start distributes nothing
    Store::open(&config, clock()).expect("it opens").close();
    assert_eq!(calls(&url), Vec::<String>::new());
    let mut shown = Vec::new();
    let done = distributed(&config, &mut |table| shown.push(table.to_owned()));
    assert_eq!((done.citus.as_str(), done.tables.len()), ("13.0-1", shown.len()));
    let made = calls(&url);
    assert_eq!(made[..2], ["reference workspace_orgs", "orgs by org_id with none"]);
    assert!(made[2..].iter().all(|call| call.ends_with(" by org_id with orgs")), "{made:?}");
    let by_org = done.tables.iter().filter(|table| table.spread == Spread::ByOrg).count();
    assert_eq!((made.len(), by_org), (shown.len(), shown.len() - 1));
    let again = distributed(&config, &mut |_| {});
    assert!(again.tables.iter().all(|table| table.already));
    assert_eq!(calls(&url), made, "nothing is distributed twice");
    // as if a migration had added the table
    execute(&url, "DELETE FROM pg_dist_partition WHERE logicalrelid = 'episodes'::regclass");
    Store::open(&config, clock()).expect("it opens").close();
    assert_eq!(calls(&url).last().map(String::as_str), Some("episodes by org_id with orgs"));
    assert_eq!(calls(&url).len(), made.len() + 1);
}

/// PostgreSQL shows closed connections for some milliseconds.
fn distributed(config: &StoreConfig, progress: &mut dyn FnMut(&str)) -> orgmem_store::Sharded {
    loop {
        match shard(config, false, progress) {
            Err(error) if error.to_string().contains("a server uses the database") => std::thread::yield_now(),
            done => return done.expect("distributed"),
        }
    }
}

#[test]
fn only_postgresql_without_servers_is_distributed() {
    let t = TestStore::new(On::Sqlite);
    let error = shard(&t.config, true, &mut |_| {}).expect_err("SQLite").to_string();
    assert!(error.contains("a SQLite database cannot be sharded"), "{error}");
    let url = cluster().database();
    let config = StoreConfig::postgres(url.clone());
    with_fake_citus(&url);
    let store = Store::open(&config, std::sync::Arc::new(ManualClock::at(test_epoch()))).expect("a server");
    let error = shard(&config, false, &mut |_| {}).expect_err("a server").to_string();
    assert!(error.contains("a server uses the database; stop all servers of it"), "{error}");
    store.close();
    assert_eq!(calls(&url), Vec::<String>::new());
}
