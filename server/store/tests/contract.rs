//! What a store promises, on both databases.

#[path = "../../../tests/src/stores.rs"]
#[allow(unreachable_pub, dead_code, reason = "elsewhere it is part of a library")]
mod stores;

/// Runs each of these tests on each database.
macro_rules! on_both {
    ($($test:ident),* $(,)?) => {
        mod on_sqlite {
            $(#[test] fn $test() { crate::run(crate::stores::On::Sqlite, super::$test); })*
        }
        mod on_postgres {
            $(#[test] fn $test() { crate::run(crate::stores::On::Postgres, super::$test); })*
        }
    };
}

mod contract {
    mod audit_log;
    mod agent;
    mod commits;
    mod engine;
    mod entries;
    mod episodes;
    mod inspection;
    mod groups;
    mod blocked_writer;
    mod idempotency;
    mod index;
    mod cached_reads;
    mod listing;
    mod memories;
    mod orgs;
    mod profiles;
    mod redactions;
    mod runs;
    mod both_databases;
    mod session;
    mod tokens;
    mod tree;
    mod versions;
}

fn run(on: stores::On, test: impl AsyncFnOnce(stores::TestStore)) {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
    runtime.expect("a runtime").block_on(test(stores::TestStore::new(on)));
}
