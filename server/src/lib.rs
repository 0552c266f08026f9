//! orgmem: a memory server for organisations of AI agents. The binary, as a library for its tests.

mod access;
pub mod app;
pub mod auth;
pub mod cli;
pub mod client;
pub mod config;
pub mod demo;
pub mod embedding;
mod http;
pub mod mcp;
mod reading;
pub mod serve;
mod summary;
pub mod telemetry;
mod whereabouts;
