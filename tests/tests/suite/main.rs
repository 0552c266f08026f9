//! The whole, from the outside: what a server answers, held to the model and to the contract. docs/testing.md tells
//! what is where.

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
