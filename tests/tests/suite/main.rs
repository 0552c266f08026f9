//! End-to-end tests: the responses of a server, against the model and the contract. docs/testing.md describes the
//! modules.

mod bad_input;
mod cli;
mod clients;
mod contract;
mod crashes;
mod entry_points;
mod isolation;
mod leaks;
mod mcp;
mod races;
