use clap::Args;
use clap_complete::Shell;

use crate::cli::args;
use crate::cli::error::CliError;
use crate::cli::terminal::Terminal;

/// Print the completions for a shell
#[derive(Args, Debug)]
pub(crate) struct Completions {
    /// Shell
    shell: Shell,
}

impl Completions {
    pub(crate) fn run(self, terminal: &Terminal) -> Result<(), CliError> {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut args::command(), "orgmem", &mut script);
        terminal.print(&String::from_utf8_lossy(&script))
    }
}
