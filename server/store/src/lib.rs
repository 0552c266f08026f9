//! Storage: one contract, implemented for SQLite and PostgreSQL.
//!
//! [`Store::read`] runs a closure on a snapshot. [`Store::write`] changes one org and returns once the change is durable.
//! [`ReadTx`] and [`WriteTx`] list the operations. Passes from `orgmem_policies` prove that the caller is authorised; an
//! operation without a pass returns facts for decisions or belongs to the server itself.
//!
//! This is the only crate that uses diesel.

#![allow(clippy::duplicate_mod, reason = "`tx/` is compiled once for each database")]

mod backup;
mod cache;
mod clock;
mod columns;
mod config;
mod contract;
mod engine;
mod error;
mod examine;
mod index_jobs;
mod migrations;
mod postgres;
mod schema;
mod scrub;
mod sqlite;
mod store;
mod transfer;

pub use backup::{
    BackedUp, BackupError, BackupListing, BackupOptions, RestoreOptions, Restored, Restoring, Retention, backup,
    list_backups,
};
pub use clock::{Clock, ManualClock, SystemClock};
pub use config::StoreConfig;
pub use contract::*;
pub use engine::{FairTurn, FairTurns, OrgThreads, Subscription, lower_thread_priority};
pub use error::{OpenError, StoreError};
pub use examine::{Examined, examine};
pub use postgres::{Sharded, ShardedTable, Spread, shard};
pub use scrub::{ScrubPosition, ScrubbedRows};
pub use store::{Load, Store};
pub use transfer::*;
