use clap::{Args, Subcommand};

use crate::cli::error::CliError;
use crate::cli::local::Local;
use crate::cli::output_format::OutputFormat;
use crate::cli::print::{Align, Table, line};
use crate::cli::terminal::Terminal;

/// Show the settings of the server
#[derive(Args, Debug)]
#[command(disable_help_subcommand = true)]
pub(crate) struct Config {
    #[command(subcommand)]
    verb: ConfigCommand,
}

#[derive(Subcommand, Debug)]
enum ConfigCommand {
    /// Show every setting with its value and origin; secrets are masked
    Show {
        #[command(flatten)]
        format: OutputFormat,
    },
}

impl Config {
    pub(crate) fn run(self, terminal: &Terminal, local: &Local) -> Result<(), CliError> {
        let ConfigCommand::Show { format } = self.verb;
        let settings = local.load(Vec::new())?.show();
        format.print(terminal, &settings, |settings, paint| {
            let mut table = Table::new(&[("setting", Align::Left), ("value", Align::Left), ("from", Align::Left)]);
            for setting in settings {
                table.row([setting.setting.clone(), line(&setting.value), line(&setting.origin)]);
            }
            table.render(paint)
        })
    }
}
