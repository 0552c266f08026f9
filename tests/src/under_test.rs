//! The `orgmem` program for the tests; identical to `server/src/main.rs`.

use std::process::ExitCode;

fn main() -> ExitCode {
    orgmem::cli::main()
}
