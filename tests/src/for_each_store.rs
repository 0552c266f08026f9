use std::future::Future;

/// Generates two tests for each `async fn test(on: On)`: one on SQLite, one on PostgreSQL.
#[macro_export]
macro_rules! for_each_store {
    ($($test:ident),* $(,)?) => {
        mod sqlite {
            $(#[test] fn $test() { $crate::run(super::$test($crate::On::Sqlite)) })*
        }
        mod postgres {
            $(#[test] fn $test() { $crate::run(super::$test($crate::On::Postgres)) })*
        }
    };
}

pub fn run(test: impl Future<Output = ()>) {
    let mut runtime = tokio::runtime::Builder::new_multi_thread();
    runtime.worker_threads(2).enable_all().build().expect("a runtime starts").block_on(test);
}
