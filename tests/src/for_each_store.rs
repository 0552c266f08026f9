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

/// Generates one test, on SQLite, for each `async fn test(on: On)`. For tests of clients and their messages, where the database
/// is of no consequence and two runs would only cost time.
#[macro_export]
macro_rules! on_sqlite {
    ($($test:ident),* $(,)?) => {
        mod on_sqlite {
            $(#[test] fn $test() { $crate::run(super::$test($crate::On::Sqlite)) })*
        }
    };
}

/// How often a test repeats something random: `usual` times, or `long` times if `ORGMEM_TEST_LONG` is set.
#[must_use]
pub fn repetitions(usual: usize, long: usize) -> usize {
    if std::env::var_os("ORGMEM_TEST_LONG").is_some() { long } else { usual }
}

pub fn run(test: impl Future<Output = ()>) {
    let mut runtime = tokio::runtime::Builder::new_multi_thread();
    runtime.worker_threads(2).enable_all().build().expect("a runtime starts").block_on(test);
}
