//! Where everything is kept: one contract, two databases.
//!
//! [`Store::read`] shows a snapshot, [`Store::write`] changes one org and answers once that is durable. What can be done
//! in either is the page of [`ReadTx`] and [`WriteTx`]. Passes from `orgmem_policies` say for whom; a call without one
//! gives what decisions are taken from, or is the server's own.
//!
//! diesel lives here and nowhere else.

#![allow(clippy::duplicate_mod, reason = "statements are written once, in `shared/`, and compiled for each database")]

mod cache;
mod clock;
mod columns;
mod config;
mod contract;
mod engine;
mod error;
mod examine;
mod migrations;
mod postgres;
mod schema;
mod sqlite;
mod store;

pub use clock::{Clock, ManualClock, SystemClock};
pub use config::StoreConfig;
pub use contract::*;
pub use engine::Subscription;
pub use error::{OpenError, StoreError};
pub use examine::{Examined, examine};
pub use store::{Load, Store};
