//! The same test on both databases.

use std::future::Future;

/// Runs each of these `async fn test(on: On)` on SQLite and on PostgreSQL, as tests of their own.
///
/// ```
/// use orgmem_tests::{On, for_each_store};
///
/// for_each_store!(one_and_one_is_two);
///
/// async fn one_and_one_is_two(_: On) {
///     assert_eq!(1 + 1, 2);
/// }
/// # fn main() {}
/// ```
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

/// Runs a test to its end.
///
/// # Panics
/// When the test does.
pub fn run(test: impl Future<Output = ()>) {
    let mut runtime = tokio::runtime::Builder::new_multi_thread();
    runtime.worker_threads(2).enable_all().build().expect("a runtime starts").block_on(test);
}
