use clap::Args;
use orgmem_types::{ReadMemory, ReadMemoryQuery, ReadSessions};
use uuid::Uuid;

use crate::cli::commands::search;
use crate::cli::error::CliError;
use crate::cli::forms;
use crate::cli::local::Local;
use crate::cli::output_format::OutputFormat;
use crate::cli::print::{ago, line};
use crate::cli::remote::{Acting, Server};
use crate::cli::terminal::Terminal;

/// Show one memory that a workspace can read
#[derive(Args, Debug)]
pub(crate) struct Show {
    /// Id of the memory
    #[arg(value_parser = forms::id)]
    memory: Uuid,
    /// End user that the read is for, where end users are apart
    #[arg(long)]
    subject: Option<String>,
    /// Session that the read is for
    #[arg(long, value_name = "SESSION")]
    session_id: Option<String>,
    /// Also of other sessions of the end user, as grants show them
    #[arg(long)]
    granted: bool,
    #[command(flatten)]
    acting: Acting,
    #[command(flatten)]
    format: OutputFormat,
    #[command(flatten)]
    server: Server,
}

impl Show {
    pub(crate) async fn run(self, terminal: &Terminal, local: &Local) -> Result<(), CliError> {
        let remote = self.server.connect(local)?;
        let reader = remote.of_memory(&self.acting, self.memory).await?;
        let query = ReadMemoryQuery { sessions: self.granted.then_some(ReadSessions::Granted) };
        let client = remote.client.for_end_user(self.subject.as_deref(), self.session_id.as_deref())?;
        let found = client.read_memory(reader, self.memory, &query).await?;
        self.format.print(terminal, &found, |found, paint| match found {
            ReadMemory::Readable(memory) => search::render(memory, terminal.now, paint),
            ReadMemory::Redacted(tombstone) => {
                let (author, when) = (line(&tombstone.workspace_name), ago(tombstone.redacted_at, terminal.now));
                format!("{}  {author}  {}  redacted {when}\n", tombstone.id, tombstone.scope)
            }
        })
    }
}
