//! The orgmem program.

use std::process::ExitCode;

fn main() -> ExitCode {
    orgmem::cli::main()
}
