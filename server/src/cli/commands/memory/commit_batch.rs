use std::path::PathBuf;

use clap::Args;
use orgmem_types::{BatchItem, BatchResponse, CommitBatch};
use serde_json::Value;

use crate::cli::commands::commit::redaction_lines;
use crate::cli::commands::org::read;
use crate::cli::error::CliError;
use crate::cli::local::Local;
use crate::cli::output_format::OutputFormat;
use crate::cli::print::line;
use crate::cli::remote::{Acting, Server};
use crate::cli::terminal::Terminal;

/// Commit up to 500 memories of a JSON document, each on its own
#[derive(Args, Debug)]
pub(crate) struct Batch {
    /// A list of memories with the fields of a commit; `-` reads it from standard input
    file: PathBuf,
    #[command(flatten)]
    acting: Acting,
    #[command(flatten)]
    format: OutputFormat,
    #[command(flatten)]
    server: Server,
}

impl Batch {
    pub(crate) async fn run(self, terminal: &Terminal, local: &Local) -> Result<(), CliError> {
        let request = parse(&read(&self.file)?)?;
        let remote = self.server.connect(local)?;
        let author = remote.acting(&self.acting).await?;
        let response = remote.client.commit_batch(author, &request, None).await?;
        self.format.print(terminal, &response, |response, _| render(response))?;
        match response.refused {
            0 => Ok(()),
            refused => Err(CliError::CheckFailed(format!("{refused} of {} were not committed", response.items.len()))),
        }
    }
}

/// A list, or the body of the request, whose only member is the list.
fn parse(document: &[u8]) -> Result<CommitBatch, CliError> {
    let fault = |error: serde_json::Error| CliError::Usage(format!("not a list of memories as JSON: {error}"));
    let document: Value = serde_json::from_slice(document).map_err(fault)?;
    match document {
        Value::Array(memories) => Ok(CommitBatch { memories }),
        whole => serde_json::from_value(whole).map_err(fault),
    }
}

fn render(response: &BatchResponse) -> String {
    let item = |(number, item): (usize, &BatchItem)| match item {
        BatchItem::Committed(memory) => {
            format!("committed {}  {}\n{}", memory.id, memory.scope, redaction_lines(&memory.redactions))
        }
        BatchItem::Refused(problem) => format!("memory {number} was refused: {}\n", line(&problem.detail)),
    };
    (1..).zip(&response.items).map(item).collect()
}
