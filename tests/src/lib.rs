//! What the suites stand on: a server and a store of its own for every test, callers, the contract that every answer is
//! held to, the registry of doors, and the model that knows what is right.
//!
//! docs/testing.md tells how a test is written with it.

mod answer;
mod app;
mod callers;
mod clients;
mod contract;
mod disk;
pub mod doors;
mod each;
mod embedder;
mod program;
mod review;
mod shell;
pub mod steps;
mod stores;
mod tables;
mod tokens;
mod watching;

pub use answer::{Answer, id_of};
pub use app::{Builder, TestApp};
pub use callers::{Caller, Request, with_query};
pub use clients::{client_programs, clients};
pub use contract::{Contract, Operation, faults_by};
pub use disk::{Disk, Trouble};
pub use each::run;
pub use embedder::{Mood, StubEmbedder, StubHub};
pub use orgmem_model::{generators, oracle, orgs};
pub use program::{Program, program};
pub use review::reviewed;
pub use shell::{Said, Shell};
pub use stores::{Cluster, On, TestStore, cluster, test_epoch};
pub use tables::Tables;
pub use tokens::{SECRET, Token};
pub use watching::{Seen, Watching};
