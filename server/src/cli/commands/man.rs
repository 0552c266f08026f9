use std::path::PathBuf;

use clap::Args;

use crate::cli::args;
use crate::cli::error::CliError;
use crate::cli::terminal::Terminal;

/// Print the manual page, or write one per command
#[derive(Args, Debug)]
pub(crate) struct Man {
    /// Folder to write all pages into, such as ~/.local/share/man/man1
    #[arg(long, value_name = "DIR")]
    dir: Option<PathBuf>,
}

impl Man {
    pub(crate) fn run(self, terminal: &Terminal) -> Result<(), CliError> {
        match self.dir {
            Some(dir) => {
                let written =
                    std::fs::create_dir_all(&dir).and_then(|()| clap_mangen::generate_to(args::command(), &dir));
                written.map_err(|error| CliError::Io { action: format!("write pages into `{}`", dir.display()), error })
            }
            None => {
                let mut page = Vec::new();
                let rendered = clap_mangen::Man::new(args::command()).render(&mut page);
                rendered.map_err(|error| CliError::Io { action: "make the page".to_owned(), error })?;
                terminal.print(&String::from_utf8_lossy(&page))
            }
        }
    }
}
