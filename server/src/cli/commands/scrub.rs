use std::collections::BTreeMap;

use clap::Args;
use orgmem_store::TransferProgress;
use orgmem_types::{ScrubCount, ScrubQuery};
use serde::Serialize;

use crate::cli::error::CliError;
use crate::cli::local::Local;
use crate::cli::output_format::OutputFormat;
use crate::cli::print::line;
use crate::cli::progress::ProgressLine;
use crate::cli::remote::Server;
use crate::cli::terminal::Terminal;

/// Apply the server's rules for credentials to everything that is stored
#[derive(Args, Debug)]
pub(crate) struct Scrub {
    /// Change nothing; count what would be replaced, by table and kind
    #[arg(long)]
    dry_run: bool,
    /// Continue after the rows of an earlier run, whose end is this cursor
    #[arg(long, value_name = "CURSOR")]
    after: Option<String>,
    #[command(flatten)]
    format: OutputFormat,
    #[command(flatten)]
    server: Server,
}

/// The sums of all requests.
#[derive(Debug, Default, Serialize)]
struct Sums {
    dry_run: bool,
    rows: u64,
    changed: u64,
    replaced: Vec<ScrubCount>,
    remaining: Vec<ScrubCount>,
}

type Counts = BTreeMap<(String, String), u64>;

impl Scrub {
    pub(crate) async fn run(self, terminal: &Terminal, local: &Local) -> Result<(), CliError> {
        let client = self.server.connect(local)?.client;
        let mut progress = ProgressLine::on(terminal);
        let (mut query, mut sums) = (ScrubQuery { dry_run: self.dry_run, cursor: self.after }, Sums::default());
        let (mut replaced, mut remaining) = (Counts::new(), Counts::new());
        loop {
            let response = client.scrub_stored(&query).await.inspect_err(|_| {
                if let Some(cursor) = &query.cursor {
                    terminal.note(&format!("to continue: orgmem scrub --after {}", line(cursor)));
                }
            })?;
            sums.rows += response.rows;
            sums.changed += response.changed;
            add(&mut replaced, response.replaced);
            add(&mut remaining, response.remaining);
            progress.show(TransferProgress { step: "scrub", unit: "rows", rows: sums.rows, total: 0 });
            query.cursor = match response.next {
                None => break,
                next => next,
            };
        }
        progress.end();
        sums.dry_run = self.dry_run;
        (sums.replaced, sums.remaining) = (list(replaced), list(remaining));
        self.format.print(terminal, &sums, |sums, _| sums.render())
    }
}

fn add(counts: &mut Counts, found: Vec<ScrubCount>) {
    for ScrubCount { table, kind, count } in found {
        *counts.entry((table, kind)).or_default() += count;
    }
}

fn list(counts: Counts) -> Vec<ScrubCount> {
    counts.into_iter().map(|((table, kind), count)| ScrubCount { table, kind, count }).collect()
}

impl Sums {
    fn render(&self) -> String {
        let verb = if self.dry_run { "would change" } else { "changed" };
        let mut text = format!("examined {} rows, {verb} {}\n", self.rows, self.changed);
        for ScrubCount { table, kind, count } in &self.replaced {
            text.push_str(&format!("{}: {count} replaced by [REDACTED:{}]\n", line(table), line(kind)));
        }
        for ScrubCount { table, kind, count } in &self.remaining {
            text.push_str(&format!("{}: {count} of the kind {} cannot be changed\n", line(table), line(kind)));
        }
        text
    }
}
