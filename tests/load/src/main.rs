//! The load generator: measures the release program and the limits of the same work in one run.
//!
//! Each workload is a subcommand. It prints one line per figure and, with `--json`, writes the figures to a file.
//! `docs/benchmarks.md` explains the figures and has results.

mod bare_sql;
mod bulk_insert;
mod busy_cores;
mod candidates;
mod command;
mod corpus;
mod deployment;
mod error;
mod figure;
mod flood;
mod fts;
mod hello;
mod http;
mod mirror;
mod org;
mod org_shape;
mod other_orgs;
mod report;
mod rounds;
mod server;
mod storage;
mod texts;
mod token;
mod workloads;

use std::process::ExitCode;

use clap::Parser;

use command::Command;

fn main() -> ExitCode {
    match Command::parse().run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("orgmem-load: {error}");
            ExitCode::FAILURE
        }
    }
}
