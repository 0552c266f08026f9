use clap::Args;
use orgmem_types::RedactMemory;
use uuid::Uuid;

use crate::cli::commands::commit::redaction_lines;
use crate::cli::error::CliError;
use crate::cli::forms;
use crate::cli::local::Local;
use crate::cli::output_format::OutputFormat;
use crate::cli::remote::{Acting, Server};
use crate::cli::terminal::Terminal;

/// Redact an episode: delete its content permanently
#[derive(Args, Debug)]
pub(crate) struct Redact {
    /// Id of the episode
    #[arg(value_parser = forms::id)]
    episode: Uuid,
    /// Reason; it is stored, so it must not repeat the redacted content
    #[arg(short, long)]
    reason: String,
    #[command(flatten)]
    acting: Acting,
    #[command(flatten)]
    format: OutputFormat,
    #[command(flatten)]
    server: Server,
}

impl Redact {
    pub(crate) async fn run(self, terminal: &Terminal, local: &Local) -> Result<(), CliError> {
        let remote = self.server.connect(local)?;
        let workspace = remote.acting(&self.acting).await?;
        let request = RedactMemory { reason: self.reason };
        let redacted = remote.client.redact_episode(workspace, self.episode, &request, None).await?;
        self.format.print(terminal, &redacted, |redacted, _| {
            let outcome = if redacted.already { "was redacted before" } else { "redacted" };
            let facts: String =
                redacted.memories.iter().map(|memory| format!("{memory} redacted: a fact of this message\n")).collect();
            format!("{} {outcome}\n{facts}{}", redacted.id, redaction_lines(&redacted.redactions))
        })?;
        terminal.note(&redacted.older_backups);
        Ok(())
    }
}
