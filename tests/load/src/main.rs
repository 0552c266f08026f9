//! The load generator: measures the release binary beside the raw limit of the same work, in one run.
//!
//! Each workload is a subcommand that prints one line per figure and, with `--json`, writes them to a file. What the
//! figures mean and what they were is in `docs/benchmarks.md`.

mod awake;
mod bare;
mod candidates;
mod command;
mod crowd;
mod error;
mod figure;
mod fts;
mod hello;
mod home;
mod http;
mod library;
mod mirror;
mod org;
mod report;
mod rounds;
mod rows;
mod server;
mod setup;
mod shape;
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
