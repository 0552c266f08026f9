//! The `orgmem` program, built together with the tests that drive it. It is `server/src/main.rs`, line for line.

use std::process::ExitCode;

fn main() -> ExitCode {
    orgmem::cli::main()
}
