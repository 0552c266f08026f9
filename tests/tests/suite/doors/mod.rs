//! The registry of doors, held to what is there: coverage both ways, and each door tried.

mod coverage;
mod knock;
mod mcp;
mod rest;
mod world;
