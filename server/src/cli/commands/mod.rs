//! One file per command: its arguments, its requests, the layout of the result.

pub(super) mod activity;
pub(super) mod audit;
pub(super) mod commit;
pub(super) mod completions;
pub(super) mod config;
pub(super) mod connect;
pub(super) mod context;
pub(super) mod demo;
pub(super) mod doctor;
pub(super) mod erase;
pub(super) mod events;
pub(super) mod health;
pub(super) mod kv;
pub(super) mod man;
pub(super) mod mcp;
pub(super) mod me;
pub(super) mod memory;
pub(super) mod org;
pub(super) mod profile;
pub(super) mod run;
pub(super) mod search;
pub(super) mod serve;
pub(super) mod stats;
pub(super) mod token;
pub(super) mod tree;
pub(super) mod workspace;
