//! `orgmem shard`: distributes a PostgreSQL database over a Citus cluster.

use clap::Args;
use orgmem_store::{Sharded, Spread, shard};

use crate::cli::error::CliError;
use crate::cli::local::Local;
use crate::cli::output_format::OutputFormat;
use crate::cli::print::{Align, Paint, Table};
use crate::cli::terminal::Terminal;
use crate::serve::store_config;

/// Distribute the PostgreSQL database of this machine's settings over a Citus cluster, by org
#[derive(Args, Debug)]
pub(crate) struct Shard {
    /// Show what would be distributed; change nothing
    #[arg(long)]
    dry_run: bool,
    #[command(flatten)]
    format: OutputFormat,
}

impl Shard {
    pub(crate) fn run(self, terminal: &Terminal, local: &Local) -> Result<(), CliError> {
        let config = store_config(&local.load(Vec::new())?.settings);
        let sharded = shard(&config, self.dry_run, &mut |table| terminal.note(&format!("distributes `{table}`")))?;
        self.format.print(terminal, &sharded, render)
    }
}

fn render(sharded: &Sharded, paint: Paint) -> String {
    let mut table = Table::new(&[("table", Align::Left), ("rows", Align::Right), ("", Align::Left)]);
    for row in &sharded.tables {
        let spread = match row.spread {
            Spread::ByOrg => "by org",
            Spread::EveryNode => "on every node",
        };
        let state = match (row.already, sharded.dry_run) {
            (true, _) => format!("is distributed {spread}"),
            (false, true) => format!("would be distributed {spread}"),
            (false, false) => format!("distributed {spread}"),
        };
        table.row([row.name.clone(), row.rows.map(|rows| rows.to_string()).unwrap_or_default(), state]);
    }
    format!("Citus {}\n{}", sharded.citus, table.render(paint))
}
