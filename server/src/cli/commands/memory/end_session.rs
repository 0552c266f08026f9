use clap::Args;
use orgmem_types::EndedSession;

use crate::cli::error::CliError;
use crate::cli::local::Local;
use crate::cli::output_format::OutputFormat;
use crate::cli::print::line;
use crate::cli::remote::{Acting, Server};
use crate::cli::terminal::Terminal;

/// End a session of a workspace: its memories that are session-only expire
#[derive(Args, Debug)]
pub(crate) struct EndSession {
    /// Id of the session
    session_id: String,
    #[command(flatten)]
    acting: Acting,
    #[command(flatten)]
    format: OutputFormat,
    #[command(flatten)]
    server: Server,
}

impl EndSession {
    pub(crate) async fn run(self, terminal: &Terminal, local: &Local) -> Result<(), CliError> {
        let remote = self.server.connect(local)?;
        let workspace = remote.acting(&self.acting).await?;
        let ended = remote.client.end_session(workspace, &self.session_id).await?;
        self.format.print(terminal, &ended, |ended, _| render(ended))
    }
}

fn render(EndedSession { session_id, ended }: &EndedSession) -> String {
    let memories = if *ended == 1 { "memory" } else { "memories" };
    format!("session {} ended; {ended} {memories} expired\n", line(session_id))
}
