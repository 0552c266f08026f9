//! The registry of entry points: its completeness, and a test of each row.

mod coverage;
mod fixture;
mod mcp;
mod plugin;
mod probe;
mod rest;
