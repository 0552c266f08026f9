//! The registry of doors, held to what is there: coverage both ways, and each door tried.

mod coverage;
mod fixture;
mod mcp;
mod probe;
mod rest;
