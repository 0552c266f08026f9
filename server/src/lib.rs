//! orgmem: a memory server for organisations of AI agents. The binary's code, as a library for its tests.

pub mod app;
mod audit;
pub mod auth;
mod authority;
pub mod cli;
pub mod client;
mod compaction;
pub mod config;
mod decode;
pub mod demo;
pub mod embedding;
mod foreign;
mod http;
mod jobs;
mod limits;
pub mod mcp;
mod outbound;
mod processing;
mod providers;
mod record_sources;
mod removals;
mod secret_rules;
pub mod serve;
mod server_address;
mod skill_archive;
mod summary;
pub mod telemetry;
