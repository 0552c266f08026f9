//! PostgreSQL behind a PgBouncer that pools by transaction. `ORGMEM_TEST_POOLER=yes` runs the whole contract in this way.

use chrono::TimeDelta;
use orgmem_store::{Store, StoreConfig};

use super::both_databases::{Random, create_org, read_something, write_something};
use crate::stores::{Cluster, TestStore, cluster, test_epoch};

fn clock() -> std::sync::Arc<orgmem_store::ManualClock> {
    std::sync::Arc::new(orgmem_store::ManualClock::at(test_epoch()))
}

/// All responses of a random history.
async fn responses(t: &TestStore) -> Vec<String> {
    let mut random = Random(41);
    create_org(t, &mut random).await;
    let mut responses = Vec::new();
    for _ in 0..80 {
        t.clock.advance(TimeDelta::milliseconds(1 + random.below(3000) as i64));
        responses.push(write_something(t, &mut random).await);
        responses.push(read_something(t, &mut random).await);
    }
    responses
}

#[test]
fn store_behind_a_pooler_responds_as_without() {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
    runtime.expect("a runtime").block_on(async {
        let direct = TestStore::on_database(StoreConfig::postgres(cluster().database()), clock());
        let pooled = cluster().through_pooler(StoreConfig::postgres(cluster().database()));
        let pooled = TestStore::on_database(pooled, clock());
        assert_eq!(responses(&direct).await, responses(&pooled).await);
        // two servers, whose transactions share the sessions of the pooler
        let second = pooled.second_server();
        second.close();
    });
}

#[test]
fn pooler_without_the_settings_is_refused() {
    let cluster = Cluster::start_with_pooler("SET synchronous_commit = off");
    let config = cluster.through_pooler(StoreConfig::postgres(cluster.database()));
    let error = Store::open(&config, clock()).map(|store| store.close()).expect_err("no durability").to_string();
    assert!(error.contains("set `connect_query = 'SET synchronous_commit = on;"), "{error}");
}
