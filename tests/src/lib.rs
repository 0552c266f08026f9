//! Test support: servers and stores, callers, the validation of responses, the registry of entry points, and the model.
//! See docs/testing.md.
#![allow(missing_docs, reason = "the names of test helpers say it")]

mod app;
mod callers;
mod chat;
mod clients;
mod contract;
mod disk;
mod embedder;
pub mod entry_points;
mod event_stream;
mod for_each_store;
mod program;
mod reranker;
mod response;
mod shell;
mod snapshot;
pub mod steps;
mod stores;
mod tables;
mod tokens;

pub use app::{Builder, TestApp};
pub use callers::{Caller, Request, with_query};
pub use chat::{ChatMode, StubChat};
pub use clients::{client_programs, clients};
pub use contract::{Contract, Operation, schema_violations};
pub use disk::{Disk, DiskFault};
pub use embedder::{StubEmbedder, StubHub, StubMode};
pub use event_stream::{Event, EventStream};
pub use for_each_store::{repetitions, run};
pub use orgmem_model::{generators, oracle, orgs};
pub use program::{Program, program};
pub use reranker::{RerankMode, StubReranker};
pub use response::{Response, id_of};
pub use shell::{Shell, ShellOutput};
pub use snapshot::assert_reviewed;
pub use stores::{Cluster, On, TestStore, cluster, partition_by_org, test_epoch};
pub use tables::Tables;
pub use tokens::{SECRET, Token};
