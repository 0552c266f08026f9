//! The contract of a store, on both databases.

#[path = "../../../tests/src/stores.rs"]
#[allow(unreachable_pub, dead_code, reason = "a module of the test support crate")]
mod stores;

/// Runs each test on both databases.
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
    mod agent;
    mod arrivals;
    mod audit_log;
    mod backups;
    mod blocked_writer;
    mod both_databases;
    mod budgets;
    mod cached_reads;
    mod commits;
    mod end_users;
    mod engine;
    mod entries;
    mod episodes;
    mod erased_files;
    mod expiry;
    mod grants;
    mod groups;
    mod idempotency;
    mod index;
    mod inspection;
    mod listing;
    mod memories;
    mod newest;
    mod old_reads;
    mod orgs;
    mod page_search;
    mod parts;
    mod plugin_namespaces;
    mod pooler;
    mod profiles;
    mod providers;
    mod redactions;
    mod runs;
    mod selected;
    mod session;
    mod sharding;
    mod statements;
    mod stored_segments;
    mod text_blocks;
    mod tokens;
    mod transfer;
    mod transfer_histories;
    mod tree;
    mod turns;
    mod versions;
}

fn run(on: stores::On, test: impl AsyncFnOnce(stores::TestStore)) {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
    runtime.expect("a runtime").block_on(test(stores::TestStore::new(on)));
}
